/* SPDX-License-Identifier: MIT */
/* Flips one switch at a time and says which moved the number. */
#include "base/log.h"
#include "cli/flip.h"
#include "driver/target.h"
#include "store/results.h"

#include <stdio.h>
#include <unistd.h>

#define ARENA_MAX ((size_t)64 << 20)

static const char *const format_names[] = {"text", "json", "markdown", NULL};

static const char *const server_names[] = {"none", "postgres", "mariadb",
                                           "mysql", NULL};

static const struct opt flip_opts[] = {
    OPT_STRS(struct flip_cmd, switches, "switch", 0, "NAME=A,B",
             "A is the base's value; may be repeated"),
    OPT_DUR_FROM(struct flip_cmd, budget_ns, "time-budget", 0, NULL, NS_PER_S,
                 "TIME", "take about so long in all; left out: no limit"),
    OPT_U64(struct flip_cmd, rounds, "rounds", 0, NULL, FLIP_ROUNDS_MIN,
            FLIP_ROUNDS_MAX, "N", "runs of each variant; left out: 5"),
    OPT_CHOICE(struct flip_cmd, server, "server", 0, "none", server_names,
               "postgres|mariadb|mysql", "on a server of dyno's own"),
    OPT_CHOICE(struct flip_cmd, format, "format", 0, "text", format_names,
               "text|json|markdown", "of the report on standard output"),
    OPT_END,
};

/* "20261130T161500_4711" */
static enum rc name_it(struct flip_cmd *cmd, struct err *err)
{
    char now[32], short_form[32];
    size_t n = 0;

    clock_format_utc(clock_wall_us(), now, sizeof(now));
    for (const char *p = now; *p; p++) {
        if (*p != '-' && *p != ':' && *p != 'Z')
            short_form[n++] = *p;
    }
    short_form[n] = '\0';
    cmd->id = arena_printf(&cmd->arena, "%s_%ld", short_form, (long)getpid());
    cmd->log = arena_printf(&cmd->arena, "%s/flip_%s.log", cmd->target.results,
                            cmd->id ? cmd->id : "");
    if (!cmd->id || !cmd->log)
        return err_set(err, RC_NOMEM, "no memory for the experiment");
    return RC_OK;
}

static bool all_ran(const struct flip_result *r)
{
    for (size_t i = 0; i < r->n_runs; i++) {
        if (r->runs[i].result.outcome != VARIANT_VALID)
            return false;
    }
    return !r->interrupted;
}

static int flip_on(struct cli *cli, struct flip_cmd *cmd,
                   struct flip_place *place, const char *server)
{
    const struct flip_args args = {
        .plan = &cmd->plan,
        .place = place,
        .workload = cli->workload->name,
        .results = cmd->target.results,
        .server = server,
        .options = cmd->options,
        .n_options = cmd->n_options,
        .id = cmd->id,
        .log = cmd->log,
        .seed = cmd->load.seed,
        .begun = clock_now(),
        .budget_ns = cmd->budget_ns,
        .times = {.rounds = cmd->rounds},
        .quiet = cli->common.quiet,
    };
    struct flip_args with_times = args;
    struct flip_result result;
    struct err err = {0};
    int code = EXIT_COULD_NOT;
    enum rc rc;

    if (opt_set_source(&cli->opts, "duration") != OPT_FROM_DEFAULT)
        with_times.times.interval_ns = cmd->run.duration_ns;
    rc = flip_run_all(&with_times, &cmd->arena, &result, &err);
    if (!rc && result.interrupted && result.n_runs == 0)
        rc = err_set(&err, RC_CANCELLED, "ended before the first round");
    if (!rc)
        rc = flip_print(cmd, &result, &code, &err);
    if (!rc && all_ran(&result))
        unlink(cmd->log);
    return rc ? cli_fail(&err) : code;
}

static int flip_given(struct cli *cli, struct flip_cmd *cmd)
{
    const char *url = cli_target(cli, cmd->target.db, cmd->target.results,
                                 cli->workload->name);
    struct flip_given given;
    struct target target;
    struct err err = {0};
    enum rc rc;

    if (!url)
        rc = err_set(&err, RC_NOMEM, "no memory for the target");
    else
        rc = target_parse(&cmd->arena, url, &target, &err);
    if (!rc)
        rc = flip_switches(cli, cmd, target.driver->name, false, &err);
    if (rc)
        return cli_fail(&err);
    flip_given_init(&given, url, cmd->load.replace);
    return flip_on(cli, cmd, &given.place, NULL);
}

/* "flip-" and a part of the id, which is the experiment's alone. */
static enum rc own_spec(struct flip_cmd *cmd, struct err *err)
{
    cmd->spec.kind = cmd->server - 1;
    cmd->spec.name = arena_printf(&cmd->arena, "flip-%s", cmd->id);
    if (!cmd->spec.name)
        return err_set(err, RC_NOMEM, "no memory for a server");
    return RC_OK;
}

static int flip_own(struct cli *cli, struct flip_cmd *cmd)
{
    struct flip_own_args own = {
        .spec = &cmd->spec,
        .workload = cli->workload->name,
        .options = cmd->options,
        .log = cmd->log,
        .quiet = cli->common.quiet,
        .arena = &cmd->arena,
    };
    struct flip_place *place = NULL;
    struct err err = {0}, gone = {0};
    const char *kind = server_names[cmd->server];
    enum rc rc = own_spec(cmd, &err);
    int code;

    if (!rc && cmd->target.db)
        rc = err_set(&err, RC_USAGE,
                     "--server and --db are two databases; "
                     "name one");
    if (!rc)
        rc = flip_switches(cli, cmd, kind, true, &err);
    own.n_options = cmd->n_options;
    if (!rc)
        rc = flip_own_new(&own, &place, &err);
    code = rc ? cli_fail(&err) : flip_on(cli, cmd, place, kind);
    if (flip_own_free(place, &gone))
        log_error("the server is left behind: %s", gone.text);
    return code;
}

static int flip_in_folder(struct cli *cli, struct flip_cmd *cmd)
{
    struct results *folder = NULL;
    struct err err = {0};
    enum rc rc = results_open(cmd->target.results, &folder, &err);

    if (!rc)
        rc = name_it(cmd, &err);
    results_close(folder);
    if (rc)
        return cli_fail(&err);
    return cmd->server ? flip_own(cli, cmd) : flip_given(cli, cmd);
}

static int flip_main(const struct command *self, int argc, char **argv)
{
    struct flip_cmd cmd = {.budget_ns = 0};
    struct cli cli;
    int code;

    arena_init(&cmd.arena, ARENA_MAX);
    cli_init(&cli, self);
    opt_set_add(&cli.opts, "Flip", flip_opts, &cmd);
    opt_set_add(&cli.opts, "Target", target_opts, &cmd.target);
    opt_set_add(&cli.opts, "Statements", sql_opts, &cmd.sql);
    opt_set_add(&cli.opts, "Run", run_opts, &cmd.run);
    opt_set_add(&cli.opts, "Load", load_opts, &cmd.load);
    opt_set_add(&cli.opts, "Server", server_opts, &cmd.spec);
    if (cli_parse(&cli, CLI_WORKLOAD, argc, argv, &code))
        code = flip_in_folder(&cli, &cmd);
    cli_release(&cli);
    arena_release(&cmd.arena);
    return code;
}

const struct command flip_command = {
    .name = "flip",
    .usage = "WORKLOAD [--switch NAME=A,B]… [OPTION…]",
    .summary = "flip one switch at a time, say which moved the number",
    .run = flip_main,
};
