/* SPDX-License-Identifier: MIT */
#include "base/log.h"
#include "cli/data.h"
#include "report/json.h"
#include "report/text.h"
#include "run/run.h"
#include "store/results.h"

#include <stdio.h>
#include <unistd.h>

struct run_cmd {
    struct data_cmd data;
    struct run_cfg run;
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

/* Stores the summary and prints the report; the report comes out even when it
 * cannot be stored. */
static int publish(const struct run_cmd *cmd, struct results *folder,
                   struct run_result *result)
{
    struct err err = {0};
    char *json = NULL;
    int code = exit_code(result);

    if (report_json(result, &json, &err)) {
        report_text(result, stdout);
        return cli_fail(&err);
    }
    if (results_write(folder, result->name, json, &err)) {
        log_error("the result is not stored: %s", err.text);
        code = EXIT_COULD_NOT;
    } else {
        log_info("stored as %s/%s.json", cmd->data.target.results,
                 result->name);
    }
    if (print_report(cmd, result, json))
        code = EXIT_COULD_NOT;
    report_json_free(json);
    return code;
}

/* Threads that are stuck in the database may still use what would be freed. */
static void leave_if_abandoned(const struct run_result *r, int code)
{
    if (!r->users_abandoned)
        return;
    fflush(NULL);
    _exit(code);
}

static void name_result(const struct run_cmd *cmd, struct run_result *r)
{
    const struct results_label label = {
        .number = r->number,
        .server = r->driver,
        .scale = r->scale,
        .n_vus = r->n_vus,
        .n_conns = r->n_conns,
    };
    char name[RESULTS_NAME_MAX + 1];

    r->name = cmd->run.name;
    if (r->name)
        return;
    results_name(&label, name, sizeof(name));
    r->name = arena_strdup(&r->arena, name);
}

static int run_and_publish(struct cli *cli, const struct run_cmd *cmd,
                           struct session *s, struct results *folder)
{
    const struct run_args args = {
        .cfg = &cmd->run,
        .threads = cmd->data.load.threads,
        .quiet = cli->common.quiet,
    };
    struct load_result load;
    struct run_result result;
    struct err err = {0};
    enum rc rc;
    int code;

    result_init(&result);
    result.options = &cli->opts;
    rc = run_configure(s, &cmd->run, &err);
    if (!rc)
        rc = data_ensure(cli, &cmd->data, s, &load, &err);
    if (!rc && !cmd->run.name)
        rc = results_next_number(folder, &result.number, &err);
    if (!rc)
        rc = run_workload(s, &args, &result, &err);
    if (rc) {
        result_release(&result);
        return cli_fail(&err);
    }
    result.load_rows = load.rows;
    result.load_ns = load.elapsed_ns;
    name_result(cmd, &result);
    code = publish(cmd, folder, &result);
    leave_if_abandoned(&result, code);
    result_release(&result);
    return code;
}

/* --label KEY=VALUE */
static enum rc check_labels(const struct opt_strs *labels, struct err *err)
{
    for (size_t i = 0; i < labels->n; i++) {
        const char *eq = strchr(labels->items[i], '=');

        if (!eq || eq == labels->items[i])
            return err_set(err, RC_USAGE, "--label: '%s' is not KEY=VALUE",
                           labels->items[i]);
    }
    return RC_OK;
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

static int run_in_folder(struct cli *cli, const struct run_cmd *cmd,
                         struct results *folder)
{
    struct session session;
    struct err err = {0};
    enum rc rc = check_labels(&cmd->run.labels, &err);
    int code;

    if (!rc)
        rc = check_length(cli, cmd, &err);
    if (!rc && cmd->run.name)
        rc = results_claim_name(folder, cmd->run.name, &err);
    if (!rc)
        rc = data_open(cli, &cmd->data, cmd->run.composition, &session, &err);
    if (rc)
        return cli_fail(&err);
    code = run_and_publish(cli, cmd, &session, folder);
    session_close(&session);
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
