/* SPDX-License-Identifier: MIT */
#include "driver/driver.h"

#include "base/mem.h"
#include "driver/raw.h"
#include "driver/timing.h"

#include <assert.h>

/* ---- databases ---- */

enum rc db_open(const struct target *t, struct db **out, struct err *err)
{
    return t->driver->open(t, out, err);
}

void db_close(struct db *db)
{
    if (db)
        db->driver->close(db);
}

enum rc db_claim(struct db *db, struct err *err)
{
    return db->driver->claim ? db->driver->claim(db, err) : RC_OK;
}

enum rc db_discard(struct db *db, bool *out_removed, struct err *err)
{
    *out_removed = false;
    if (!db->driver->discard)
        return RC_OK;
    return db->driver->discard(db, out_removed, err);
}

enum rc db_create(struct db *db, bool *out_created, struct err *err)
{
    *out_created = false;
    if (!db->driver->create)
        return err_set(err, RC_USAGE,
                       "--create-database: databases of %s are not created by "
                       "a command; leave it out",
                       db->driver->name);
    return db->driver->create(db, out_created, err);
}

const char *const isolation_names[] = {
    [ISOLATION_DEFAULT] = "default",
    [ISOLATION_READ_COMMITTED] = "read-committed",
    [ISOLATION_REPEATABLE_READ] = "repeatable-read",
    [ISOLATION_SERIALIZABLE] = "serializable",
    [ISOLATION_SERIALIZABLE + 1] = NULL,
};

enum rc db_configure(struct db *db, const struct db_wishes *wishes,
                     struct err *err)
{
    const enum isolation level = wishes->isolation;

    if (level != ISOLATION_DEFAULT && !(db->driver->isolations & 1U << level))
        return err_set(err, RC_USAGE,
                       "--isolation: %s has no level '%s'; leave it out",
                       db->driver->name, isolation_names[level]);
    if (wishes->unprepared && !db_can(db, DRIVER_UNPREPARED))
        return err_set(err, RC_USAGE,
                       "--no-prepare: %s always prepares its statements",
                       db->driver->name);
    if (wishes->statement_timeout_ns > 0 &&
        !db_can(db, DRIVER_STATEMENT_TIMEOUT))
        return err_set(err, RC_USAGE,
                       "--statement-timeout is not available on %s",
                       db->driver->name);
    db->isolation = level;
    db->unprepared = wishes->unprepared;
    db->statement_timeout_ns = wishes->statement_timeout_ns;
    return RC_OK;
}

/* ---- connections ---- */

enum rc conn_open(struct db *db, struct loop *loop, struct conn **out,
                  struct err *err)
{
    return db->driver->connect(db, loop, out, err);
}

void conn_close(struct conn *c)
{
    if (!c)
        return;
    mem_free(c->numbered);
    c->driver->disconnect(c);
}

void conn_cancel(struct conn *c)
{
    if (c->driver->cancel)
        c->driver->cancel(c);
}

void conn_error(const struct conn *c, struct err *err)
{
    c->driver->error(c, err);
}

/* What any failure does to the state of the connection. */
COLD enum rc conn_failed(struct conn *c, enum rc rc)
{
    /* After a time-out the position in the protocol is unknown. */
    if (rc == RC_DB_GONE || rc == RC_TIMEOUT)
        c->gone = true;
    if (c->gone)
        c->in_txn = false;
    return rc;
}

static COLD enum rc gone_error(struct err *err)
{
    return err_set(err, RC_DB_GONE, "the connection is lost");
}

enum rc conn_limit_statements(struct conn *c, struct err *err)
{
    enum rc rc;

    if (c->gone)
        return gone_error(err);
    c->statement_timeout_ns = c->db->statement_timeout_ns;
    if (c->statement_timeout_ns <= 0)
        return RC_OK;
    rc = c->driver->limit_statements(c, err);
    return rc ? conn_failed(c, rc) : RC_OK;
}

static void count(struct conn *c, size_t n)
{
    /* What is queued is waited for first. */
    assert(c->flight.n_statements == 0);
    c->usage.statements += n;
    /* A server is asked once for a whole step. */
    c->usage.round_trips +=
        (c->driver->caps & (DRIVER_EMBEDDED | DRIVER_STEPWISE)) ? n : 1;
}

enum rc conn_prepare(struct conn *c, const struct step *step, struct stmt **out,
                     struct err *err)
{
    struct stmt *s;
    enum rc rc;

    if (c->gone)
        return gone_error(err);
    rc = c->driver->prepare(c, step, &s, err);
    if (rc)
        return conn_failed(c, rc);
    s->conn = c;
    s->step = step;
    s->next = c->stmts;
    c->stmts = s;
    *out = s;
    return RC_OK;
}

/* Room for statement number n. */
static enum rc reserve_number(struct conn *c, size_t n, struct err *err)
{
    const size_t cap = n < 64 ? 64 : 2 * n;
    struct stmt **wider;

    if (n < c->n_numbered)
        return RC_OK;
    wider = mem_realloc(c->numbered, cap * sizeof(struct stmt *));
    if (!wider)
        return err_set(err, RC_NOMEM, "no memory for statements");
    for (size_t i = c->n_numbered; i < cap; i++)
        wider[i] = NULL;
    c->numbered = wider;
    c->n_numbered = cap;
    return RC_OK;
}

enum rc conn_prepare_as(struct conn *c, size_t number, const struct step *step,
                        struct err *err)
{
    struct stmt *s;
    enum rc rc = reserve_number(c, number, err);

