/* SPDX-License-Identifier: MIT */
#include "report/comparison_int.h"

#include <inttypes.h>
#include <string.h>

#define DIFFERENCES_MAX 512
#define WARNINGS_MAX 64
/* So many runs are named in a warning of their own. */
#define RUNS_NAMED_MAX 5

/* What decides how much work a transaction is, or who waits for whom: numbers
 * of different ones say little of each other. */
static const char *const serious_names[] = {
    "composition", "scale", "isolation", "mix", "pacing", "rate", "stages",
};

/* These differ for reasons of their own. */
static const char *const ignored_names[] = {
    "run",
    "name",
    "label",
    "results",
    "quiet",
    "verbose",
    "format",
    "progress",
    "config",
    "help",
    "db",
    "seed",
    "replace",
    "continue",
    "server_from",
    "product",
    "version",
    /* Said by the properties of the run. */
    "warehouses",
};

static enum rc no_memory(struct err *err)
{
    return err_set(err, RC_NOMEM, "no memory for the comparison");
}

static bool is_one_of(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(name, names[i]))
            return true;
    }
    return false;
}

/* ---- runs that cannot be compared ---- */

enum rc comparability_check(const struct side *sides, size_t n, struct err *err)
{
    const struct stored_run *first = &sides[0].runs[0]->run;

    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < sides[i].n; k++) {
            const struct stored_run *run = &sides[i].runs[k]->run;

            if (!strcmp(run->status, "running"))
                return err_set(err, RC_INVALID,
                               "run '%s' goes on; compare it when it has "
                               "ended",
                               run->name);
            if (strcmp(run->workload, first->workload) != 0)
                return err_set(err, RC_INVALID,
                               "these runs cannot be compared: '%s' ran %s, "
                               "'%s' ran %s; choose runs of one workload",
                               first->name, first->workload, run->name,
                               run->workload);
        }
    }
    return RC_OK;
}

/* ---- differences ---- */

static const char *value_of(const struct figures *f, const struct property *p)
{
    for (size_t i = 0; i < f->n_properties; i++) {
        const struct property *own = &f->properties[i];

        if (own->kind == p->kind && !strcmp(own->name, p->name))
            return own->value;
    }
    return "-";
}

/* Whether one of the first n runs of a side has the value. */
static bool has_value(const struct side *side, size_t n,
                      const struct property *p, const char *value)
{
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(value_of(side->runs[i], p), value))
            return true;
    }
    return false;
}

/* "a, b": each value once. */
static const char *values_of(const struct side *side, const struct property *p,
                             struct arena *arena)
{
    const char *all = value_of(side->runs[0], p);

    for (size_t i = 1; all && i < side->n; i++) {
        const char *value = value_of(side->runs[i], p);

        if (!has_value(side, i, p, value))
            all = arena_printf(arena, "%s, %s", all, value);
    }
    return all;
}

static bool differs(const struct side *sides, size_t n,
                    const struct property *p)
{
    const char *first = value_of(sides[0].runs[0], p);

    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < sides[i].n; k++) {
            if (strcmp(value_of(sides[i].runs[k], p), first) != 0)
                return true;
        }
    }
    return false;
}

/* A setting whose effect is a property of the run is said once. */
static bool is_said(const struct comparison *c, const struct property *p)
{
    for (size_t i = 0; i < c->n_differences; i++) {
        const struct difference *d = &c->differences[i];

        if (!strcmp(d->name, p->name) &&
            (d->kind == p->kind || d->kind == PROPERTY_RUN))
            return true;
    }
    return false;
}

static enum rc add_difference(const struct side *sides, size_t n,
                              const struct property *p, struct arena *arena,
                              struct comparison *c, struct err *err)
{
    const char **values = ARENA_ARRAY(arena, const char *, n);

    for (size_t i = 0; values && i < n; i++) {
        values[i] = values_of(&sides[i], p, arena);
        if (!values[i])
            return no_memory(err);
    }
    if (!values)
        return no_memory(err);
    c->differences[c->n_differences++] = (struct difference){
        .kind = p->kind,
        .name = p->name,
        .values = values,
        .serious = p->kind != PROPERTY_LABEL && p->kind != PROPERTY_FACT &&
                   is_one_of(p->name, serious_names, ARRAY_LEN(serious_names)),
    };
    return RC_OK;
}

static enum rc add_differences_of(const struct side *sides,
                                  enum property_kind kind,
                                  const struct figures *f, struct arena *arena,
                                  struct comparison *c, struct err *err)
{
    const size_t n = c->n_sides + 1;
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < f->n_properties; i++) {
        const struct property *p = &f->properties[i];

        if (p->kind != kind || c->n_differences == DIFFERENCES_MAX ||
            is_one_of(p->name, ignored_names, ARRAY_LEN(ignored_names)) ||
            is_said(c, p) || !differs(sides, n, p))
            continue;
        rc = add_difference(sides, n, p, arena, c, err);
    }
    return rc;
}

