/* SPDX-License-Identifier: MIT */
/*
 * The driver interface.  A driver is one const table (slots.h); the rest of the
 * program calls the db_ and conn_ wrappers below, never a slot.  What several
 * drivers share (counting, the state of the transaction) happens once, in the
 * wrappers.
 *
 * Three objects: a db is an opened target, shared by all threads; a conn is
 * one connection, owned by one worker and its loop; a stmt is a step prepared
 * on one connection.
 *
 * Functions marked CORO_FN may wait and so run in a coroutine.  A blocking
 * driver (DRIVER_BLOCKING) makes its calls directly; each of its connections
 * then has a worker thread of its own.
 *
 * Errors: a driver classifies, the caller decides.  Functions with an err fill
 * it.  Those of the run path have none: they return a code, leave the native
 * code in the conn and format nothing; conn_error() gives the text on demand.
 */
#ifndef DRIVER_DRIVER_H
#define DRIVER_DRIVER_H

#include "driver/slots.h"

/* First member of each driver's own structure, as are conn and stmt. */
struct db {
    const struct driver *driver;
    const struct target *target; /* borrowed, outlives the db */
    /* How many connections there will be, so that a driver can share out
     * memory; set before the first connects, 0 when not known. */
    unsigned expected_conns;
    /* That each connection of a run prepares; 0: not known. */
    unsigned n_statements;
    /* The workload writes outside BEGIN and COMMIT too, so the isolation level
     * must be the session's; set before the first connects. */
    bool autocommit;
    /* Set by db_configure(). */
    enum isolation isolation;     /* of transactions that write or read */
    bool unprepared;              /* --no-prepare: send the text each time */
    int64_t statement_timeout_ns; /* of conn_limit_statements() */
};

/* What a connection has done, BEGIN and COMMIT included. */
struct conn_usage {
    uint64_t statements, round_trips;
    uint64_t bytes_sent, bytes_received; /* of the protocol; 0: not known */
};

struct flight { /* what is queued on a connection: driver/flight.h */
    size_t n_statements;
    bool begins, commits, rolls_back;
    bool raw;                 /* some step was */
    enum rc rc;               /* why the rest was not queued */
    const struct step *first; /* of its statements, NULL: none yet */
};

/* Who wants to know what each call of a transaction took, waiting in dyno's
 * own queues left out.  step is that of the call, of a flight the first one;
 * NULL for a BEGIN or COMMIT sent alone. */
enum conn_call { CALL_EXEC, CALL_FLIGHT, CALL_BEGIN, CALL_COMMIT };
struct conn_watch {
    void (*took)(void *arg, enum conn_call call, const struct step *step,
                 int64_t ns);
    void *arg;
};

struct conn {
    const struct driver *driver;
    struct db *db;
    struct loop *loop;
    struct flight flight;
    bool in_txn;
    bool gone; /* unusable: only conn_close() is left */
    /* Of the last failure on the run path. */
    int native;
    char sqlstate[6];
    int64_t statement_timeout_ns; /* 0: none */
    struct conn_usage usage;      /* since connect */
    /* Time spent waiting in a queue of dyno's own (SQLite writers take turns),
     * not in the database. */
    int64_t wait_ns;
    const struct conn_watch *watch; /* NULL: nobody; set between calls */
    struct stmt *stmts; /* all of them, newest first; kept by the wrappers */
    struct stmt **numbered; /* those of conn_prepare_as(), by number */
    size_t n_numbered;
};

struct stmt {
    struct conn *conn;
    const struct step *step; /* borrowed, outlives the stmt */
    struct stmt *next;       /* in conn.stmts */
};

struct scan {
    struct conn *conn;
    const struct step *step;
};

/* ---- the registry ---- */

extern const struct driver *const driver_table[];
extern const size_t driver_count;
const struct driver *driver_find(const char *name); /* NULL if unknown */

/* ---- wrappers: the only callers of slots ---- */

MUST_USE enum rc db_open(const struct target *t, struct db **out,
                         struct err *err);
void db_close(struct db *db); /* NULL is fine */
MUST_USE enum rc db_claim(struct db *db, struct err *err);
/* What the run wishes of the connections opened from now on; what the database
 * does not have is RC_USAGE and names the option. */
