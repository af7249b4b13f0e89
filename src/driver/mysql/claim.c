/* SPDX-License-Identifier: MIT */
/* Who may use the database, and that there is one. */
#include "driver/mysql/maria_int.h"

/* Locks of that kind are the server's, their names at most 64 characters.  A
 * process that has just died holds its lock for a moment. */
#define LOCK_SQL \
    "SELECT GET_LOCK(CONCAT('dyno.', MD5(COALESCE(DATABASE(), ''))), 2)"
/* The connection is idle for as long as a run lasts. */
#define STAY_SQL "SET SESSION wait_timeout = 31536000"

struct call {
    struct maria_db *db;
    bool created;
    struct err *err;
    enum rc rc;
};

/* ---- claim ---- */

static CORO_FN enum rc lock(struct maria_conn *mc, struct err *err)
{
    int64_t locked = 0;

    if (maria_run(mc, STAY_SQL) || maria_ask_number(mc, LOCK_SQL, &locked))
        return maria_last_err(mc, "GET_LOCK", err);
    if (locked)
        return RC_OK;
    return err_set(err, RC_BUSY, "database '%s' is in use by another dyno",
                   mc->login->database ? mc->login->database : "");
}

/* The connection stays, without a loop. */
static void detach(struct maria_conn *mc)
{
    loop_forget(mc->base.loop, mc->fd);
    mc->base.loop = NULL;
}

static void claim_main(void *arg)
{
    struct call *call = arg;
    struct maria_conn *mc = NULL;

    coro_assert_inside();
    call->rc = maria_connect_plain(call->db, loop_current(),
                                   call->db->login->database, &mc, call->err);
    if (!call->rc)
        call->rc = lock(mc, call->err);
    if (!call->rc) {
        detach(mc);
        call->db->claim = mc;
    } else if (mc) {
        maria_disconnect(&mc->base);
    }
}

static enum rc run(struct call *call, coro_fn *fn)
{
    const enum rc rc = loop_call(fn, call, call->err);

    return rc ? rc : call->rc;
}

enum rc maria_claim(struct db *db, struct err *err)
{
    struct call call = {.db = maria_db_of(db), .err = err};
    enum rc rc = run(&call, claim_main);

    if (rc)
        err_prefix(err, "'%s'", db->target->shown);
    return rc;
}

/* ---- create ---- */

static CORO_FN enum rc create(struct maria_conn *mc, const char *name,
                              bool *out_created, struct err *err)
{
    struct buf sql = BUF_INIT(MARIA_SQL_MAX);
    enum rc rc;

    buf_puts(&sql, "CREATE DATABASE IF NOT EXISTS ");
    maria_put_name(&sql, name);
    rc = buf_rc(&sql);
    if (rc)
        err_set(err, rc, "out of memory");
    else if ((rc = maria_run(mc, buf_str(&sql))))
        maria_last_err(mc, "CREATE DATABASE", err);
    else
        /* One that was there already is a warning. */
        *out_created = mysql_warning_count(mc->my) == 0;
    buf_release(&sql);
    return rc;
}

static void create_main(void *arg)
{
    struct call *call = arg;
    const char *name = call->db->login->database;
    struct maria_conn *mc = NULL;

    coro_assert_inside();
    if (!name) {
        call->rc = err_set(call->err, RC_USAGE,
                           "the target names no database to create");
        return;
    }
    call->rc =
        maria_connect_plain(call->db, loop_current(), NULL, &mc, call->err);
    if (call->rc)
        return;
    call->rc = create(mc, name, &call->created, call->err);
    maria_disconnect(&mc->base);
}

enum rc maria_create(struct db *db, bool *out_created, struct err *err)
{
    struct call call = {.db = maria_db_of(db), .err = err};
    enum rc rc = run(&call, create_main);

    *out_created = call.created;
    if (rc)
        err_prefix(err, "'%s'", db->target->shown);
    return rc;
}
