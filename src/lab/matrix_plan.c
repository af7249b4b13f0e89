/* SPDX-License-Identifier: MIT */
#include "lab/matrix_plan.h"

#include "base/log.h"
#include "base/rng.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ARENA_MAX ((size_t)256 << 20)
/* A stream of its own: RNG_CHOICE of no user. */
#define ORDER_STREAM UINT64_MAX

/* ---- cells ---- */

struct builder {
    const struct matrix *m;
    struct matrix_plan *p;
    struct matrix_cell *cells;
    size_t cap;
    struct err *err;
};

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool same_cell(const struct matrix *m, const struct matrix_cell *a,
                      const struct matrix_cell *b)
{
    for (size_t i = 0; i < m->n_axes; i++) {
        if (!same_text(a->values[i], b->values[i]))
            return false;
    }
    return true;
}

static bool rule_has(const struct matrix_rule *rule, size_t axis,
                     const char *value)
{
    for (size_t i = 0; value && i < rule->n_values[axis]; i++) {
        if (!strcmp(rule->values[axis][i], value))
            return true;
    }
    return false;
}

static bool rule_matches(const struct matrix *m, const struct matrix_rule *rule,
                         const struct matrix_cell *cell)
{
    for (size_t i = 0; i < m->n_axes; i++) {
        if (rule->n_values[i] > 0 && !rule_has(rule, i, cell->values[i]))
            return false;
    }
    return true;
}

static enum rc check_cell(struct builder *b, const struct matrix_cell *cell)
{
    for (size_t i = 0; i < b->m->n_axes; i++) {
        const struct matrix_axis *axis = &b->m->axes[i];

        if (cell->values[i] && cell->server->url &&
            (axis->kind == AXIS_PRESET || axis->kind == AXIS_SETTING))
            return err_set(b->err, RC_USAGE,
                           "%s:%zu: %s: server '%s' has a 'url', so dyno does "
                           "not configure it; leave the axis out, or that "
                           "server",
                           b->m->tree.path, axis->line, axis->key,
                           cell->server->name);
    }
    return RC_OK;
}

static enum rc add_cell(struct builder *b, const char *const *values)
{
    struct matrix_cell cell = {.values = values};

    for (size_t i = 0; i < b->m->n_axes; i++) {
        if (b->m->axes[i].kind == AXIS_SERVER)
            cell.server = matrix_server_find(b->m, values[i]);
    }
    /* What is included may be there already. */
    for (size_t i = 0; b->m->n_include > 0 && i < b->p->n_cells; i++) {
        if (same_cell(b->m, &b->cells[i], &cell))
            return RC_OK;
    }
    if (b->p->n_cells == b->cap)
        return err_set(b->err, RC_USAGE, "%s: more than %d variants",
                       b->m->tree.path, MATRIX_RUNS_MAX);
    b->cells[b->p->n_cells++] = cell;
    return RC_OK;
}

/* All combinations of a rule's values, the last axis turning fastest. */
static enum rc add_product(struct builder *b, const struct matrix_rule *rule)
{
    const size_t n = b->m->n_axes;
    size_t turn[MATRIX_AXES_MAX] = {0};

    for (;;) {
        const char **values = ARENA_ARRAY(&b->p->arena, const char *, n);
        size_t i = n;
        enum rc rc;

        if (!values)
            return err_set(b->err, RC_NOMEM, "out of memory");
        for (size_t k = 0; k < n; k++)
            values[k] = rule->n_values[k] > 0 ? rule->values[k][turn[k]] : NULL;
        rc = add_cell(b, values);
        if (rc)
            return rc;
        while (i > 0 && ++turn[i - 1] >= rule->n_values[i - 1])
            turn[--i] = 0;
        if (i == 0)
            return RC_OK;
    }
}

static void rule_of_axes(const struct matrix *m, struct matrix_rule *out)
{
    *out = (struct matrix_rule){.line = 0};
    for (size_t i = 0; i < m->n_axes; i++) {
        out->values[i] = m->axes[i].values;
        out->n_values[i] = m->axes[i].n_values;
    }
}

/* An included variant that names no server is for all of them. */
static enum rc include(struct builder *b, const struct matrix_rule *rule)
{
    struct matrix_rule with = *rule;

    for (size_t i = 0; i < b->m->n_axes; i++) {
        if (b->m->axes[i].kind == AXIS_SERVER && with.n_values[i] == 0) {
            with.values[i] = b->m->axes[i].values;
            with.n_values[i] = b->m->axes[i].n_values;
        }
    }
    return add_product(b, &with);
}

static void exclude(struct builder *b, const struct matrix_rule *rule)
{
    size_t n = 0;

    for (size_t i = 0; i < b->p->n_cells; i++) {
        if (!rule_matches(b->m, rule, &b->cells[i]))
            b->cells[n++] = b->cells[i];
    }
    if (n == b->p->n_cells)
        log_warn("%s:%zu: this excludes nothing", b->m->tree.path, rule->line);
    b->p->n_cells = n;
}

static enum rc make_cells(struct builder *b)
{
    struct matrix_rule all;
    enum rc rc;

    b->cap = MATRIX_RUNS_MAX;
    b->cells = ARENA_ARRAY(&b->p->arena, struct matrix_cell, b->cap);
    if (!b->cells)
        return err_set(b->err, RC_NOMEM, "out of memory");
    rule_of_axes(b->m, &all);
    rc = add_product(b, &all);
    /* As elsewhere (CI systems), what is included is not excluded. */
    for (size_t i = 0; !rc && i < b->m->n_exclude; i++)
        exclude(b, &b->m->exclude[i]);
    for (size_t i = 0; !rc && i < b->m->n_include; i++)
        rc = include(b, &b->m->include[i]);
    for (size_t i = 0; !rc && i < b->p->n_cells; i++)
        rc = check_cell(b, &b->cells[i]);
    b->p->cells = b->cells;
    if (!rc && b->p->n_cells == 0)
        rc = err_set(b->err, RC_USAGE, "%s: 'exclude' leaves nothing to run",
                     b->m->tree.path);
    return rc;
}

