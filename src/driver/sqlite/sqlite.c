/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "driver/sqlite/sqlite_int.h"

#include <unistd.h>

#define ARENA_MAX (64 * 1024)

/* Of a page cache taken in one piece. */
#define PAGES_MAX_KIB (1 << 20)

static void sqlite_db_free(struct sqlite_db *db)
{
    /* Last of all: see sqlite_claim(). */
    if (db->claim_fd >= 0)
        close(db->claim_fd);
    pthread_mutex_destroy(&db->lock);
    turn_queue_release(&db->turns);
    arena_release(&db->arena);
    mem_free(db);
}

static enum rc set_path(struct sqlite_db *db, struct err *err)
{
    const char *rest = db->base.target->rest;
    const char *file = target_decode(&db->arena, rest, strlen(rest));

    if (!file)
        return err_set(err, RC_NOMEM, "out of memory");
    if (!*file)
        return err_set(err, RC_USAGE, "'%s' names no file",
                       db->base.target->shown);
    if (strcmp(file, ":memory:") == 0)
        return err_set(err, RC_UNSUPPORTED,
                       "':memory:' would be a database of its own for each "
                       "connection; name a file (one in /dev/shm stays in "
                       "memory)");
    db->shown = file;
    /* SQLite must not take the name for an URI or a special name. */
    db->path = *file == '/' ? file : arena_printf(&db->arena, "./%s", file);
    return db->path ? RC_OK : err_set(err, RC_NOMEM, "out of memory");
}

static enum rc sqlite_open(const struct target *t, struct db **out,
                           struct err *err)
{
    struct sqlite_db *db;
    enum rc rc;

    if (!sqlite3_threadsafe())
        return err_set(err, RC_UNSUPPORTED,
                       "this SQLite library is built without threads");
    /* Its memory statistics put a global lock around each allocation.  Too
     * late, and refused, when the library is in use already. */
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    /* A connection's pages come in one piece, as many as its cache holds when
     * it opens the file.  One by one they would go back to the heap each time
     * another connection has written, and the heap would creep for minutes. */
    (void)sqlite3_config(SQLITE_CONFIG_PAGECACHE, NULL, 0, -PAGES_MAX_KIB);
    db = MEM_NEW(struct sqlite_db);
    if (!db)
        return err_set(err, RC_NOMEM, "out of memory");
    db->base.driver = &sqlite_driver;
    db->base.target = t;
    db->claim_fd = -1;
    arena_init(&db->arena, ARENA_MAX);
    pthread_mutex_init(&db->lock, NULL);
    turn_queue_init(&db->turns);

    rc = set_path(db, err);
    if (!rc)
        rc = sqlite_parse_options(db, err);
    if (!rc)
        rc = sqlite_probe(db, err);
    if (rc)
        sqlite_db_free(db);
    else
        *out = &db->base;
    return rc;
}

static void sqlite_close(struct db *db)
{
    sqlite_forget_empty(sqlite_db_of(db));
    sqlite_db_free(sqlite_db_of(db));
}

const struct driver sqlite_driver = {
    .name = "sqlite",
    .summary = "SQLite, in this process",
    .url = "sqlite:FILE[?synchronous=normal&cache=128MB&checkpoint=16000"
           "&busy_timeout=10s]",
    .dialect = "sqlite",
    .caps = DRIVER_BLOCKING | DRIVER_DDL_ROLLS_BACK | DRIVER_EMBEDDED,
    .isolations = 1U << ISOLATION_SERIALIZABLE,
    .placeholder = PLACEHOLDER_QUESTION,
    .open = sqlite_open,
    .close = sqlite_close,
    .claim = sqlite_claim,
    .discard = sqlite_discard,
    .connect = sqlite_connect,
    .disconnect = sqlite_disconnect,
    .cancel = sqlite_cancel,
    .error = sqlite_error,
    .prepare = sqlite_prepare,
    .exec = sqlite_exec,
    .exec_text = sqlite_exec_text,
    .begin = sqlite_begin,
    .commit = sqlite_commit,
    .rollback = sqlite_rollback,
    .scan_open = sqlite_scan_open,
    .scan_next = sqlite_scan_next,
    .scan_close = sqlite_scan_close,
    .script = sqlite_script,
    .has_table = sqlite_has_table,
    .bulk_begin = sqlite_bulk_begin,
    .bulk_cell = sqlite_bulk_cell,
    .bulk_row = sqlite_bulk_row,
    .bulk_end = sqlite_bulk_end,
    .free_space = sqlite_free_space,
    .settle = sqlite_settle,
    .facts = sqlite_facts,
};
