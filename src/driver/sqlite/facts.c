/* SPDX-License-Identifier: MIT */
/* Questions about the database, and what follows a load or a run. */
#include "base/parse.h"
#include "driver/bulk.h"
#include "driver/sqlite/sqlite_int.h"

#include <errno.h>
#include <stdio.h>
#include <sys/statvfs.h>

enum rc sqlite_has_table(struct conn *c, const char *table, bool *out,
                         struct err *err)
{
    struct sqlite_conn *sc = sqlite_conn_of(c);
    sqlite3_stmt *st = NULL;
    enum rc rc = RC_OK;
    int code;

    code = sqlite3_prepare_v2(sc->handle,
                              "SELECT 1 FROM sqlite_schema WHERE type IN "
                              "('table', 'view') AND name = ? COLLATE NOCASE",
                              -1, &st, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(st, 1, table, -1, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_step(st);
    if (code == SQLITE_ROW || code == SQLITE_DONE)
        *out = code == SQLITE_ROW;
    else
        rc = sqlite_fail_err(sc, code, table, err);
    sqlite3_finalize(st);
    return rc;
}

enum rc sqlite_free_space(struct conn *c, struct db_space *out, struct err *err)
{
    const struct sqlite_db *db = sqlite_db_of(c->db);
    struct statvfs fs;

    /* The file is there: connecting has made it. */
    if (statvfs(db->path, &fs) != 0)
        return err_errno(err, RC_IO, errno, "'%s'", db->shown);
    out->n_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
    snprintf(out->path, sizeof(out->path), "%s", db->path);
    snprintf(out->where, sizeof(out->where), "the disk of %s", db->shown);
    return RC_OK;
}

enum rc sqlite_settle(struct conn *c, struct err *err)
{
    struct sqlite_conn *sc = sqlite_conn_of(c);
    enum rc rc = sqlite_take_turn(sc);
    int code;

    if (rc)
        return sqlite_last_err(sc, "checkpoint", err);
    code = sqlite3_wal_checkpoint_v2(sc->handle, NULL,
                                     SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    if (code != SQLITE_OK)
        rc = sqlite_fail_err(sc, code, "checkpoint", err);
    sqlite_give_turn(sc);
    return rc;
}

/* Settings that SQLite gives by number. */
static const char *named(const char *value, const char *const *names, size_t n)
{
    size_t i = (size_t)(*value - '0');

    return *value && !value[1] && i < n ? names[i] : value;
}

static enum rc pragma_fact(struct sqlite_conn *sc, const char *name,
                           fact_fn *fn, void *arg, struct err *err)
{
    static const char *const sync[] = {"off", "normal", "full", "extra"};
    static const char *const temp[] = {"default", "file", "memory"};
    char sql[64], value[64];
    const char *shown = value;
    size_t len;
    enum rc rc;

    snprintf(sql, sizeof(sql), "PRAGMA %s", name);
    rc = sqlite_ask(sc, sql, value, sizeof(value), err);
    if (rc)
        return rc;
    if (strcmp(name, "synchronous") == 0)
        shown = named(value, sync, ARRAY_LEN(sync));
    else if (strcmp(name, "temp_store") == 0)
        shown = named(value, temp, ARRAY_LEN(temp));
    if (*value == '-') {
        /* A cache size below 0 is in KiB and not in pages. */
        len = strlen(value);
        snprintf(value + len, sizeof(value) - len, " KiB a connection");
        shown = value + 1;
    }
    fn(arg, name, shown);
    return RC_OK;
}

enum rc sqlite_facts(struct conn *c, fact_fn *fn, void *arg, struct err *err)
{
    static const char *const pragmas[] = {"journal_mode", "synchronous",
                                          "cache_size",   "wal_autocheckpoint",
                                          "page_size",    "temp_store"};
    struct sqlite_conn *sc = sqlite_conn_of(c);
    char timeout[32];

    fn(arg, "product", "SQLite");
    fn(arg, "version", sqlite3_libversion());
    for (size_t i = 0; i < ARRAY_LEN(pragmas); i++) {
        enum rc rc = pragma_fact(sc, pragmas[i], fn, arg, err);

        if (rc)
            return rc;
    }
    format_duration(sqlite_db_of(c->db)->opts.busy_timeout_ns, timeout,
                    sizeof(timeout));
    fn(arg, "busy_timeout", timeout);
    fn(arg, "threads", "writers take turns, first come first served");
    return RC_OK;
}
