/* SPDX-License-Identifier: MIT */
/* Stored runs: list, show, export, import, remove. */
#include "cli/runs.h"
#include "report/json.h"
#include "report/run_list.h"
#include "report/stored.h"
#include "report/text.h"

#include <string.h>

#define ARENA_MAX ((size_t)256 << 20)
#define RUN_USAGE "RUN'; a name, a number or 'latest"

static const char *const format_names[] = {"text", "json", "csv", "markdown",
                                           NULL};
static const char *const csv_names[] = {"none", "csv", NULL};
static const char *const hlog_names[] = {"none", "hlog", NULL};

static const struct opt runs_opts[] = {
    OPT_STR(struct runs_cmd, results, "results", 0, "dyno-results", "DIR",
            "folder of stored runs"),
    OPT_CHOICE(struct runs_cmd, format, "format", 0, "text", format_names,
               "text|json|csv|markdown", "list, show: of what is printed"),
    OPT_STR(struct runs_cmd, name, "name", 0, NULL, "PATTERN",
            "list: names like this; * and ? stand for others"),
    OPT_STR(struct runs_cmd, workload, "workload", 0, NULL, "NAME",
            "list: runs of this workload"),
    OPT_STRS(struct runs_cmd, labels, "label", 0, "KEY=VALUE",
             "list: runs with this label; may be repeated"),
    OPT_U64(struct runs_cmd, latest, "latest", 0, NULL, 1, INT64_MAX, "N",
            "list: the latest N"),
    OPT_CHOICE(struct runs_cmd, series, "series", 0, "none", csv_names, "csv",
               "export: the series of one run instead"),
    OPT_CHOICE(struct runs_cmd, telemetry, "telemetry", 0, "none", csv_names,
               "csv", "export: the sampled figures of one run instead"),
    OPT_CHOICE(struct runs_cmd, histograms, "histograms", 0, "none", hlog_names,
               "hlog", "export: histograms of one run, as HdrHistogram logs"),
    OPT_STR(struct runs_cmd, output, "output", 'o', NULL, "FILE",
            "export: to this file"),
    OPT_BOOL(struct runs_cmd, yes, "yes", 'y', "off",
             "rm: do not ask whether it is meant"),
    OPT_END,
};

/* ---- list and show ---- */

static enum rc list(void *arg, const char *no_name, struct err *err)
{
    struct runs_cmd *cmd = arg;
    const struct store_filter filter = {
        .name = cmd->name,
        .workload = cmd->workload,
        .labels = cmd->labels.items,
        .n_labels = cmd->labels.n,
        .latest = cmd->latest,
    };
    struct stored_run *runs;
    size_t n;
    enum rc rc;

    (void)no_name;
    rc = cli_check_labels(&cmd->labels, err);
    if (!rc)
        rc = store_list(cmd->store, &filter, &cmd->arena, &runs, &n, err);
    if (rc)
        return rc;
    switch ((enum runs_format)cmd->format) {
    case RUNS_TEXT:
        run_list_text(runs, n, stdout);
        break;
    case RUNS_JSON:
        return run_list_json(runs, n, stdout, err);
    case RUNS_CSV:
        run_list_csv(runs, n, stdout);
        break;
    case RUNS_MARKDOWN:
        run_list_markdown(runs, n, stdout);
        break;
    }
    return RC_OK;
}

static enum rc print_result(const struct run_result *r, int format,
                            struct err *err)
{
    char *json = NULL;
    enum rc rc;

    if (format == RUNS_TEXT) {
        report_text(r, stdout);
        return RC_OK;
    }
    if (format == RUNS_MARKDOWN) {
        report_markdown(r, stdout);
        return RC_OK;
    }
    rc = report_json(r, &json, err);
    if (!rc)
        printf("%s\n", json);
    report_json_free(json);
    return rc;
}

