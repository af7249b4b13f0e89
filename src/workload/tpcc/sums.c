/* SPDX-License-Identifier: MIT */
/*
 * After each load: the number of rows of each table and a sum over some of
 * its columns, those made against those that the database has.  One pass over
 * the table; --verify compares every value.
 */
#include "base/buf.h"
#include "workload/tpcc/load_plan.h"

#include <inttypes.h>
#include <stdio.h>

enum { SUMMED_MAX = 3 };

/* Indexes of columns that differ from row to row. */
static const struct {
    size_t n, cols[SUMMED_MAX];
} summed[TPCC_N_TABLES] = {
    [TPCC_ITEM] = {2, {0, 1}},            /* i_id, i_im_id */
    [TPCC_WAREHOUSE] = {1, {0}},          /* w_id */
    [TPCC_DISTRICT] = {2, {0, 1}},        /* d_id, d_w_id */
    [TPCC_STOCK] = {2, {0, 2}},           /* s_i_id, s_quantity */
    [TPCC_CUSTOMER] = {2, {0, 2}},        /* c_id, c_w_id */
    [TPCC_HISTORY] = {2, {0, 4}},         /* h_c_id, h_w_id */
    [TPCC_ORDER_TABLE] = {3, {3, 5, 6}},  /* o_c_id, o_carrier_id, o_ol_cnt */
    [TPCC_NEW_ORDER_TABLE] = {2, {0, 2}}, /* no_o_id, no_w_id */
    [TPCC_ORDER_LINE] = {2, {3, 4}},      /* ol_number, ol_i_id */
};

uint32_t sums_columns(enum tpcc_table table)
{
    uint32_t columns = 0;

    for (size_t i = 0; i < summed[table].n; i++)
        columns |= UINT32_C(1) << summed[table].cols[i];
    return columns;
}

static enum rc make_step(struct dataset *ds, enum tpcc_table table,
                         struct step *out, struct err *err)
{
    const struct table_def *def = &tpcc_tables[table];
    struct buf text = BUF_INIT(4096);
    enum rc rc;

    buf_printf(&text, "-- rows and sums\n-- () -> (n int, total int)\n"
                      "SELECT count(*)");
    for (size_t i = 0; i < summed[table].n; i++)
        buf_printf(&text, "%s coalesce(sum(%s), 0)", i > 0 ? " +" : ",",
                   def->cols[summed[table].cols[i]].name);
    buf_printf(&text, " FROM %s;\n", def->name);
    if (buf_rc(&text))
        rc = err_set(err, RC_NOMEM, "no memory to check the rows");
    else
        rc = step_parse(&ds->arena, "rows and sums", buf_str(&text),
                        ds->db->driver->placeholder, out, err);
    buf_release(&text);
    return rc;
}

void sums_add(struct tpcc_load *load, enum tpcc_table table, int64_t n_rows,
              int64_t total)
{
    /* Read when all streams have ended. */
    atomic_fetch_add_explicit(&load->n_rows[table], n_rows,
                              memory_order_relaxed);
    atomic_fetch_add_explicit(&load->total[table], total, memory_order_relaxed);
}

enum rc sums_prepare(struct dataset *ds, struct tpcc_load *load,
                     struct err *err)
{
    enum rc rc = RC_OK;

    for (enum tpcc_table t = 0; !rc && t < TPCC_N_TABLES; t++)
        rc = make_step(ds, t, &load->sums[t], err);
    return rc;
}

CORO_FN enum rc sums_check(struct dataset *ds, struct conn *c,
                           enum tpcc_table table, struct err *err)
{
    struct tpcc_load *load = tpcc_of(ds)->load;
    /* All streams have ended: nothing is added any more. */
    const int64_t n_rows =
        atomic_load_explicit(&load->n_rows[table], memory_order_relaxed);
    const int64_t total =
        atomic_load_explicit(&load->total[table], memory_order_relaxed);
    struct rowset rs;
    enum rc rc = conn_query(c, &load->sums[table], NULL, 0, &rs, err);

    if (rc) {
        err_prefix(err, "check of table %s", tpcc_tables[table].name);
        return rc;
    }
    if (rs.n_rows == 1 && rowset_at(&rs, 0, 0)->i == n_rows &&
        rowset_at(&rs, 0, 1)->i == total)
        return RC_OK;
    return err_set(err, RC_INVALID,
                   "table %s holds %" PRId64 " rows with the sum %" PRId64
                   ", but %" PRId64 " with %" PRId64 " were loaded",
                   tpcc_tables[table].name,
                   rs.n_rows ? rowset_at(&rs, 0, 0)->i : 0,
                   rs.n_rows ? rowset_at(&rs, 0, 1)->i : 0, n_rows, total);
}
