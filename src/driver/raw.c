/* SPDX-License-Identifier: MIT */
#include "driver/raw.h"

#include "driver/timing.h"

#include <assert.h>

void conn_look_at_txn(struct conn *c)
{
    if (c->driver->in_txn && !c->gone)
        c->in_txn = c->driver->in_txn(c);
}

enum rc conn_exec_text(struct conn *c, const struct step *step,
                       const char *text, rows_fn *fn, void *arg)
{
    struct conn_timing t;
    enum rc rc;

    assert(c->driver->exec_text);
    if (UNLIKELY(c->gone))
        return RC_DB_GONE;
    assert(c->flight.n_statements == 0);
    c->usage.statements += step->n_statements;
    c->usage.round_trips++;
    conn_timing_begin(c, &t);
    rc = c->driver->exec_text(c, text, fn, arg);
    conn_timing_end(c, &t, CALL_EXEC, step);
    conn_look_at_txn(c);
    return LIKELY(!rc) ? RC_OK : conn_failed(c, rc);
}
