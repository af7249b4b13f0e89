/* SPDX-License-Identifier: MIT */
#include "base/log.h"
#include "cli/data.h"
#include "report/audit_text.h"
#include "run/audit_run.h"

struct load_cmd {
    struct data_cmd data;
    int audit; /* enum audit_level */
};

static const char *const audit_names[] = {"off", "quick", "full", NULL};

static const struct opt check_opts[] = {
    OPT_CHOICE(struct load_cmd, audit, "audit", 0, "full", audit_names,
               "full|quick|off", "check the data after the load"),
    OPT_BOOL(struct load_cmd, data.verify, "verify", 0, "off",
             "compare every value with what the seed makes"),
    OPT_END,
};

static int check(const struct load_cmd *cmd, struct session *s)
{
    struct audit audit;
    struct err err = {0};

    if (cmd->audit == AUDIT_OFF || db_can(s->db, DRIVER_DISCARDS) ||
        db_can(s->db, DRIVER_FILES))
        return EXIT_DONE;
    log_info("checking the data");
    audit_init(&audit, (enum audit_level)cmd->audit);
    if (run_audit(s, &audit, &err))
        return cli_fail(&err);
    report_audit_text(&audit, stdout);
    return audit_passed(&audit) ? EXIT_DONE : EXIT_NOT_VALID;
}

static int load_on(struct cli *cli, struct load_cmd *cmd, struct session *s)
{
    struct load_result load;
    struct err err = {0};

    if (!s->ds.workload->load_begin) {
        log_info("workload '%s' needs no data", s->ds.workload->name);
        data_forget(s);
        return EXIT_DONE;
    }
    /* What keeps nothing is loaded to see the generator at work. */
    if (db_can(s->db, DRIVER_DISCARDS) && !cmd->data.load.resume)
        cmd->data.load.replace = true;
    if (data_ensure(cli, &cmd->data, s, &load, &err))
        return cli_fail(&err);
    if (load.rows == 0 && cmd->data.verify)
        return EXIT_DONE;
    if (load.rows == 0 && cmd->data.load.resume) {
        log_info("'%s' is complete, there is nothing to go on with",
                 s->target.shown);
        return EXIT_DONE;
    }
    if (load.rows == 0 && !db_can(s->db, DRIVER_DISCARDS)) {
        char scale[48];

        log_error("'%s' holds %s already; %s", s->target.shown,
                  scale_text(&s->ds, s->ds.scale, scale, sizeof(scale)),
                  db_can(s->db, DRIVER_FILES)
                      ? "name another folder, or remove it yourself"
                      : "load again with --replace");
        return EXIT_COULD_NOT;
    }
    return check(cmd, s);
}

static int load_main(const struct command *self, int argc, char **argv)
{
    struct load_cmd cmd = {.data = {.makes_data = true, .takes_files = true}};
    struct session session;
    struct err err = {0};
    struct cli cli;
    int code;

    cli_init(&cli, self);
    opt_set_add(&cli.opts, "Target", target_opts, &cmd.data.target);
    opt_set_add(&cli.opts, "Statements", sql_opts, &cmd.data.sql);
    opt_set_add(&cli.opts, "Load", load_opts, &cmd.data.load);
    opt_set_add(&cli.opts, "Check", check_opts, &cmd);
    if (!cli_parse(&cli, CLI_WORKLOAD, argc, argv, &code))
        goto out;
    if (data_open(&cli, &cmd.data, NULL, &session, &err)) {
        code = cli_fail(&err);
        goto out;
    }
    code = load_on(&cli, &cmd, &session);
    session_close(&session);
out:
    cli_release(&cli);
    return code;
}

const struct command load_command = {
    .name = "load",
    .usage = "WORKLOAD [OPTION…]",
    .summary = "create the schema and the data",
    .run = load_main,
};
