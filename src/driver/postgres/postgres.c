/* SPDX-License-Identifier: MIT */
#include "driver/postgres/postgres.h"

#include "base/mem.h"
#include "driver/postgres/pg_int.h"
#include "driver/postgres/text.h"

#define ARENA_MAX (1024 * 1024)

static void postgres_close(struct db *db)
{
    struct pg_db *pgdb = pg_db_of(db);

    if (pgdb->claim)
        pg_disconnect(&pgdb->claim->base);
    arena_release(&pgdb->arena);
    mem_free(pgdb);
}

static enum rc postgres_open(const struct target *t, struct db **out,
                             struct err *err)
{
    struct pg_db *db = MEM_NEW(struct pg_db);
    enum rc rc;

    if (!db)
        return err_set(err, RC_NOMEM, "out of memory");
    db->base.driver = &postgres_driver;
    db->base.target = t;
    arena_init(&db->arena, ARENA_MAX);
    atomic_init(&db->pooling, PG_POOLING_UNKNOWN);
    rc = pg_parse_target(db, err);
    if (rc)
        postgres_close(&db->base);
    else
        *out = &db->base;
    return rc;
}

const struct driver postgres_driver = {
    .name = "postgres",
    .alias = "postgresql",
    .summary = "PostgreSQL and what speaks its protocol",
    .url = "postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=…, or "
           "postgres:host=… dbname=…",
    .dialect = "postgres",
    .caps = DRIVER_UNPREPARED | DRIVER_STATEMENT_TIMEOUT | DRIVER_PIPELINE |
            DRIVER_BULK_FRESH | DRIVER_DDL_ROLLS_BACK | DRIVER_TEXT,
    .isolations = ~0U,
    .placeholder = PLACEHOLDER_DOLLAR,
    .open = postgres_open,
    .close = postgres_close,
    .claim = pg_claim,
    .create = pg_create,
    .connect = pg_connect,
    .limit_statements = pg_limit_statements,
    .disconnect = pg_disconnect,
    .cancel = pg_cancel,
    .error = pg_error,
    .prepare = pg_prepare,
    .exec = pg_exec,
    .exec_text = pg_exec_text,
    .in_txn = pg_in_txn,
    .begin = pg_begin,
    .commit = pg_commit,
    .rollback = pg_rollback,
    .flight_begin = pg_flight_begin,
    .flight_exec = pg_flight_exec,
    .flight_end = pg_flight_end,
    .flight_sync = pg_flight_sync,
    .flight_wait = pg_flight_wait,
    .scan_open = pg_scan_open,
    .scan_next = pg_scan_next,
    .scan_close = pg_scan_close,
    .script = pg_script,
    .has_table = pg_has_table,
    .bulk_begin = pg_bulk_begin,
    .bulk_cell = pg_bulk_cell,
    .bulk_row = pg_bulk_row,
    .bulk_end = pg_bulk_end,
    .free_space = pg_free_space,
    .settle = pg_settle,
    .commits = pg_commits,
    .limits = pg_limits,
    .facts = pg_facts,
};
