/* SPDX-License-Identifier: MIT */
/*
 * The table that a driver is: its slots, their contracts, and what goes with
 * them.  Part of driver/driver.h, whose wrappers are the only callers.
 */
#ifndef DRIVER_SLOTS_H
#define DRIVER_SLOTS_H

#include "driver/step.h"
#include "driver/target.h"
#include "driver/txn.h"
#include "engine/loop.h"

struct db;
struct conn;
struct stmt;
struct scan;
struct db_space;

enum driver_caps {
    DRIVER_BLOCKING = 1,   /* a worker thread for each connection */
    DRIVER_DISCARDS = 2,   /* executes nothing: measures dyno itself */
    DRIVER_EMBEDDED = 4,   /* no server: a call is no network round trip */
    DRIVER_UNPREPARED = 8, /* can do without prepared statements */
    DRIVER_STATEMENT_TIMEOUT = 16,
    DRIVER_PIPELINE = 32,   /* has flights */
    DRIVER_BULK_FRESH = 64, /* see enum bulk_state */
    DRIVER_FILES = 128,     /* writes rows and nothing else: load only */
    DRIVER_TEXT = 256,      /* has a protocol of text without parameters */
    DRIVER_STEPWISE = 512,  /* a round trip for each statement of a step */
    DRIVER_KEYWORDS = 1024, /* its targets are keyword=value;… */
    /* CREATE and DROP are of the transaction, and cost no more in it. */
    DRIVER_DDL_ROLLS_BACK = 2048,
};

/* Receives the results of a script (dyno exec). */
struct result_sink {
    void *arg;
    /* Before the rows of a statement that returns rows. */
    enum rc (*columns)(void *arg, const char *const *names, size_t n);
    /* Values are INT, TEXT or NULL; borrowed for the call. */
    enum rc (*row)(void *arg, const struct value *cells, size_t n);
    /* After a statement: rows returned, or changed (-1 when not known). */
    enum rc (*done)(void *arg, bool has_rows, int64_t n_rows);
    /* Optional.  After a statement that failed, on a connection that is still
     * there: RC_OK goes on with the next one. */
    enum rc (*failed)(void *arg, const struct err *err);
};

/* Receives the rows of a statement, see driver/raw.h. */
typedef enum rc rows_fn(void *arg, const struct rowset *rows);

/* Receives facts about a database: version, settings. */
typedef void fact_fn(void *arg, const char *name, const char *value);

/* A limit on the connections that this target takes. */
struct conn_limit {
    const char *setting; /* "max_connections" */
    int64_t value;
    int64_t reserved; /* for others, never ours */
    int64_t in_use;   /* now, the asking connection not counted */
    /* Of it that a connection of a run takes, if not one: the statements that
     * it prepares; dyno's own take none then. */
    int64_t each;
};
typedef void limit_fn(void *arg, const struct conn_limit *limit);

struct driver {
    const char *name;    /* the scheme of a target URL */
    const char *alias;   /* another scheme for the same; may be NULL */
    const char *summary; /* one line for `dyno drivers` */
    const char *url;     /* form of its URLs, for help */
    const char *dialect; /* folder below sql/<workload>/ */
    unsigned caps;
    /* Isolation levels that can be asked for, bits 1 << enum isolation. */
    unsigned isolations;
    enum placeholder placeholder;

    /* Validates the target's parameters; does not have to reach it.  Blocking;
     * outside any loop. */
    enum rc (*open)(const struct target *t, struct db **out, struct err *err);
    /* Every connection has been closed. */
    void (*close)(struct db *db);
    /* Optional.  Takes the target for this process alone until close, so that
     * two runs on it at once are refused: RC_BUSY. */
    enum rc (*claim)(struct db *db, struct err *err);
    /* Optional.  Removes what opening made out of nothing (an SQLite file that
     * did not exist); nothing else.  Sets *out_removed. */
    enum rc (*discard)(struct db *db, bool *out_removed, struct err *err);

    /* Optional.  Makes the database that the target names, if there is none;
     * sets *out_created. */
    enum rc (*create)(struct db *db, bool *out_created, struct err *err);

