/* SPDX-License-Identifier: MIT */
#include "report/html_variants.h"

#include "base/parse.h"

#include <string.h>

#define NAMES_MAX 1000

struct search {
    const struct figures *runs;
    size_t n_runs;
    struct arena *arena;
    struct variants *out;
};

static enum rc no_memory(struct err *err)
{
    return err_set(err, RC_NOMEM, "no memory for the variants of a report");
}

/* ---- one axis ---- */

static const char *label_of(const struct figures *f, const char *name)
{
    for (size_t i = 0; i < f->n_properties; i++) {
        if (f->properties[i].kind == PROPERTY_LABEL &&
            !strcmp(f->properties[i].name, name))
            return f->properties[i].value;
    }
    return NULL;
}

/* A label is what people, or a plan, call it: "pg17a" before the version that
 * the server says. */
static const char *value_of(const struct figures *f, const char *name)
{
    const char *value = label_of(f, name);

    if (!value)
        value = figures_property(f, name);
    return value && value[0] ? value : "-";
}

static bool equal(const struct axis *a, size_t i, size_t k)
{
    return !strcmp(a->values[i], a->values[k]);
}

static bool differs(const struct search *s, const struct axis *a)
{
    for (size_t i = 1; i < s->n_runs; i++) {
        if (!equal(a, 0, i))
            return true;
    }
    return false;
}

/* No two runs have the same value, as with the number of a run. */
static bool tells_all_apart(const struct search *s, const struct axis *a)
{
    for (size_t i = 0; i < s->n_runs; i++) {
        for (size_t k = i + 1; k < s->n_runs; k++) {
            if (equal(a, i, k))
                return false;
        }
    }
    return true;
}

/* The variants when this axis is one too; returns how many there are. */
static size_t refine(const struct search *s, const struct axis *a, size_t *out)
{
    const size_t *now = s->out->of_run;
    size_t n = 0;

    for (size_t i = 0; i < s->n_runs; i++) {
        size_t k = 0;

        while (k < i && (now[k] != now[i] || !equal(a, k, i)))
            k++;
        out[i] = k < i ? out[k] : n++;
    }
    return n;
}

static enum rc read_axis(const struct search *s, const char *name,
                         struct axis *out, struct err *err)
{
    *out = (struct axis){
        .name = name, .values = ARENA_ARRAY(s->arena, const char *, s->n_runs)};
    if (!out->values)
        return no_memory(err);
    for (size_t i = 0; i < s->n_runs; i++)
        out->values[i] = value_of(&s->runs[i], name);
    return RC_OK;
}

static enum rc take_axis(struct search *s, const struct axis *a,
                         struct err *err)
{
    struct variants *v = s->out;
    size_t *finer = ARENA_ARRAY(s->arena, size_t, s->n_runs);

    if (!finer)
        return no_memory(err);
    v->n = refine(s, a, finer);
    v->of_run = finer;
    v->axes[v->n_axes++] = *a;
    return RC_OK;
}

/* ---- what may be an axis ---- */

static bool is_in(const char *name, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(name, list[i]))
            return true;
    }
    return false;
}

/* Labels of plans that say which run it is, and which plan. */
static bool is_number_of_run(const char *label)
{
    static const char *const labels[] = {"attempt", "flip_run", "rep", "repeat",
                                         "variant"};

    return is_in(label, labels, ARRAY_LEN(labels));
}

static bool is_plan(const char *label)
{
    static const char *const labels[] = {"flip", "matrix"};

    return is_in(label, labels, ARRAY_LEN(labels));
}

/* Not those that say nothing of what was measured, and not settings that are
 * in PROPERTY_RUN as they turned out. */
static bool may_be_axis(const struct property *p)
{
    static const char *const settings[] = {
        "audit",      "check_limits", "checks",   "composition",
        "config",     "connections",  "continue", "create_database",
        "db",         "disk_check",   "format",   "help",
        "host_probe", "label",        "load_by",  "name",
        "progress",   "quiet",        "replace",  "results",
        "seed",       "verbose",      "vus",      "warehouses",
    };
    static const char *const facts[] = {"build", "product", "version"};

    switch (p->kind) {
    case PROPERTY_RUN:
        return true;
    case PROPERTY_LABEL:
        return !is_number_of_run(p->name);
    case PROPERTY_SETTING:
        return !is_in(p->name, settings, ARRAY_LEN(settings));
    case PROPERTY_FACT:
        return !is_in(p->name, facts, ARRAY_LEN(facts));
    }
    return false;
}

