/* SPDX-License-Identifier: MIT */
/* Rows for a table, in a transaction of their own. */
#ifndef SUPPORT_BULK_ONCE_H
#define SUPPORT_BULK_ONCE_H

#include "driver/bulk.h"

static inline CORO_FN enum rc bulk_once(struct conn *c,
                                        const struct table_def *table,
                                        const struct value *cells,
                                        size_t n_rows, struct err *err)
{
    enum rc rc = conn_begin(c, TXN_WRITE);

    if (rc)
        return rc;
    rc = conn_bulk_begin(c, table, BULK_ANY, err);
    if (!rc)
        rc = conn_bulk_rows(c, table, cells, n_rows, err);
    if (!rc)
        rc = conn_bulk_end(c, err);
    if (!rc)
        return conn_commit(c);
    if (conn_rollback(c))
        return RC_DB_GONE;
    return rc;
}

#endif
