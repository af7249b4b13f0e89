/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"
#include "report/check.h"
#include "report/json.h"
#include "run/config.h"
#include "run/preflight.h"
#include "run/session.h"

#include <stdio.h>
#include <unistd.h>

struct check_cmd {
    struct target_cfg target;
    uint64_t vus;
    int format; /* enum cli_format */
};

static const char *const format_names[] = {"text", "json", NULL};

static const struct opt check_opts[] = {
    OPT_U64(struct check_cmd, vus, "vus", 'u', NULL, 1, 100000, "N",
            "of the run that is meant; left out: as 'run' does"),
    OPT_CHOICE(struct check_cmd, format, "format", 0, "text", format_names,
               "text|json", "of the findings on standard output"),
    OPT_END,
};

static int print_findings(const struct check_cmd *cmd,
                          const struct preflight *found, const char *target)
{
    struct err err = {0};
    char *json;

    if (cmd->format == FORMAT_TEXT) {
        report_check_text(found, target, stdout);
        return EXIT_DONE;
    }
    if (report_check_json(found, target, &json, &err))
        return cli_fail(&err);
    puts(json);
    report_json_free(json);
    return EXIT_DONE;
}

/* What can be said without the database is said even if it cannot be asked. */
static int check_on(const struct check_cmd *cmd, struct session *s)
{
    const char *target = s ? s->target.shown : NULL;
    const struct preflight_args args = {
        .session = s,
        .results = cmd->target.results,
        .n_conns = cmd->vus ? cmd->vus : default_vus(),
        .full = true,
    };
    struct preflight found;
    struct err err = {0};
    int code;

    if (!preflight_look(&args, &found, &err))
        return print_findings(cmd, &found, target);
    preflight_warn(preflight_add(&found, "server", "not asked"), err.text,
                   "make it reachable and check again");
    code = print_findings(cmd, &found, target);
    return code ? code : cli_fail(&err);
}

static int check_target(const struct check_cmd *cmd, const char *url)
{
    const struct session_args args = {
        .url = url,
        .create = cmd->target.create_database,
    };
    struct session session;
    struct err err = {0};
    bool removed;
    int code;

    if (session_open(&args, &session, &err))
        return cli_fail(&err);
    code = check_on(cmd, &session);
    /* A file that was made by looking at it. */
    if (db_discard(session.db, &removed, &err) && !code)
        code = cli_fail(&err);
    session_close(&session);
    return code;
}

static int check_main(const struct command *self, int argc, char **argv)
{
    struct check_cmd cmd = {0};
    struct err err = {0};
    const char *url;
    struct cli cli;
    int code;

    cli_init(&cli, self);
    opt_set_add(&cli.opts, "Target", target_opts, &cmd.target);
    opt_set_add(&cli.opts, "Check", check_opts, &cmd);
    if (!cli_parse(&cli, 0, argc, argv, &code))
        goto out;
    url = cli_target(&cli, cmd.target.db, cmd.target.results, "tpcc");
    if (!url) {
        err_set(&err, RC_NOMEM, "no memory for the target's name");
        code = cli_fail(&err);
    } else if (!cmd.target.db && access(url + strlen("sqlite:"), F_OK)) {
        /* Nothing was loaded yet. */
        code = check_on(&cmd, NULL);
    } else {
        code = check_target(&cmd, url);
    }
out:
    cli_release(&cli);
    return code;
}

const struct command check_command = {
    .name = "check",
    .usage = "[OPTION…]",
    .summary = "preflight: round trip, commit, clock, limits, settings, disk",
    .run = check_main,
};
