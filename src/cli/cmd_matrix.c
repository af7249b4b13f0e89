/* SPDX-License-Identifier: MIT */
#include "base/log.h"
#include "base/parse.h"
#include "cli/cli.h"
#include "cli/matrix_table.h"
#include "lab/matrix_loop.h"
#include "lab/matrix_needs.h"

#include <stdio.h>

struct matrix_cmd {
    const char *results;
    bool dry_run, resume, anew, retry;
    int format; /* enum matrix_format */
};

static const char *const format_names[] = {"text", "markdown", "csv", NULL};

static const struct opt matrix_opts[] = {
    OPT_STR(struct matrix_cmd, results, "results", 0, "dyno-results", "DIR",
            "folder of stored runs, and of the plan"),
    OPT_BOOL(struct matrix_cmd, dry_run, "dry-run", 'n', "off",
             "print the plan, time and disk needed; run nothing"),
    OPT_BOOL(struct matrix_cmd, resume, "resume", 0, "off",
             "go on with a plan that was interrupted"),
    OPT_BOOL(struct matrix_cmd, retry, "retry", 0, "off",
             "with --resume: runs that failed or ended early too"),
    OPT_BOOL(struct matrix_cmd, anew, "anew", 0, "off",
             "leave an interrupted plan as it is, and begin anew"),
    OPT_CHOICE(struct matrix_cmd, format, "format", 0, "text", format_names,
               "text|markdown|csv", "of the table at the end"),
    OPT_END,
};

static int dry_run(const struct matrix_plan *plan)
{
    struct matrix_needs needs;
    char time[32], disk[32], have[32];
    struct err err = {0};

    if (matrix_needs_find(plan, &needs, &err))
        return cli_fail(&err);
    matrix_plan_print(plan, stdout);
    format_duration(needs.time_ns, time, sizeof(time));
    format_bytes(needs.disk_bytes, disk, sizeof(disk));
    format_bytes(needs.free_bytes, have, sizeof(have));
    printf("\n%zu variant%s, %zu run%s; about %s", plan->n_cells,
           plan->n_cells > 1 ? "s" : "", plan->n_runs,
           plan->n_runs > 1 ? "s" : "", time);
    if (needs.disk_bytes > 0)
        printf("; at most about %s of disk at a time ('%s' has %s free)", disk,
               needs.where, have);
    putchar('\n');
    if (needs.n_unknown > 0)
        printf("without the data of %zu of them, which nobody has measured\n",
               needs.n_unknown);
    return EXIT_DONE;
}

/* The first that applies, as for a run: 1, 5, 3, 4, 0. */
static int exit_code(const struct matrix_state *s)
{
    static const int codes[] = {
        [VARIANT_VALID] = EXIT_DONE,
        [VARIANT_THRESHOLD] = EXIT_THRESHOLD,
        [VARIANT_NOT_VALID] = EXIT_NOT_VALID,
        [VARIANT_PARTIAL] = EXIT_PARTIAL,
        [VARIANT_FAILED] = EXIT_COULD_NOT,
        [VARIANT_INTERRUPTED] = EXIT_PARTIAL,
    };
    enum variant_outcome worst = VARIANT_VALID;

    for (size_t k = 0; k < s->n; k++) {
        if (s->records[k].step == STEP_ENDED && s->records[k].outcome > worst)
            worst = s->records[k].outcome;
    }
    return codes[worst];
}

static size_t n_ended(const struct matrix_state *s)
{
    size_t n = 0;

    for (size_t k = 0; k < s->n; k++)
        n += s->records[k].step == STEP_ENDED;
    return n;
}

static size_t n_stored(const struct matrix_state *s)
{
    size_t n = 0;

    for (size_t k = 0; k < s->n; k++)
        n += s->records[k].name[0] != '\0';
    return n;
}

static int finish(const struct matrix_cmd *cmd, const struct matrix_plan *plan,
                  const struct matrix_state *state, enum rc rc,
                  const struct err *why)
{
    struct err err = {0};
    int code = exit_code(state);

    if (matrix_table_print(plan, state, (enum matrix_format)cmd->format, stdout,
                           &err))
        code = cli_fail(&err);
    if (rc == RC_CANCELLED) {
        log_warn("interrupted after %zu of %zu runs; go on with 'dyno matrix "
                 "%s --results %s --resume'",
                 n_ended(state), state->n, plan->m->tree.path, cmd->results);
        return EXIT_PARTIAL;
    }
    if (rc)
        return cli_fail(why);
    if (n_stored(state) > 0)
        log_info("runs in '%s': %zu; 'dyno compare' says what may be concluded",
                 state->results, n_stored(state));
    return code;
}

static int run_plan(const struct matrix_cmd *cmd,
                    const struct matrix_plan *plan)
{
    const enum matrix_begin how = cmd->resume ? MATRIX_RESUME
                                  : cmd->anew ? MATRIX_ANEW
                                              : MATRIX_NEW;
    struct matrix_state *state = NULL;
    struct err err = {0};
    enum rc rc;
    int code;

    rc = matrix_state_open(cmd->results, plan, how, &state, &err);
    if (!rc)
        rc = matrix_state_settle(state, &err);
    if (rc) {
        matrix_state_free(state);
        return cli_fail(&err);
    }
    if (cmd->retry)
        matrix_state_retry(state);
    if (state->resumed)
        log_info("going on with '%s': %zu of %zu runs have ended", state->dir,
                 n_ended(state), state->n);
    if (!state->done)
        rc = matrix_loop(plan, state, &err);
    code = finish(cmd, plan, state, rc, &err);
    matrix_state_free(state);
    return code;
}

static int run_file(const struct matrix_cmd *cmd, const char *path)
{
    struct matrix *m = NULL;
    struct matrix_plan plan = {.m = NULL};
    struct err err = {0};
    enum rc rc;
    int code;

    rc = matrix_read(path, &m, &err);
    if (!rc)
        rc = matrix_plan_make(m, &plan, &err);
    if (!rc)
        rc = matrix_preflight(&plan, &err);
    if (rc)
        code = cli_fail(&err);
    else
        code = cmd->dry_run ? dry_run(&plan) : run_plan(cmd, &plan);
    matrix_plan_release(&plan);
    matrix_free(m);
    return code;
}

static bool options_fit(const struct matrix_cmd *cmd)
{
    if (cmd->resume && cmd->anew)
        log_error("--resume and --anew exclude each other");
    else if (cmd->retry && !cmd->resume)
        log_error("--retry goes with --resume");
    else
        return true;
    return false;
}

static int matrix_main(const struct command *self, int argc, char **argv)
{
    struct matrix_cmd cmd = {.results = NULL};
    struct cli cli;
    int code;

    cli_init(&cli, self);
    opt_set_add(&cli.opts, "Matrix", matrix_opts, &cmd);
    if (!cli_parse(&cli, CLI_ARGS, argc, argv, &code))
        goto out;
    code = EXIT_USAGE;
    if (cli.n_args != 1)
        log_error(cli.n_args == 0
                      ? "which plan? write 'dyno matrix FILE'; examples/ has "
                        "some, docs/matrix.md says what is in one"
                      : "one file at a time");
    else if (options_fit(&cmd))
        code = run_file(&cmd, cli.args[0]);
out:
    cli_release(&cli);
    return code;
}

const struct command matrix_command = {
    .name = "matrix",
    .usage = "FILE [OPTION…]",
    .summary = "run every variant of a file, unattended",
    .run = matrix_main,
};
