/* SPDX-License-Identifier: MIT */
#include "cli/sides.h"

#include "base/parse.h"
#include "cli/pick.h"

#include <string.h>

struct gathering {
    const struct sides_args *args;
    struct arena *arena;
    struct sides *out;
};

static enum rc no_memory(struct err *err)
{
    return err_set(err, RC_NOMEM, "no memory for the runs to compare");
}

static enum rc pick(struct gathering *g, const char *word, struct picked *out,
                    struct err *err)
{
    return pick_word(g->args->store, word, g->args->workload, g->arena, out,
                     err);
}

/* ---- sides ---- */

static enum rc check_once(const struct sides *all, const struct figures *f,
                          const char *name, struct err *err)
{
    for (size_t i = 0; i < all->n; i++) {
        for (size_t k = 0; k < all->items[i].n; k++) {
            if (!strcmp(all->items[i].runs[k]->run.uuid, f->run.uuid))
                return err_set(err, RC_USAGE,
                               "run '%s' is on two sides: '%s' and '%s'",
                               f->run.name, all->items[i].name, name);
        }
    }
    return RC_OK;
}

static enum rc open_side(struct gathering *g, const char *name, size_t cap,
                         struct side **out, const struct figures ***out_runs,
                         struct err *err)
{
    if (g->out->n == SIDES_MAX)
        return err_set(err, RC_USAGE, "more than %d sides to compare",
                       SIDES_MAX);
    *out_runs = ARENA_ARRAY(g->arena, const struct figures *, cap);
    if (!*out_runs)
        return no_memory(err);
    *out = &g->out->items[g->out->n];
    **out = (struct side){.name = name, .runs = *out_runs};
    return RC_OK;
}

static enum rc read_run(struct gathering *g, struct store *store,
                        const struct stored_run *run, bool with_series,
                        struct figures **out, struct err *err)
{
    *out = ARENA_NEW(g->arena, struct figures);
    if (!*out)
        return no_memory(err);
    return figures_read(store, run, with_series, g->arena, *out, err);
}

static enum rc side_of(struct gathering *g, struct store *store,
                       const char *name, const struct picked *p,
                       struct err *err)
{
    const struct figures **runs;
    struct side *side;
    enum rc rc = open_side(g, name, p->n, &side, &runs, err);

    for (size_t i = 0; !rc && i < p->n; i++) {
        struct figures *f;

        rc = read_run(g, store, &p->runs[i], p->n == 1, &f, err);
        if (!rc)
            rc = check_once(g->out, f, name, err);
        if (!rc)
            runs[side->n++] = f;
    }
    g->out->n += !rc;
    return rc;
}

static enum rc baseline_side(struct gathering *g, struct err *err)
{
    const struct store_filter filter = {.workload = g->args->workload};
    struct picked p;
    enum rc rc = pick_filter(g->args->baseline, &filter, g->arena, &p, err);

    if (!rc && p.n == 0)
        return err_set(err, RC_NOT_FOUND, "there is no run in '%s'",
                       g->args->baseline_name);
    return rc ? rc
              : side_of(g, g->args->baseline, g->args->baseline_name, &p, err);
}

static enum rc word_sides(struct gathering *g, struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < g->args->n_words; i++) {
        const char *word = g->args->words[i];
        struct picked p;

        rc = pick(g, word, &p, err);
        if (!rc)
            rc = side_of(g, g->args->store, p.n == 1 ? p.runs[0].name : word,
                         &p, err);
    }
    return rc;
}

/* ---- by a property ---- */

static enum rc unknown_property(const struct figures *f, const char *by,
                                struct err *err)
{
    const char *names[OPT_ROWS_MAX + RESULT_FACTS_MAX];
    const char *near;
    size_t n = 0;

    for (size_t i = 0; i < f->n_properties && n < ARRAY_LEN(names); i++)
        names[n++] = f->properties[i].name;
    near = nearest_name(by, names, n);
    if (near)
        return err_set(err, RC_USAGE,
                       "no run has a setting, label or property '%s'; did you "
                       "mean '%s'?",
                       by, near);
    return err_set(err, RC_USAGE,
                   "no run has a setting, label or property '%s'; 'dyno runs "
                   "show RUN --format json' shows what there is",
                   by);
}

static enum rc put_in_group(struct gathering *g, const struct figures *f,
                            const char *value, struct err *err)
{
    const struct figures **runs;
    struct side *side = NULL;
    enum rc rc = RC_OK;

    for (size_t i = 0; i < g->out->n; i++) {
        if (!strcmp(g->out->items[i].name, value))
            side = &g->out->items[i];
    }
    if (!side) {
        rc = open_side(g, value, PICKED_MAX, &side, &runs, err);
        g->out->n += !rc;
    }
    if (rc)
        return rc;
    /* The runs of a side are its own: open_side() made them. */
    runs = (const struct figures **)side->runs;
    runs[side->n++] = f;
    return RC_OK;
}

/* Runs of one side of one run need their series too. */
static enum rc reread_single(struct gathering *g, struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < g->out->n; i++) {
        const struct side *side = &g->out->items[i];
        struct figures *f = (struct figures *)side->runs[0];
        const struct stored_run run = f->run;

        if (side->n == 1)
            rc = figures_read(g->args->store, &run, true, g->arena, f, err);
    }
    return rc;
}

static enum rc pick_all(struct gathering *g, struct picked *all,
                        struct err *err)
{
    const struct store_filter filter = {.workload = g->args->workload};
    enum rc rc = RC_OK;

    if (g->args->n_words == 0)
        return pick_filter(g->args->store, &filter, g->arena, all, err);
    rc = picked_init(all, g->arena, err);
    for (size_t i = 0; !rc && i < g->args->n_words; i++) {
        struct picked p;

        rc = pick(g, g->args->words[i], &p, err);
        for (size_t k = 0; !rc && k < p.n; k++)
            rc = pick_run(all, &p.runs[k], g->args->words[i], err);
    }
    return rc;
}

static enum rc property_sides(struct gathering *g, struct err *err)
{
    struct picked all = {0};
    struct figures *last = NULL;
    bool known = false;
    enum rc rc = pick_all(g, &all, err);

    for (size_t i = 0; !rc && i < all.n; i++) {
        const char *value;

        rc = read_run(g, g->args->store, &all.runs[i], false, &last, err);
        if (rc)
            break;
        value = figures_property(last, g->args->by);
        known = known || value;
        rc = put_in_group(g, last, value ? value : "-", err);
    }
    if (!rc && last && !known)
        return unknown_property(last, g->args->by, err);
    return rc ? rc : reread_single(g, err);
}

enum rc sides_gather(const struct sides_args *args, struct arena *arena,
                     struct sides *out, struct err *err)
{
    struct gathering g = {.args = args, .arena = arena, .out = out};
    enum rc rc = RC_OK;

    out->n = 0;
    if (args->baseline)
        rc = baseline_side(&g, err);
    if (!rc)
        rc = args->by ? property_sides(&g, err) : word_sides(&g, err);
    if (rc || out->n >= 2)
        return rc;
    if (args->by && out->n == 1)
        return err_set(err, RC_USAGE,
                       "'%s' is '%s' in all %zu runs: there is nothing to "
                       "compare",
                       args->by, out->items[0].name, out->items[0].n);
    return err_set(err, RC_USAGE,
                   "which runs? write 'dyno compare A B'; a side is a run, "
                   "several as 1,2,3, a pattern of names or a label KEY=VALUE");
}
