/* SPDX-License-Identifier: MIT */
/* Shared by the files of this folder. */
#ifndef DRIVER_POSTGRES_PG_INT_H
#define DRIVER_POSTGRES_PG_INT_H

#include "base/buf.h"
#include "driver/driver.h"
#include "driver/postgres/classify.h"
#include "driver/postgres/codec.h"
#include "driver/postgres/postgres.h"
#include "driver/postgres/scan.h"

#include <libpq-fe.h>

#include <stdatomic.h>

/* Text of a statement that the driver makes itself. */
#define PG_SQL_MAX (64 * 1024)

/* What stands between dyno and the server. */
enum pg_pooling {
    PG_POOLING_UNKNOWN,
    PG_POOLING_NONE,
    /* PgBouncer and its like: a server process for the whole connection … */
    PG_POOLING_SESSION,
    /* … or only for a transaction, */
    PG_POOLING_TRANSACTION,
    /* and it knows which statements are prepared where. */
    PG_POOLING_TRANSACTION_PREPARES,
};

struct pg_conn;
struct pg_sent;

struct pg_db {
    struct db base;
    struct arena arena;
    /* For PQconnectStartParams(), ended by NULL. */
    const char **keys, **values;
    atomic_int pooling;    /* enum pg_pooling, found out by the first one */
    struct pg_conn *claim; /* holds the lock; NULL: not claimed */
};

/* Shared with the threads that send cancels, which may outlive it. */
struct pg_cancel {
    PGcancel *request;
    atomic_uint refs;
    atomic_bool in_flight;
    atomic_bool asked; /* a cancel has been sent and not been seen */
};

/* A COPY that runs. */
struct pg_bulk {
    const struct table_def *table; /* borrowed until the end; NULL: none */
    enum pg_coding *codings;       /* of its columns */
    struct buf piece;              /* what is handed to libpq next */
    size_t col;                    /* of the next cell */
    bool too_big;                  /* a value was, for its column */
    uint64_t n_rows;
};

struct pg_conn {
    struct conn base;
    PGconn *pg;
    int fd;          /* -1: closed */
    const void *ssl; /* OpenSSL's, NULL without TLS */
    int (*ssl_pending)(const void *ssl);
    struct pg_cancel *cancel;
    struct mono deadline; /* of the call that runs */
    bool show_notices;
    bool pooled; /* settings of the session do not stay */

    PGresult *answer; /* of the last exec: its rows point into it */
    struct pg_sent *flight;
    size_t n_sent, flight_cap; /* those of the last one until the next call */
    struct value *cells;
    const char **names; /* of columns, for raw steps */
    size_t cells_cap, names_cap;

    /* Of the last failure: what the server said or, if it did not, a constant
     * text or libpq's own. */
    PGresult *failed;
    const char *failed_text;
    enum rc failed_rc;

    const char **params; /* of the call that runs */
    int *param_lens;
    size_t params_cap;
    char *bytes;
    size_t bytes_cap;

    bool unsynced;  /* in pipeline mode: the last sync has not been sent … */
    size_t n_syncs; /* … and so many have not come back */
    unsigned n_prepared, n_cursors; /* for their names */
    struct pg_bulk bulk;
    struct pg_snapshot snapshot;
};

static inline struct pg_db *pg_db_of(struct db *db)
{
    return CONTAINER_OF(db, struct pg_db, base);
}

static inline struct pg_conn *pg_conn_of(struct conn *c)
{
    return CONTAINER_OF(c, struct pg_conn, base);
}

/* ---- conninfo.c ---- */

/* The target's URL or connection string, into keys and values. */
enum rc pg_parse_target(struct pg_db *db, struct err *err);

/* ---- connect.c ---- */

CORO_FN enum rc pg_connect(struct db *db, struct loop *loop, struct conn **out,
                           struct err *err);
CORO_FN enum rc pg_limit_statements(struct conn *c, struct err *err);
/* A connection as it is, whatever it goes through.  dbname may be NULL. */
CORO_FN enum rc pg_connect_plain(struct pg_db *db, struct loop *loop,
                                 const char *dbname, struct pg_conn **out,
                                 struct err *err);
