/* SPDX-License-Identifier: MIT */
/* Transactions.  A writer holds its turn from before BEGIN IMMEDIATE until
 * COMMIT or ROLLBACK has returned. */
#include "driver/sqlite/sqlite_int.h"

static enum rc run_txn(struct sqlite_conn *sc, enum sqlite_txn_stmt which)
{
    int code = sqlite3_step(sc->txn[which]);
    enum rc rc = LIKELY(code == SQLITE_DONE) ? RC_OK : sqlite_fail(sc, code);

    sqlite3_reset(sc->txn[which]);
    return rc;
}

enum rc sqlite_take_turn(struct sqlite_conn *sc)
{
    struct turn_queue *turns = &sqlite_db_of(sc->base.db)->turns;
    struct mono start;
    enum rc rc;

    /* Partner: the store in sqlite_cancel().  A cancel is for calls that run,
     * not for those to come. */
    atomic_store_explicit(&sc->cancelled, false, memory_order_relaxed);
    if (turn_try(turns, &sc->turn))
        return RC_OK;
    start = clock_now();
    rc = turn_take(turns, &sc->turn);
    sc->base.wait_ns += mono_since(clock_now(), start);
    if (rc == RC_DB_RETRY)
        sqlite_fail_own(sc, rc, "another connection of this thread writes");
    else if (rc)
        sqlite_fail_own(sc, rc, "interrupted while waiting for a turn");
    return rc;
}

void sqlite_give_turn(struct sqlite_conn *sc)
{
    turn_give(&sqlite_db_of(sc->base.db)->turns, &sc->turn);
}

void sqlite_undo(struct sqlite_conn *sc)
{
    /* Some failures (disk full, out of memory) have rolled back already. */
    if (!sqlite3_get_autocommit(sc->handle)) {
        sqlite3_step(sc->txn[SQLITE_TXN_ROLLBACK]);
        sqlite3_reset(sc->txn[SQLITE_TXN_ROLLBACK]);
    }
}

static enum rc begin_write(struct sqlite_conn *sc, enum txn_mode mode)
{
    enum rc rc = sqlite_take_turn(sc);

    if (rc)
        return rc;
    rc = mode == TXN_BULK ? sqlite_wal_leave(sc) : sqlite_wal_before_write(sc);
    if (!rc)
        rc = run_txn(sc, SQLITE_TXN_BEGIN_WRITE);
    if (rc)
        sqlite_give_turn(sc);
    return rc;
}

enum rc sqlite_begin(struct conn *c, enum txn_mode mode)
{
    struct sqlite_conn *sc = sqlite_conn_of(c);

    switch (mode) {
    case TXN_WRITE:
    case TXN_BULK:
        return begin_write(sc, mode);
    case TXN_READ:
    case TXN_SNAPSHOT:
        /* A reader's snapshot is that of its first read. */
        return run_txn(sc, SQLITE_TXN_BEGIN_READ);
    }
    return RC_UNSUPPORTED;
}

enum rc sqlite_commit(struct conn *c)
{
    struct sqlite_conn *sc = sqlite_conn_of(c);
    enum rc rc = run_txn(sc, SQLITE_TXN_COMMIT);

    if (UNLIKELY(rc))
        sqlite_undo(sc);
    else if (UNLIKELY(sc->without_wal))
        rc = sqlite_wal_return(sc);
    sqlite_give_turn(sc);
    return rc;
}

enum rc sqlite_rollback(struct conn *c)
{
    struct sqlite_conn *sc = sqlite_conn_of(c);
    enum rc rc = RC_OK;

    sqlite_free_bulk(sc);
    sc->without_wal = false;
    if (!sqlite3_get_autocommit(sc->handle))
        rc = run_txn(sc, SQLITE_TXN_ROLLBACK);
    sqlite_give_turn(sc);
    return rc;
}
