/* SPDX-License-Identifier: MIT */
#include "report/comparison.h"

#include "report/comparison_int.h"
#include "stats/rounds.h"

#include <math.h>
#include <string.h>

#define FIGURES_MAX 1024

static enum rc no_memory(struct err *err)
{
    return err_set(err, RC_NOMEM, "no memory for the comparison");
}

/* ---- one figure ---- */

/* Runs without the figure are left out; NAN when none has it. */
static double mean_of(const struct side *side, const char *name, size_t *out_n)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < side->n; i++) {
        const struct figure *f = figures_find(side->runs[i], name);

        if (!f)
            continue;
        sum += f->value;
        n++;
    }
    *out_n = n;
    return n > 0 ? sum / (double)n : NAN;
}

/* One run each: from their parts, about the ratio of the whole runs. */
static void compare_parts(const struct side *base, const struct side *other,
                          struct compared_figure *c)
{
    const struct figure *a = figures_find(base->runs[0], c->name);
    const struct figure *b = figures_find(other->runs[0], c->name);

    if (!a || !b || !a->series || !b->series)
        return;
    compare_series(a->series, a->n_series, b->series, b->n_series,
                   COMPARISON_LEVEL, &c->result);
    if (a->value > 0 && b->value > 0)
        compare_center(&c->result, b->value / a->value, COMPARISON_LEVEL);
}

/* The place of a run in the order of both sides' runs, or of its own side's. */
static double place_of(const struct side *const *pair, const struct figures *f,
                       bool apart)
{
    double place = 0;

    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; i < pair[s]->n; i++) {
            const struct figures *other = pair[s]->runs[i];
            bool own = false;

            for (size_t k = 0; apart && k < pair[s]->n; k++)
                own |= pair[s]->runs[k] == f;
            if (!apart || own)
                place += other->run.started_us < f->run.started_us;
        }
    }
    return place;
}

static enum rc compare_whole(const struct side *const *pair, bool apart,
                             struct compared_figure *c, struct err *err)
{
    struct compare_run runs[COMPARE_REPEATS_MAX];
    size_t n = 0;

    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; i < pair[s]->n; i++) {
            const struct figures *run = pair[s]->runs[i];
            const struct figure *f = figures_find(run, c->name);

            if (!f || !(f->value > 0))
                continue;
            if (n == COMPARE_REPEATS_MAX)
                return err_set(err, RC_INVALID, "more than %d runs to compare",
                               COMPARE_REPEATS_MAX);
            runs[n++] =
                (struct compare_run){.value = f->value,
                                     .side = s,
                                     .when = place_of(pair, run, apart)};
        }
    }
    return compare_repeats(runs, n, COMPARISON_LEVEL, &c->result, err);
}

static const struct compare_result no_result = {
    .verdict = COMPARE_NO_DATA,
    .ratio = NAN,
    .low = NAN,
    .high = NAN,
    .p = NAN,
    .smallest = NAN,
};

static enum rc compare_one(const struct side *const *pair,
                           const struct compared_side *side,
                           struct compared_figure *c, struct err *err)
{
    size_t n_base = 0, n_other = 0;
    enum rc rc = RC_OK;

    c->result = no_result;
    c->base = mean_of(pair[0], c->name, &n_base);
    c->value = mean_of(pair[1], c->name, &n_other);
    if (c->kind == FIGURE_RATE || c->kind == FIGURE_TIME) {
        if (side->basis == BASIS_RUNS)
            compare_parts(pair[0], pair[1], c);
        else if (side->basis == BASIS_REPEATS)
            rc = compare_whole(pair, side->apart, c, err);
    }
    if (c->result.verdict == COMPARE_NO_DATA) {
        c->result.n[0] = n_base;
        c->result.n[1] = n_other;
        if (c->base > 0 && c->value > 0)
            c->result.ratio = c->value / c->base;
    }
    return rc;
}

/* ---- the figures that there are ---- */

static bool is_listed(const struct compared_side *out, const char *name)
{
    return compared_find(out, name) != NULL;
}

static void list_of_kind(const struct side *side, enum figure_kind kind,
                         struct compared_side *out)
{
    for (size_t i = 0; i < side->n; i++) {
        for (size_t k = 0; k < side->runs[i]->n; k++) {
            const struct figure *f = &side->runs[i]->all[k];

            if (f->kind == kind && out->n_figures < FIGURES_MAX &&
                !is_listed(out, f->name))
                out->figures[out->n_figures++] =
                    (struct compared_figure){.name = f->name, .kind = kind};
        }
    }
}

static enum rc list_figures(const struct side *const *pair, struct arena *arena,
                            struct compared_side *out, struct err *err)
{
    out->figures = ARENA_ARRAY(arena, struct compared_figure, FIGURES_MAX);
    if (!out->figures)
        return no_memory(err);
    for (int kind = FIGURE_RATE; kind <= FIGURE_WAIT; kind++) {
        list_of_kind(pair[0], (enum figure_kind)kind, out);
        list_of_kind(pair[1], (enum figure_kind)kind, out);
    }
    return RC_OK;
}

/* ---- one side against the base ---- */

static bool all_before(const struct side *a, const struct side *b)
{
    for (size_t i = 0; i < a->n; i++) {
        for (size_t k = 0; k < b->n; k++) {
            if (a->runs[i]->run.started_us >= b->runs[k]->run.started_us)
                return false;
        }
    }
    return true;
}

