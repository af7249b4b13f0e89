/* SPDX-License-Identifier: MIT */
/* Shared by the files of this folder. */
#ifndef DRIVER_MYSQL_MARIA_INT_H
#define DRIVER_MYSQL_MARIA_INT_H

#include "base/arena.h"
#include "base/buf.h"
#include "driver/driver.h"
#include "driver/mysql/classify.h"
#include "driver/mysql/codec.h"
#include "driver/mysql/login.h"
#include "driver/mysql/mysql.h"

#include <mysql.h>

#include <stdatomic.h>

/* Text of a statement that the driver makes itself, and of a flight. */
#define MARIA_SQL_MAX (64U << 20)
#define MARIA_FAILED_TEXT 512

struct maria_conn;
struct maria_sent;

struct maria_db {
    struct db base;
    struct maria_login *login;
    struct maria_conn *claim; /* holds the lock; NULL: not claimed */
    atomic_bool told;         /* that bulk loads are INSERTs, and why */
};

/* Rows on their way into a table. */
struct maria_bulk {
    bool ready;   /* the session has been set up … */
    bool inserts; /* … and is not allowed LOAD DATA LOCAL */
    bool sends;   /* the server may ask for the rows */
    const struct table_def *table;
    struct buf head; /* of the statement */
    struct buf rows; /* as a file, or as an INSERT */
    size_t n_rows, at;
    size_t col;   /* of the next cell */
    size_t limit; /* of the bytes in rows, then they are sent */
};

struct maria_failure {
    enum rc rc;
    unsigned code;
    char sqlstate[6];
    char text[MARIA_FAILED_TEXT];
};

struct maria_conn {
    struct conn base;
    MYSQL *my;
    int fd;                  /* -1: closed, or not open yet */
    unsigned long thread_id; /* the server's, for KILL */
    struct maria_login *login;
    bool is_mariadb;      /* else MySQL, or what calls itself so */
    unsigned version;     /* 101106 is 10.11.6 */
    struct mono deadline; /* of the call that runs */
    enum rc wait_rc;      /* how a wait of it ended, if not well */
    atomic_bool waiting;  /* for the server; a cancel has something to end */

    /* SET autocommit = 0 has been sent: see txn.c. */
    bool autocommit_off;
    bool commits; /* the flight that is queued ends with a COMMIT */

    struct maria_sent *flight;
    size_t n_sent, flight_cap; /* those of the last one until the next call */
    bool flying;               /* queued and not waited for */
    struct value *cells;
    size_t cells_cap;
    const char **names; /* of columns, for raw steps */
    size_t names_cap;
    struct buf text; /* of a flight without prepared statements, raw rows */

    struct maria_bulk bulk;
    size_t max_packet; /* less than that at once; 0: not known */

    struct maria_failure failed; /* the last one */
};

static inline struct maria_db *maria_db_of(struct db *db)
{
    return CONTAINER_OF(db, struct maria_db, base);
}

static inline struct maria_conn *maria_conn_of(struct conn *c)
{
    return CONTAINER_OF(c, struct maria_conn, base);
}

/* ---- wait.c ---- */

/* Comes before every call of the library that may wait: sets the deadline, and
 * whose waits these are. */
void maria_start(struct maria_conn *mc);
/* Waits until the answer to what was sent begins to arrive.  Nothing of it may
 * have been read yet. */
CORO_FN enum rc maria_await_answer(struct maria_conn *mc);
/* The same before the statement timeout is known to the server. */
void maria_start_until(struct maria_conn *mc, struct mono deadline);
/* What is called next must not wait, for it may be outside a coroutine. */
void maria_never_wait(void);
/* The handle's waits are ours. */
void maria_hook(MYSQL *my);

/* ---- connect.c ---- */

CORO_FN enum rc maria_connect(struct db *db, struct loop *loop,
                              struct conn **out, struct err *err);
CORO_FN enum rc maria_limit_statements(struct conn *c, struct err *err);
/* A connection as it is; to no database when dbname is NULL. */
CORO_FN enum rc maria_connect_plain(struct maria_db *db, struct loop *loop,
                                    const char *dbname, struct maria_conn **out,
                                    struct err *err);
void maria_disconnect(struct conn *c);

/* ---- cancel.c ---- */

void maria_cancel(struct conn *c);

/* ---- failure.c ---- */

/* The library's last failure, on the connection or a statement. */
enum rc maria_fail(struct maria_conn *mc);
enum rc maria_fail_stmt(struct maria_conn *mc, MYSQL_STMT *st);
/* A failure of the driver's own, or one that the server told otherwise. */
enum rc maria_fail_own(struct maria_conn *mc, enum rc rc, const char *text);
enum rc maria_fail_code(struct maria_conn *mc, unsigned code,
                        const char *sqlstate, const char *text);
