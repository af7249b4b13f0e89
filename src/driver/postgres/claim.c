/* SPDX-License-Identifier: MIT */
/* Who may use the database, and that there is one. */
#include "base/buf.h"
#include "driver/postgres/pg_int.h"

/* "dyno"; the second number is the schema, since each may hold its own data.
 * Advisory locks are of one database anyway. */
#define LOCK_SQL                               \
    "SELECT pg_try_advisory_lock(1685679727, " \
    "hashtext(coalesce(current_schema()::text, '')))"
/* A process that has just died holds its lock for a moment. */
#define LOCK_TRIES 40
#define LOCK_PAUSE_NS (50 * NS_PER_MS)

struct call {
    struct pg_db *db;
    bool created;
    struct err *err;
    enum rc rc;
};

/* ---- claim ---- */

static CORO_FN enum rc try_lock(struct pg_conn *pc, bool *out, struct err *err)
{
    PGresult *r;

    if (pg_ask(pc, LOCK_SQL, NULL, &r))
        return pg_last_err(pc, "advisory lock", err);
    *out = *PQgetvalue(r, 0, 0) == 't';
    PQclear(r);
    return RC_OK;
}

static CORO_FN enum rc lock(struct pg_conn *pc, struct err *err)
{
    bool locked = false;
    enum rc rc = RC_OK;

    for (int i = 0; i < LOCK_TRIES && !rc && !locked; i++) {
        if (i > 0)
            rc = loop_sleep_until(pc->base.loop,
                                  mono_add(clock_now(), LOCK_PAUSE_NS));
        if (!rc)
            rc = try_lock(pc, &locked, err);
    }
    if (!rc && !locked)
        rc = err_set(err, RC_BUSY, "database '%s' is in use by another dyno",
                     PQdb(pc->pg));
    return rc;
}

/* The connection stays, without a loop. */
static void detach(struct pg_conn *pc)
{
    loop_forget(pc->base.loop, pc->fd);
    pc->base.loop = NULL;
}

static void claim_main(void *arg)
{
    struct call *call = arg;
    struct pg_conn *pc = NULL;
    enum pg_pooling pooling = PG_POOLING_UNKNOWN;
    enum rc rc;

    coro_assert_inside();
    rc = pg_connect_plain(call->db, loop_current(), NULL, &pc, call->err);
    if (!rc)
        rc = pg_find_pooling(pc, &pooling, call->err);
    /* A lock would stay on some process of the server for ever. */
    if (!rc && !pg_is_shared(pooling)) {
        rc = lock(pc, call->err);
        if (!rc) {
            detach(pc);
            call->db->claim = pc;
            pc = NULL;
        }
    }
    if (pc)
        pg_disconnect(&pc->base);
    call->rc = rc;
}

static enum rc run(struct call *call, coro_fn *fn)
{
    const enum rc rc = loop_call(fn, call, call->err);

    return rc ? rc : call->rc;
}

enum rc pg_claim(struct db *db, struct err *err)
{
    struct call call = {.db = pg_db_of(db), .err = err};
    enum rc rc = run(&call, claim_main);

    if (rc)
        err_prefix(err, "'%s'", db->target->shown);
    return rc;
}

/* ---- create ---- */

/* The name that libpq makes out of all its sources. */
static void put_dbname(const struct pg_db *db, struct buf *out)
{
    PGconn *pg = PQconnectStartParams(db->keys, db->values, 0);
    const char *name = PQdb(pg);

    buf_puts(out, "CREATE DATABASE \"");
    for (const char *s = name ? name : ""; *s; s++) {
        if (*s == '"')
            buf_putc(out, '"');
        buf_putc(out, *s);
    }
    buf_putc(out, '"');
    PQfinish(pg);
}

/* Another database to give the command in. */
static CORO_FN enum rc connect_elsewhere(struct pg_db *db, struct pg_conn **out,
                                         struct err *err)
{
    enum rc rc = pg_connect_plain(db, loop_current(), "postgres", out, err);

    if (rc == RC_NOT_FOUND)
        rc = pg_connect_plain(db, loop_current(), "template1", out, err);
    return rc;
}

static void create_main(void *arg)
{
    struct call *call = arg;
    struct buf sql = BUF_INIT(PG_SQL_MAX);
    struct pg_conn *pc = NULL;

    coro_assert_inside();
    call->rc = connect_elsewhere(call->db, &pc, call->err);
    if (call->rc)
        return;
    put_dbname(call->db, &sql);
    call->rc = buf_rc(&sql) ? err_set(call->err, RC_NOMEM, "out of memory")
                            : pg_simple(pc, buf_str(&sql), NULL);
    call->created = !call->rc;
    /* duplicate_database: there already, as wanted. */
    if (call->rc && strcmp(pc->base.sqlstate, "42P04") == 0)
        call->rc = RC_OK;
    else if (call->rc && !buf_rc(&sql))
        pg_last_err(pc, "CREATE DATABASE", call->err);
    buf_release(&sql);
    pg_disconnect(&pc->base);
}

enum rc pg_create(struct db *db, bool *out_created, struct err *err)
{
    struct call call = {.db = pg_db_of(db), .err = err};
    enum rc rc = run(&call, create_main);

    *out_created = call.created;
    if (rc)
        err_prefix(err, "'%s'", db->target->shown);
    return rc;
}