void pg_disconnect(struct conn *c);

/* ---- cancel.c ---- */

struct pg_cancel *pg_cancel_new(PGconn *pg); /* NULL: no memory */
void pg_cancel_release(struct pg_cancel *cancel);
void pg_cancel(struct conn *c);

/* ---- failure.c ---- */

/* Takes a result that is an error; returns its class. */
enum rc pg_fail_result(struct pg_conn *pc, PGresult *r);
/* The connection is lost; libpq has the text. */
enum rc pg_fail_lost(struct pg_conn *pc);
/* A failure of the driver's own; the text is a constant. */
enum rc pg_fail_own(struct pg_conn *pc, enum rc rc, const char *text);
/* A wait in the middle of an answer ended with rc. */
enum rc pg_fail_wait(struct pg_conn *pc, enum rc rc);
/* The last failure with its text in err, behind "what: ". */
enum rc pg_last_err(const struct pg_conn *pc, const char *what,
                    struct err *err);
void pg_error(const struct conn *c, struct err *err);

/* ---- wire.c ---- */

/* Begins a call: sets its deadline. */
void pg_start(struct pg_conn *pc);
/* Waits for more of an answer, and takes it in. */
CORO_FN enum rc pg_wait_input(struct pg_conn *pc);
/* Sends all that libpq holds back. */
CORO_FN enum rc pg_flush(struct pg_conn *pc);
/* The next result, NULL at the end of the answer.  An error is a result. */
CORO_FN enum rc pg_next(struct pg_conn *pc, PGresult **out);
/* Flushes and reads the whole answer to one query: *out is its last result,
 * the caller's.  An error ends it too. */
CORO_FN enum rc pg_collect(struct pg_conn *pc, PGresult **out);
/*
 * Several statements in one flight, all or nothing:
 *
 *   pg_pipeline_begin(), PQsend…(), pg_pipeline_sync(), pg_pipeline_next()
 *   until it fails or gives NULL, pg_pipeline_end()
 */
enum rc pg_pipeline_begin(struct pg_conn *pc);
CORO_FN enum rc pg_pipeline_sync(struct pg_conn *pc);
/* One inside; waits for nothing. */
enum rc pg_pipeline_mark(struct pg_conn *pc);
/* The next result, NULL for a sync; an error is what it returns. */
CORO_FN enum rc pg_pipeline_next(struct pg_conn *pc, PGresult **out);
/* Reads what is left and passes rc on. */
CORO_FN enum rc pg_pipeline_end(struct pg_conn *pc, enum rc rc);
/* Sends one text without parameters and reads the answer, which may be
 * dropped (out NULL).  Counts its bytes. */
CORO_FN enum rc pg_simple(struct pg_conn *pc, const char *sql, PGresult **out);
/* One statement with up to one parameter (NULL: none), all in text. */
CORO_FN enum rc pg_ask(struct pg_conn *pc, const char *sql, const char *param,
                       PGresult **out);
/* Rows that the statement changed. */
uint64_t pg_rows_changed(PGresult *r);

/* ---- params.c ---- */

/* How a statement takes its parameters, as the server described it. */
struct pg_signature {
    size_t n;
    bool some_long;          /* how much room it needs is in the values */
    enum pg_coding *codings; /* PG_UNKNOWN: as text */
    int *formats;            /* the same for libpq: 0 text, 1 binary */
    Oid *oids;
};

/* From a description (PQdescribePrepared); also makes room in pc.  Errors name
 * the step. */
enum rc pg_signature_init(struct pg_signature *sig, struct pg_conn *pc,
                          const PGresult *described, const struct step *step,
                          const struct step_statement *s, struct err *err);
void pg_signature_release(struct pg_signature *sig);
/* Fills params and param_lens and adds their lengths to *bytes.  Parameter i
 * is args[s->params[i]]; text is not copied. */
enum rc pg_bind(struct pg_conn *pc, const struct pg_signature *sig,
                const struct step_statement *s, const struct value *args,
                uint64_t *bytes);
/* All parameters as text, for statements that have not been described; fills
 * params only. */
enum rc pg_bind_text(struct pg_conn *pc, const struct step_statement *s,
                     const struct value *args);

