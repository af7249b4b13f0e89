/* SPDX-License-Identifier: MIT */
#include "base/log.h"
#include "cli/data.h"
#include "cli/keep.h"
#include "cli/own_server.h"
#include "lab/guard.h"
#include "report/json.h"
#include "report/text.h"
#include "run/run.h"
#include "run/script_command.h"

#include <stdio.h>
#include <unistd.h>

struct run_cmd {
    struct data_cmd data;
    struct run_cfg run;
    struct own_server own;
    int format; /* enum cli_format */
};

static const char *const format_names[] = {"text", "json", "markdown", NULL};

static const struct opt output_opts[] = {
    OPT_CHOICE(struct run_cmd, format, "format", 0, "text", format_names,
               "text|json|markdown", "of the report on standard output"),
    OPT_END,
};

static enum rc print_report(const struct run_cmd *cmd,
                            const struct run_result *result, const char *json)
{
    switch ((enum cli_format)cmd->format) {
    case FORMAT_TEXT:
        report_text(result, stdout);
        break;
    case FORMAT_JSON:
        fputs(json, stdout);
        fputc('\n', stdout);
        break;
    case FORMAT_MARKDOWN:
        report_markdown(result, stdout);
        break;
    }
    return fflush(stdout) ? RC_IO : RC_OK;
}

static int exit_code(const struct run_result *r)
{
    if (!r->complete)
        return EXIT_PARTIAL;
    if (!result_valid(r))
        return EXIT_NOT_VALID;
    return result_thresholds_passed(r) ? EXIT_DONE : EXIT_THRESHOLD;
}

/* In the store and as a file. */
static int keep_result(const struct run_cmd *cmd, struct results *folder,
                       struct run_keeper *keeper,
                       const struct run_result *result, const char *json)
{
    struct err err = {0};

    if (run_keeper_finish(keeper, result, json, &err) ||
        results_write(folder, result->name, json, &err)) {
        log_error("the result is not stored: %s", err.text);
        return EXIT_COULD_NOT;
    }
    log_info("stored as %s/%s.json", cmd->data.target.results, result->name);
    return exit_code(result);
}

/* Stores the summary and prints the report; the report comes out even when it
 * cannot be stored. */
static int publish(const struct run_cmd *cmd, struct results *folder,
                   struct run_keeper *keeper, struct run_result *result)
{
    struct err err = {0};
    char *json = NULL;
    int code;

    run_keeper_settle(keeper, result);

    if (report_json(result, &json, &err)) {
        report_text(result, stdout);
        return cli_fail(&err);
    }
    code = keep_result(cmd, folder, keeper, result, json);
    if (print_report(cmd, result, json))
        code = EXIT_COULD_NOT;
    report_json_free(json);
    return code;
}

/* Threads that are stuck in the database may still use what would be freed. */
static void leave_if_abandoned(const struct run_result *r, int code)
{
    if (!result_abandoned(r))
        return;
    fflush(NULL);
    _exit(code);
}

/* What is loaded must leave room for the run. */
static enum rc ensure_data(struct cli *cli, struct run_cmd *cmd,
                           struct session *s, struct load_result *out,
                           struct err *err)
{
    struct guard_needs needs;

    guard_estimate(&s->ds, &cmd->run,
                   own_server_log_bytes(&cmd->own, cmd->data.target.db),
                   &needs);
    cmd->data.beside_bytes = guard_total(&needs);
    return data_ensure(cli, &cmd->data, s, out, err);
}

static enum rc guard_disk(const struct run_cmd *cmd, struct session *s,
                          struct guard *guard,
                          struct series_listeners *listeners, struct err *err)
{
    struct guard_needs needs;

    if (!cmd->data.load.disk_check || db_can(s->db, DRIVER_DISCARDS))
        return RC_OK;
    guard_estimate(&s->ds, &cmd->run,
                   own_server_log_bytes(&cmd->own, cmd->data.target.db),
                   &needs);
    series_listen(listeners, guard_listener(guard));
    return guard_begin(guard, s, &needs, err);
}

static int run_and_publish(struct cli *cli, struct run_cmd *cmd,
                           struct session *s, struct results *folder,
                           struct run_keeper *keeper)
{
    struct series_listeners listeners = {.n = 0};
    struct guard guard = {.n_looks = 0};
    const struct run_args args = {
        .cfg = &cmd->run,
        .threads = cmd->data.load.threads,
        .quiet = cli->common.quiet,
        .listeners = &listeners,
        .brake = &guard.brake,
        .results = cmd->data.target.results,
    };
    struct load_result load;
    struct run_result result;
    struct err err = {0};
    uint64_t highest = 0;
    enum rc rc;
    int code;

