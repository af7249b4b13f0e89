/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/mem.h"
#include "store/store_int.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How long others may write before we give up. */
#define PATIENCE_MS 10000
/* Rows of an interval have up to 2 KB: four fit on a page. */
#define PRAGMAS_NEW "PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL"
/*
 * NORMAL: the log is not synced at each commit.  A killed process loses
 * nothing; a machine without power loses what came since the last checkpoint,
 * and a sync a second would be felt by a database on the same disk.
 */
#define PRAGMAS_WRITE                                             \
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; "    \
    "PRAGMA wal_autocheckpoint = 256; PRAGMA foreign_keys = ON; " \
    "PRAGMA journal_size_limit = 4194304"

/* ---- errors ---- */

static enum rc class_of(const struct store *s, int code)
{
    switch (code & 0xff) {
    case SQLITE_FULL:
        return RC_DB_NO_SPACE;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return RC_BUSY;
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_AUTH:
        return RC_DB_PERMISSION;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return RC_INVALID;
    case SQLITE_NOMEM:
        return RC_NOMEM;
    default:
        break;
    }
    if (s->db && sqlite3_system_errno(s->db) == ENOSPC)
        return RC_DB_NO_SPACE;
    if (s->db && sqlite3_system_errno(s->db) == EACCES)
        return RC_DB_PERMISSION;
    return RC_IO;
}

enum rc store_failed(const struct store *s, const char *what, struct err *err)
{
    const int code = s->db ? sqlite3_extended_errcode(s->db) : SQLITE_NOMEM;

    return err_set(err, class_of(s, code), "cannot %s results store '%s': %s",
                   what, s->path,
                   s->db ? sqlite3_errmsg(s->db) : "out of memory");
}

/* ---- SQL ---- */

enum rc store_exec(struct store *s, const char *sql, struct err *err)
{
    if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return RC_OK;
    return store_failed(s, "use", err);
}

enum rc store_prepare(struct store *s, const char *sql, sqlite3_stmt **out,
                      struct err *err)
{
    if (sqlite3_prepare_v2(s->db, sql, -1, out, NULL) == SQLITE_OK)
        return RC_OK;
    return store_failed(s, "read", err);
}

static void bind_all(sqlite3_stmt *stmt, const char *types, va_list ap)
{
    for (int i = 1; types[i - 1]; i++) {
        const void *data;

        /* A failure leaves NULL, which the columns refuse. */
        switch (types[i - 1]) {
        case 'i':
            sqlite3_bind_int64(stmt, i, va_arg(ap, int64_t));
            break;
        case 'd':
            sqlite3_bind_double(stmt, i, va_arg(ap, double));
            break;
        case 't':
            sqlite3_bind_text(stmt, i, va_arg(ap, const char *), -1,
                              SQLITE_STATIC);
            break;
        case 'b':
            data = va_arg(ap, const void *);
            sqlite3_bind_blob64(stmt, i, data, va_arg(ap, size_t),
                                SQLITE_STATIC);
            break;
        case 'n':
            sqlite3_bind_null(stmt, i);
            break;
        default:
            BUG("'%c' is no type of a parameter", types[i - 1]);
        }
    }
}

void store_bind(sqlite3_stmt *stmt, const char *types, ...)
{
    va_list ap;

    va_start(ap, types);
    bind_all(stmt, types, ap);
    va_end(ap);
}

enum rc store_step(struct store *s, sqlite3_stmt *stmt, bool *out_row,
                   struct err *err)
{
    const int code = sqlite3_step(stmt);

    *out_row = code == SQLITE_ROW;
    if (code == SQLITE_ROW || code == SQLITE_DONE)
        return RC_OK;
    return store_failed(s, sqlite3_stmt_readonly(stmt) ? "read" : "write in",
                        err);
}

enum rc store_do(struct store *s, struct err *err, const char *sql,
                 const char *types, ...)
{
    sqlite3_stmt *stmt = NULL;
    bool row = true;
    va_list ap;
    enum rc rc;

    rc = store_prepare(s, sql, &stmt, err);
    if (rc)
        return rc;
    va_start(ap, types);
    bind_all(stmt, types, ap);
    va_end(ap);
    while (!rc && row)
        rc = store_step(s, stmt, &row, err);
    sqlite3_finalize(stmt);
    return rc;
}

enum rc store_get_i64(struct store *s, const char *sql, int64_t *out,
                      struct err *err)
{
    sqlite3_stmt *stmt = NULL;
    bool row = false;
    enum rc rc;

    rc = store_prepare(s, sql, &stmt, err);
    if (!rc)
        rc = store_step(s, stmt, &row, err);
    if (!rc && row)
        *out = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return rc;
}

enum rc store_begin(struct store *s, struct err *err)
{
    return store_exec(s, "BEGIN IMMEDIATE", err);
}

enum rc store_end(struct store *s, enum rc rc, struct err *err)
{
    if (!rc)
        rc = store_exec(s, "COMMIT", err);
    /* A full disk may have ended the transaction already. */
    if (rc && !sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

void store_checkpoint(struct store *s)
{
    (void)sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_PASSIVE,
                                    NULL, NULL);
}

/* ---- opening ---- */

/* SQLite says only that it could not. */
static enum rc cannot_open(const struct store *s, struct err *err)
{
    const int system = s->db ? sqlite3_system_errno(s->db) : 0;
    struct stat st;

