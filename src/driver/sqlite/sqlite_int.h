/* SPDX-License-Identifier: MIT */
/* Shared by the files of this folder. */
#ifndef DRIVER_SQLITE_SQLITE_INT_H
#define DRIVER_SQLITE_SQLITE_INT_H

#include "base/arena.h"
#include "base/buf.h"
#include "driver/driver.h"
#include "driver/kept_rows.h"
#include "driver/sqlite/classify.h"
#include "driver/sqlite/sqlite.h"
#include "driver/sqlite/turn.h"

#include <sqlite3.h>

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#define SQLITE_ERROR_TEXT 256

struct sqlite_options {
    const char *synchronous; /* off, normal, full, extra */
    uint64_t cache_bytes;    /* of all connections together */
    uint64_t checkpoint_pages;
    int64_t busy_timeout_ns;
};

struct sqlite_db {
    struct db base;
    struct arena arena;
    struct sqlite_options opts;
    const char *shown; /* the file, as the user gave it */
    const char *path;  /* for SQLite: starts with '/' or "./" */
    struct turn_queue turns;

    pthread_mutex_t lock; /* one connects at a time; guards what follows */
    bool created;         /* by this process */
    dev_t created_dev;
    ino_t created_ino;
    int claim_fd; /* -1: not claimed */
};

/* Rows on their way into a table. */
struct sqlite_bulk {
    bool has_module; /* dyno_rows is known to the connection */
    const struct table_def *table;
    sqlite3_stmt *st;
    /* Cells that wait; those of text say where in it they begin. */
    struct value *cells;
    size_t n_cells, n_rows;
    struct buf text;
};

enum sqlite_txn_stmt {
    SQLITE_TXN_BEGIN_WRITE,
    SQLITE_TXN_BEGIN_READ,
    SQLITE_TXN_COMMIT,
    SQLITE_TXN_ROLLBACK,
};

#define SQLITE_TXN_STMTS 4

struct sqlite_conn {
    struct conn base;
    sqlite3 *handle;
    sqlite3_stmt *txn[SQLITE_TXN_STMTS]; /* by enum sqlite_txn_stmt */
    bool wal; /* the file is known to be in WAL mode */
    struct turn turn;
    struct kept_rows rows; /* of the last exec */
    struct sqlite_bulk bulk;
    bool without_wal; /* in a TXN_BULK, which needs no write-ahead log */

    atomic_bool cancelled; /* set by cancel, cleared by sqlite_take_turn() */
    struct mono busy_since;

    enum rc last_rc;
    char last_text[SQLITE_ERROR_TEXT];
};

static inline struct sqlite_db *sqlite_db_of(struct db *db)
{
    return CONTAINER_OF(db, struct sqlite_db, base);
}

static inline struct sqlite_conn *sqlite_conn_of(struct conn *c)
{
    return CONTAINER_OF(c, struct sqlite_conn, base);
}

/* ---- options.c ---- */

enum rc sqlite_parse_options(struct sqlite_db *db, struct err *err);

/* ---- probe.c ---- */

/* Looks at the file without changing or creating it; errors name it. */
enum rc sqlite_probe(struct sqlite_db *db, struct err *err);

/* ---- claim.c ---- */

enum rc sqlite_claim(struct db *db, struct err *err);
/* Remembers that this process has just made the file. */
void sqlite_mark_created(struct sqlite_db *db);
/* A file that this process made and in which nothing is: a mistyped name was
 * asked.  After the last connection. */
void sqlite_forget_empty(struct sqlite_db *db);
enum rc sqlite_discard(struct db *db, bool *out_removed, struct err *err);

/* ---- conn.c ---- */

enum rc sqlite_connect(struct db *db, struct loop *loop, struct conn **out,
                       struct err *err);
void sqlite_disconnect(struct conn *c);
void sqlite_cancel(struct conn *c);
void sqlite_error(const struct conn *c, struct err *err);

/* Takes code and text of a failed call from the handle; returns the class. */
enum rc sqlite_fail(struct sqlite_conn *sc, int code);
/* The same for a failure that SQLite does not know of. */
enum rc sqlite_fail_own(struct sqlite_conn *sc, enum rc rc, const char *text);
/* sqlite_fail() with the text in err, behind "what: ". */
enum rc sqlite_fail_err(struct sqlite_conn *sc, int code, const char *what,
                        struct err *err);