    if (!rc)
        rc = conn_prepare(c, step, &s, err);
    if (!rc)
        c->numbered[number] = s;
    return rc;
}

enum rc conn_exec(struct conn *c, struct stmt *s, const struct value *args,
                  size_t n_args, struct rowset *out)
{
    struct conn_timing t;
    enum rc rc;

    assert(n_args == s->step->n_params && s->conn == c);
    if (UNLIKELY(c->gone))
        return RC_DB_GONE;
    count(c, s->step->n_statements);
    conn_timing_begin(c, &t);
    rc = c->driver->exec(c, s, args, n_args, out);
    conn_timing_end(c, &t, CALL_EXEC, s->step);
    if (s->step->raw)
        conn_look_at_txn(c);
    return LIKELY(!rc) ? RC_OK : conn_failed(c, rc);
}

enum rc conn_query(struct conn *c, const struct step *step,
                   const struct value *args, size_t n_args, struct rowset *out,
                   struct err *err)
{
    struct stmt *s = c->stmts;
    enum rc rc;

    while (s && s->step != step)
        s = s->next;
    if (!s) {
        rc = conn_prepare(c, step, &s, err);
        if (rc)
            return rc;
    }
    rc = conn_exec(c, s, args, n_args, out);
    if (rc && err) {
        conn_error(c, err);
        err->rc = rc;
        err_prefix(err, "%s", step->name);
    }
    return rc;
}

/* ---- transactions ---- */

enum rc conn_begin(struct conn *c, enum txn_mode mode)
{
    struct conn_timing t;
    enum rc rc;

    assert(!c->in_txn);
    if (UNLIKELY(c->gone))
        return RC_DB_GONE;
    count(c, 1);
    conn_timing_begin(c, &t);
    rc = c->driver->begin(c, mode);
    conn_timing_end(c, &t, CALL_BEGIN, NULL);
    if (UNLIKELY(rc))
        return conn_failed(c, rc);
    c->in_txn = true;
    return RC_OK;
}

enum rc conn_commit(struct conn *c)
{
    struct conn_timing t;
    enum rc rc;

    assert(c->in_txn || c->gone);
    if (UNLIKELY(c->gone))
        return RC_DB_GONE;
    count(c, 1);
    conn_timing_begin(c, &t);
    rc = c->driver->commit(c);
    conn_timing_end(c, &t, CALL_COMMIT, NULL);
    c->in_txn = false;
    if (LIKELY(!rc))
        return RC_OK;
    conn_failed(c, rc);
    /* The server may or may not have got it. */
    return c->gone ? RC_DB_UNKNOWN : rc;
}

enum rc conn_rollback(struct conn *c)
{
    enum rc rc;

    if (!c->in_txn || c->gone)
        return RC_OK;
    count(c, 1);
    rc = c->driver->rollback(c);
    c->in_txn = false;
    if (UNLIKELY(rc))
        c->gone = true;
    return rc;
}

/* ---- scans ---- */

enum rc scan_open(struct conn *c, const struct step *step,
                  const struct value *args, size_t n_args, struct scan **out,
                  struct err *err)
{
    struct scan *s;
    enum rc rc;

    assert(n_args == step->n_params);
    if (c->gone)
        return gone_error(err);
    count(c, 1);
    rc = c->driver->scan_open(c, step, args, n_args, &s, err);
    if (rc)
        return conn_failed(c, rc);
    s->conn = c;
    s->step = step;
    *out = s;
    return RC_OK;
}

enum rc scan_next(struct scan *s, const struct value **row, struct err *err)
{
    enum rc rc;

    if (s->conn->gone)
        return gone_error(err);
    rc = s->conn->driver->scan_next(s, row, err);
    return rc ? conn_failed(s->conn, rc) : RC_OK;
}

void scan_close(struct scan *s)
{
    if (s)
        s->conn->driver->scan_close(s);
}

/* ---- everything else ---- */

enum rc conn_script(struct conn *c, const char *text, size_t len,
                    const struct result_sink *sink, struct err *err)
{
    enum rc rc;

    if (c->gone)
        return gone_error(err);
    rc = c->driver->script(c, text, len, sink, err);
    return rc ? conn_failed(c, rc) : RC_OK;
}

enum rc conn_has_table(struct conn *c, const char *table, bool *out,
                       struct err *err)
{
    enum rc rc;

    if (c->gone)
        return gone_error(err);
    rc = c->driver->has_table(c, table, out, err);
    return rc ? conn_failed(c, rc) : RC_OK;
}

enum rc conn_settle(struct conn *c, struct err *err)
{
    enum rc rc;

    assert(!c->in_txn);
    if (c->gone)
        return gone_error(err);
    if (!c->driver->settle)
        return RC_OK;
    rc = c->driver->settle(c, err);
    return rc ? conn_failed(c, rc) : RC_OK;
}

enum rc conn_commits(struct conn *c, int64_t *out, struct err *err)
{
    if (!c->driver->commits)
        return RC_UNSUPPORTED;
    return c->driver->commits(c, out, err);
}

enum rc conn_limits(struct conn *c, limit_fn *fn, void *arg, struct err *err)
{
    return c->driver->limits ? c->driver->limits(c, fn, arg, err) : RC_OK;
}

enum rc conn_facts(struct conn *c, fact_fn *fn, void *arg, struct err *err)
{
    enum rc rc;

    if (c->gone)
        return gone_error(err);
    rc = c->driver->facts(c, fn, arg, err);
    return rc ? conn_failed(c, rc) : RC_OK;
}
