/* SPDX-License-Identifier: MIT */
#include "base/stop.h"
#include "workload/tpcc/audit_int.h"

#include <stdio.h>

static const struct {
    const char *name;
    size_t n_key, n_cols;
    bool repeats; /* several rows may have one key */
} scans[N_SCANS] = {
    [SCAN_WAREHOUSE] = {"audit_warehouse", 1, 9, false},
    [SCAN_DISTRICT] = {"audit_district", 2, 11, false},
    [SCAN_CUSTOMER] = {"audit_customer", 3, 21, false},
    [SCAN_ORDERS] = {"audit_orders", 3, 8, false},
    [SCAN_NEW_ORDER] = {"audit_new_order", 3, 3, false},
    [SCAN_ORDER_LINE] = {"audit_order_line", 4, 10, false},
    [SCAN_HISTORY] = {"audit_history", 3, 8, true},
    [SCAN_HISTORY_DISTRICT] = {"audit_history_district", 2, 3, false},
    [SCAN_ITEM] = {"audit_item", 1, 5, false},
    [SCAN_STOCK] = {"audit_stock", 2, 17, false},
    [SCAN_SUPPLY] = {"audit_supply", 6, 8, false},
};

static void fail(struct tpcc_audit *a, enum audit_scan scan, enum rc rc)
{
    struct cursor *c = &a->cursors[scan];
    struct err *err = &a->scan_err;

    scan_close(c->scan);
    c->scan = NULL;
    c->row = NULL;
    c->failed = true;
    if (rc == RC_DB_GONE || rc == RC_CANCELLED) {
        a->rc = rc;
        if (a->err)
            *a->err = *err;
        return;
    }
    err_prefix(err, "%s", scans[scan].name);
    checks_fail(a, scan, err);
}

static CORO_FN enum rc open_scan(struct tpcc_audit *a, enum audit_scan scan,
                                 const struct value *args, size_t n_args,
                                 struct err *err)
{
    const struct driver *driver = a->ds->db->driver;
    struct cursor *c = &a->cursors[scan];
    enum rc rc;

    if (!c->step.name) {
        rc = step_load(&a->ds->arena, "tpcc", driver, scans[scan].name,
                       &c->step, err);
        if (rc)
            return rc;
    }
    if (c->step.n_cols != scans[scan].n_cols || c->step.n_params != n_args)
        return err_set(err, RC_INVALID, "wrong signature");
    return scan_open(a->conn, &c->step, args, n_args, &c->scan, err);
}

CORO_FN void cursor_open(struct tpcc_audit *a, enum audit_scan scan,
                         const struct value *args, size_t n_args)
{
    struct cursor *c = &a->cursors[scan];
    enum rc rc;

    c->row = NULL;
    if (a->rc || c->failed || !checks_need(a, scan))
        return;
    rc = open_scan(a, scan, args, n_args, &a->scan_err);
    if (rc)
        fail(a, scan, rc);
    else
        cursor_next(a, scan);
}

/* The merges rely on the order; a collation or a missing ORDER BY must not
 * make them accuse the data. */
static bool key_follows(const struct cursor *c, enum audit_scan scan)
{
    for (size_t i = 0; i < scans[scan].n_key; i++) {
        if (c->row[i].i != c->key[i])
            return c->row[i].i > c->key[i];
    }
    return scans[scan].repeats;
}

CORO_FN void cursor_next(struct tpcc_audit *a, enum audit_scan scan)
{
    const size_t n_key = scans[scan].n_key;
    struct cursor *c = &a->cursors[scan];
    const bool first = !c->row;
    enum rc rc;

    if (!c->scan)
        return;
    if (stop_requested())
        rc = err_set(&a->scan_err, RC_CANCELLED, "interrupted");
    else
        rc = scan_next(c->scan, &c->row, &a->scan_err);
    if (!rc && c->row && !first && !key_follows(c, scan))
        rc = err_set(&a->scan_err, RC_INVALID,
                     "rows are not in the order of the key");
    if (rc) {
        fail(a, scan, rc);
        return;
    }
    if (!c->row) {
        cursor_close(a, scan);
        return;
    }
    for (size_t i = 0; i < n_key; i++)
        c->key[i] = c->row[i].i;
}

void cursor_close(struct tpcc_audit *a, enum audit_scan scan)
{
    struct cursor *c = &a->cursors[scan];

    scan_close(c->scan);
    c->scan = NULL;
    c->row = NULL;
}

const struct value *cursor_at(const struct tpcc_audit *a, enum audit_scan scan,
                              size_t n, const int64_t *key)
{
    const struct cursor *c = &a->cursors[scan];

    if (!c->row || memcmp(c->key, key, n * sizeof(*key)) != 0)
        return NULL;
    return c->row;
}

void cursor_lower(const struct tpcc_audit *a, enum audit_scan scan, size_t n,
                  int64_t *key, bool *any)
{
    const struct cursor *c = &a->cursors[scan];
    bool lower = !*any;

    if (!c->row)
        return;
    for (size_t i = 0; i < n && !lower; i++) {
        if (c->key[i] > key[i])
            return;
        lower = c->key[i] < key[i];
    }
    if (lower)
        memcpy(key, c->key, n * sizeof(*key));
    *any = true;
}