    CORO_SLOT enum rc (*connect)(struct db *db, struct loop *loop,
                                 struct conn **out, struct err *err);
    /* With DRIVER_STATEMENT_TIMEOUT: tells the server, if it can be told, to
     * end statements of this connection after its statement_timeout_ns. */
    CORO_SLOT enum rc (*limit_statements)(struct conn *c, struct err *err);
    /* Frees the statements too. */
    void (*disconnect)(struct conn *c);
    /* Optional.  From any thread: makes a call that runs now end soon.  The
     * caller sees to it that the connection is not being closed. */
    void (*cancel)(struct conn *c);
    /* Text and native code of the last failure. */
    void (*error)(const struct conn *c, struct err *err);

    CORO_SLOT enum rc (*prepare)(struct conn *c, const struct step *step,
                                 struct stmt **out, struct err *err);
    CORO_SLOT enum rc (*exec)(struct conn *c, struct stmt *s,
                              const struct value *args, size_t n_args,
                              struct rowset *out);
    CORO_SLOT enum rc (*begin)(struct conn *c, enum txn_mode mode);
    CORO_SLOT enum rc (*commit)(struct conn *c);
    CORO_SLOT enum rc (*rollback)(struct conn *c);

    /* See driver/raw.h.  One without DRIVER_TEXT compiles what it gets, as it
     * does with what is prepared. */
    CORO_SLOT enum rc (*exec_text)(struct conn *c, const char *text,
                                   rows_fn *fn, void *arg);
    bool (*in_txn)(const struct conn *c);

    /* With DRIVER_PIPELINE, see driver/flight.h.  These only queue. */
    enum rc (*flight_begin)(struct conn *c, enum txn_mode mode);
    enum rc (*flight_exec)(struct conn *c, struct stmt *s,
                           const struct value *args, size_t n_args);
    enum rc (*flight_end)(struct conn *c, bool commit);
    /* Sends what is queued, if anything, and reads all answers. */
    /* NULL: has no such thing. */
    enum rc (*flight_sync)(struct conn *c);
    CORO_SLOT enum rc (*flight_wait)(struct conn *c, struct rowset *rows,
                                     size_t n_rows);

    /* Several scans may be open at once; each returns rows one by one. */
    CORO_SLOT enum rc (*scan_open)(struct conn *c, const struct step *step,
                                   const struct value *args, size_t n_args,
                                   struct scan **out, struct err *err);
    CORO_SLOT enum rc (*scan_next)(struct scan *s, const struct value **row,
                                   struct err *err);
    void (*scan_close)(struct scan *s);

    /* Statements outside prepared ones, each in autocommit unless the script
     * says BEGIN; sink may be NULL. */
    CORO_SLOT enum rc (*script)(struct conn *c, const char *text, size_t len,
                                const struct result_sink *sink,
                                struct err *err);
    CORO_SLOT enum rc (*has_table)(struct conn *c, const char *table, bool *out,
                                   struct err *err);

    /* Rows for one table: see driver/bulk.h. */
    CORO_SLOT enum rc (*bulk_begin)(struct conn *c,
                                    const struct table_def *table,
                                    enum bulk_state state, struct err *err);
    /* Into the database's own format at once; what goes wrong is kept for
     * bulk_row. */
    void (*bulk_cell)(struct conn *c, const struct value *v);
    CORO_SLOT enum rc (*bulk_row)(struct conn *c, struct err *err);
    CORO_SLOT enum rc (*bulk_end)(struct conn *c, struct err *err);
    /* Optional, of loads: see driver/bulk.h. */
    CORO_SLOT enum rc (*check_empty)(struct conn *c, struct err *err);
    CORO_SLOT enum rc (*free_space)(struct conn *c, struct db_space *out,
                                    struct err *err);
    CORO_SLOT enum rc (*put_file)(struct conn *c, const char *name,
                                  const char *text, size_t len,
                                  struct err *err);
    /* Optional.  After a load or a run: statistics, checkpoint, sync. */
    CORO_SLOT enum rc (*settle)(struct conn *c, struct err *err);
    /* Optional.  Transactions of this database that the server counts as
     * committed, whoever made them, since its statistics began. */
    CORO_SLOT enum rc (*commits)(struct conn *c, int64_t *out, struct err *err);
    /* Optional.  The limits on connections that are known. */
    CORO_SLOT enum rc (*limits)(struct conn *c, limit_fn *fn, void *arg,
                                struct err *err);
    /* Product, version and the settings in force. */
    CORO_SLOT enum rc (*facts)(struct conn *c, fact_fn *fn, void *arg,
                               struct err *err);
};

#endif
