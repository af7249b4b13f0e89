/* SPDX-License-Identifier: MIT */
/*
 * Scans beside each other: each has a connection of its own in the snapshot of
 * the transaction that it belongs to, so the server makes ready what comes next
 * while the rows before are looked at.  Where that cannot be, all scans share
 * the transaction's connection, one piece at a time.
 */
#include "driver/postgres/pg_int.h"

#include <stdio.h>

/* What is looked at in turns may rest as long as it takes. */
#define UNLIMITED                                         \
    "SET LOCAL idle_in_transaction_session_timeout = 0; " \
    "SET LOCAL statement_timeout = 0"

/* A pooler may have no further server connection to give, and would wait. */
static bool may_share(const struct pg_conn *pc)
{
    return atomic_load_explicit(&pg_db_of(pc->base.db)->pooling,
                                memory_order_relaxed) == PG_POOLING_NONE;
}

enum rc pg_snapshot_export(struct pg_conn *pc, const char *begin)
{
    struct pg_snapshot *s = &pc->snapshot;
    PGresult *r = NULL;
    enum rc rc;

    if (!may_share(pc))
        return RC_OK;
    rc = pg_simple(pc,
                   "SET LOCAL idle_in_transaction_session_timeout = 0; "
                   "SELECT pg_export_snapshot()",
                   &r);
    if (!rc && PQntuples(r) == 1)
        snprintf(s->name, sizeof(s->name), "%s", PQgetvalue(r, 0, 0));
    PQclear(r);
    if (!rc || rc == RC_CANCELLED || pc->base.gone || pc->fd < 0)
        return rc;
    /* Not every server that speaks the protocol has it. */
    rc = pg_simple(pc, "ROLLBACK", NULL);
    return rc ? rc : pg_simple(pc, begin, NULL);
}

static CORO_FN enum rc join(struct pg_conn *side, const char *snapshot)
{
    char sql[320];

    snprintf(sql, sizeof(sql), "%s; SET TRANSACTION SNAPSHOT '%s'; %s",
             pg_begin_text(side, TXN_SNAPSHOT), snapshot, UNLIMITED);
    return pg_simple(side, sql, NULL);
}

struct pg_conn *pg_snapshot_conn(struct pg_conn *pc)
{
    struct pg_snapshot *s = &pc->snapshot;
    struct pg_conn *side = NULL;
    struct err ignored;
    enum rc rc;

    if (!s->name[0])
        return NULL;
    if (s->n_spare > 0)
        return s->spare[--s->n_spare];
    rc = pg_connect_plain(pg_db_of(pc->base.db), pc->base.loop, NULL, &side,
                          &ignored);
    if (!rc)
        rc = join(side, s->name);
    if (!rc)
        return side;
    /* The server is full, most likely: go on without. */
    s->name[0] = '\0';
    if (side)
        pg_disconnect(&side->base);
    return NULL;
}

void pg_snapshot_return(struct pg_conn *pc, struct pg_conn *side)
{
    struct pg_snapshot *s = &pc->snapshot;

    if (s->n_spare < ARRAY_LEN(s->spare) && s->name[0])
        s->spare[s->n_spare++] = side;
    else
        pg_disconnect(&side->base);
}

void pg_snapshot_end(struct pg_conn *pc)
{
    struct pg_snapshot *s = &pc->snapshot;

    while (s->n_spare > 0)
        pg_disconnect(&s->spare[--s->n_spare]->base);
    s->name[0] = '\0';
}
