/* SPDX-License-Identifier: MIT */
/*
 * What the runs of a report have to do with each other: their variants, and
 * each variant compared with each other one, so that the reader may choose the
 * base.
 */
#include "report/comparison.h"
#include "report/html_int.h"
#include "report/html_variants.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ARENA_BYTES_MAX ((size_t)1 << 30)
/* Of more variants, pairs are too many to list. */
#define COMPARED_MAX 80

struct matrix {
    struct store *store;
    const struct html_args *args;
    struct figures *runs;
    struct variants variants;
    struct side *sides; /* of the variants */
    struct arena arena;
    struct json_out out;
    json_t *root;
};

static enum rc no_memory(struct err *err)
{
    return err_set(err, RC_NOMEM, "no memory for the report");
}

/* ---- variants ---- */

static void put_axes(struct matrix *m)
{
    json_t *list = json_put_array(&m->out, m->root, "axes");

    for (size_t i = 0; i < m->variants.n_axes; i++)
        json_add_text(&m->out, list, m->variants.axes[i].name);
}

static void put_variants(struct matrix *m)
{
    const struct variants *v = &m->variants;
    json_t *list = json_put_array(&m->out, m->root, "variants");

    for (size_t k = 0; k < v->n; k++) {
        json_t *one = json_add_object(&m->out, list);
        json_t *values = json_put_array(&m->out, one, "values");
        json_t *runs = json_put_array(&m->out, one, "runs");
        bool first = true;

        for (size_t i = 0; i < m->args->n_runs; i++) {
            if (v->of_run[i] != k)
                continue;
            html_add_number(&m->out, runs, (double)i);
            for (size_t a = 0; first && a < v->n_axes; a++)
                json_add_text(&m->out, values, v->axes[a].values[i]);
            first = false;
        }
    }
}

static const char *name_of(struct matrix *m, size_t run)
{
    const char *name = "";

    for (size_t a = 0; name && a < m->variants.n_axes; a++)
        name = arena_printf(&m->arena, "%s%s%s=%s", name, a ? ", " : "",
                            m->variants.axes[a].name,
                            m->variants.axes[a].values[run]);
    return name;
}

static enum rc make_sides(struct matrix *m, struct err *err)
{
    const size_t n = m->args->n_runs;
    const struct figures **runs =
        ARENA_ARRAY(&m->arena, const struct figures *, m->variants.n *n);

    m->sides = ARENA_ARRAY(&m->arena, struct side, m->variants.n);
    if (!runs || !m->sides)
        return no_memory(err);
    for (size_t i = 0; i < n; i++) {
        const size_t k = m->variants.of_run[i];

        if (m->sides[k].n == 0)
            m->sides[k] =
                (struct side){.name = name_of(m, i), .runs = runs + k * n};
        if (!m->sides[k].name)
            return no_memory(err);
        runs[k * n + m->sides[k].n++] = &m->runs[i];
    }
    return RC_OK;
}

/* Where a variant was run once, only the parts of that run can say how sure
 * its figures are. */
static enum rc read_parts(struct matrix *m, struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t k = 0; !rc && k < m->variants.n; k++) {
        size_t i = 0;

        if (m->sides[k].n != 1)
            continue;
        while (m->variants.of_run[i] != k)
            i++;
        rc = figures_read(m->store, &m->args->runs[i], true, &m->arena,
                          &m->runs[i], err);
    }
    return rc;
}

/* ---- each with each ---- */

static void put_figure(struct matrix *m, json_t *list,
                       const struct compared_figure *f)
{
    json_t *values = json_array();

    if (f) {
        html_add_number(&m->out, values, f->result.ratio);
        html_add_number(&m->out, values, f->result.low);
        html_add_number(&m->out, values, f->result.high);
        json_add_text(&m->out, values,
                      compare_word(f->result.verdict, f->kind == FIGURE_RATE));
        html_add_number(&m->out, values, f->result.smallest);
    }
    if (json_array_append_new(list, values))
        m->out.failed = true;
}

static const char *const kinds[] = {"p50", "p95", "p99"};

/* A list for each other variant: basis, throughput, the kinds. */
static void put_side(struct matrix *m, json_t *list,
                     const struct compared_side *side)
{
    const char *counted = m->args->runs[0].counted;
    json_t *one = json_array();
    char name[128];

    html_add_number(&m->out, one, (double)side->basis);
    put_figure(m, one, compared_throughput(side));
    for (size_t i = 0; counted && i < ARRAY_LEN(kinds); i++) {
        snprintf(name, sizeof(name), "transactions.%s.response_us.%s", counted,
                 kinds[i]);
        put_figure(m, one, compared_find(side, name));
    }
    if (json_array_append_new(list, one))
        m->out.failed = true;
}

static enum rc compare_with(struct matrix *m, size_t base, json_t *list,
                            struct err *err)
{
    struct arena arena = ARENA_INIT(ARENA_BYTES_MAX);
    struct side sides[COMPARED_MAX];
    struct comparison c;
    json_t *row = json_array();
    enum rc rc;

    sides[0] = m->sides[base];
    for (size_t i = 0, n = 1; i < m->variants.n; i++) {
        if (i != base)
            sides[n++] = m->sides[i];
    }
    rc = comparison_make(sides, m->variants.n, &arena, &c, err);
    for (size_t i = 0; !rc && i < c.n_sides; i++)
        put_side(m, row, &c.sides[i]);
    if (json_array_append_new(list, row))
        m->out.failed = true;
    arena_release(&arena);
    return rc;
}

/* Runs that cannot be compared are shown all the same, without ratios. */
static void put_ratios(struct matrix *m)
{
    json_t *list = json_put_array(&m->out, m->root, "ratios");
    struct err why = {0};
    enum rc rc = RC_OK;

    if (m->variants.n < 2)
        return;
    if (m->variants.n > COMPARED_MAX)
        rc = err_set(&why, RC_USAGE,
                     "%zu variants are too many to compare each with each; "
                     "at most %d",
                     m->variants.n, COMPARED_MAX);
    for (size_t i = 0; !rc && i < m->variants.n; i++)
        rc = compare_with(m, i, list, &why);
    if (rc)
        json_array_clear(list);
    json_put_text_if(&m->out, m->root, "not_compared", why.text);
}

/* ---- all ---- */

static enum rc read_runs(struct matrix *m, struct err *err)
{
    const size_t n = m->args->n_runs;
    enum rc rc = RC_OK;

    m->runs = ARENA_ARRAY(&m->arena, struct figures, n);
    if (!m->runs)
        return no_memory(err);
    for (size_t i = 0; !rc && i < n; i++)
        rc = figures_read(m->store, &m->args->runs[i], false, &m->arena,
                          &m->runs[i], err);
    return rc;
}

enum rc html_matrix(struct store *s, const struct html_args *args,
                    struct buf *out, struct err *err)
{
    struct matrix m = {
        .store = s,
        .args = args,
        .arena = ARENA_INIT(ARENA_BYTES_MAX),
        .root = json_object(),
    };
    const struct axis_names axes = {args->axes, args->n_axes};
    enum rc rc = read_runs(&m, err);

    if (!rc)
        rc = variants_find(m.runs, args->n_runs, &axes, &m.arena, &m.variants,
                           err);
    if (!rc)
        rc = make_sides(&m, err);
    if (!rc)
        rc = read_parts(&m, err);
    if (!rc) {
        put_axes(&m);
        put_variants(&m);
        put_ratios(&m);
        rc = html_put_json(out, &m.out, m.root, err);
    } else {
        json_decref(m.root);
    }
    arena_release(&m.arena);
    return rc;
}