static enum rc consider(struct search *s, const char *name, bool even_unique,
                        struct err *err)
{
    struct variants *v = s->out;
    struct axis axis;
    size_t *finer;
    enum rc rc;

    for (size_t i = 0; i < v->n_axes; i++) {
        if (!strcmp(v->axes[i].name, name))
            return RC_OK;
    }
    if (v->n_axes == AXES_MAX)
        return RC_OK;
    rc = read_axis(s, name, &axis, err);
    if (rc || !differs(s, &axis) || (!even_unique && tells_all_apart(s, &axis)))
        return rc;
    finer = ARENA_ARRAY(s->arena, size_t, s->n_runs);
    if (!finer)
        return no_memory(err);
    /* What follows from another axis is none of its own. */
    return refine(s, &axis, finer) > v->n ? take_axis(s, &axis, err) : RC_OK;
}

static enum rc consider_kind(struct search *s, enum property_kind kind,
                             bool even_unique, struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < s->n_runs; i++) {
        const struct figures *f = &s->runs[i];

        for (size_t k = 0; !rc && k < f->n_properties; k++) {
            const struct property *p = &f->properties[k];

            if (p->kind == kind && may_be_axis(p) &&
                (even_unique || !is_plan(p->name)))
                rc = consider(s, p->name, even_unique, err);
        }
    }
    return rc;
}

/* What people call it comes before what it was, and what they vary before what
 * follows from it. */
static enum rc find_axes(struct search *s, struct err *err)
{
    static const char *const first[] = {"workload", "server", "composition",
                                        "scale",    "vus",    "connections"};
    enum rc rc = RC_OK;

    /* A label that each run has another of is a number of the run, not what
     * it stands for: unless there is nothing else. */
    rc = consider_kind(s, PROPERTY_LABEL, false, err);
    for (size_t i = 0; !rc && i < ARRAY_LEN(first); i++)
        rc = consider(s, first[i], true, err);
    if (!rc)
        rc = consider_kind(s, PROPERTY_SETTING, true, err);
    if (!rc)
        rc = consider_kind(s, PROPERTY_FACT, true, err);
    if (!rc && s->out->n == 1)
        rc = consider_kind(s, PROPERTY_LABEL, true, err);
    if (!rc && s->out->n == 1)
        rc = consider(s, "target", true, err);
    return rc;
}

/* ---- named axes ---- */

static enum rc unknown_axis(const struct search *s, const char *name,
                            struct err *err)
{
    const char *names[NAMES_MAX], *near;
    size_t n = 0;

    for (size_t i = 0; i < s->n_runs; i++) {
        const struct figures *f = &s->runs[i];

        for (size_t k = 0; k < f->n_properties && n < NAMES_MAX; k++)
            names[n++] = f->properties[k].name;
    }
    near = nearest_name(name, names, n);
    return err_set(err, RC_USAGE,
                   "--axis %s: no run of the report has a setting, a label or "
                   "a fact of that name%s%s%s",
                   name, near ? "; did you mean '" : "", near ? near : "",
                   near ? "'?" : "");
}

static enum rc take_named(struct search *s, const char *name, struct err *err)
{
    struct axis axis;
    bool known = false;
    enum rc rc;

    for (size_t i = 0; i < s->n_runs; i++)
        known |= figures_property(&s->runs[i], name) != NULL;
    if (!known)
        return unknown_axis(s, name, err);
    if (s->out->n_axes == AXES_MAX)
        return err_set(err, RC_USAGE, "more than %d axes", AXES_MAX);
    rc = read_axis(s, name, &axis, err);
    return rc ? rc : take_axis(s, &axis, err);
}

enum rc variants_find(const struct figures *runs, size_t n,
                      const struct axis_names *names, struct arena *arena,
                      struct variants *out, struct err *err)
{
    struct search s = {.runs = runs, .n_runs = n, .arena = arena, .out = out};
    enum rc rc = RC_OK;

    *out = (struct variants){.n = 1, .of_run = ARENA_ARRAY(arena, size_t, n)};
    if (!out->of_run)
        return no_memory(err);
    if (names->n == 0)
        return find_axes(&s, err);
    for (size_t i = 0; !rc && i < names->n; i++)
        rc = take_named(&s, names->names[i], err);
    return rc;
}
