/* SPDX-License-Identifier: MIT */
#include "driver/sqlite/sqlite_int.h"

#include <stdio.h>

static enum rc switch_to_wal(struct sqlite_conn *sc, struct err *err)
{
    char mode[16];
    const enum rc rc =
        sqlite_ask(sc, "PRAGMA journal_mode=WAL", mode, sizeof(mode), err);

    if (rc)
        return rc;
    sc->wal = strcmp(mode, "wal") == 0;
    if (sc->wal)
        return RC_OK;
    return err_set(err, RC_UNSUPPORTED,
                   "no write-ahead log is possible here: the journal mode "
                   "stays '%s'",
                   mode);
}

enum rc sqlite_wal_at_open(struct sqlite_conn *sc, struct err *err)
{
    char answer[32];
    enum rc rc;

    rc = sqlite_ask(sc, "PRAGMA page_count", answer, sizeof(answer), err);
    if (rc)
        return rc;
    if (strcmp(answer, "0") == 0)
        return switch_to_wal(sc, err);
    rc = sqlite_ask(sc, "PRAGMA journal_mode", answer, sizeof(answer), err);
    if (!rc)
        sc->wal = strcmp(answer, "wal") == 0;
    return rc;
}

enum rc sqlite_wal_before_write(struct sqlite_conn *sc)
{
    struct err err = {0};
    enum rc rc;

    if (LIKELY(sc->wal))
        return RC_OK;
    rc = switch_to_wal(sc, &err);
    if (rc)
        return sqlite_fail_own(sc, rc, err.text);
    return RC_OK;
}

static enum rc temp_store(struct sqlite_conn *sc, const char *where)
{
    char sql[40];
    int code;

    snprintf(sql, sizeof(sql), "PRAGMA temp_store=%s", where);
    code = sqlite3_exec(sc->handle, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? RC_OK : sqlite_fail(sc, code);
}

/* A text for the connection, which has no room for a whole struct err. */
static enum rc ask_mode(struct sqlite_conn *sc, const char *sql, char *mode,
                        size_t mode_len)
{
    struct err err = {0};
    const enum rc rc = sqlite_ask(sc, sql, mode, mode_len, &err);

    return rc ? sqlite_fail_own(sc, rc, err.text) : RC_OK;
}

enum rc sqlite_wal_leave(struct sqlite_conn *sc)
{
    char mode[16];
    const enum rc rc =
        ask_mode(sc, "PRAGMA journal_mode=DELETE", mode, sizeof(mode));

    /* Another connection keeps the log: then the load goes through it. */
    if (rc == RC_DB_RETRY)
        return sqlite_wal_before_write(sc);
    if (rc)
        return rc;
    sc->wal = strcmp(mode, "wal") == 0;
    sc->without_wal = !sc->wal;
    /* Keys of millions of rows are sorted in files. */
    return temp_store(sc, "file");
}

enum rc sqlite_wal_return(struct sqlite_conn *sc)
{
    enum rc rc;

    if (!sc->without_wal)
        return RC_OK;
    sc->without_wal = false;
    rc = temp_store(sc, "memory");
    return rc ? rc : sqlite_wal_before_write(sc);
}
