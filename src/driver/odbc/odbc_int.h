/* SPDX-License-Identifier: MIT */
/* Shared by the files of this folder. */
#ifndef DRIVER_ODBC_ODBC_INT_H
#define DRIVER_ODBC_ODBC_INT_H

#include "base/arena.h"
#include "base/buf.h"
#include "driver/driver.h"
#include "driver/kept_rows.h"
#include "driver/odbc/dialect.h"
#include "driver/odbc/odbc.h"

#include <sql.h>
#include <sqlext.h>

#include <pthread.h>
#include <stdatomic.h>

/* Text of a statement that the driver makes itself. */
#define ODBC_SQL_MAX (64U << 20)
#define ODBC_CELL_MAX (64U << 20)
#define ODBC_FAILED_TEXT 512
#define ODBC_NAME_MAX 128

/* What an opened db is, by its dialect. */
extern const struct driver odbc_postgres_driver;
extern const struct driver odbc_mysql_driver;
extern const struct driver odbc_sqlite_driver;

struct odbc_conn;

struct odbc_db {
    struct db base;
    struct arena arena;
    SQLHENV env;
    const struct odbc_dialect *dialect;
    const char *source;       /* the connection string; holds passwords */
    const char *dialect_name; /* that the target asks for, or NULL */
    bool arrays;              /* an array of parameters is one statement */
    char product[ODBC_NAME_MAX], version[ODBC_NAME_MAX];
    char driver_name[ODBC_NAME_MAX], driver_version[ODBC_NAME_MAX];
    char quote[4];           /* of names; "" when there is none */
    struct odbc_conn *claim; /* holds the lock; NULL: not claimed */
};

struct odbc_failure {
    enum rc rc;
    int native;
    char sqlstate[6];
    char text[ODBC_FAILED_TEXT];
};

/* Rows on their way into a table. */
struct odbc_bulk {
    bool ready; /* the session has been set up */
    const struct table_def *table;
    size_t n_rows, col; /* that wait; cells of the row that is not whole */
    enum rc rc;         /* what went wrong since the last row */
    struct buf rows;    /* an INSERT of many rows, or … */
    SQLHSTMT st;        /* … with arrays … */
    size_t limit;       /* of the bytes of either, then it is sent */
    struct kept_rows cells;
    char *columns; /* … and one of them behind the other */
    size_t columns_cap;
    SQLLEN *lens;
    size_t lens_cap;
};

struct odbc_conn {
    struct conn base;
    SQLHDBC dbc;
    bool connected;
    SQLHSTMT own; /* for statements of the driver's own, and scripts */
    const struct odbc_dialect *dialect;

    bool autocommit_off; /* see txn.c */
    bool snapshot;       /* the isolation level is that of an audit */
    SQLULEN isolation;   /* of the session; 0: not known */
    unsigned n_cursors;  /* made so far, for their names */
    size_t max_packet;   /* see odbc_check_packet(); 0: not asked for */

    /* The statement that runs.  The lock is for those that are freed before
     * the connection is: see odbc_cancel(). */
    _Atomic(SQLHSTMT) running;
    pthread_mutex_t cancel_lock;

    struct kept_rows rows; /* of the last answer */
    struct buf cell;       /* a text while it is read */
    struct odbc_bulk bulk;
    struct odbc_failure failed; /* the last one */
};

static inline struct odbc_db *odbc_db_of(struct db *db)
{
    return CONTAINER_OF(db, struct odbc_db, base);
}

static inline struct odbc_conn *odbc_conn_of(struct conn *c)
{
    return CONTAINER_OF(c, struct odbc_conn, base);
}

static inline bool odbc_ok(SQLRETURN code)
{
    return LIKELY(code == SQL_SUCCESS) || code == SQL_SUCCESS_WITH_INFO;
}

/* The library's types for text are not const. */
static inline SQLCHAR *odbc_text(const char *s)
{
    return (SQLCHAR *)(uintptr_t)s;
}

/* ---- source.c ---- */

/* The connection string of the target. */
enum rc odbc_source_parse(struct odbc_db *db, struct err *err);
/* The dialect's extras that it lacks are appended. */
enum rc odbc_source_complete(struct odbc_db *db, struct err *err);

/* ---- connect.c ---- */

enum rc odbc_connect(struct db *db, struct loop *loop, struct conn **out,
                     struct err *err);
/* A connection as it is, for no loop. */
enum rc odbc_connect_plain(struct odbc_db *db, struct odbc_conn **out,
                           struct err *err);
enum rc odbc_limit_statements(struct conn *c, struct err *err);
void odbc_disconnect(struct conn *c);
void odbc_cancel(struct conn *c);

/* ---- failure.c ---- */

/* Takes the diagnosis of a failed call from the handle; returns the class. */
enum rc odbc_fail(struct odbc_conn *oc, SQLSMALLINT type, SQLHANDLE handle);
static inline enum rc odbc_fail_stmt(struct odbc_conn *oc, SQLHSTMT st)
{
    return odbc_fail(oc, SQL_HANDLE_STMT, st);
}
enum rc odbc_fail_own(struct odbc_conn *oc, enum rc rc, const char *text);
/* The server would hang up on a statement so long. */
enum rc odbc_check_packet(struct odbc_conn *oc, size_t bytes);
/* What a statement must be shorter than, SIZE_MAX for no limit. */
enum rc odbc_max_packet(struct odbc_conn *oc, size_t *out);
/* The last failure with its text in err, behind "what: ". */
enum rc odbc_last_err(const struct odbc_conn *oc, const char *what,
                      struct err *err);
