/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "driver/sqlite/sqlite_int.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#define CACHE_MIN_BYTES (UINT64_C(2) << 20)
#define CONNS_DEFAULT 4
#define BUSY_MAX_SLEEP_NS (20 * NS_PER_MS)

/* ---- failures ---- */

bool sqlite_is_cancelled(const struct sqlite_conn *sc)
{
    /* Partner: the store in sqlite_cancel(); nothing else is published. */
    return atomic_load_explicit(&sc->cancelled, memory_order_relaxed) ||
           (sc->base.loop && loop_cancelled(sc->base.loop));
}

enum rc sqlite_fail_own(struct sqlite_conn *sc, enum rc rc, const char *text)
{
    size_t len = strnlen(text, sizeof(sc->last_text) - 1);

    memcpy(sc->last_text, text, len);
    sc->last_text[len] = '\0';
    sc->last_rc = rc;
    return rc;
}

enum rc sqlite_fail(struct sqlite_conn *sc, int code)
{
    enum rc rc = sqlite_classify(code);
    int errnum = sqlite3_system_errno(sc->handle);

    sc->base.native = code;
    /* The wait for another process was given up. */
    if (rc == RC_DB_RETRY && sqlite_is_cancelled(sc))
        rc = RC_CANCELLED;
    /* The wal-index grows by fallocate, which SQLite takes for any I/O. */
    if (rc == RC_IO && (errnum == ENOSPC || errnum == EDQUOT))
        rc = RC_DB_NO_SPACE;
    if (rc == RC_DB_RETRY)
        return sqlite_fail_own(sc, rc, "the file is locked by another process");
    return sqlite_fail_own(sc, rc, sqlite3_errmsg(sc->handle));
}

enum rc sqlite_last_err(const struct sqlite_conn *sc, const char *what,
                        struct err *err)
{
    err_set(err, sc->last_rc, "%s: %s", what, sc->last_text);
    if (err)
        err->native = sc->base.native;
    return sc->last_rc;
}

enum rc sqlite_fail_err(struct sqlite_conn *sc, int code, const char *what,
                        struct err *err)
{
    sqlite_fail(sc, code);
    return sqlite_last_err(sc, what, err);
}

void sqlite_error(const struct conn *c, struct err *err)
{
    const struct sqlite_conn *sc = (const struct sqlite_conn *)(const void *)c;

    err_set(err, sc->last_rc, "%s", sc->last_text);
    if (err)
        err->native = c->native;
}

/* ---- settings ---- */

/* Only other processes, and readers during a checkpoint, are waited for here:
 * writers of this process take turns. */
static int on_busy(void *arg, int n_prior)
{
    struct sqlite_conn *sc = arg;
    const int64_t limit = sqlite_db_of(sc->base.db)->opts.busy_timeout_ns;
    struct mono now = clock_now();
    int64_t pause = n_prior < 5 ? NS_PER_MS << n_prior : BUSY_MAX_SLEEP_NS;

    if (n_prior == 0)
        sc->busy_since = now;
    if (sqlite_is_cancelled(sc) || mono_since(now, sc->busy_since) >= limit)
        return 0;
    if (pause > BUSY_MAX_SLEEP_NS)
        pause = BUSY_MAX_SLEEP_NS;
    clock_sleep_until(mono_add(now, pause));
    return 1;
}

enum rc sqlite_ask(struct sqlite_conn *sc, const char *sql, char *out,
                   size_t out_len, struct err *err)
{
    sqlite3_stmt *st = NULL;
    const unsigned char *text = NULL;
    enum rc rc = RC_OK;
    int code = sqlite3_prepare_v2(sc->handle, sql, -1, &st, NULL);

    *out = '\0';
    if (code == SQLITE_OK)
        code = sqlite3_step(st);
    if (code == SQLITE_ROW)
        text = sqlite3_column_text(st, 0);
    else if (code != SQLITE_DONE)
        rc = sqlite_fail_err(sc, code, sql, err);
    if (text)
        snprintf(out, out_len, "%s", (const char *)text);
    sqlite3_finalize(st);
    return rc;
}

static uint64_t cache_kib(const struct sqlite_db *db)
{
    unsigned n = db->base.expected_conns;
    uint64_t bytes = db->opts.cache_bytes / (n > 0 ? n : CONNS_DEFAULT);

    if (bytes < CACHE_MIN_BYTES)
        bytes = CACHE_MIN_BYTES;
    bytes >>= 10;
    return bytes > INT32_MAX ? INT32_MAX : bytes;
}

