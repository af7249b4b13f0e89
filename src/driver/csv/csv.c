/* SPDX-License-Identifier: MIT */
#include "driver/csv/csv.h"

#include "base/buf.h"
#include "base/mem.h"
#include "driver/csv/csv_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define MANIFEST "manifest.csv"
#define MANIFEST_MAX (64 * 1024)
#define ARENA_MAX (64 * 1024)

/* ---- the folder ---- */

static enum rc csv_open(const struct target *t, struct db **out,
                        struct err *err)
{
    struct csv_db *db;

    if (!*t->rest)
        return err_set(err, RC_USAGE, "'%s' names no folder", t->shown);
    if (target_check_params(t, NULL, 0, err))
        return RC_USAGE;
    db = MEM_NEW(struct csv_db);
    if (!db)
        return err_set(err, RC_NOMEM, "out of memory");
    db->base.driver = &csv_driver;
    db->base.target = t;
    arena_init(&db->arena, ARENA_MAX);
    db->folder = target_decode(&db->arena, t->rest, strlen(t->rest));
    if (!db->folder) {
        arena_release(&db->arena);
        mem_free(db);
        return err_set(err, RC_NOMEM, "out of memory");
    }
    db->fd = -1;
    pthread_mutex_init(&db->lock, NULL);
    *out = &db->base;
    return RC_OK;
}

static void csv_close(struct db *base)
{
    struct csv_db *db = csv_db_of(base);

    if (db->fd >= 0)
        close(db->fd);
    pthread_mutex_destroy(&db->lock);
    arena_release(&db->arena);
    mem_free(db);
}

static enum rc csv_claim(struct db *base, struct err *err)
{
    struct csv_db *db = csv_db_of(base);

    if (mkdir(db->folder, 0755) == 0)
        db->created = true;
    else if (errno != EEXIST)
        return err_errno(err, RC_IO, errno, "cannot make the folder '%s'",
                         db->folder);
    db->fd = open(db->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (db->fd < 0)
        return err_errno(err, RC_IO, errno, "'%s'", db->folder);
    if (flock(db->fd, LOCK_EX | LOCK_NB) != 0)
        return err_set(err, RC_BUSY, "'%s' is in use by another dyno",
                       db->folder);
    return RC_OK;
}

/* Only what this process has written. */
static enum rc csv_discard(struct db *base, bool *out_removed, struct err *err)
{
    struct csv_db *db = csv_db_of(base);

    (void)err;
    if (db->fd < 0)
        return RC_OK;
    for (size_t i = 0; i < db->n_files; i++)
        unlinkat(db->fd, db->files[i].name, 0);
    *out_removed = db->n_files > 0;
    db->n_files = 0;
    if (db->created && rmdir(db->folder) == 0)
        *out_removed = true;
    return RC_OK;
}

static enum rc csv_check_empty(struct conn *c, struct err *err)
{
    struct csv_db *db = csv_db_of(c->db);
    DIR *dir = opendir(db->folder);
    const struct dirent *entry;
    enum rc rc = RC_OK;

    if (!dir)
        return err_errno(err, RC_IO, errno, "'%s'", db->folder);
    /* The stream is this thread's own. */
    while (!rc &&
           (entry = readdir(dir)) != NULL) /* NOLINT(concurrency-mt-unsafe) */
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            rc = err_set(err, RC_INVALID,
                         "the folder '%s' is not empty: it holds '%s'; name "
                         "another one",
                         db->folder, entry->d_name);
    closedir(dir);
    return rc;
}

static enum rc csv_free_space(struct conn *c, struct db_space *out,
                              struct err *err)
{
    struct csv_db *db = csv_db_of(c->db);
    struct statvfs fs;

    if (fstatvfs(db->fd, &fs) != 0)
        return err_errno(err, RC_IO, errno, "'%s'", db->folder);
    out->n_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
    snprintf(out->path, sizeof(out->path), "%s", db->folder);
    snprintf(out->where, sizeof(out->where), "%s", db->folder);
    return RC_OK;
}

/* ---- connections ---- */

static enum rc csv_connect(struct db *db, struct loop *loop, struct conn **out,
                           struct err *err)
{
    struct csv_conn *cc = mem_calloc_aligned(1, sizeof(*cc));

