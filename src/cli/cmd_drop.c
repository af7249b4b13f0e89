/* SPDX-License-Identifier: MIT */
#include "base/log.h"
#include "cli/data.h"

static int drop_on(struct session *s)
{
    struct err err = {0};
    const enum rc rc = drop_dataset(s, &err);

    if (rc == RC_NOT_FOUND)
        data_forget(s);
    if (rc)
        return cli_fail(&err);
    log_info("removed the %s tables from '%s'", s->ds.workload->name,
             s->target.shown);
    return EXIT_DONE;
}

static int drop_main(const struct command *self, int argc, char **argv)
{
    struct data_cmd cmd = {0};
    struct session session;
    struct err err = {0};
    struct cli cli;
    int code;

    cli_init(&cli, self);
    opt_set_add(&cli.opts, "Target", target_opts, &cmd.target);
    if (!cli_parse(&cli, CLI_WORKLOAD, argc, argv, &code))
        goto out;
    if (data_open(&cli, &cmd, NULL, &session, &err)) {
        code = cli_fail(&err);
        goto out;
    }
    code = drop_on(&session);
    session_close(&session);
out:
    cli_release(&cli);
    return code;
}

const struct command drop_command = {
    .name = "drop",
    .usage = "WORKLOAD [OPTION…]",
    .summary = "remove what load created",
    .run = drop_main,
};