static enum rc apply_settings(struct sqlite_conn *sc, struct err *err)
{
    const struct sqlite_db *db = sqlite_db_of(sc->base.db);
    char sql[256];
    enum rc rc;
    int code;

    snprintf(sql, sizeof(sql),
             "PRAGMA synchronous=%s; PRAGMA cache_size=-%ju;"
             "PRAGMA wal_autocheckpoint=%ju; PRAGMA temp_store=memory",
             db->opts.synchronous, (uintmax_t)cache_kib(db),
             (uintmax_t)db->opts.checkpoint_pages);
    rc = sqlite_wal_at_open(sc, err);
    if (rc)
        return rc;
    code = sqlite3_exec(sc->handle, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? RC_OK
                             : sqlite_fail_err(sc, code, "settings", err);
}

static enum rc prepare_txn(struct sqlite_conn *sc, struct err *err)
{
    static const char *const texts[SQLITE_TXN_STMTS] = {
        [SQLITE_TXN_BEGIN_WRITE] = "BEGIN IMMEDIATE",
        [SQLITE_TXN_BEGIN_READ] = "BEGIN",
        [SQLITE_TXN_COMMIT] = "COMMIT",
        [SQLITE_TXN_ROLLBACK] = "ROLLBACK",
    };

    for (size_t i = 0; i < SQLITE_TXN_STMTS; i++) {
        int code =
            sqlite3_prepare_v3(sc->handle, texts[i], -1,
                               SQLITE_PREPARE_PERSISTENT, &sc->txn[i], NULL);

        if (code != SQLITE_OK)
            return sqlite_fail_err(sc, code, texts[i], err);
    }
    return RC_OK;
}

/* ---- open and close ---- */

static enum rc open_handle(struct sqlite_conn *sc, struct err *err)
{
    struct sqlite_db *db = sqlite_db_of(sc->base.db);
    bool existed = access(db->path, F_OK) == 0;
    int code = sqlite3_open_v2(db->path, &sc->handle,
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                                   SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
                               NULL);

    if (!sc->handle)
        return err_set(err, RC_NOMEM, "out of memory");
    if (code != SQLITE_OK)
        return sqlite_fail_err(sc, code, "open", err);
    if (!existed)
        sqlite_mark_created(db);
    sqlite3_busy_handler(sc->handle, on_busy, sc);
    return apply_settings(sc, err);
}

enum rc sqlite_connect(struct db *base, struct loop *loop, struct conn **out,
                       struct err *err)
{
    struct sqlite_db *db = sqlite_db_of(base);
    struct sqlite_conn *sc = mem_calloc_aligned(1, sizeof(*sc));
    enum rc rc;

    if (!sc)
        return err_set(err, RC_NOMEM, "out of memory");
    sc->base.driver = &sqlite_driver;
    sc->base.db = base;
    sc->base.loop = loop;
    turn_init(&sc->turn, loop);
    if (kept_rows_init(&sc->rows)) {
        rc = err_set(err, RC_NOMEM, "out of memory");
    } else {
        /* The first one creates the file and changes its journal mode, which
         * SQLite wants to do undisturbed. */
        pthread_mutex_lock(&db->lock);
        rc = open_handle(sc, err);
        pthread_mutex_unlock(&db->lock);
    }
    if (!rc)
        rc = prepare_txn(sc, err);
    if (rc) {
        err_prefix(err, "'%s'", db->shown);
        sqlite_disconnect(&sc->base);
        return rc;
    }
    *out = &sc->base;
    return RC_OK;
}

void sqlite_disconnect(struct conn *c)
{
    struct sqlite_conn *sc = sqlite_conn_of(c);

    sqlite_free_stmts(sc);
    sqlite_free_bulk(sc);
    for (size_t i = 0; i < SQLITE_TXN_STMTS; i++)
        sqlite3_finalize(sc->txn[i]);
    /* Rolls back what is open.  With _v2 a scan that was forgotten keeps the
     * handle, not the locks. */
    sqlite3_close_v2(sc->handle);
    sqlite_give_turn(sc);
    turn_release(&sc->turn);
    kept_rows_release(&sc->rows);
    mem_free(sc);
}

void sqlite_cancel(struct conn *c)
{
    struct sqlite_conn *sc = sqlite_conn_of(c);

    /* Partner: sqlite_is_cancelled(). */
    atomic_store_explicit(&sc->cancelled, true, memory_order_relaxed);
    turn_cancel(&sqlite_db_of(c->db)->turns, &sc->turn);
    sqlite3_interrupt(sc->handle);
}
