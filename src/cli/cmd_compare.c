/* SPDX-License-Identifier: MIT */
/* Stored runs beside each other, with verdicts. */
#include "base/log.h"
#include "cli/cli.h"
#include "cli/sides.h"
#include "report/compare_report.h"
#include "report/json.h"

#include <string.h>

#define ARENA_MAX ((size_t)1 << 30)
/* Fewer repeats find too little to let a build pass by them. */
#define GATE_REPEATS_MIN 5

enum compare_format {
    COMPARE_TEXT,
    COMPARE_MARKDOWN,
    COMPARE_JSON,
    COMPARE_JUNIT,
};

static const char *const format_names[] = {"text", "markdown", "json", "junit",
                                           NULL};
enum { FAIL_NEVER, FAIL_IF_SLOWER };
static const char *const fail_names[] = {"never", "slower", NULL};

struct compare_cmd {
    const char *results, *by, *baseline, *workload;
    int format; /* enum compare_format */
    int fail_if;

    struct store *store, *baseline_store;
    struct arena arena;
};

static const struct opt compare_opts[] = {
    OPT_STR(struct compare_cmd, results, "results", 0, "dyno-results", "DIR",
            "folder of stored runs"),
    OPT_STR(struct compare_cmd, by, "by", 0, NULL, "PROPERTY",
            "a side for each value: server, a setting, a label"),
    OPT_STR(struct compare_cmd, workload, "workload", 0, NULL, "NAME",
            "only runs of this workload"),
    OPT_STR(struct compare_cmd, baseline, "baseline", 0, NULL, "FILE",
            "the base: all runs of a file of 'dyno runs export'"),
    OPT_CHOICE(struct compare_cmd, fail_if, "fail-if", 0, "never", fail_names,
               "never|slower", "exit code 4 when a verdict is 'slower'"),
    OPT_CHOICE(struct compare_cmd, format, "format", 0, "text", format_names,
               "text|markdown|json|junit", "of what is printed"),
    OPT_END,
};

/* ---- what is printed ---- */

static enum rc print_json(const struct comparison *c, struct err *err)
{
    char *text = NULL;
    const enum rc rc = compare_report_json(c, &text, err);

    if (!rc)
        printf("%s\n", text);
    report_json_free(text);
    return rc;
}

static enum rc print(const struct compare_cmd *cmd, const struct comparison *c,
                     struct err *err)
{
    switch ((enum compare_format)cmd->format) {
    case COMPARE_TEXT:
        compare_report_text(c, stdout);
        break;
    case COMPARE_MARKDOWN:
        compare_report_markdown(c, stdout);
        break;
    case COMPARE_JSON:
        return print_json(c, err);
    case COMPARE_JUNIT:
        return compare_report_junit(c, stdout, err);
    }
    return RC_OK;
}

/* ---- the gate of CI ---- */

/* What could not be judged must not pass. */
static enum rc check_gate(const struct sides *sides, const struct comparison *c,
                          struct err *err)
{
    for (size_t i = 0; i < sides->n; i++) {
        if (sides->items[i].n < GATE_REPEATS_MIN)
            return err_set(err, RC_INVALID,
                           "--fail-if needs at least %d runs a side, '%s' has "
                           "%zu: repeat it",
                           GATE_REPEATS_MIN, sides->items[i].name,
                           sides->items[i].n);
    }
    if (c->serious)
        return err_set(err, RC_INVALID,
                       "--fail-if would judge nothing: %s; choose runs that "
                       "are alike",
                       c->warnings[0]);
    return RC_OK;
}

static int gate(const struct sides *sides, const struct comparison *c)
{
    struct err err = {0};

    if (check_gate(sides, c, &err))
        return cli_fail(&err);
    if (!c->all_complete) {
        log_error("a run ended early: nothing is to be said of its side");
        return EXIT_PARTIAL;
    }
    if (!c->all_valid) {
        log_error("a run is not valid: nothing is to be said of its side");
        return EXIT_NOT_VALID;
    }
    for (size_t i = 0; i < c->n_sides; i++) {
        if (!compared_slower(&c->sides[i]))
            continue;
        log_error("'%s' is slower than '%s'", c->sides[i].side->name,
                  c->base->name);
        return EXIT_THRESHOLD;
    }
    return EXIT_DONE;
}

/* ---- all ---- */

static enum rc open_stores(struct compare_cmd *cmd, struct err *err)
{
    enum rc rc = store_open(cmd->results, STORE_READ, &cmd->store, err);

    if (!rc && cmd->baseline)
        rc = store_open_file(cmd->baseline, STORE_READ, &cmd->baseline_store,
                             err);
    return rc;
}

static int compare(struct cli *cli, struct compare_cmd *cmd)
{
    struct sides sides = {0};
    struct sides_args args = {
        .baseline_name = cmd->baseline,
        .words = cli->args,
        .n_words = cli->n_args,
        .by = cmd->by,
        .workload = cmd->workload,
    };
    struct comparison c = {0};
    struct err err = {0};
    enum rc rc = open_stores(cmd, &err);

    args.store = cmd->store;
    args.baseline = cmd->baseline_store;
    if (!rc)
        rc = sides_gather(&args, &cmd->arena, &sides, &err);
    if (!rc)
        rc = comparison_make(sides.items, sides.n, &cmd->arena, &c, &err);
    if (!rc)
        rc = print(cmd, &c, &err);
    if (rc)
        return cli_fail(&err);
    return cmd->fail_if == FAIL_IF_SLOWER ? gate(&sides, &c) : EXIT_DONE;
}

static int compare_main(const struct command *self, int argc, char **argv)
{
    struct compare_cmd cmd = {0};
    struct cli cli;
    int code;

    arena_init(&cmd.arena, ARENA_MAX);
    cli_init(&cli, self);
    opt_set_add(&cli.opts, "Compare", compare_opts, &cmd);
    if (cli_parse(&cli, CLI_ARGS, argc, argv, &code))
        code = compare(&cli, &cmd);
    store_close(cmd.baseline_store);
    store_close(cmd.store);
    cli_release(&cli);
    arena_release(&cmd.arena);
    return code;
}

const struct command compare_command = {
    .name = "compare",
    .usage = "A B… | --by PROPERTY [RUN…] [OPTION…]",
    .summary = "stored runs beside each other, with verdicts",
    .run = compare_main,
};