/* The same for what sqlite_conn has recorded already. */
enum rc sqlite_last_err(const struct sqlite_conn *sc, const char *what,
                        struct err *err);
/* Whether this connection or its loop has been told to stop. */
bool sqlite_is_cancelled(const struct sqlite_conn *sc);
/* Runs a query and copies the first column of its first row as text ("" if
 * there is none). */
enum rc sqlite_ask(struct sqlite_conn *sc, const char *sql, char *out,
                   size_t out_len, struct err *err);

/* ---- text.c ---- */

enum rc sqlite_exec_text(struct conn *c, const char *text, rows_fn *fn,
                         void *arg);

/* ---- txn.c ---- */

enum rc sqlite_begin(struct conn *c, enum txn_mode mode);
enum rc sqlite_commit(struct conn *c);
enum rc sqlite_rollback(struct conn *c);

/* Waits for the turn of this connection and adds the time to wait_ns. */
enum rc sqlite_take_turn(struct sqlite_conn *sc);
void sqlite_give_turn(struct sqlite_conn *sc);
/* Back to no transaction, whatever there is. */
void sqlite_undo(struct sqlite_conn *sc);

/* ---- stmt.c ---- */

enum rc sqlite_prepare(struct conn *c, const struct step *step,
                       struct stmt **out, struct err *err);
enum rc sqlite_exec(struct conn *c, struct stmt *s, const struct value *args,
                    size_t n_args, struct rowset *out);
void sqlite_free_stmts(struct sqlite_conn *sc);

/* ---- scan.c ---- */

enum rc sqlite_scan_open(struct conn *c, const struct step *step,
                         const struct value *args, size_t n_args,
                         struct scan **out, struct err *err);
enum rc sqlite_scan_next(struct scan *s, const struct value **row,
                         struct err *err);
void sqlite_scan_close(struct scan *s);

/* ---- script.c ---- */

enum rc sqlite_script(struct conn *c, const char *text, size_t len,
                      const struct result_sink *sink, struct err *err);

/* ---- bulk.c ---- */

enum rc sqlite_bulk_begin(struct conn *c, const struct table_def *table,
                          enum bulk_state state, struct err *err);
void sqlite_bulk_cell(struct conn *c, const struct value *v);
enum rc sqlite_bulk_row(struct conn *c, struct err *err);
enum rc sqlite_bulk_end(struct conn *c, struct err *err);
void sqlite_free_bulk(struct sqlite_conn *sc);

/* ---- facts.c ---- */

enum rc sqlite_has_table(struct conn *c, const char *table, bool *out,
                         struct err *err);
enum rc sqlite_free_space(struct conn *c, struct db_space *out,
                          struct err *err);
enum rc sqlite_settle(struct conn *c, struct err *err);
enum rc sqlite_facts(struct conn *c, fact_fn *fn, void *arg, struct err *err);

/* ---- wal.c ---- */

/* A new or empty file gets WAL mode at once; one with content keeps its mode
 * until a load or a run writes to it, for it may be somebody else's. */
enum rc sqlite_wal_at_open(struct sqlite_conn *sc, struct err *err);
/* Before a transaction that writes, with the turn held. */
enum rc sqlite_wal_before_write(struct sqlite_conn *sc);
/* Before and after a load in one transaction, which is written once, to its
 * place: a rollback journal holds only what was there before. */
enum rc sqlite_wal_leave(struct sqlite_conn *sc);
enum rc sqlite_wal_return(struct sqlite_conn *sc);

/* ---- ints.c ---- */

/* A list is bound as a JSON array, for json_each(). */
int sqlite_bind_ints(sqlite3_stmt *st, int at, const struct value *v);

/* ---- bind ---- */

/* Text is bound in place and must live until the statement is reset. */
static inline int sqlite_bind(sqlite3_stmt *st, int at, const struct value *v)
{
    switch (v->type) {
    case VALUE_NULL:
        return sqlite3_bind_null(st, at);
    case VALUE_INT:
    case VALUE_MONEY:
    case VALUE_RATE:
    case VALUE_TIME:
        return sqlite3_bind_int64(st, at, v->i);
    case VALUE_TEXT:
        return sqlite3_bind_text(st, at, v->s, (int)v->len, SQLITE_STATIC);
    case VALUE_INTS:
        return sqlite_bind_ints(st, at, v);
    }
    return SQLITE_MISUSE;
}

#endif