struct db_wishes {
    enum isolation isolation;
    bool unprepared;
    int64_t statement_timeout_ns; /* 0: none */
};
MUST_USE enum rc db_configure(struct db *db, const struct db_wishes *wishes,
                              struct err *err);
MUST_USE enum rc db_discard(struct db *db, bool *out_removed, struct err *err);
/* RC_USAGE for a driver that cannot (an SQLite file makes itself). */
MUST_USE enum rc db_create(struct db *db, bool *out_created, struct err *err);
static inline bool db_can(const struct db *db, enum driver_caps cap)
{
    return (db->driver->caps & (unsigned)cap) != 0;
}

MUST_USE CORO_FN enum rc conn_open(struct db *db, struct loop *loop,
                                   struct conn **out, struct err *err);
void conn_close(struct conn *c); /* NULL is fine */
/* From here on statements are the workload's: what dyno itself asks, prepares
 * and loads has no limit. */
MUST_USE CORO_FN enum rc conn_limit_statements(struct conn *c, struct err *err);
void conn_cancel(struct conn *c);
void conn_error(const struct conn *c, struct err *err);
enum rc conn_failed(struct conn *c, enum rc rc); /* for the wrappers */

/* Statements live as long as the connection. */
MUST_USE CORO_FN enum rc conn_prepare(struct conn *c, const struct step *step,
                                      struct stmt **out, struct err *err);
/* The same, kept under a number of the caller's for conn_stmt(): what is
 * prepared belongs to the connection, whoever uses it. */
MUST_USE CORO_FN enum rc conn_prepare_as(struct conn *c, size_t number,
                                         const struct step *step,
                                         struct err *err);
static inline struct stmt *conn_stmt(const struct conn *c, size_t number)
{
    return c->numbered[number];
}
/* n_args is the step's n_params.  out may be NULL when the rows do not
 * matter (they are still fetched). */
MUST_USE CORO_FN enum rc conn_exec(struct conn *c, struct stmt *s,
                                   const struct value *args, size_t n_args,
                                   struct rowset *out);
MUST_USE CORO_FN enum rc conn_begin(struct conn *c, enum txn_mode mode);
/* A connection lost here is RC_DB_UNKNOWN.  Whatever it returns, the
 * transaction is over; any failure but RC_DB_UNKNOWN means it left nothing. */
MUST_USE CORO_FN enum rc conn_commit(struct conn *c);
/* Does nothing outside a transaction or when the connection is gone.  After a
 * failed call in a transaction this is the only call allowed; if it fails, the
 * connection is gone. */
MUST_USE CORO_FN enum rc conn_rollback(struct conn *c);

MUST_USE CORO_FN enum rc scan_open(struct conn *c, const struct step *step,
                                   const struct value *args, size_t n_args,
                                   struct scan **out, struct err *err);
/* *row is NULL at the end; borrowed until the next call on this scan. */
MUST_USE CORO_FN enum rc scan_next(struct scan *s, const struct value **row,
                                   struct err *err);
void scan_close(struct scan *s); /* NULL is fine */

MUST_USE CORO_FN enum rc conn_script(struct conn *c, const char *text,
                                     size_t len, const struct result_sink *sink,
                                     struct err *err);
MUST_USE CORO_FN enum rc conn_has_table(struct conn *c, const char *table,
                                        bool *out, struct err *err);
MUST_USE CORO_FN enum rc conn_settle(struct conn *c, struct err *err);
/* RC_UNSUPPORTED, without a text, when the server does not count them. */
MUST_USE CORO_FN enum rc conn_commits(struct conn *c, int64_t *out,
                                      struct err *err);
/* Calls fn for nothing when no limit is known. */
MUST_USE CORO_FN enum rc conn_limits(struct conn *c, limit_fn *fn, void *arg,
                                     struct err *err);
MUST_USE CORO_FN enum rc conn_facts(struct conn *c, fact_fn *fn, void *arg,
                                    struct err *err);

/* Prepares on first use and executes: for work outside the run path.  The
 * statement is kept under the step's address, so the step outlives the
 * connection. */
MUST_USE CORO_FN enum rc conn_query(struct conn *c, const struct step *step,
                                    const struct value *args, size_t n_args,
                                    struct rowset *out, struct err *err);

#endif