    result_init(&result);
    result.name = keeper->name;
    series_listen(&listeners, run_keeper_listener(keeper));
    result.options = &cli->opts;
    rc = run_configure(s, &cmd->run, &err);
    if (rc)
        data_forget(s);
    if (!rc)
        rc = ensure_data(cli, cmd, s, &load, &err);
    if (!rc)
        rc = guard_disk(cmd, s, &guard, &listeners, &err);
    if (!rc && !cmd->run.name)
        rc = run_keeper_highest(keeper, &highest, &err);
    if (!rc && !cmd->run.name)
        rc = results_next_number(folder, highest, &result.number, &err);
    if (!rc)
        rc = run_workload(s, &args, &result, &err);
    if (rc) {
        run_keeper_drop(keeper);
        result_release(&result);
        return cli_fail(&err);
    }
    if (cmd->own.load.rows)
        load = cmd->own.load;
    result.load_rows = load.rows;
    result.load_ns = load.elapsed_ns;
    code = publish(cmd, folder, keeper, &result);
    if (result_abandoned(&result))
        own_server_end(&cmd->own);
    leave_if_abandoned(&result, code);
    result_release(&result);
    return code;
}

/* prepare, cleanup, … */
static int run_command_of_script(const struct cli *cli,
                                 const struct run_cmd *cmd, struct session *s)
{
    const struct script_args args = {
        .command = cli->file_command,
        .n_users = cmd->run.vus > 0 ? cmd->run.vus : 1,
    };
    struct err err = {0};

    return script_command(s, &args, &err) ? cli_fail(&err) : EXIT_DONE;
}

/* Both say how long the interval is. */
static enum rc check_length(const struct cli *cli, const struct run_cmd *cmd,
                            struct err *err)
{
    if (!cmd->run.stages ||
        opt_set_source(&cli->opts, "duration") == OPT_FROM_DEFAULT)
        return RC_OK;
    return err_set(err, RC_USAGE,
                   "--duration does not go with --stages, which say how long "
                   "they are");
}

static int run_in_folder(struct cli *cli, struct run_cmd *cmd,
                         struct results *folder)
{
    struct session session;
    struct run_keeper keeper = {0};
    struct err err = {0};
    enum rc rc = cli_check_labels(&cmd->run.labels, &err);
    int code;

    if (!rc && cmd->run.server_name)
        rc = results_check_name(cmd->run.server_name, &err);
    if (!rc)
        rc = check_length(cli, cmd, &err);
    if (!rc && cmd->run.name)
        rc = results_claim_name(folder, cmd->run.name, &err);
    if (!rc)
        rc = run_keeper_open(&keeper, cmd->data.target.results, cmd->run.name,
                             &cmd->run.labels, &err);
    if (!rc)
        rc = own_server_begin(&cmd->own, cli, &cmd->data, &cmd->run, &err);
    if (!rc)
        rc = data_open(cli, &cmd->data, cmd->run.composition, &session, &err);
    if (rc) {
        own_server_end(&cmd->own);
        run_keeper_close(&keeper);
        return cli_fail(&err);
    }
    keeper.server_name = cmd->run.server_name;
    if (cli->file && strcmp(cli->file_command, "run") != 0)
        code = run_command_of_script(cli, cmd, &session);
    else
        code = run_and_publish(cli, cmd, &session, folder, &keeper);
    session_close(&session);
    own_server_end(&cmd->own);
    run_keeper_close(&keeper);
    return code;
}

static int run_main(const struct command *self, int argc, char **argv)
{
    struct run_cmd cmd = {.data.makes_data = true};
    struct results *folder = NULL;
    struct err err = {0};
    struct cli cli;
    int code;

    cli_init(&cli, self);
    opt_set_add(&cli.opts, "Target", target_opts, &cmd.data.target);
    opt_set_add(&cli.opts, "Statements", sql_opts, &cmd.data.sql);
    opt_set_add(&cli.opts, "Run", run_opts, &cmd.run);
    opt_set_add(&cli.opts, "Load", load_opts, &cmd.data.load);
    opt_set_add(&cli.opts, "Server of dyno's own", own_server_opts, &cmd.own);
    opt_set_add(&cli.opts, "Its settings", server_opts, &cmd.own.spec);
    opt_set_add(&cli.opts, "Output", output_opts, &cmd);
    if (!cli_parse(&cli, CLI_WORKLOAD, argc, argv, &code))
        goto out;
    if (results_open(cmd.data.target.results, &folder, &err))
        code = cli_fail(&err);
    else
        code = run_in_folder(&cli, &cmd, folder);
    results_close(folder);
out:
    cli_release(&cli);
    return code;
}

const struct command run_command = {
    .name = "run",
    .usage = "WORKLOAD [OPTION…]",
    .summary = "load when needed, ramp up, measure, audit, report",
    .run = run_main,
};
