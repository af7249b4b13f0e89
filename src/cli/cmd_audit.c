/* SPDX-License-Identifier: MIT */
#include "cli/data.h"
#include "report/audit_text.h"
#include "report/json.h"
#include "run/audit_run.h"

#include <stdio.h>
#include <string.h>

struct audit_cmd {
    struct data_cmd data;
    int level;  /* enum audit_level less one: "off" makes no sense here */
    int format; /* enum cli_format */
    struct opt_strs checks;
    bool list;
};

static const char *const level_names[] = {"quick", "full", NULL};
static const char *const format_names[] = {"text", "json", NULL};

static const struct opt audit_opts[] = {
    OPT_CHOICE(struct audit_cmd, level, "audit", 0, "full", level_names,
               "full|quick", "how much is checked"),
    OPT_STRS(struct audit_cmd, checks, "checks", 0, "NAME,…",
             "only these checks or groups of them"),
    OPT_BOOL(struct audit_cmd, list, "list", 0, "off",
             "print the names of all checks, and end"),
    OPT_CHOICE(struct audit_cmd, format, "format", 0, "text", format_names,
               "text|json", "of the findings on standard output"),
    OPT_END,
};

static int print_findings(const struct audit_cmd *cmd,
                          const struct audit *audit)
{
    struct err err = {0};
    char *json;

    if (cmd->format == FORMAT_TEXT) {
        report_audit_text(audit, stdout);
        return EXIT_DONE;
    }
    if (report_audit_json(audit, &json, &err))
        return cli_fail(&err);
    puts(json);
    report_json_free(json);
    return EXIT_DONE;
}

static int audit_on(const struct audit_cmd *cmd, struct session *s)
{
    struct data_info info;
    struct audit audit;
    struct err err = {0};
    int code;

    if (!s->ds.workload->audit) {
        err_set(&err, RC_NOT_FOUND, "workload '%s' has no data to check",
                s->ds.workload->name);
        return cli_fail(&err);
    }
    if (session_inspect(s, &info, &err))
        return cli_fail(&err);
    if (info.status == DATA_ABSENT) {
        err_set(&err, RC_NOT_FOUND,
                "'%s' holds no %s data; load it with 'dyno load %s'",
                s->target.shown, s->ds.workload->name, s->ds.workload->name);
        data_forget(s);
        return cli_fail(&err);
    }
    audit_init(&audit, (enum audit_level)(cmd->level + 1));
    audit.only = &cmd->checks;
    if (session_check_data(s, &info, &err) || run_audit(s, &audit, &err))
        return cli_fail(&err);
    code = print_findings(cmd, &audit);
    if (code)
        return code;
    return audit_passed(&audit) ? EXIT_DONE : EXIT_NOT_VALID;
}

static int list_checks(const struct workload *wl)
{
    int width = 0;

    for (size_t i = 0; i < wl->n_checks; i++) {
        const int len = (int)strlen(wl->checks[i].name);

        width = len > width ? len : width;
    }
    for (size_t i = 0; i < wl->n_checks; i++)
        printf("%-*s  %s\n", width, wl->checks[i].name, wl->checks[i].title);
    return EXIT_DONE;
}

static int audit_main(const struct command *self, int argc, char **argv)
{
    struct audit_cmd cmd = {0};
    struct session session;
    struct err err = {0};
    struct cli cli;
    int code;

    cli_init(&cli, self);
    opt_set_add(&cli.opts, "Target", target_opts, &cmd.data.target);
    opt_set_add(&cli.opts, "Statements", sql_opts, &cmd.data.sql);
    opt_set_add(&cli.opts, "Audit", audit_opts, &cmd);
    if (!cli_parse(&cli, CLI_WORKLOAD, argc, argv, &code))
        goto out;
    if (cmd.list) {
        code = list_checks(cli.workload);
        goto out;
    }
    if (audit_check_names(&cmd.checks, cli.workload->checks,
                          cli.workload->n_checks, &err) ||
        data_open(&cli, &cmd.data, NULL, &session, &err)) {
        code = cli_fail(&err);
        goto out;
    }
    code = audit_on(&cmd, &session);
    session_close(&session);
out:
    cli_release(&cli);
    return code;
}

const struct command audit_command = {
    .name = "audit",
    .usage = "WORKLOAD [OPTION…]",
    .summary = "check the data: population and consistency",
    .run = audit_main,
};
