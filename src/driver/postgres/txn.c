/* SPDX-License-Identifier: MIT */
/* Transactions: one round trip to begin, one to end. */
#include "base/mem.h"
#include "driver/postgres/pg_int.h"

#include <inttypes.h>
#include <stdio.h>

#define READ_COMMITTED "ISOLATION LEVEL READ COMMITTED"
#define REPEATABLE_READ "ISOLATION LEVEL REPEATABLE READ"
#define SERIALIZABLE "ISOLATION LEVEL SERIALIZABLE"

const char *pg_begin_text(const struct pg_conn *pc, enum txn_mode mode)
{
    static const char *const texts[][2] = {
        [ISOLATION_DEFAULT] = {"BEGIN", "BEGIN READ ONLY"},
        [ISOLATION_READ_COMMITTED] = {"BEGIN " READ_COMMITTED,
                                      "BEGIN " READ_COMMITTED " READ ONLY"},
        [ISOLATION_REPEATABLE_READ] = {"BEGIN " REPEATABLE_READ,
                                       "BEGIN " REPEATABLE_READ " READ ONLY"},
        [ISOLATION_SERIALIZABLE] = {"BEGIN " SERIALIZABLE,
                                    "BEGIN " SERIALIZABLE " READ ONLY"},
    };

    if (mode == TXN_SNAPSHOT)
        return texts[ISOLATION_REPEATABLE_READ][true];
    return texts[pc->base.db->isolation][mode == TXN_READ];
}

const char *pg_limit_text(const struct pg_conn *pc, char *buf)
{
    const int64_t limit_ns = pc->base.statement_timeout_ns;

    if (LIKELY(!pc->pooled || limit_ns <= 0))
        return NULL;
    /* A setting of the session would be somebody else's next. */
    snprintf(buf, PG_LIMIT_TEXT, "SET LOCAL statement_timeout = %" PRId64,
             (limit_ns + NS_PER_MS - 1) / NS_PER_MS);
    return buf;
}

enum rc pg_begin(struct conn *c, enum txn_mode mode)
{
    struct pg_conn *pc = pg_conn_of(c);
    const char *begin = pg_begin_text(pc, mode);
    char buf[PG_LIMIT_TEXT], sql[160];
    const char *limit = pg_limit_text(pc, buf);
    enum rc rc;

    if (UNLIKELY(limit)) {
        snprintf(sql, sizeof(sql), "%s; %s", begin, limit);
        begin = sql;
    }
    rc = pg_simple(pc, begin, NULL);
    if (UNLIKELY(mode == TXN_SNAPSHOT) && !rc)
        rc = pg_snapshot_export(pc, begin);
    return rc;
}

enum rc pg_rollback(struct conn *c)
{
    struct pg_conn *pc = pg_conn_of(c);
    enum rc rc = pg_bulk_give_up(pc);

    pg_snapshot_end(pc);
    if (rc)
        return rc;
    if (PQtransactionStatus(pc->pg) == PQTRANS_IDLE)
        return RC_OK;
    return pg_simple(pc, "ROLLBACK", NULL);
}

enum rc pg_commit(struct conn *c)
{
    struct pg_conn *pc = pg_conn_of(c);
    PGresult *r = NULL;
    enum rc rc;

    pg_snapshot_end(pc);
    rc = pg_simple(pc, "COMMIT", &r);
    /* In a transaction that has failed COMMIT succeeds, and rolls back. */
    if (LIKELY(!rc) && UNLIKELY(strcmp(PQcmdStatus(r), "COMMIT") != 0))
        rc = pg_fail_own(pc, RC_DB_ERROR, "COMMIT has rolled back");
    PQclear(r);
    return rc;
}
