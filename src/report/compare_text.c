/* SPDX-License-Identifier: MIT */
#include "report/cell.h"
#include "report/compare_report.h"
#include "report/doc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of costs that are not always shown, those that differ most. */
#define OTHER_COSTS_SHOWN 8
#define OTHER_COSTS_APART 1.1 /* times */
#define OTHER_COSTS_LEAST \
    0.01 /* below that in each transaction it is nothing */
#define WAITS_SHOWN 8
#define DIFFERENCES_SHOWN 40
#define LABEL_BYTES 64

/* Always shown, in this order, when they are known. */
static const char *const main_costs[] = {
    "round_trips_per_transaction",
    "statements_per_transaction",
    "client.cpu_us_per_transaction",
    "server.cpu_us_per_transaction",
    "server.cpu_foreground_us_per_transaction",
    "server.cpu_background_us_per_transaction",
    "server.wal_bytes_per_transaction",
    "server.rows_returned_per_transaction",
    "server.rows_fetched_per_transaction",
    "server.rows_inserted_per_transaction",
    "server.rows_updated_per_transaction",
    "server.rows_deleted_per_transaction",
};

/* ---- cells ---- */

static void cell_of(struct doc_table *t, const struct compared_figure *f,
                    double value)
{
    char text[CELL_BYTES];

    compare_value(f->name, f->kind, value, text);
    doc_cell(t, "%s", text);
}

/* Three decimals where they say something. */
static void ratio_text(double ratio, char out[CELL_BYTES])
{
    if (isnan(ratio))
        snprintf(out, CELL_BYTES, "-");
    else if (ratio >= 999.5)
        snprintf(out, CELL_BYTES, ">999");
    else
        snprintf(out, CELL_BYTES, ratio < 9.995 ? "%.3f" : "%.1f", ratio);
}

static void ratio_cell(struct doc_table *t, double ratio)
{
    char text[CELL_BYTES];

    ratio_text(ratio, text);
    doc_cell(t, "%s", text);
}

static void smallest_text(const struct compare_result *r, char out[CELL_BYTES])
{
    if (isfinite(r->smallest) && r->smallest < 10)
        cell_share(r->smallest, out);
    else
        snprintf(out, CELL_BYTES, "-");
}

/* The last four columns: ratio, interval, verdict, what could be shown. */
static void verdict_cells(struct doc_table *t, const struct compared_figure *f)
{
    const struct compare_result *r = &f->result;
    char low[CELL_BYTES], high[CELL_BYTES], smallest[CELL_BYTES];

    ratio_cell(t, r->ratio);
    ratio_text(r->low, low);
    ratio_text(r->high, high);
    smallest_text(r, smallest);
    if (r->verdict == COMPARE_NO_DATA)
        doc_cell(t, "-");
    else
        doc_cell(t, "%s-%s", low, high);
    doc_cell(t, "%s", compare_word(r->verdict, f->kind == FIGURE_RATE));
    doc_cell(t, "%s", smallest);
}

static void verdict_heads(struct doc_table *t)
{
    doc_cell(t, "ratio");
    doc_cell(t, "95 %%");
    doc_cell(t, "verdict");
    doc_cell(t, "smallest");
}

/* ---- the first lines ---- */