static enum comparison_basis basis_of(const struct side *a,
                                      const struct side *b)
{
    if (a->n == 1 && b->n == 1)
        return BASIS_RUNS;
    return a->n > 1 && b->n > 1 ? BASIS_REPEATS : BASIS_NONE;
}

/* The verdicts on response times hold together. */
static void correct_times(struct compared_side *side)
{
    struct compare_result *family[FIGURES_MAX];
    size_t n = 0;

    for (size_t i = 0; i < side->n_figures; i++) {
        if (side->figures[i].kind == FIGURE_TIME)
            family[n++] = &side->figures[i].result;
    }
    if (n <= COMPARE_REPEATS_MAX)
        compare_family(family, n, COMPARISON_LEVEL);
}

static enum rc compare_side(const struct side *base, const struct side *other,
                            struct arena *arena, struct compared_side *out,
                            struct err *err)
{
    const struct side *pair[2] = {base, other};
    enum rc rc;

    *out =
        (struct compared_side){.side = other, .basis = basis_of(base, other)};
    out->apart = out->basis == BASIS_REPEATS &&
                 (all_before(base, other) || all_before(other, base));
    rc = list_figures(pair, arena, out, err);
    for (size_t i = 0; !rc && i < out->n_figures; i++)
        rc = compare_one(pair, out, &out->figures[i], err);
    if (!rc)
        correct_times(out);
    return rc;
}

/* A throughput is compared with that of each side: all of these verdicts are
 * read together. */
static void correct_rates(struct comparison *c, const char *name)
{
    struct compare_result *family[COMPARE_REPEATS_MAX];
    size_t n = 0;

    for (size_t i = 0; i < c->n_sides && n < COMPARE_REPEATS_MAX; i++) {
        struct compared_side *side = &c->sides[i];

        for (size_t k = 0; k < side->n_figures; k++) {
            if (!strcmp(side->figures[k].name, name))
                family[n++] = &side->figures[k].result;
        }
    }
    compare_family(family, n, COMPARISON_LEVEL);
}

/* One throughput of all sides by rounds; left alone where a run lacks it. */
static enum rc compare_by_rounds(const struct side *sides, size_t n,
                                 const char *name, struct arena *arena,
                                 struct comparison *c, struct err *err)
{
    const size_t n_rounds = sides[0].n;
    double *values = ARENA_ARRAY(arena, double, n *n_rounds);
    struct compare_result *results =
        ARENA_ARRAY(arena, struct compare_result, n);

    if (!values || !results)
        return no_memory(err);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n_rounds; k++) {
            const struct figure *f = sides[i].n == n_rounds
                                         ? figures_find(sides[i].runs[k], name)
                                         : NULL;

            if (!f || !(f->value > 0))
                return RC_OK;
            values[i * n_rounds + k] = f->value;
        }
    }
    compare_rounds(values, n, n_rounds, COMPARISON_LEVEL, results);
    for (size_t i = 1; i < n; i++) {
        struct compared_side *side = &c->sides[i - 1];

        for (size_t k = 0; k < side->n_figures; k++) {
            if (!strcmp(side->figures[k].name, name) &&
                results[i].verdict != COMPARE_NO_DATA)
                side->figures[k].result = results[i];
        }
    }
    return RC_OK;
}

static enum rc make(const struct side *sides, size_t n, bool rounds,
                    struct arena *arena, struct comparison *out,
                    struct err *err)
{
    static const char *const rates[] = {"throughput.nopm", "throughput.tps"};
    enum rc rc;

    if (n < 2)
        BUG("%zu sides to compare", n);
    *out = (struct comparison){.base = &sides[0], .n_sides = n - 1};
    rc = comparability_check(sides, n, err);
    if (rc)
        return rc;
    out->sides = ARENA_ARRAY(arena, struct compared_side, n - 1);
    if (!out->sides)
        return no_memory(err);
    for (size_t i = 1; !rc && i < n; i++)
        rc = compare_side(&sides[0], &sides[i], arena, &out->sides[i - 1], err);
    for (size_t i = 0; !rc && i < ARRAY_LEN(rates); i++) {
        if (rounds)
            rc = compare_by_rounds(sides, n, rates[i], arena, out, err);
        correct_rates(out, rates[i]);
    }
    return rc ? rc : comparability_find(sides, n, arena, out, err);
}

enum rc comparison_make(const struct side *sides, size_t n, struct arena *arena,
                        struct comparison *out, struct err *err)
{
    return make(sides, n, false, arena, out, err);
}

enum rc comparison_make_rounds(const struct side *sides, size_t n,
                               struct arena *arena, struct comparison *out,
                               struct err *err)
{
    return make(sides, n, true, arena, out, err);
}

/* ---- looking things up ---- */

const struct compared_figure *compared_find(const struct compared_side *side,
                                            const char *name)
{
    for (size_t i = 0; i < side->n_figures; i++) {
        if (!strcmp(side->figures[i].name, name))
            return &side->figures[i];
    }
    return NULL;
}

const struct compared_figure *compared_throughput(const struct compared_side *s)
{
    const struct compared_figure *f = compared_find(s, "throughput.nopm");

    return f ? f : compared_find(s, "throughput.tps");
}

bool compared_slower(const struct compared_side *side)
{
    for (size_t i = 0; i < side->n_figures; i++) {
        const struct compared_figure *f = &side->figures[i];
        const enum compare_verdict slower =
            f->kind == FIGURE_RATE ? COMPARE_LOWER : COMPARE_HIGHER;

        if (f->result.verdict == slower)
            return true;
    }
    return false;
}
