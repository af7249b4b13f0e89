/* SPDX-License-Identifier: MIT */
/*
 * The audit of the data, in one snapshot: population (clause 4.3.3.1), the
 * twelve consistency conditions (clause 3.3.2), and a few invariants more.
 *
 * Full reads each table once; history and order lines once more for sums by
 * another key.  Quick reads the items, warehouses and districts whole, and of
 * the rest a seeded sample: the customers and orders of a few districts and a
 * tenth of the stock of their warehouses.  What needs a pass over all of
 * history or of the order lines is not applicable then.
 */
#include "base/mem.h"
#include "base/stop.h"
#include "workload/audit_fit.h"
#include "workload/tpcc/audit_int.h"

#include <stdio.h>

enum { QUICK_DISTRICTS = 4 };

static CORO_FN void audit_all(struct tpcc_audit *a)
{
    const struct range all = {INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX};

    audit_stock(a, &all);
    audit_districts(a, &all);
}

/* One district out of each of a few equal parts, another after each run. */
static CORO_FN void audit_sample(struct tpcc_audit *a)
{
    const uint64_t n = a->meta->warehouses * TPCC_DISTRICTS;
    const int64_t n_items = TPCC_ITEMS / TPCC_DISTRICTS;
    struct rng r;

    rng_init(&r, a->meta->seed, a->meta->runs, RNG_AUDIT);
    for (uint64_t i = 0; i < QUICK_DISTRICTS && !a->rc; i++) {
        const uint64_t first = n * i / QUICK_DISTRICTS;
        const uint64_t end = n * (i + 1) / QUICK_DISTRICTS;
        const uint64_t pick = first + rng_below(&r, end - first);
        const int64_t w_id = (int64_t)(pick / TPCC_DISTRICTS) + 1;
        const int64_t d_id = (int64_t)(pick % TPCC_DISTRICTS) + 1;
        const struct range one = {w_id, w_id, d_id, d_id};

        const struct range tenth = {w_id, w_id, (d_id - 1) * n_items + 1,
                                    d_id * n_items};

        audit_stock(a, &tenth);
        audit_districts(a, &one);
    }
}

static void check_shares(struct tpcc_audit *a)
{
    /* The lines of an order have mean 10 and variance 10: not a share of
     * yes and no, so the bound of 5 standard deviations is made here. */
    __extension__ typedef __int128 i128;
    const i128 off = (i128)a->lines.k - (i128)10 * a->lines.n;

    expect_share(check_of(a, CHECK_STOCK_ORIGINAL), "ORIGINAL stock",
                 &a->stock_original, 1, 10);
    expect_share(check_of(a, CHECK_CUSTOMER_CREDIT), "bad credit",
                 &a->bad_credit, 1, 10);
    if (a->hot_share > 0)
        expect_share(check_of(a, CHECK_CUSTOMER_SKEW),
                     "customers with one of the hottest fifth of names",
                     &a->hot_names, a->hot_share, AUDIT_NAME_DRAWS);
    if (a->lines.n > 0)
        audit_expect(check_of(a, CHECK_ORDER_LINE_COUNT),
                     off * off <= (i128)250 * a->lines.n,
                     "%llu lines of %llu loaded orders, expected 10 each "
                     "within 5 standard deviations",
                     (unsigned long long)a->lines.k,
                     (unsigned long long)a->lines.n);
    if (a->meta->warehouses > 1)
        audit_expect_rate(check_of(a, CHECK_REMOTE_LINES),
                          &(struct audit_rate){.what = "remote lines of runs",
                                               .k = a->remote_lines.k,
                                               .n = a->remote_lines.n,
                                               .p = 1,
                                               .q = 100});
}

/* A check that met no row has shown nothing. */
static void note_empty(struct tpcc_audit *a)
{
    for (size_t i = 0; i < N_CHECKS; i++) {
        struct audit_check *check = a->checks[i];

        if (!check || check->n_checked > 0)
            continue;
        audit_lacks(check, "no row to check");
    }
}

static CORO_FN enum rc audit_snapshot(struct tpcc_audit *a)
{
    enum rc rc = conn_begin(a->conn, TXN_SNAPSHOT);

    if (rc) {
        conn_error(a->conn, a->err);
        return rc;
    }
    audit_items(a);
    audit_warehouses(a);
    if (a->full)
        audit_all(a);
    else
        audit_sample(a);
    for (size_t i = 0; i < N_SCANS; i++)
        cursor_close(a, (enum audit_scan)i);
    check_shares(a);
    note_empty(a);
    /* Nothing was written; and a failed query may have ended it already. */
    rc = conn_rollback(a->conn);
    if (a->rc)
        return a->rc;
    if (rc)
        conn_error(a->conn, a->err);
    return rc;
}

CORO_FN enum rc tpcc_audit(struct dataset *ds, struct conn *c,
                           struct audit *audit, struct err *err)
{
    struct tpcc_audit *a;
    struct tpcc_meta meta;
    enum rc rc;

    if (audit->level == AUDIT_OFF)
        return RC_OK;
    if (db_can(ds->db, DRIVER_DISCARDS))
        return err_set(err, RC_UNSUPPORTED,
                       "%s keeps nothing that could be audited",
                       ds->db->driver->name);
    rc = tpcc_meta_read(ds, c, &meta, err);
    if (rc)
        return rc;
    a = MEM_NEW(struct tpcc_audit);
    if (!a)
        return err_set(err, RC_NOMEM, "no memory for the audit");
    a->ds = ds;
    a->conn = c;
    a->audit = audit;
    a->meta = &meta;
    a->full = audit->level == AUDIT_FULL;
    a->err = err;
    checks_init(a);
    audit_hot_names(a);
    rc = audit_snapshot(a);
    made_release(a);
    mem_free(a);
    if (stop_requested())
        return err_set(err, RC_CANCELLED, "the audit was interrupted");
    return rc;
}