/* ---- order ---- */

static void shuffle(struct matrix_run *runs, size_t n, uint64_t seed)
{
    struct rng rng;

    rng_init(&rng, seed, ORDER_STREAM, RNG_CHOICE);
    for (size_t i = n; i > 1; i--) {
        const size_t k = (size_t)rng_below(&rng, i);
        const struct matrix_run last = runs[i - 1];

        runs[i - 1] = runs[k];
        runs[k] = last;
    }
}

static enum rc make_runs(struct builder *b)
{
    const struct matrix *m = b->m;
    struct matrix_plan *p = b->p;
    struct matrix_run *runs;

    p->n_runs = p->n_cells * m->repeat;
    if (p->n_runs > MATRIX_RUNS_MAX)
        return err_set(b->err, RC_USAGE,
                       "%s: %zu variants, %" PRIu64 " times each: more than "
                       "%d runs",
                       m->tree.path, p->n_cells, m->repeat, MATRIX_RUNS_MAX);
    runs = ARENA_ARRAY(&p->arena, struct matrix_run, p->n_runs);
    if (!runs)
        return err_set(b->err, RC_NOMEM, "out of memory");
    for (size_t i = 0; i < p->n_runs; i++) {
        const bool grouped = m->order == MATRIX_GROUPED;
        const size_t cell = grouped ? i / m->repeat : i % p->n_cells;
        const size_t repeat = grouped ? i % m->repeat : i / p->n_cells;

        runs[i] =
            (struct matrix_run){.cell = &p->cells[cell], .repeat = repeat + 1};
    }
    if (m->order == MATRIX_RANDOM)
        shuffle(runs, p->n_runs, m->seed);
    p->runs = runs;
    return RC_OK;
}

enum rc matrix_plan_make(const struct matrix *m, struct matrix_plan *out,
                         struct err *err)
{
    struct builder b = {.m = m, .p = out, .err = err};
    enum rc rc;

    *out = (struct matrix_plan){.m = m};
    arena_init(&out->arena, ARENA_MAX);
    rc = make_cells(&b);
    if (!rc)
        rc = make_runs(&b);
    if (rc)
        matrix_plan_release(out);
    return rc;
}

void matrix_plan_release(struct matrix_plan *p)
{
    arena_release(&p->arena);
    *p = (struct matrix_plan){.m = p->m};
}

/* ---- texts ---- */

void matrix_cell_text(const struct matrix *m, const struct matrix_cell *cell,
                      bool all, char *out, size_t out_len)
{
    size_t len = 0;

    *out = '\0';
    for (size_t i = 0; i < m->n_axes && len < out_len; i++) {
        const struct matrix_axis *axis = &m->axes[i];

        if (!cell->values[i] ||
            (!all && axis->n_values == 1 && m->n_include == 0))
            continue;
        snprintf(out + len, out_len - len, "%s%s=%s", len > 0 ? " " : "",
                 axis->key, cell->values[i]);
        len += strlen(out + len);
    }
    if (len == 0)
        snprintf(out, out_len, "server=%s", cell->server->name);
}

/* FNV-1a, with the end of each text. */
static void hash_text(uint64_t *h, const char *text)
{
    for (const char *p = text ? text : "\1";; p++) {
        *h = (*h ^ (unsigned char)*p) * UINT64_C(1099511628211);
        if (!*p)
            return;
    }
}

static void hash_list(uint64_t *h, const struct variant_text *items, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        hash_text(h, items[i].name);
        hash_text(h, items[i].value);
    }
}

uint64_t matrix_plan_hash(const struct matrix_plan *p)
{
    const struct matrix *m = p->m;
    uint64_t h = UINT64_C(14695981039346656037);

    hash_text(&h, m->workload);
    hash_text(&h, m->fresh ? "fresh" : "kept");
    hash_list(&h, m->options, m->n_options);
    for (size_t i = 0; i < m->n_servers; i++) {
        const struct matrix_server *s = &m->servers[i];

        /* Where a server is may hold a password, and may change. */
        hash_text(&h, s->name);
        hash_text(&h, s->kind);
        hash_text(&h, s->bindir);
        hash_text(&h, s->preset);
        hash_text(&h, s->config);
        hash_list(&h, s->settings, s->n_settings);
        hash_list(&h, s->options, s->n_options);
    }
    for (size_t i = 0; i < p->n_runs; i++) {
        for (size_t k = 0; k < m->n_axes; k++) {
            hash_text(&h, m->axes[k].key);
            hash_text(&h, p->runs[i].cell->values[k]);
        }
    }
    return h;
}

/* ---- relative to ---- */

const struct matrix_cell *matrix_cell_base(const struct matrix_plan *p,
                                           const struct matrix_cell *cell)
{
    const struct matrix *m = p->m;
    const struct matrix_cell *found = NULL;

    for (size_t c = 0; c < p->n_cells && !found; c++) {
        bool fits = true;

        for (size_t i = 0; fits && i < m->n_axes; i++) {
            const char *want = m->base.n_values[i] > 0 ? m->base.values[i][0]
                                                       : cell->values[i];

            fits = same_text(p->cells[c].values[i], want);
        }
        if (fits)
            found = &p->cells[c];
    }
    return found == cell ? NULL : found;
}
