/* SPDX-License-Identifier: MIT */
/* Stored runs: list, show, export, import, remove. */
#include "base/log.h"
#include "base/parse.h"
#include "cli/runs.h"
#include "report/json.h"
#include "report/run_list.h"
#include "report/stored.h"
#include "report/text.h"

#include <string.h>

#define ARENA_MAX ((size_t)256 << 20)

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

static enum rc list(struct runs_cmd *cmd, struct err *err)
{
    const struct store_filter filter = {
        .name = cmd->name,
        .workload = cmd->workload,
        .labels = cmd->labels.items,
        .n_labels = cmd->labels.n,
        .latest = cmd->latest,
    };
    struct stored_run *runs;
    size_t n;
    enum rc rc = cli_check_labels(&cmd->labels, err);

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

/* ---- the runs that are named ---- */

typedef enum rc run_fn(struct runs_cmd *cmd, const struct stored_run *run,
                       struct err *err);

static enum rc each_named(struct runs_cmd *cmd, run_fn *fn, struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < cmd->n_names; i++) {
        struct stored_run run;

        rc = store_find(cmd->store, cmd->names[i], &cmd->arena, &run, err);
        if (!rc)
            rc = fn(cmd, &run, err);
    }
    return rc;
}

static enum rc show_named(struct runs_cmd *cmd, struct err *err)
{
    return each_named(cmd, show, err);
}

/* ---- actions ---- */

static const struct action {
    const char *name;
    enum rc (*run)(struct runs_cmd *cmd, struct err *err);
    bool names;             /* takes names of runs (or files), one at least */
    bool opens;             /* the store of the folder */
    enum store_mode mode;   /* how */
    const char *options[6]; /* beyond --results */
} actions[] = {
    {"list",
     list,
     false,
     true,
     STORE_READ,
     {"format", "name", "workload", "label", "latest"}},
    {"show", show_named, true, true, STORE_READ, {"format"}},
    {"export",
     runs_export,
     true,
     true,
     STORE_READ,
     {"series", "telemetry", "histograms", "output"}},
    {"import", runs_import, true, false, STORE_WRITE, {NULL}},
    {"rm", runs_remove, true, true, STORE_READ, {"yes"}},
};

static bool takes(const struct action *a, const char *option)
{
    for (size_t i = 0; i < ARRAY_LEN(a->options) && a->options[i]; i++) {
        if (!strcmp(a->options[i], option))
            return true;
    }
    return !strcmp(option, "results");
}

/* An option that would have no effect is a misunderstanding. */
static bool options_fit(const struct cli *cli, const struct action *a)
{
    for (const struct opt *o = runs_opts; o->name; o++) {
        if (opt_set_source(&cli->opts, o->name) != OPT_FROM_CLI ||
            takes(a, o->name))
            continue;
        log_error("--%s is no option of 'dyno runs %s'", o->name, a->name);
        return false;
    }
    return true;
}

static const struct action *find_action(const char *name)
{
    const char *names[ARRAY_LEN(actions)];
    const char *near;

    for (size_t i = 0; i < ARRAY_LEN(actions); i++) {
        names[i] = actions[i].name;
        if (!strcmp(actions[i].name, name))
            return &actions[i];
    }
    near = nearest_name(name, names, ARRAY_LEN(names));
    log_error("'dyno runs %s' is not known; %s%s%s", name,
              near ? "did you mean '" : "there are list, show, export, import",
              near ? near : " and rm", near ? "'?" : "");
    return NULL;
}

static int act(struct cli *cli, struct runs_cmd *cmd, const struct action *a)
{
    struct err err = {0};
    enum rc rc = RC_OK;

    if (!options_fit(cli, a))
        return EXIT_USAGE;
    if (a->names != (cmd->n_names > 0)) {
        if (a->names)
            log_error("which? write 'dyno runs %s %s'", a->name,
                      a->opens ? "RUN'; a name, a number or 'latest" : "FILE");
        else
            log_error("'%s' is one argument too many", cmd->names[0]);
        return EXIT_USAGE;
    }
    if (a->opens)
        rc = store_open(cmd->results, a->mode, &cmd->store, &err);
    if (!rc)
        rc = a->run(cmd, &err);
    store_close(cmd->store);
    return rc ? cli_fail(&err) : EXIT_DONE;
}

static int runs_main(const struct command *self, int argc, char **argv)
{
    struct runs_cmd cmd = {0};
    const struct action *action;
    struct cli cli;
    int code;

    arena_init(&cmd.arena, ARENA_MAX);
    cli_init(&cli, self);
    opt_set_add(&cli.opts, "Runs", runs_opts, &cmd);
    if (!cli_parse(&cli, CLI_ARGS, argc, argv, &code))
        goto out;
    code = EXIT_USAGE;
    if (cli.n_args == 0) {
        log_error("what about the runs? write 'dyno runs list', show, export, "
                  "import or rm");
        goto out;
    }
    action = find_action(cli.args[0]);
    if (!action)
        goto out;
    cmd.names = cli.args + 1;
    cmd.n_names = cli.n_args - 1;
    code = act(&cli, &cmd, action);
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