    if (!cc)
        return err_set(err, RC_NOMEM, "out of memory");
    cc->base.driver = &csv_driver;
    cc->base.db = db;
    cc->base.loop = loop;
    *out = &cc->base;
    return RC_OK;
}

static void csv_disconnect(struct conn *c)
{
    struct csv_conn *cc = csv_conn_of(c);

    csv_give_up(cc);
    buf_release(&cc->writer.rows);
    mem_free(cc);
}

static void csv_error(const struct conn *c, struct err *err)
{
    const struct csv_conn *cc = (const struct csv_conn *)(const void *)c;

    err_set(err, cc->last_rc, "%s", cc->last_text);
}

static enum rc csv_begin(struct conn *c, enum txn_mode mode)
{
    (void)c;
    (void)mode;
    return RC_OK;
}

static enum rc csv_commit(struct conn *c)
{
    (void)c;
    return RC_OK;
}

static enum rc csv_rollback(struct conn *c)
{
    csv_give_up(csv_conn_of(c));
    return RC_OK;
}

static enum rc refuse(struct err *err)
{
    return err_set(err, RC_UNSUPPORTED,
                   "csv: files can be loaded and nothing else; load them into "
                   "a database with the scripts beside them");
}

static enum rc csv_prepare(struct conn *c, const struct step *step,
                           struct stmt **out, struct err *err)
{
    (void)c;
    (void)step;
    (void)out;
    return refuse(err);
}

static enum rc csv_exec(struct conn *c, struct stmt *s,
                        const struct value *args, size_t n_args,
                        struct rowset *out)
{
    (void)c;
    (void)s;
    (void)args;
    (void)n_args;
    (void)out;
    return RC_UNSUPPORTED;
}

static enum rc csv_script(struct conn *c, const char *text, size_t len,
                          const struct result_sink *sink, struct err *err)
{
    (void)c;
    (void)text;
    (void)len;
    (void)sink;
    return refuse(err);
}

static enum rc csv_has_table(struct conn *c, const char *table, bool *out,
                             struct err *err)
{
    char name[64];

    (void)err;
    snprintf(name, sizeof(name), "%s.csv", table);
    *out = faccessat(csv_db_of(c->db)->fd, name, F_OK, 0) == 0;
    return RC_OK;
}

/* The last file: without it the folder is not complete. */
static enum rc csv_settle(struct conn *c, struct err *err)
{
    struct csv_db *db = csv_db_of(c->db);
    struct buf text = BUF_INIT(MANIFEST_MAX);
    enum rc rc;

    buf_puts(&text, "file,rows,bytes,cksum\n");
    for (size_t i = 0; i < db->n_files; i++)
        buf_printf(&text, "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu32 "\n",
                   db->files[i].name, db->files[i].n_rows, db->files[i].n_bytes,
                   db->files[i].cksum);
    rc = buf_rc(&text)
             ? err_set(err, RC_NOMEM, "out of memory")
             : csv_put_file(c, MANIFEST, buf_str(&text), text.len, err);
    buf_release(&text);
    return rc;
}

static enum rc csv_facts(struct conn *c, fact_fn *fn, void *arg,
                         struct err *err)
{
    (void)c;
    (void)err;
    fn(arg, "product", "csv files");
    return RC_OK;
}

const struct driver csv_driver = {
    .name = "csv",
    .summary = "files of rows, to be loaded elsewhere (load only)",
    .url = "csv:FOLDER",
    .dialect = "csv",
    .caps = DRIVER_FILES | DRIVER_UNPREPARED,
    .isolations = ~0U,
    .placeholder = PLACEHOLDER_QUESTION,
    .open = csv_open,
    .close = csv_close,
    .claim = csv_claim,
    .discard = csv_discard,
    .check_empty = csv_check_empty,
    .free_space = csv_free_space,
    .connect = csv_connect,
    .disconnect = csv_disconnect,
    .error = csv_error,
    .prepare = csv_prepare,
    .exec = csv_exec,
    .begin = csv_begin,
    .commit = csv_commit,
    .rollback = csv_rollback,
    .scan_open = csv_scan_open,
    .scan_next = csv_scan_next,
    .scan_close = csv_scan_close,
    .script = csv_script,
    .has_table = csv_has_table,
    .bulk_begin = csv_bulk_begin,
    .bulk_cell = csv_bulk_cell,
    .bulk_row = csv_bulk_row,
    .bulk_end = csv_bulk_end,
    .put_file = csv_put_file,
    .settle = csv_settle,
    .facts = csv_facts,
};