    if (stat(s->path, &st) == 0 && S_ISDIR(st.st_mode))
        return err_errno(err, RC_IO, EISDIR, "cannot open results store '%s'",
                         s->path);
    if (system)
        return err_errno(err, class_of(s, SQLITE_CANTOPEN), system,
                         "cannot open results store '%s'", s->path);
    return store_failed(s, "open", err);
}

static enum rc connect_to(struct store *s, const char *name, int flags,
                          struct err *err)
{
    if (sqlite3_open_v2(name, &s->db,
                        flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
                        NULL) != SQLITE_OK)
        return cannot_open(s, err);
    sqlite3_busy_timeout(s->db, PATIENCE_MS);
    return RC_OK;
}

static enum rc connect(struct store *s, int flags, struct err *err)
{
    return connect_to(s, s->path, flags, err);
}

/* Whether all is in the file itself: nothing waits in its log. */
static bool is_whole(const struct store *s)
{
    char log[4096];
    struct stat st;

    snprintf(log, sizeof(log), "%s-wal", s->path);
    return stat(log, &st) != 0 || st.st_size == 0;
}

/* From a folder that nobody can write in, such as a read-only disk, where
 * SQLite would make its log: as a file that does not change. */
static enum rc connect_unchanging(struct store *s, struct err *err)
{
    struct buf uri = BUF_INIT(3 * strlen(s->path) + 32);
    enum rc rc;

    buf_puts(&uri, "file:");
    for (const char *p = s->path; *p; p++) {
        if (strchr("?#%", *p) || (*p == '/' && p[1] == '/'))
            buf_printf(&uri, "%%%02X", (unsigned char)*p);
        else
            buf_putc(&uri, *p);
    }
    buf_puts(&uri, "?immutable=1");
    rc = buf_rc(&uri)
             ? err_set(err, buf_rc(&uri), "no memory for the name of a store")
             : connect_to(s, buf_str(&uri),
                          SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
    buf_release(&uri);
    return rc;
}

static void disconnect(struct store *s)
{
    sqlite3_close(s->db);
    s->db = NULL;
}

static enum rc open_rw(struct store *s, int flags, struct err *err)
{
    enum rc rc = connect(s, flags, err);

    if (!rc)
        rc = store_exec(s, PRAGMAS_NEW, err);
    /* Before anything is written: the next changes the file. */
    if (!rc)
        rc = store_check(s, err);
    if (!rc)
        rc = store_exec(s, PRAGMAS_WRITE, err);
    if (!rc)
        rc = store_migrate(s, err);
    return rc;
}

/* What is read needs a shared index beside the file, for which a full or
 * read-only folder has no room; alone with the file it is kept in memory. */
static enum rc open_alone(struct store *s, struct err *err)
{
    enum rc rc;

    disconnect(s);
    s->read_only = access(s->path, W_OK) != 0;
    if (s->read_only && is_whole(s)) {
        rc = connect_unchanging(s, err);
        return rc ? rc : store_migrate(s, err);
    }
    rc = connect(s, s->read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE,
                 err);
    if (!rc)
        rc = store_exec(s, "PRAGMA locking_mode = EXCLUSIVE", err);
    if (!rc)
        rc = store_migrate(s, err);
    return rc;
}

static enum rc open_all(struct store *s, enum store_mode mode, struct err *err)
{
    struct err first = {0};
    enum rc rc;

    if (mode == STORE_READ && access(s->path, F_OK) != 0)
        return err_errno(err, RC_NOT_FOUND, errno, "cannot open '%s'", s->path);
    if (mode == STORE_WRITE)
        return open_rw(s, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
    rc = open_rw(s, SQLITE_OPEN_READWRITE, &first);
    if (rc == RC_IO || rc == RC_DB_NO_SPACE || rc == RC_DB_PERMISSION) {
        rc = open_alone(s, err);
        return rc;
    }
    if (rc && err)
        *err = first;
    return rc;
}

enum rc store_open_file(const char *path, enum store_mode mode,
                        struct store **out, struct err *err)
{
    struct store *s = MEM_NEW(struct store);
    enum rc rc;

    if (s) {
        s->running_fd = -1;
        s->path = mem_strdup(path);
    }
    if (!s || !s->path) {
        mem_free(s);
        return err_set(err, RC_NOMEM, "no memory for results store '%s'", path);
    }
    rc = open_all(s, mode, err);
    if (rc) {
        store_close(s);
        return rc;
    }
    store_mark_dead(s);
    *out = s;
    return RC_OK;
}

enum rc store_open(const char *dir, enum store_mode mode, struct store **out,
                   struct err *err)
{
    char path[4096];

    if (snprintf(path, sizeof(path), "%s/%s", dir, STORE_FILE) >=
        (int)sizeof(path))
        return err_set(err, RC_USAGE,
                       "the name of the results folder is too "
                       "long");
    if (mode == STORE_READ && access(path, F_OK) != 0)
        return err_set(err, RC_NOT_FOUND,
                       "there is no results store '%s'; name the folder of "
                       "the runs with --results",
                       path);
    return store_open_file(path, mode, out, err);
}

void store_close(struct store *s)
{
    if (!s)
        return;
    /* First the store: SQLite's locks are gone when a descriptor of its file
     * is closed, ours are in another file. */
    disconnect(s);
    store_running_close(s);
    mem_free(s->path);
    mem_free(s);
}

const char *store_path(const struct store *s)
{
    return s->path;
}
