/* SPDX-License-Identifier: MIT */
#include "report/flip_report.h"

#include "base/clock.h"
#include "base/parse.h"
#include "report/cell.h"
#include "report/compare_report.h"
#include "report/doc.h"
#include "report/json_int.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SIDES_MAX 64
#define CONCLUSION_BYTES 1600

/* What stands beside the verdicts: names of figures, the first that is known
 * of each row is shown. */
static const struct {
    const char *head;
    const char *figures[2];
} beside[] = {
    {"trips", {"round_trips_per_transaction", NULL}},
    {"server CPU",
     {"server.cpu_us_per_transaction", "client.cpu_us_per_transaction"}},
    {"WAL", {"server.wal_bytes_per_transaction", NULL}},
};

static const struct compared_figure *beside_of(const struct compared_side *s,
                                               size_t column)
{
    for (size_t i = 0; i < ARRAY_LEN(beside[column].figures); i++) {
        const char *name = beside[column].figures[i];
        const struct compared_figure *f = name ? compared_find(s, name) : NULL;

        if (f)
            return f;
    }
    return NULL;
}

/* ---- for people ---- */

static void put_beside(struct doc_table *t, const struct compared_side *s,
                       bool base)
{
    for (size_t i = 0; i < ARRAY_LEN(beside); i++) {
        const struct compared_figure *f = beside_of(s, i);
        char text[CELL_BYTES] = "-";

        if (f)
            compare_value(f->name, f->kind, base ? f->base : f->value, text);
        doc_cell(t, "%s", text);
    }
}

static void put_row(struct doc_table *t, const struct compared_side *s)
{
    const struct compared_figure *f = compared_throughput(s);
    const bool known = f && f->result.verdict != COMPARE_NO_DATA;

    doc_table_row(t);
    doc_cell(t, "%s", s->side->name);
    if (known) {
        doc_cell(t, "%.3f", f->result.ratio);
        doc_cell(t, "%.3f-%.3f", f->result.low, f->result.high);
    } else {
        doc_cell(t, "-");
        doc_cell(t, "-");
    }
    doc_cell(t, "%s", flip_word(s));
    put_beside(t, s, false);
}

static void table(struct doc *d, const struct comparison *c)
{
    size_t order[SIDES_MAX] = {0};
    struct doc_table t;

    if (c->n_sides == 0 || c->n_sides > SIDES_MAX)
        return;
    flip_order(c, order);
    doc_table_init(&t);
    doc_table_row(&t);
    doc_cell(&t, "switch");
    doc_cell(&t, "ratio");
    doc_cell(&t, "95 %% interval");
    doc_cell(&t, "verdict");
    for (size_t i = 0; i < ARRAY_LEN(beside); i++)
        doc_cell(&t, "%s", beside[i].head);
    doc_table_row(&t);
    doc_cell(&t, "base");
    doc_cell(&t, "1");
    doc_cell(&t, "-");
    doc_cell(&t, "-");
    put_beside(&t, &c->sides[0], true);
    for (size_t i = 0; i < c->n_sides && t.n_rows < DOC_ROWS_MAX; i++)
        put_row(&t, &c->sides[order[i]]);
    doc_table_print(d, &t);
}

/* The differences are what was flipped; what is wrong with runs is to know
 * first. */
static void warnings(struct doc *d, const struct comparison *c)
{
    char text[DOC_TEXT_MAX];
    size_t at = 0;

    for (size_t i = c->n_warned_differences;
         i < c->n_warnings && at < sizeof(text); i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s",
                               at > 0 ? "; " : "", c->warnings[i]);
    if (at > 0)
        doc_title(d, "ATTENTION: %s", text);
}

static void base_line(struct doc *d, const struct flip_findings *f)
{
    const struct comparison *c = f->comparison;
    const struct figures *run = c->base->runs[0];
    const struct compared_figure *value =
        c->n_sides > 0 ? compared_throughput(&c->sides[0]) : NULL;
    const char *server = figures_property(run, "server");
    char text[CELL_BYTES] = "no data", unit[CELL_BYTES] = "";

    if (value) {
        compare_value(value->name, value->kind, value->base, text);
        compare_label(c, value->name, unit, sizeof(unit));
    }
    doc_para(d,
             "The base: %s %s on %s, %s, scale %" PRId64 ", %" PRId64 " users.",
             text, unit, server ? server : run->run.driver,
             run->run.composition ? run->run.composition : run->run.workload,
             run->run.scale, run->run.vus);
}