static void warnings(struct doc *d, const struct comparison *c)
{
    char text[DOC_TEXT_MAX];
    size_t at = 0;

    if (c->n_warnings == 0)
        return;
    for (size_t i = 0; i < c->n_warnings && at < sizeof(text); i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s",
                               i > 0 ? "; " : "", c->warnings[i]);
    doc_title(d, "ATTENTION: %s", text);
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static void headline(struct doc *d, const struct comparison *c)
{
    const struct compared_side *first = &c->sides[0];
    const struct compared_figure *f = compared_throughput(first);

    if (c->n_sides > 1)
        doc_title(d, "%zu sides compared with %s", c->n_sides, c->base->name);
    else
        doc_title(d, "%s compared with %s: %s", first->side->name,
                  c->base->name,
                  f ? compare_word(f->result.verdict, true) : "no data");
}

/* What the verdicts of a side stand on. */
static void basis(struct doc *d, const struct comparison *c,
                  const struct compared_side *s)
{
    const size_t n[2] = {c->base->n, s->side->n};

    switch (s->basis) {
    case BASIS_RUNS:
        doc_para(d, "One run a side: the verdicts say whether these two runs "
                    "differ, not whether what they stand for does. That takes "
                    "repeats, in turns.");
        return;
    case BASIS_NONE:
        doc_para(d,
                 "%zu run%s against %zu: a verdict needs two runs a side, five "
                 "to be of use.",
                 n[1], plural(n[1]), n[0]);
        return;
    case BASIS_REPEATS:
        break;
    }
    if (s->apart)
        doc_para(d,
                 "%zu runs against %zu that did not take turns: what changed "
                 "between them (the machine, the data) cannot be told from a "
                 "difference.",
                 n[1], n[0]);
    else
        doc_para(d, "%zu runs against %zu, in turns.", n[1], n[0]);
}

static void throughput_row(struct doc_table *t, const struct compared_side *s,
                           const struct compared_figure *f)
{
    doc_table_row(t);
    doc_cell(t, "%s", s->side->name);
    doc_cell(t, "%zu", s->side->n);
    cell_of(t, f, f->value);
    verdict_cells(t, f);
}

static void throughput_table(struct doc *d, const struct comparison *c,
                             const char *name, const char *unit)
{
    struct doc_table t;
    bool begun = false;

    doc_table_init(&t);
    for (size_t i = 0; i < c->n_sides && t.n_rows < DOC_ROWS_MAX; i++) {
        const struct compared_side *s = &c->sides[i];
        const struct compared_figure *f = compared_find(s, name);

        if (!f)
            continue;
        if (!begun) {
            doc_table_row(&t);
            doc_cell(&t, "%s", unit);
            doc_cell(&t, "runs");
            doc_cell(&t, "mean");
            verdict_heads(&t);
            doc_table_row(&t);
            doc_cell(&t, "%s", c->base->name);
            doc_cell(&t, "%zu", c->base->n);
            cell_of(&t, f, f->base);
            begun = true;
        }
        throughput_row(&t, s, f);
    }
    doc_table_print(d, &t);
}

static void throughputs(struct doc *d, const struct comparison *c)
{
    const bool any = compared_throughput(&c->sides[0]) != NULL;

    doc_heading(d, "Throughput");
    if (!any)
        doc_para(d, "no data");
    throughput_table(d, c, "throughput.nopm", "NOPM");
    throughput_table(d, c, "throughput.tps", "TPS");
    if (any)
        doc_para(d, "95 %%: the interval of the ratio; smallest: the "
                    "difference that these runs would have shown in nine of "
                    "ten cases.");
}

/* ---- response times ---- */

static void time_head(struct doc_table *t, const char *name)
{
    doc_table_init(t);
    doc_table_row(t);
    doc_cell(t, "%s", name);
    doc_cell(t, "base");
    doc_cell(t, "here");
    verdict_heads(t);
}

/* A table for each transaction; the figures of one follow each other. */
static void times(struct doc *d, const struct comparison *c,
                  const struct compared_side *s)
{
    struct doc_table t;
    char label[LABEL_BYTES], name[LABEL_BYTES] = "";

    doc_table_init(&t);
    for (size_t i = 0; i < s->n_figures; i++) {
        const struct compared_figure *f = &s->figures[i];
        char *key;

        if (f->kind != FIGURE_TIME)
            continue;
        compare_label(c, f->name, label, sizeof(label));
        key = strrchr(label, ' ');
        if (!key)
            continue;
        *key++ = '\0';
        if (strcmp(label, name) != 0 || t.n_rows == DOC_ROWS_MAX) {
            doc_table_print(d, &t);
            time_head(&t, label);
            snprintf(name, sizeof(name), "%s", label);
        }
        doc_table_row(&t);
        doc_cell(&t, "  %s", key);
        cell_of(&t, f, f->base);
        cell_of(&t, f, f->value);
        verdict_cells(&t, f);
    }
    doc_table_print(d, &t);
}

/* ---- what it cost ---- */

static void cost_row(struct doc_table *t, const struct comparison *c,
                     const struct compared_figure *f)
{
    char label[LABEL_BYTES];

    compare_label(c, f->name, label, sizeof(label));
    doc_table_row(t);
    doc_cell(t, "%s", label);
    cell_of(t, f, f->base);
    cell_of(t, f, f->value);
    ratio_cell(t, f->result.ratio);
}

static bool is_main(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(main_costs); i++) {
        if (!strcmp(name, main_costs[i]))
            return true;
    }
    return false;
}

/* How far apart the two are; 0: too little to be shown. */
static double apart(const struct compared_figure *f)
{
    const double ratio = f->result.ratio;

    if (f->kind != FIGURE_COST || is_main(f->name) || !(ratio > 0) ||
        fmax(f->base, f->value) < OTHER_COSTS_LEAST)
        return 0;
    return ratio > OTHER_COSTS_APART || ratio < 1 / OTHER_COSTS_APART
               ? fabs(log(ratio))
               : 0;
}

/* The next one after one that is that far apart, in falling order; ties by
 * place. */