static enum rc find_differences(const struct side *sides, size_t n,
                                struct arena *arena, struct comparison *c,
                                struct err *err)
{
    static const enum property_kind order[] = {PROPERTY_RUN, PROPERTY_SETTING,
                                               PROPERTY_FACT, PROPERTY_LABEL};
    enum rc rc = RC_OK;

    for (size_t o = 0; o < ARRAY_LEN(order); o++) {
        for (size_t i = 0; !rc && i < n; i++) {
            for (size_t k = 0; !rc && k < sides[i].n; k++)
                rc = add_differences_of(sides, order[o], sides[i].runs[k],
                                        arena, c, err);
        }
    }
    return rc;
}

static void serious_first(struct comparison *c)
{
    size_t at = 0;

    for (size_t i = 0; i < c->n_differences; i++) {
        const struct difference d = c->differences[i];

        if (!d.serious)
            continue;
        for (size_t k = i; k > at; k--)
            c->differences[k] = c->differences[k - 1];
        c->differences[at++] = d;
    }
    c->serious = at > 0;
}

/* ---- warnings ---- */

static void warn(struct comparison *c, const char *text, bool *failed)
{
    *failed |= !text;
    if (text && c->n_warnings < WARNINGS_MAX)
        c->warnings[c->n_warnings++] = text;
}

/* "different scale (1, 10)" */
static void warn_of_differences(struct comparison *c, struct arena *arena,
                                bool *failed)
{
    for (size_t i = 0; i < c->n_differences; i++) {
        const struct difference *d = &c->differences[i];
        const char *values = d->values[0];

        if (!d->serious)
            continue;
        for (size_t k = 1; values && k <= c->n_sides; k++) {
            bool seen = false;

            for (size_t j = 0; j < k; j++)
                seen |= !strcmp(d->values[j], d->values[k]);
            if (!seen)
                values = arena_printf(arena, "%s, %s", values, d->values[k]);
        }
        warn(c,
             values ? arena_printf(arena, "different %s (%s)", d->name, values)
                    : NULL,
             failed);
    }
}

static const char *partial_text(const struct figures *f, struct arena *arena)
{
    return arena_printf(arena, "run '%s' ended early: %s%s", f->run.name,
                        f->run.reason ? f->run.reason : "not known why",
                        f->has_data ? "" : ", and has no data");
}

static const char *invalid_text(const struct figures *f, struct arena *arena)
{
    if (!f->has_data)
        return arena_printf(arena, "run '%s' has no data", f->run.name);
    return arena_printf(arena, "run '%s' is not valid: %s", f->run.name,
                        f->reasons[0] ? f->reasons : "no verdict was reached");
}

static bool is_partial(const struct figures *f)
{
    return strcmp(f->run.status, "complete") != 0;
}

static bool is_invalid(const struct figures *f)
{
    return !f->valid && !is_partial(f);
}

typedef bool run_test_fn(const struct figures *f);
typedef const char *run_text_fn(const struct figures *f, struct arena *arena);

/* Names the first few, counts the rest. */
static size_t warn_of_runs(struct comparison *c, run_test_fn *test,
                           run_text_fn *text, const char *what,
                           struct arena *arena, bool *failed)
{
    const struct side *sides = c->base;
    size_t n = 0;

    for (size_t i = 0; i <= c->n_sides; i++) {
        for (size_t k = 0; k < sides[i].n; k++) {
            const struct figures *f = sides[i].runs[k];

            if (!test(f))
                continue;
            if (++n <= RUNS_NAMED_MAX)
                warn(c, text(f, arena), failed);
        }
    }
    if (n > RUNS_NAMED_MAX)
        warn(c, arena_printf(arena, "%zu more %s", n - RUNS_NAMED_MAX, what),
             failed);
    return n;
}

enum rc comparability_find(const struct side *sides, size_t n,
                           struct arena *arena, struct comparison *out,
                           struct err *err)
{
    bool failed = false;
    enum rc rc;

    out->differences = ARENA_ARRAY(arena, struct difference, DIFFERENCES_MAX);
    out->warnings = ARENA_ARRAY(arena, const char *, WARNINGS_MAX);
    if (!out->differences || !out->warnings)
        return no_memory(err);
    rc = find_differences(sides, n, arena, out, err);
    if (rc)
        return rc;
    serious_first(out);
    warn_of_differences(out, arena, &failed);
    out->n_warned_differences = out->n_warnings;
    out->all_valid = !warn_of_runs(out, is_invalid, invalid_text,
                                   "are not valid", arena, &failed);
    out->all_complete = !warn_of_runs(out, is_partial, partial_text,
                                      "ended early", arena, &failed);
    return failed ? no_memory(err) : RC_OK;
}