static void how(struct doc *d, const struct flip_findings *f)
{
    char interval[32], took[32];

    format_duration(f->interval_ns, interval, sizeof(interval));
    format_duration(f->took_ns / NS_PER_S * NS_PER_S, took, sizeof(took));
    doc_para(d,
             "%" PRIu64 " round%s%s, each switch once in each, in an order "
             "drawn anew; intervals of %s, %s in all. The runs are stored: "
             "dyno compare --by switch flip=%s",
             f->rounds, f->rounds == 1 ? "" : "s",
             f->interrupted ? " before it was ended" : "", interval, took,
             f->id);
}

static void write_report(const struct flip_findings *f, FILE *out,
                         enum doc_style style)
{
    char conclusion[CONCLUSION_BYTES];
    struct doc d;

    doc_init(&d, out, style);
    warnings(&d, f->comparison);
    flip_conclusion(f, conclusion, sizeof(conclusion));
    doc_title(&d, "%s: what moved it",
              f->comparison->base->runs[0]->run.workload);
    doc_para(&d, "%s", conclusion);
    base_line(&d, f);
    doc_heading(&d, "Switches, each flipped alone");
    table(&d, f->comparison);
    if (f->n_failures > 0)
        doc_heading(&d, "Could not be run");
    for (size_t i = 0; i < f->n_failures; i++)
        doc_item(&d, "%s: %s", f->failures[i].name, f->failures[i].reason);
    doc_heading(&d, "How");
    how(&d, f);
}

void flip_report_text(const struct flip_findings *f, FILE *out)
{
    write_report(f, out, DOC_TEXT);
}

void flip_report_markdown(const struct flip_findings *f, FILE *out)
{
    write_report(f, out, DOC_MARKDOWN);
}

/* ---- for programs ---- */

static void put_switch(struct json_out *o, json_t *obj,
                       const struct compared_side *s)
{
    const struct compared_figure *f = compared_throughput(s);
    json_t *costs;

    json_put_text(o, obj, "name", s->side->name);
    json_put_u64(o, obj, "runs", s->side->n);
    json_put_text(o, obj, "verdict", flip_word(s));
    json_put_real(o, obj, "ratio", f ? f->result.ratio : NAN);
    json_put_real(o, obj, "low", f ? f->result.low : NAN);
    json_put_real(o, obj, "high", f ? f->result.high : NAN);
    json_put_real(o, obj, "p", f ? f->result.p : NAN);
    json_put_real(o, obj, "smallest_difference", f ? f->result.smallest : NAN);
    costs = json_put_object(o, obj, "costs");
    for (size_t i = 0; i < ARRAY_LEN(beside); i++) {
        for (size_t k = 0; k < ARRAY_LEN(beside[i].figures); k++) {
            const char *name = beside[i].figures[k];
            const struct compared_figure *cost =
                name ? compared_find(s, name) : NULL;

            if (cost)
                json_put_real(o, costs, name, cost->value);
        }
    }
}

enum rc flip_report_json(const struct flip_findings *f, char **out_text,
                         struct err *err)
{
    const struct comparison *c = f->comparison;
    char conclusion[CONCLUSION_BYTES];
    size_t order[SIDES_MAX] = {0};
    struct json_out o = {0};
    json_t *root = json_object(), *list;

    if (!root)
        return err_set(err, RC_NOMEM, "no memory for the report");
    flip_conclusion(f, conclusion, sizeof(conclusion));
    json_put_i64(&o, root, "flip_schema_version", FLIP_SCHEMA_VERSION);
    json_put_text(&o, root, "flip", f->id);
    json_put_text(&o, root, "conclusion", conclusion);
    list = json_put_array(&o, root, "warnings");
    for (size_t i = c->n_warned_differences; i < c->n_warnings; i++)
        json_add_text(&o, list, c->warnings[i]);
    json_put_u64(&o, root, "rounds", f->rounds);
    json_put_u64(&o, root, "rounds_planned", f->rounds_planned);
    json_put_s(&o, root, "interval_s", f->interval_ns);
    json_put_s(&o, root, "took_s", f->took_ns);
    json_put_bool(&o, root, "interrupted", f->interrupted);
    list = json_put_array(&o, root, "switches");
    if (c->n_sides <= SIDES_MAX)
        flip_order(c, order);
    for (size_t i = 0; i < c->n_sides && c->n_sides <= SIDES_MAX; i++)
        put_switch(&o, json_add_object(&o, list), &c->sides[order[i]]);
    list = json_put_array(&o, root, "failures");
    for (size_t i = 0; i < f->n_failures; i++) {
        json_t *one = json_add_object(&o, list);

        json_put_text(&o, one, "name", f->failures[i].name);
        json_put_text(&o, one, "reason", f->failures[i].reason);
    }
    return json_finish(&o, root, out_text, err);
}