/* The run has no report of its own: it goes on, or did not get that far. */
static enum rc show_intervals(struct runs_cmd *cmd,
                              const struct stored_run *run, struct err *err)
{
    struct run_result result;
    enum rc rc;

    result_init(&result);
    rc = stored_result(cmd->store, run, &result, err);
    if (!rc)
        rc = print_result(&result, cmd->format, err);
    result_release(&result);
    return rc;
}

static enum rc show(struct runs_cmd *cmd, const struct stored_run *run,
                    struct err *err)
{
    static const enum stored_body bodies[] = {
        [RUNS_TEXT] = STORED_TEXT,
        [RUNS_JSON] = STORED_SUMMARY,
        [RUNS_MARKDOWN] = STORED_MARKDOWN,
    };
    const char *body = NULL;
    enum rc rc;

    if (cmd->format == RUNS_CSV)
        return err_set(err, RC_USAGE,
                       "'dyno runs show' has no CSV; the series is printed by "
                       "'dyno runs export --series csv'");
    rc = store_body(cmd->store, run->id, bodies[cmd->format], &cmd->arena,
                    &body, err);
    if (rc)
        return rc;
    if (!body)
        return show_intervals(cmd, run, err);
    fputs(body, stdout);
    if (cmd->format == RUNS_JSON)
        putchar('\n');
    return RC_OK;
}

static enum rc show_named(void *arg, const char *name, struct err *err)
{
    struct runs_cmd *cmd = arg;
    struct stored_run run;
    const enum rc rc = store_find(cmd->store, name, &cmd->arena, &run, err);

    return rc ? rc : show(cmd, &run, err);
}

/* ---- actions ---- */

static const struct action actions[] = {
    {.name = "list",
     .run = list,
     .options = {"format", "name", "workload", "label", "latest"}},
    {.name = "show",
     .run = show_named,
     .takes = ACTION_EACH,
     .usage = RUN_USAGE,
     .options = {"format"}},
    {.name = "export",
     .run = runs_export,
     .takes = ACTION_ALL,
     .usage = RUN_USAGE,
     .options = {"series", "telemetry", "histograms", "output"}},
    {.name = "import",
     .run = runs_import,
     .takes = ACTION_ALL,
     .usage = "FILE"},
    {.name = "rm",
     .run = runs_remove,
     .takes = ACTION_ALL,
     .usage = RUN_USAGE,
     .options = {"yes"}},
};

static const struct actions runs_actions = {
    .hint = "what about the runs? write 'dyno runs list', show, export, import "
            "or rm",
    .items = actions,
    .n = ARRAY_LEN(actions),
    .tables = {runs_opts},
    .common = "results",
};

static int runs_main(const struct command *self, int argc, char **argv)
{
    struct runs_cmd cmd = {0};
    const struct action *action;
    struct err err = {0};
    struct cli cli;
    enum rc rc = RC_OK;
    int code;

    arena_init(&cmd.arena, ARENA_MAX);
    cli_init(&cli, self);
    opt_set_add(&cli.opts, "Runs", runs_opts, &cmd);
    if (!cli_parse(&cli, CLI_ARGS, argc, argv, &code))
        goto out;
    code = EXIT_USAGE;
    action = actions_find(&runs_actions, &cli);
    if (!action)
        goto out;
    cmd.names = cli.args + 1;
    cmd.n_names = cli.n_args - 1;
    /* The store of an import need not be there yet. */
    if (action->run != runs_import)
        rc = store_open(cmd.results, STORE_READ, &cmd.store, &err);
    if (!rc)
        rc = action_run(action, &cli, &cmd, &err);
    store_close(cmd.store);
    code = rc ? cli_fail(&err) : EXIT_DONE;
out:
    cli_release(&cli);
    arena_release(&cmd.arena);
    return code;
}

const struct command runs_command = {
    .name = "runs",
    .usage = "list|show|export|import|rm [RUN…] [OPTION…]",
    .summary = "list, show, export, import, remove stored runs",
    .run = runs_main,
};
