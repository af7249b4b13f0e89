/* SPDX-License-Identifier: MIT */
/*
 * Poolers between dyno and the server: PgBouncer, Odyssey and the like.
 *
 * None says what it is, but each gives its clients cancel keys of its own, so
 * the process number in the key is not that of the server process.  Then two
 * connections in turn ask for theirs: in session mode each keeps one of its
 * own, in transaction mode they get the same (poolers take the last one used)
 * or a connection's changes.  At last both prepare different statements of one
 * name on one server process: a pooler that does not keep statements apart
 * fails.
 */
#include "driver/postgres/pg_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROUNDS 3
#define PID_SQL "SELECT pg_backend_pid()"
#define DUPLICATE_STATEMENT "42P05"

static CORO_FN enum rc ask_pid(struct pg_conn *pc, long *out, struct err *err)
{
    PGresult *r;

    if (pg_ask(pc, PID_SQL, NULL, &r))
        return pg_last_err(pc, "looking for a pooler", err);
    *out = strtol(PQgetvalue(r, 0, 0), NULL, 10);
    PQclear(r);
    return RC_OK;
}

/* CockroachDB has keys of its own too, and no processes. */
static CORO_FN enum rc is_direct(struct pg_conn *pc, bool *out, struct err *err)
{
    PGresult *r;

    if (pg_ask(pc, "SELECT pg_backend_pid(), version()", NULL, &r)) {
        *out = true; /* no PostgreSQL of the usual kind */
        return pc->base.gone || pc->failed_rc == RC_DB_GONE
                   ? pg_last_err(pc, "looking for a pooler", err)
                   : RC_OK;
    }
    *out = strtol(PQgetvalue(r, 0, 0), NULL, 10) == PQbackendPID(pc->pg) ||
           strncmp(PQgetvalue(r, 0, 1), "PostgreSQL", 10) != 0;
    PQclear(r);
    return RC_OK;
}

static CORO_FN enum rc is_transaction_mode(struct pg_conn *a, struct pg_conn *b,
                                           bool *out, struct err *err)
{
    long first = 0, pid = 0;
    enum rc rc = ask_pid(a, &first, err);

    *out = false;
    for (int i = 0; i < ROUNDS && !rc && !*out; i++) {
        rc = ask_pid(b, &pid, err);
        if (!rc && pid != first) {
            rc = ask_pid(a, &pid, err);
            *out = !rc && pid != first;
        } else {
            *out = !rc;
        }
    }
    return rc;
}

/* Prepares a statement and asks for the process that has it, in one
 * transaction. */
static CORO_FN enum rc prepare_probe(struct pg_conn *pc, const char *name,
                                     const char *sql, long *out)
{
    PGresult *prepared = NULL, *pid = NULL;
    enum rc rc = pg_pipeline_begin(pc);

    if (!rc &&
        (!PQsendPrepare(pc->pg, name, sql, 0, NULL) ||
         !PQsendQueryParams(pc->pg, PID_SQL, 0, NULL, NULL, NULL, NULL, 0)))
        rc = pg_fail_lost(pc);
    if (!rc)
        rc = pg_pipeline_sync(pc);
    if (!rc)
        rc = pg_pipeline_next(pc, &prepared);
    if (!rc)
        rc = pg_pipeline_next(pc, &pid);
    if (!rc)
        *out = strtol(PQgetvalue(pid, 0, 0), NULL, 10);
    PQclear(prepared);
    PQclear(pid);
    return pg_pipeline_end(pc, rc);
}

/* Whether statements of one name are kept apart; false too when that cannot be
 * told. */
static CORO_FN bool keeps_prepared(struct pg_conn *a, struct pg_conn *b)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        char name[48], sql[80];
        long pid_a = 0, pid_b = 0;

        /* What other programs have left there must not count. */
        snprintf(name, sizeof(name), "dyno_probe_%d_%d_%u", (int)getpid(),
                 PQbackendPID(a->pg), i);
        if (prepare_probe(a, name, "SELECT 1", &pid_a))
            return false;
        if (prepare_probe(b, name, "SELECT 2", &pid_b)) {
            if (strcmp(b->base.sqlstate, DUPLICATE_STATEMENT) == 0) {
                snprintf(sql, sizeof(sql), "DEALLOCATE \"%s\"", name);
                (void)pg_simple(b, sql, NULL);
            }
            return false;
        }
        if (pid_a == pid_b)
            return true;
    }
    return false;
}

static CORO_FN enum rc probe_pooler(struct pg_conn *a, enum pg_pooling *out,
                                    struct err *err)
{
    struct pg_conn *b = NULL;
    bool shared = false;
    enum rc rc =
        pg_connect_plain(pg_db_of(a->base.db), a->base.loop, NULL, &b, err);

    if (rc)
        return rc;
    rc = is_transaction_mode(a, b, &shared, err);
    if (!rc && !shared)
        *out = PG_POOLING_SESSION;
    else if (!rc)
        *out = keeps_prepared(a, b) ? PG_POOLING_TRANSACTION_PREPARES
                                    : PG_POOLING_TRANSACTION;
    pg_disconnect(&b->base);
    return rc;
}

enum rc pg_find_pooling(struct pg_conn *pc, enum pg_pooling *out,
                        struct err *err)
{
    struct pg_db *db = pg_db_of(pc->base.db);
    /* Nothing but the value itself is published: threads that connect at the
     * same time find out the same. */
    int known = atomic_load_explicit(&db->pooling, memory_order_relaxed);
    bool direct = false;
    enum rc rc = RC_OK;

    *out = (enum pg_pooling)known;
    if (*out != PG_POOLING_UNKNOWN)
        return RC_OK;
    rc = is_direct(pc, &direct, err);
    if (!rc && direct)
        *out = PG_POOLING_NONE;
    else if (!rc)
        rc = probe_pooler(pc, out, err);
    if (!rc)
        atomic_store_explicit(&db->pooling, (int)*out, memory_order_relaxed);
    return rc;
}
