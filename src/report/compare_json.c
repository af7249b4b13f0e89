/* SPDX-License-Identifier: MIT */
#include "report/compare_report.h"
#include "report/json_int.h"

#include <math.h>

static const char *const kind_names[] = {
    [FIGURE_RATE] = "throughput",
    [FIGURE_TIME] = "response_time",
    [FIGURE_COST] = "cost",
    [FIGURE_WAIT] = "wait",
};

static const char *const basis_names[] = {
    [BASIS_NONE] = "none",
    [BASIS_RUNS] = "these runs",
    [BASIS_REPEATS] = "repeats",
};

static const char *const property_names[] = {
    [PROPERTY_RUN] = "run",
    [PROPERTY_LABEL] = "label",
    [PROPERTY_SETTING] = "setting",
    [PROPERTY_FACT] = "server",
};

static void put_side(struct json_out *o, json_t *obj, const struct side *side)
{
    json_t *runs;

    json_put_text(o, obj, "name", side->name);
    runs = json_put_array(o, obj, "runs");
    for (size_t i = 0; i < side->n; i++) {
        const struct figures *f = side->runs[i];
        json_t *run = json_add_object(o, runs);

        json_put_text(o, run, "name", f->run.name);
        json_put_text(o, run, "status", f->run.status);
        json_put_bool(o, run, "valid", f->valid);
        json_put_text_if(o, run, "invalid_reasons", f->reasons);
        json_put_bool(o, run, "has_data", f->has_data);
        json_put_bool(o, run, "not_steady", f->not_steady);
        json_put_bool(o, run, "client_bound", f->client_bound);
    }
}

static void put_result(struct json_out *o, json_t *obj,
                       const struct compared_figure *f)
{
    const struct compare_result *r = &f->result;

    json_put_text(o, obj, "verdict",
                  compare_word(r->verdict, f->kind == FIGURE_RATE));
    json_put_real(o, obj, "low", r->low);
    json_put_real(o, obj, "high", r->high);
    json_put_real(o, obj, "p", r->p);
    json_put_real(o, obj, "smallest_difference", r->smallest);
    json_put_bool(o, obj, "drift_taken_out", r->drift);
    json_put_bool(o, obj, "outlier_drawn_in", r->clipped);
}

static void put_figures(struct json_out *o, json_t *obj,
                        const struct compared_side *s)
{
    json_t *list = json_put_array(o, obj, "figures");

    for (size_t i = 0; i < s->n_figures; i++) {
        const struct compared_figure *f = &s->figures[i];
        json_t *one = json_add_object(o, list);

        json_put_text(o, one, "name", f->name);
        json_put_text(o, one, "kind", kind_names[f->kind]);
        json_put_real(o, one, "base", f->base);
        json_put_real(o, one, "value", f->value);
        json_put_real(o, one, "ratio", f->result.ratio);
        if (f->kind == FIGURE_RATE || f->kind == FIGURE_TIME)
            put_result(o, one, f);
    }
}

static void put_differences(struct json_out *o, json_t *root,
                            const struct comparison *c)
{
    json_t *list = json_put_array(o, root, "differences");

    for (size_t i = 0; i < c->n_differences; i++) {
        const struct difference *d = &c->differences[i];
        json_t *one = json_add_object(o, list);
        json_t *values;

        json_put_text(o, one, "name", d->name);
        json_put_text(o, one, "of", property_names[d->kind]);
        json_put_bool(o, one, "serious", d->serious);
        values = json_put_array(o, one, "values");
        for (size_t k = 0; k <= c->n_sides; k++)
            json_add_text(o, values, d->values[k]);
    }
}

enum rc compare_report_json(const struct comparison *c, char **out_text,
                            struct err *err)
{
    struct json_out o = {0};
    json_t *root = json_object();
    json_t *list;

    if (!root)
        return err_set(err, RC_NOMEM, "no memory for the comparison");
    json_put_i64(&o, root, "compare_schema_version", COMPARE_SCHEMA_VERSION);
    list = json_put_array(&o, root, "warnings");
    for (size_t i = 0; i < c->n_warnings; i++)
        json_add_text(&o, list, c->warnings[i]);
    json_put_real(&o, root, "level", COMPARISON_LEVEL);
    put_side(&o, json_put_object(&o, root, "base"), c->base);
    list = json_put_array(&o, root, "sides");
    for (size_t i = 0; i < c->n_sides; i++) {
        const struct compared_side *s = &c->sides[i];
        const struct compared_figure *f = compared_throughput(s);
        json_t *obj = json_add_object(&o, list);

        put_side(&o, obj, s->side);
        json_put_text(&o, obj, "basis", basis_names[s->basis]);
        json_put_bool(&o, obj, "took_turns",
                      s->basis == BASIS_REPEATS && !s->apart);
        json_put_text(
            &o, obj, "verdict",
            compare_word(f ? f->result.verdict : COMPARE_NO_DATA, true));
        put_figures(&o, obj, s);
    }
    put_differences(&o, root, c);
    return json_finish(&o, root, out_text, err);
}
