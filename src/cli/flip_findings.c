/* SPDX-License-Identifier: MIT */
/* From the runs of an experiment to its report. */
#include "cli/flip.h"
#include "report/json.h"

#include <string.h>

struct reading {
    const struct flip_cmd *cmd;
    const struct flip_result *result;
    struct store *store;
    struct arena arena;
    struct side sides[FLIP_VARIANTS_MAX];
    size_t n_sides;
    struct flip_failure failures[FLIP_VARIANTS_MAX];
    size_t n_failures;
};

static bool counts(const struct flip_run *run)
{
    return run->result.run > 0 && run->result.outcome != VARIANT_INTERRUPTED &&
           run->result.outcome != VARIANT_FAILED;
}

static enum rc read_one(struct reading *r, const struct flip_run *run,
                        struct figures *out, struct err *err)
{
    struct stored_run stored;
    enum rc rc =
        store_find(r->store, run->result.name, &r->arena, &stored, err);

    return rc ? rc
              : figures_read(r->store, &stored, false, &r->arena, out, err);
}

static void note_failure(struct reading *r, const struct flip_run *run)
{
    const char *name = r->cmd->plan.variants[run->variant].name;

    for (size_t i = 0; i < r->n_failures; i++) {
        if (!strcmp(r->failures[i].name, name))
            return;
    }
    r->failures[r->n_failures++] =
        (struct flip_failure){name, run->result.reason};
}

static enum rc read_variant(struct reading *r, size_t variant, struct err *err)
{
    const struct figures **runs =
        ARENA_ARRAY(&r->arena, const struct figures *, r->result->n_runs + 1);
    struct figures *all =
        ARENA_ARRAY(&r->arena, struct figures, r->result->n_runs + 1);
    size_t n = 0;
    enum rc rc = RC_OK;

    if (!runs || !all)
        return err_set(err, RC_NOMEM, "no memory for the report");
    for (size_t i = 0; !rc && i < r->result->n_runs; i++) {
        const struct flip_run *run = &r->result->runs[i];

        /* Of an incomplete round nothing is compared. */
        if (run->variant != variant || run->round >= r->result->rounds)
            continue;
        if (run->result.outcome == VARIANT_FAILED)
            note_failure(r, run);
        if (!counts(run))
            continue;
        rc = read_one(r, run, &all[n], err);
        runs[n] = &all[n];
        n++;
    }
    if (!rc && n > 0)
        r->sides[r->n_sides++] = (struct side){
            .name = r->cmd->plan.variants[variant].name, .runs = runs, .n = n};
    return rc;
}

static enum rc print(const struct flip_cmd *cmd, const struct flip_findings *f,
                     struct err *err)
{
    char *json = NULL;
    enum rc rc = RC_OK;

    switch ((enum cli_format)cmd->format) {
    case FORMAT_TEXT:
        flip_report_text(f, stdout);
        break;
    case FORMAT_MARKDOWN:
        flip_report_markdown(f, stdout);
        break;
    case FORMAT_JSON:
        rc = flip_report_json(f, &json, err);
        if (!rc)
            printf("%s\n", json);
        report_json_free(json);
        break;
    }
    return rc;
}

static enum rc compare_and_print(struct reading *r, int *out_exit,
                                 struct err *err)
{
    struct comparison c;
    struct flip_findings f = {
        .comparison = &c,
        .id = r->cmd->id,
        .failures = r->failures,
        .n_failures = r->n_failures,
        .rounds = r->result->rounds,
        .rounds_planned = r->result->times.rounds,
        .interval_ns = r->result->times.interval_ns,
        .took_ns = r->result->took_ns,
        .interrupted = r->result->interrupted,
    };
    enum rc rc;

    if (r->n_sides < 2 || strcmp(r->sides[0].name, "base") != 0 ||
        strcmp(r->sides[1].name, "base again") != 0)
        return err_set(err, RC_INVALID,
                       "there is no data of the base: nothing can be said");
    rc = comparison_make_rounds(r->sides, r->n_sides, &r->arena, &c, err);
    if (!rc)
        rc = print(r->cmd, &f, err);
    if (rc)
        return rc;
    *out_exit = EXIT_DONE;
    if (r->result->interrupted)
        *out_exit = EXIT_PARTIAL;
    else if (!c.all_valid || !c.all_complete)
        *out_exit = EXIT_NOT_VALID;
    return RC_OK;
}

enum rc flip_print(const struct flip_cmd *cmd, const struct flip_result *result,
                   int *out_exit, struct err *err)
{
    struct reading r = {.cmd = cmd, .result = result};
    enum rc rc = store_open(cmd->target.results, STORE_READ, &r.store, err);

    arena_init(&r.arena, (size_t)1 << 30);
    for (size_t i = 0; !rc && i < cmd->plan.n_variants; i++)
        rc = read_variant(&r, i, err);
    if (!rc)
        rc = compare_and_print(&r, out_exit, err);
    store_close(r.store);
    arena_release(&r.arena);
    return rc;
}