static const struct compared_figure *next_apart(const struct compared_side *s,
                                                const struct compared_figure *f)
{
    const struct compared_figure *next = NULL;

    for (size_t i = 0; i < s->n_figures; i++) {
        const struct compared_figure *one = &s->figures[i];

        if (!(apart(one) > 0) || (f && apart(one) > apart(f)) ||
            (f && !(apart(one) < apart(f)) && one <= f))
            continue;
        if (!next || apart(one) > apart(next))
            next = one;
    }
    return next;
}

static void costs(struct doc *d, const struct comparison *c,
                  const struct compared_side *s)
{
    const struct compared_figure *f = NULL;
    struct doc_table t;

    doc_table_init(&t);
    doc_table_row(&t);
    doc_cell(&t, "each transaction");
    doc_cell(&t, "base");
    doc_cell(&t, "here");
    doc_cell(&t, "ratio");
    for (size_t i = 0; i < ARRAY_LEN(main_costs); i++) {
        f = compared_find(s, main_costs[i]);
        if (f)
            cost_row(&t, c, f);
    }
    f = next_apart(s, NULL);
    for (size_t i = 0; f && i < OTHER_COSTS_SHOWN; i++) {
        cost_row(&t, c, f);
        f = next_apart(s, f);
    }
    if (t.n_rows > 1)
        doc_table_print(d, &t);
}

static double larger(const struct compared_figure *f)
{
    return fmax(isnan(f->base) ? 0 : f->base, isnan(f->value) ? 0 : f->value);
}

static const struct compared_figure *next_wait(const struct compared_side *s,
                                               const struct compared_figure *f)
{
    const struct compared_figure *next = NULL;

    for (size_t i = 0; i < s->n_figures; i++) {
        const struct compared_figure *one = &s->figures[i];

        if (one->kind != FIGURE_WAIT || (f && larger(one) > larger(f)) ||
            (f && !(larger(one) < larger(f)) && one <= f))
            continue;
        if (!next || larger(one) > larger(next))
            next = one;
    }
    return next;
}

static void waits(struct doc *d, const struct compared_side *s)
{
    const struct compared_figure *f = next_wait(s, NULL);
    struct doc_table t;

    if (!f)
        return;
    doc_table_init(&t);
    doc_table_row(&t);
    doc_cell(&t, "sessions waiting");
    doc_cell(&t, "base");
    doc_cell(&t, "here");
    for (size_t i = 0; f && i < WAITS_SHOWN; i++) {
        doc_table_row(&t);
        doc_cell(&t, "%s", f->name);
        cell_of(&t, f, isnan(f->base) ? 0 : f->base);
        cell_of(&t, f, isnan(f->value) ? 0 : f->value);
        f = next_wait(s, f);
    }
    doc_table_print(d, &t);
}

/* ---- what else differs ---- */

static void difference(struct doc *d, const struct comparison *c,
                       const struct difference *one)
{
    char text[DOC_TEXT_MAX];
    size_t at = 0;

    for (size_t i = 0; i <= c->n_sides && at < sizeof(text); i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s",
                               i > 0 ? " | " : "", one->values[i]);
    doc_pair(d, one->name, "%s", text);
}

static void differences(struct doc *d, const struct comparison *c)
{
    if (c->n_differences == 0)
        return;
    doc_heading(d, "What else differs, side by side");
    for (size_t i = 0; i < c->n_differences && i < DIFFERENCES_SHOWN; i++)
        difference(d, c, &c->differences[i]);
    if (c->n_differences > DIFFERENCES_SHOWN)
        doc_pair(d, "and", "%zu more", c->n_differences - DIFFERENCES_SHOWN);
}

/* ---- all ---- */

static void one_side(struct doc *d, const struct comparison *c,
                     const struct compared_side *s)
{
    char title[2 * LABEL_BYTES];

    snprintf(title, sizeof(title), "Response times of %s", s->side->name);
    doc_heading(d, title);
    times(d, c, s);
    snprintf(title, sizeof(title), "What it cost: %s", s->side->name);
    doc_heading(d, title);
    costs(d, c, s);
    waits(d, s);
}

static void write_comparison(const struct comparison *c, FILE *out,
                             enum doc_style style)
{
    struct doc d;

    doc_init(&d, out, style);
    warnings(&d, c);
    headline(&d, c);
    for (size_t i = 0; i < c->n_sides; i++) {
        const struct compared_side *s = &c->sides[i];

        if (i == 0 || s->basis != c->sides[0].basis ||
            s->side->n != c->sides[0].side->n)
            basis(&d, c, s);
    }
    throughputs(&d, c);
    for (size_t i = 0; i < c->n_sides; i++)
        one_side(&d, c, &c->sides[i]);
    differences(&d, c);
}

void compare_report_text(const struct comparison *c, FILE *out)
{
    write_comparison(c, out, DOC_TEXT);
}

void compare_report_markdown(const struct comparison *c, FILE *out)
{
    write_comparison(c, out, DOC_MARKDOWN);
}
