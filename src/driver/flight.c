/* SPDX-License-Identifier: MIT */
#include "driver/flight.h"

#include "driver/raw.h"
#include "driver/timing.h"

#include <assert.h>

/* Whether n statements more are to be queued. */
static bool flight_goes_on(struct conn *c, size_t n)
{
    struct flight *f = &c->flight;

    assert(db_can(c->db, DRIVER_PIPELINE));
    assert(!f->commits && !f->rolls_back);
    if (UNLIKELY(c->gone))
        f->rc = RC_DB_GONE;
    if (UNLIKELY(f->rc))
        return false;
    f->n_statements += n;
    return true;
}

void conn_flight_begin_txn(struct conn *c, enum txn_mode mode)
{
    struct flight *f = &c->flight;

    assert(!c->in_txn && f->n_statements == 0);
    if (!flight_goes_on(c, 1))
        return;
    f->begins = true;
    f->rc = c->driver->flight_begin(c, mode);
}

void conn_flight_exec(struct conn *c, struct stmt *s, const struct value *args,
                      size_t n_args)
{
    assert(n_args == s->step->n_params && s->conn == c);
    if (!c->flight.first)
        c->flight.first = s->step;
    c->flight.raw |= s->step->raw;
    if (flight_goes_on(c, s->step->n_statements))
        c->flight.rc = c->driver->flight_exec(c, s, args, n_args);
}

static void end_flight(struct conn *c, bool commit)
{
    struct flight *f = &c->flight;

    assert(c->in_txn || f->begins || c->gone);
    if (!flight_goes_on(c, 1))
        return;
    f->rc = c->driver->flight_end(c, commit);
    f->commits = commit && !f->rc;
    f->rolls_back = !commit && !f->rc;
}

void conn_flight_commit(struct conn *c)
{
    end_flight(c, true);
}

void conn_flight_rollback(struct conn *c)
{
    end_flight(c, false);
}

bool conn_flight_sync(struct conn *c)
{
    if (!c->driver->flight_sync)
        return false;
    if (flight_goes_on(c, 0))
        c->flight.rc = c->driver->flight_sync(c);
    return true;
}

enum rc conn_flight_wait(struct conn *c, struct rowset *rows, size_t n_rows)
{
    const struct flight f = c->flight;
    struct conn_timing t;
    enum rc rc;

    c->flight = (struct flight){0};
    if (UNLIKELY(c->gone))
        return RC_DB_GONE;
    c->usage.statements += f.n_statements;
    c->usage.round_trips++;
    conn_timing_begin(c, &t);
    rc = c->driver->flight_wait(c, rows, n_rows);
    conn_timing_end(c, &t, CALL_FLIGHT, f.first);
    /* What failed to be queued stood behind all that was. */
    if (!rc)
        rc = f.rc;
    c->in_txn = (c->in_txn || f.begins) && (rc || !(f.commits || f.rolls_back));
    if (f.raw)
        conn_look_at_txn(c);
    if (LIKELY(!rc))
        return RC_OK;
    conn_failed(c, rc);
    return c->gone && f.commits ? RC_DB_UNKNOWN : rc;
}