void odbc_error(const struct conn *c, struct err *err);

/* ---- call.c: calls of ODBC that may take long, and what they leave ---- */

enum rc odbc_new_stmt(struct odbc_conn *oc, SQLHSTMT *out);
/* Also while another thread cancels. */
void odbc_free_stmt(struct odbc_conn *oc, SQLHSTMT st);
/* No rows are no failure. */
enum rc odbc_execute(struct odbc_conn *oc, SQLHSTMT st);
enum rc odbc_execute_text(struct odbc_conn *oc, SQLHSTMT st, const char *sql);
/* The next row; *out_done at the end. */
enum rc odbc_fetch(struct odbc_conn *oc, SQLHSTMT st, bool *out_done);
/* The next result; *out_done when there is none. */
enum rc odbc_next_result(struct odbc_conn *oc, SQLHSTMT st, bool *out_done);
/* A statement of the driver's own. */
enum rc odbc_run(struct odbc_conn *oc, const char *sql);
/* One with rows, all columns as text; they live until the next call. */
enum rc odbc_ask(struct odbc_conn *oc, const char *sql, struct rowset *out);
/* The first cell as a number; RC_INVALID when there is none. */
enum rc odbc_ask_number(struct odbc_conn *oc, const char *sql, int64_t *out);

/* ---- rows.c ---- */

/* A cell as text into oc->cell; *out_null. */
enum rc odbc_get_text(struct odbc_conn *oc, SQLHSTMT st, size_t col,
                      bool *out_null);
/* A cell of a type; TEXT stands in oc->cell. */
enum rc odbc_get_cell(struct odbc_conn *oc, SQLHSTMT st, size_t col,
                      enum value_type type, struct value *out);
/* All rows of the result that is open, added to oc->rows; cols NULL: text. */
enum rc odbc_keep_rows(struct odbc_conn *oc, SQLHSTMT st,
                       const struct column *cols, size_t n_cols);

/* ---- params.c ---- */

struct odbc_slot {
    enum value_type bound; /* VALUE_NULL: not yet */
    SQLLEN len;
    int64_t i;
    SQL_TIMESTAMP_STRUCT time;
    char *bytes;
    size_t cap;
};

/* Those of a statement, freed with odbc_release_slots() also on failure. */
enum rc odbc_new_slots(const struct odbc_conn *oc, const struct step *step,
                       const struct step_statement *s, struct odbc_slot **out);
/* Binds the values of a statement's parameters, copying them. */
enum rc odbc_bind(struct odbc_conn *oc, SQLHSTMT st, struct odbc_slot *slots,
                  const struct step *step, const struct step_statement *s,
                  const struct value *args);
void odbc_release_slots(struct odbc_slot *slots, size_t n);
/* A value as a literal of SQL. */
void odbc_put_literal(struct buf *b, const struct odbc_conn *oc,
                      const struct value *v);
void odbc_put_name(struct buf *b, const struct odbc_conn *oc, const char *name);

/* ---- stmt.c ---- */

enum rc odbc_prepare(struct conn *c, const struct step *step, struct stmt **out,
                     struct err *err);
enum rc odbc_exec(struct conn *c, struct stmt *s, const struct value *args,
                  size_t n_args, struct rowset *out);
void odbc_free_stmts(struct odbc_conn *oc);

/* ---- txn.c ---- */

enum rc odbc_begin(struct conn *c, enum txn_mode mode);
enum rc odbc_commit(struct conn *c);
enum rc odbc_rollback(struct conn *c);
/* What comes next commits by itself. */
enum rc odbc_outside(struct odbc_conn *oc);
enum rc odbc_set_isolation(struct odbc_conn *oc, enum isolation level);

/* ---- scan.c ---- */

enum rc odbc_scan_open(struct conn *c, const struct step *step,
                       const struct value *args, size_t n_args,
                       struct scan **out, struct err *err);
enum rc odbc_scan_next(struct scan *s, const struct value **row,
                       struct err *err);
void odbc_scan_close(struct scan *s);

/* ---- script.c ---- */

enum rc odbc_script(struct conn *c, const char *text, size_t len,
                    const struct result_sink *sink, struct err *err);
/* Statements that change no rows say so by their first word. */
bool odbc_changes_rows(const char *sql);

/* ---- bulk.c ---- */

enum rc odbc_bulk_begin(struct conn *c, const struct table_def *table,
                        enum bulk_state state, struct err *err);
void odbc_bulk_cell(struct conn *c, const struct value *v);
enum rc odbc_bulk_row(struct conn *c, struct err *err);
enum rc odbc_bulk_end(struct conn *c, struct err *err);
void odbc_release_bulk(struct odbc_conn *oc);

/* ---- facts.c ---- */

enum rc odbc_claim(struct db *db, struct err *err);
enum rc odbc_has_table(struct conn *c, const char *table, bool *out,
                       struct err *err);
enum rc odbc_limits(struct conn *c, limit_fn *fn, void *arg, struct err *err);
enum rc odbc_facts(struct conn *c, fact_fn *fn, void *arg, struct err *err);

#endif
