/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/output_text.h"

#include <inttypes.h>
#include <stdio.h>

const struct value *output_truth_find(const struct output_truth *truth,
                                      const char *column)
{
    for (size_t i = 0; i < truth->rows.n_cols; i++) {
        if (strcmp(truth->step->cols[i].name, column) == 0)
            return rowset_at(&truth->rows, 0, i);
    }
    return NULL;
}

const struct output_claim *output_claim_find(const struct output *o,
                                             enum output_column column)
{
    for (size_t i = 0; i < o->n_claims; i++) {
        if (o->claims[i].column == column)
            return &o->claims[i];
    }
    return NULL;
}

const struct output_claim *output_claim_named(const struct output *o,
                                              const char *column)
{
    for (size_t i = 0; i < o->n_claims; i++) {
        if (strcmp(output_defs[o->claims[i].column].name, column) == 0)
            return &o->claims[i];
    }
    return NULL;
}

bool output_claim_is(const struct output *o, const struct output_claim *claim,
                     const struct value *v)
{
    if ((claim->type == VALUE_TEXT) != (v->type == VALUE_TEXT) ||
        value_is_null(v))
        return false;
    if (v->type == VALUE_TEXT)
        return claim->len == v->len &&
               memcmp(o->text + claim->at, v->s, v->len) == 0;
    return claim->i == v->i;
}

void output_value_text(const struct value *v, char out[OUTPUT_CELL_MAX])
{
    if (value_is_null(v))
        snprintf(out, OUTPUT_CELL_MAX, "null");
    else if (v->type == VALUE_TEXT)
        snprintf(out, OUTPUT_CELL_MAX, "'%.*s'",
                 (int)(v->len < 50 ? v->len : 50), v->s);
    else if (v->type == VALUE_MONEY)
        snprintf(out, OUTPUT_CELL_MAX, "%" PRId64 ".%02" PRId64, v->i / 100,
                 v->i % 100);
    else if (v->type == VALUE_RATE)
        snprintf(out, OUTPUT_CELL_MAX, "0.%04" PRId64, v->i);
    else
        snprintf(out, OUTPUT_CELL_MAX, "%" PRId64, v->i);
}

void output_claim_text(const struct output *o, const struct output_claim *claim,
                       char out[OUTPUT_CELL_MAX])
{
    struct value v = {.type = (enum value_type)claim->type, .i = claim->i};

    if (v.type == VALUE_TEXT)
        v = v_textn(o->text + claim->at, claim->len);
    output_value_text(&v, out);
}

/* ---- lines that came as text ---- */

/* What stands between the bars, in order. */
struct line_field {
    enum output_column column; /* OUTPUT_NOTHING: of no interest */
    enum value_type type;
};

static const struct line_field order_fields[] = {
    {OUTPUT_NOTHING, VALUE_INT},   {OUTPUT_i_name, VALUE_TEXT},
    {OUTPUT_i_price, VALUE_MONEY}, {OUTPUT_ol_amount, VALUE_MONEY},
    {OUTPUT_NOTHING, VALUE_INT},   {OUTPUT_brand, VALUE_TEXT},
};

static const struct line_field status_fields[] = {
    {OUTPUT_ol_i_id, VALUE_INT},
    {OUTPUT_ol_supply_w_id, VALUE_INT},
    {OUTPUT_ol_quantity, VALUE_INT},
    {OUTPUT_ol_amount, VALUE_MONEY},
};

/* 12, or 12.34 as cents. */
static int64_t number_of(const char *s, size_t len)
{
    int64_t n = 0;

    for (size_t i = 0; i < len; i++) {
        if (s[i] >= '0' && s[i] <= '9')
            n = n * 10 + s[i] - '0';
    }
    return n;
}

static void add_field(struct output *o, const struct line_field *f, size_t at,
                      size_t len)
{
    struct output_claim *claim = &o->claims[o->n_claims];

    if (f->column == OUTPUT_NOTHING || o->n_claims == OUTPUT_CLAIMS_MAX)
        return;
    *claim = (struct output_claim){
        .column = (uint8_t)f->column,
        .type = (uint8_t)f->type,
        .at = (uint16_t)at,
        .len = (uint16_t)len,
    };
    if (f->type != VALUE_TEXT)
        claim->i = number_of(o->text + at, len);
    o->n_claims++;
}

void output_split_lines(struct output *o)
{
    const struct output_claim *lines = output_claim_find(o, OUTPUT_lines);
    const bool entered = o->txn == TPCC_NEW_ORDER;
    const struct line_field *fields = entered ? order_fields : status_fields;
    const size_t n =
        entered ? ARRAY_LEN(order_fields) : ARRAY_LEN(status_fields);
    size_t at, end;

    if (!lines)
        return;
    at = lines->at;
    end = at + lines->len;
    for (size_t i = 0; i < n && at < end; i++) {
        const char *bar = memchr(o->text + at, '|', end - at);
        const size_t stop = bar ? (size_t)(bar - o->text) : end;

        add_field(o, &fields[i], at, stop - at);
        at = stop + 1;
    }
}