/* Makes an earlier failure the last one again. */
void maria_fail_again(struct maria_conn *mc, const struct maria_failure *f);
/* The server answers what is larger than it takes by hanging up. */
enum rc maria_check_packet(struct maria_conn *mc, size_t bytes);
/* The last failure with its text in err, behind "what: ". */
enum rc maria_last_err(const struct maria_conn *mc, const char *what,
                       struct err *err);
void maria_error(const struct conn *c, struct err *err);

/* ---- ask.c: statements of the driver's own ---- */

/* Several without rows in one flight; the first failure counts. */
CORO_FN enum rc maria_command(struct maria_conn *mc, const char *const *texts,
                              size_t n);
static inline CORO_FN enum rc maria_run(struct maria_conn *mc, const char *sql)
{
    return maria_command(mc, &sql, 1);
}
/* One with rows, all of them; freed with mysql_free_result(). */
CORO_FN enum rc maria_ask(struct maria_conn *mc, const char *sql,
                          MYSQL_RES **out);
/* One number; RC_INVALID when it gives none. */
CORO_FN enum rc maria_ask_number(struct maria_conn *mc, const char *sql,
                                 int64_t *out);
/* `name`, quoted. */
void maria_put_name(struct buf *b, const char *name);
/* A value as a literal of SQL. */
void maria_put_literal(struct buf *b, const struct maria_conn *mc,
                       const struct value *v);

/* ---- stmt.c ---- */

CORO_FN enum rc maria_prepare(struct conn *c, const struct step *step,
                              struct stmt **out, struct err *err);
CORO_FN enum rc maria_exec(struct conn *c, struct stmt *s,
                           const struct value *args, size_t n_args,
                           struct rowset *out);
void maria_free_stmts(struct maria_conn *mc);

/* ---- txn.c ---- */

CORO_FN enum rc maria_begin(struct conn *c, enum txn_mode mode);
CORO_FN enum rc maria_commit(struct conn *c);
CORO_FN enum rc maria_rollback(struct conn *c);
/* The statements that begin a transaction; returns how many. */
#define MARIA_BEGIN_MAX 3
size_t maria_begin_texts(struct maria_conn *mc, enum txn_mode mode,
                         const char **texts);
#define MARIA_AUTOCOMMIT_ON "SET autocommit = 1"

/* ---- text.c ---- */

bool maria_in_txn(const struct conn *c);
CORO_FN enum rc maria_exec_text(struct conn *c, const char *text, rows_fn *fn,
                                void *arg);

/* ---- flight.c ---- */

enum rc maria_flight_begin(struct conn *c, enum txn_mode mode);
enum rc maria_flight_exec(struct conn *c, struct stmt *s,
                          const struct value *args, size_t n_args);
enum rc maria_flight_end(struct conn *c, bool commit);
CORO_FN enum rc maria_flight_wait(struct conn *c, struct rowset *rows,
                                  size_t n_rows);
/* The rows of the last answers are no longer needed. */
void maria_forget_answers(struct maria_conn *mc);

/* ---- scan.c ---- */

CORO_FN enum rc maria_scan_open(struct conn *c, const struct step *step,
                                const struct value *args, size_t n_args,
                                struct scan **out, struct err *err);
CORO_FN enum rc maria_scan_next(struct scan *s, const struct value **row,
                                struct err *err);
void maria_scan_close(struct scan *s);

/* ---- script.c ---- */

CORO_FN enum rc maria_script(struct conn *c, const char *text, size_t len,
                             const struct result_sink *sink, struct err *err);

/* ---- bulk.c ---- */

CORO_FN enum rc maria_bulk_begin(struct conn *c, const struct table_def *table,
                                 enum bulk_state state, struct err *err);
void maria_bulk_cell(struct conn *c, const struct value *v);
CORO_FN enum rc maria_bulk_row(struct conn *c, struct err *err);
CORO_FN enum rc maria_bulk_end(struct conn *c, struct err *err);
/* Nothing but what bulk loads offer is ever sent for LOAD DATA LOCAL. */
void maria_guard_files(struct maria_conn *mc);

/* ---- claim.c ---- */

enum rc maria_claim(struct db *db, struct err *err);
enum rc maria_create(struct db *db, bool *out_created, struct err *err);

/* ---- facts.c ---- */

CORO_FN enum rc maria_has_table(struct conn *c, const char *table, bool *out,
                                struct err *err);
CORO_FN enum rc maria_free_space(struct conn *c, struct db_space *out,
                                 struct err *err);
CORO_FN enum rc maria_facts(struct conn *c, fact_fn *fn, void *arg,
                            struct err *err);
CORO_FN enum rc maria_limits(struct conn *c, limit_fn *fn, void *arg,
                             struct err *err);

#endif