/* ---- rows.c ---- */

/* How an answer's columns are read; coding[i] for each column. */
enum rc pg_check_columns(const PGresult *r, const struct step *step,
                         enum pg_coding *codings, struct err *err);
/* One row into cells; text points into r.  Adds the values' lengths to *bytes.
 * False when a value is not of its column's type. */
bool pg_read_row(const PGresult *r, int row, const struct step *step,
                 const enum pg_coding *codings, struct value *cells,
                 uint64_t *bytes);

/* ---- stmt.c ---- */

CORO_FN enum rc pg_prepare(struct conn *c, const struct step *step,
                           struct stmt **out, struct err *err);
CORO_FN enum rc pg_exec(struct conn *c, struct stmt *s,
                        const struct value *args, size_t n_args,
                        struct rowset *out);
void pg_free_stmts(struct pg_conn *pc);

/* ---- txn.c ---- */

CORO_FN enum rc pg_begin(struct conn *c, enum txn_mode mode);
CORO_FN enum rc pg_commit(struct conn *c);
CORO_FN enum rc pg_rollback(struct conn *c);

const char *pg_begin_text(const struct pg_conn *pc, enum txn_mode mode);
/* What follows it; NULL: nothing.  buf holds PG_LIMIT_TEXT. */
#define PG_LIMIT_TEXT 64
const char *pg_limit_text(const struct pg_conn *pc, char *buf);

/* ---- flight.c ---- */

enum rc pg_flight_begin(struct conn *c, enum txn_mode mode);
enum rc pg_flight_exec(struct conn *c, struct stmt *s, const struct value *args,
                       size_t n_args);
enum rc pg_flight_end(struct conn *c, bool commit);
enum rc pg_flight_sync(struct conn *c);
CORO_FN enum rc pg_flight_wait(struct conn *c, struct rowset *rows,
                               size_t n_rows);
/* The rows of the last answers are no longer needed. */
void pg_forget_answers(struct pg_conn *pc);

/* ---- script.c ---- */

CORO_FN enum rc pg_script(struct conn *c, const char *text, size_t len,
                          const struct result_sink *sink, struct err *err);

/* ---- bulk.c ---- */

CORO_FN enum rc pg_bulk_begin(struct conn *c, const struct table_def *table,
                              enum bulk_state state, struct err *err);
void pg_bulk_cell(struct conn *c, const struct value *v);
CORO_FN enum rc pg_bulk_row(struct conn *c, struct err *err);
CORO_FN enum rc pg_bulk_end(struct conn *c, struct err *err);
/* Before a rollback: the server has to be told that no more rows come. */
CORO_FN enum rc pg_bulk_give_up(struct pg_conn *pc);
void pg_free_bulk(struct pg_conn *pc);

/* ---- pooler.c ---- */

/* What the connections of this target go through; the first time it is found
 * out, with a second connection if need be. */
CORO_FN enum rc pg_find_pooling(struct pg_conn *pc, enum pg_pooling *out,
                                struct err *err);
/* Whether a connection keeps its server process. */
static inline bool pg_is_shared(enum pg_pooling pooling)
{
    return pooling == PG_POOLING_TRANSACTION ||
           pooling == PG_POOLING_TRANSACTION_PREPARES;
}

/* ---- claim.c ---- */

enum rc pg_claim(struct db *db, struct err *err);
enum rc pg_create(struct db *db, bool *out_created, struct err *err);

/* ---- facts.c, limits.c ---- */

CORO_FN enum rc pg_has_table(struct conn *c, const char *table, bool *out,
                             struct err *err);
CORO_FN enum rc pg_free_space(struct conn *c, struct db_space *out,
                              struct err *err);
CORO_FN enum rc pg_settle(struct conn *c, struct err *err);
CORO_FN enum rc pg_commits(struct conn *c, int64_t *out, struct err *err);
CORO_FN enum rc pg_facts(struct conn *c, fact_fn *fn, void *arg,
                         struct err *err);
CORO_FN enum rc pg_limits(struct conn *c, limit_fn *fn, void *arg,
                          struct err *err);

#endif
