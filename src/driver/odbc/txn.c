/* SPDX-License-Identifier: MIT */
/*
 * Transactions by ODBC: autocommit goes off, SQLEndTran() ends them.  It stays
 * off until a statement outside a transaction wants it on, so that a driver
 * that tells its server does so once.  A dialect may begin in words instead.
 */
#include "driver/odbc/odbc_int.h"

static enum rc set_autocommit(struct odbc_conn *oc, bool on)
{
    const SQLULEN value = on ? SQL_AUTOCOMMIT_ON : SQL_AUTOCOMMIT_OFF;

    if (oc->autocommit_off == !on)
        return RC_OK;
    if (!odbc_ok(SQLSetConnectAttr(oc->dbc, SQL_ATTR_AUTOCOMMIT,
                                   (SQLPOINTER)value, SQL_IS_UINTEGER)))
        return odbc_fail(oc, SQL_HANDLE_DBC, oc->dbc);
    oc->autocommit_off = !on;
    return RC_OK;
}

enum rc odbc_outside(struct odbc_conn *oc)
{
    return LIKELY(oc->base.in_txn) ? RC_OK : set_autocommit(oc, true);
}

static enum rc set_level(struct odbc_conn *oc, SQLULEN level)
{
    if (odbc_ok(SQLSetConnectAttr(oc->dbc, SQL_ATTR_TXN_ISOLATION,
                                  (SQLPOINTER)level, SQL_IS_UINTEGER)))
        return RC_OK;
    return odbc_fail(oc, SQL_HANDLE_DBC, oc->dbc);
}

enum rc odbc_set_isolation(struct odbc_conn *oc, enum isolation level)
{
    static const SQLULEN levels[] = {
        [ISOLATION_DEFAULT] = 0,
        [ISOLATION_READ_COMMITTED] = SQL_TXN_READ_COMMITTED,
        [ISOLATION_REPEATABLE_READ] = SQL_TXN_REPEATABLE_READ,
        [ISOLATION_SERIALIZABLE] = SQL_TXN_SERIALIZABLE,
    };

    oc->isolation = levels[level];
    return set_level(oc, levels[level]);
}

/* The level is the session's, so it has to be given back. */
static enum rc begin_snapshot(struct odbc_conn *oc)
{
    enum rc rc = set_level(oc, SQL_TXN_REPEATABLE_READ);

    oc->snapshot = !rc;
    return rc;
}

static void end_snapshot(struct odbc_conn *oc)
{
    if (oc->snapshot && oc->isolation != 0 && set_level(oc, oc->isolation))
        oc->base.gone = true; /* nobody knows what it would do */
    oc->snapshot = false;
}

enum rc odbc_begin(struct conn *c, enum txn_mode mode)
{
    struct odbc_conn *oc = odbc_conn_of(c);
    enum rc rc = RC_OK;

    if (oc->dialect->begin[mode])
        return odbc_run(oc, oc->dialect->begin[mode]);
    if (mode == TXN_SNAPSHOT) {
        rc = set_autocommit(oc, true);
        if (!rc)
            rc = begin_snapshot(oc);
    }
    return rc ? rc : set_autocommit(oc, false);
}

static enum rc end(struct odbc_conn *oc, SQLSMALLINT how)
{
    enum rc rc = RC_OK;

    if (oc->dialect->begin[0])
        return odbc_run(oc, how == SQL_COMMIT ? "COMMIT" : "ROLLBACK");
    if (!odbc_ok(SQLEndTran(SQL_HANDLE_DBC, oc->dbc, how)))
        rc = odbc_fail(oc, SQL_HANDLE_DBC, oc->dbc);
    if (UNLIKELY(oc->snapshot) && !oc->base.gone)
        end_snapshot(oc);
    return rc;
}

enum rc odbc_commit(struct conn *c)
{
    struct odbc_conn *oc = odbc_conn_of(c);
    enum rc rc = end(oc, SQL_COMMIT);

    /* What a refused COMMIT leaves open must not stay so. */
    if (UNLIKELY(rc) && rc != RC_DB_GONE && end(oc, SQL_ROLLBACK))
        c->gone = true;
    return rc;
}

enum rc odbc_rollback(struct conn *c)
{
    struct odbc_conn *oc = odbc_conn_of(c);

    odbc_release_bulk(oc);
    return end(oc, SQL_ROLLBACK);
}
