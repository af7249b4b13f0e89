/* SPDX-License-Identifier: MIT */
/*
 * The rows that the load made, made again beside each scan: a row depends only
 * on the seed and its place, so what nothing may change must still be equal.
 */
#include "base/mem.h"
#include "workload/tpcc/audit_int.h"

#include <stdio.h>

enum { BATCH_ROWS = 256 };

/* What runs change.  A column that was null may be filled in. */
static const char *const changing[] = {
    "w_ytd",         "d_ytd",         "d_next_o_id",    "s_quantity",
    "s_ytd",         "s_order_cnt",   "s_remote_cnt",   "c_balance",
    "c_ytd_payment", "c_payment_cnt", "c_delivery_cnt", "c_data",
};

static const enum tpcc_table tables[N_SCANS] = {
    [SCAN_ITEM] = TPCC_ITEM,
    [SCAN_WAREHOUSE] = TPCC_WAREHOUSE,
    [SCAN_DISTRICT] = TPCC_DISTRICT,
    [SCAN_STOCK] = TPCC_STOCK,
    [SCAN_CUSTOMER] = TPCC_CUSTOMER,
    [SCAN_ORDERS] = TPCC_ORDER_TABLE,
    [SCAN_ORDER_LINE] = TPCC_ORDER_LINE,
};

/* The column of the table that has this name, -1 when runs change it. */
static int made_column(enum tpcc_table table, const char *name)
{
    const struct table_def *def = &tpcc_tables[table];

    for (size_t i = 0; i < ARRAY_LEN(changing); i++) {
        if (strcmp(changing[i], name) == 0)
            return -1;
    }
    for (size_t i = 0; i < def->n_cols; i++) {
        if (strcmp(def->cols[i].name, name) == 0)
            return (int)i;
    }
    return -1;
}

static bool made_begin(struct tpcc_audit *a, enum audit_scan scan,
                       struct made *m)
{
    const struct step *step = &a->cursors[scan].step;

    if (m->batch.cells)
        return true;
    if (gen_batch_init(&m->batch, BATCH_ROWS, &a->scan_err)) {
        checks_fail(a, scan, &a->scan_err);
        return false;
    }
    for (size_t i = 0; i < step->n_cols; i++)
        m->columns[i] = (int8_t)made_column(tables[scan], step->cols[i].name);
    m->w_id = -1;
    return true;
}

/* The next rows; false at the end of the part. */
static bool refill(struct made *m)
{
    m->row = 0;
    return gen_batch_fill(&m->batch, &m->gen);
}

static const struct value *row_of(const struct made *m, size_t n_cols)
{
    return m->batch.cells + m->row * n_cols;
}

/* Keys of a part come in order: the first column, and for lines the fourth. */
static int compare_key(const struct value *row, enum audit_scan scan,
                       const struct made_key *key)
{
    if (scan == SCAN_WAREHOUSE)
        return 0;
    if (row[0].i != key->id)
        return row[0].i < key->id ? -1 : 1;
    if (scan != SCAN_ORDER_LINE || row[3].i == key->number)
        return 0;
    return row[3].i < key->number ? -1 : 1;
}

const struct value *made_find(struct tpcc_audit *a, enum audit_scan scan,
                              const struct made_key *key)
{
    const size_t n_cols = tpcc_tables[tables[scan]].n_cols;
    struct made *m = &a->made[scan];

    if (key->w_id < 0 || key->w_id > (int64_t)a->meta->warehouses ||
        key->part < 0 || key->part >= (int64_t)gen_parts(tables[scan]) ||
        !made_begin(a, scan, m))
        return NULL;
    if (m->w_id != key->w_id || m->part != key->part ||
        m->last > key->id * 100 + key->number) {
        gen_init(&m->gen, a->meta->seed, tables[scan], (uint64_t)key->w_id,
                 (uint64_t)key->part);
        m->w_id = key->w_id;
        m->part = key->part;
        m->batch.n_rows = 0;
        m->row = 0;
    }
    m->last = key->id * 100 + key->number;
    for (;; m->row++) {
        int order;

        if (m->row >= m->batch.n_rows && !refill(m))
            return NULL;
        order = compare_key(row_of(m, n_cols), scan, key);
        if (order == 0)
            return row_of(m, n_cols);
        if (order > 0)
            return NULL;
    }
}

static bool same(const struct value *a, const struct value *b)
{
    if (value_is_null(a) || (a->type == VALUE_TEXT) != (b->type == VALUE_TEXT))
        return false;
    if (a->type != VALUE_TEXT)
        return a->i == b->i;
    return a->len == b->len && memcmp(a->s, b->s, a->len) == 0;
}

void made_compare(struct tpcc_audit *a, enum audit_scan scan,
                  const struct value *row, const struct value *made,
                  struct fault *f)
{
    const struct step *step = &a->cursors[scan].step;
    const struct made *m = &a->made[scan];

    for (size_t i = 0; i < step->n_cols; i++) {
        const struct value *want;

        if (m->columns[i] < 0)
            continue;
        want = &made[m->columns[i]];
        if (LIKELY(value_is_null(want) || same(&row[i], want)))
            continue;
        rule_differs(f, step->cols[i].name, &row[i], want);
        return;
    }
}

const struct value *check_unchanged(struct tpcc_audit *a, enum audit_scan scan,
                                    enum audit_item item, const struct key *key,
                                    const struct made_key *made_key,
                                    const struct value *row)
{
    const struct value *made;
    struct fault f = {{0}};

    made = made_find(a, scan, made_key);
    if (!made)
        return NULL;
    made_compare(a, scan, row, made, &f);
    expect_row(check_of(a, item), key, &f);
    return made;
}

void made_release(struct tpcc_audit *a)
{
    for (size_t i = 0; i < N_SCANS; i++)
        gen_batch_release(&a->made[i].batch);
}
