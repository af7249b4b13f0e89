/* SPDX-License-Identifier: MIT */
#include "lab/snapshot.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/parse.h"
#include "lab/server_int.h"
#include "lab/snapshot_int.h"
#include "lab/tree.h"
#include "lab/wal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define KEY_BYTES_MAX ((size_t)64 << 10)
#define SIZE_BYTES 32
#define WAL_KEPT_BYTES ((uint64_t)32 << 20)
/* Room that a copy leaves for others. */
#define SPARE_BYTES ((uint64_t)256 << 20)

struct snapshot {
    struct buf key; /* all that the content depends on */
    char name[160];
    char dir[SERVER_PATH_BYTES], data[SERVER_PATH_BYTES + 16];
    int lock_fd;
};

/* ---- the key ---- */

/* Settings that shape the data, in the order in which they were given. */
static void put_shape(struct buf *b, const struct server *s)
{
    for (size_t i = 0; i < s->state.settings.n; i++) {
        const char *text = s->state.settings.items[i];

        if (server_setting_shapes(s->kind, text))
            buf_printf(b, "set %s\n", text);
    }
}

static uint64_t hash_of(const char *bytes, size_t len)
{
    uint64_t hash = 14695981039346656037ULL;

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211ULL;
    return hash;
}

/* What the user's own file says may shape the data too. */
static enum rc put_config(struct buf *b, const struct server *s,
                          struct err *err)
{
    struct buf text = BUF_INIT(KEY_BYTES_MAX * 16);
    char path[SERVER_PATH_BYTES];
    enum rc rc = RC_OK;

    if (s->state.has_config) {
        snprintf(path, sizeof(path), "%s/config.user", s->dir);
        rc = buf_read_file(&text, path, err);
        buf_printf(b, "config %016" PRIx64 "\n",
                   hash_of(buf_str(&text), text.len));
    }
    buf_release(&text);
    return rc;
}

static enum rc make_key(struct snapshot *snap, const struct server *s,
                        const struct snapshot_key *key, struct err *err)
{
    struct buf *b = &snap->key;
    enum rc rc;

    buf_printf(b, "kind %s\nversion %s\nbindir %s\ndyno %s\n", s->kind->name,
               s->state.version, s->state.bindir, DYNO_VERSION);
    put_shape(b, s);
    rc = put_config(b, s, err);
    buf_printf(b,
               "workload %s\nscale %" PRIu64 "\nseed %" PRIu64 "\nschema %s\n",
               key->workload, key->scale, key->seed, key->schema);
    if (!rc && buf_rc(b))
        rc = err_set(err, RC_NOMEM, "out of memory");
    return rc;
}

static enum rc snapshot_init(struct snapshot *snap, const struct server *s,
                             const struct snapshot_key *key, struct err *err)
{
    enum rc rc;

    *snap = (struct snapshot){.lock_fd = -1};
    buf_init(&snap->key, KEY_BYTES_MAX);
    rc = make_key(snap, s, key, err);
    if (rc)
        return rc;
    snprintf(snap->name, sizeof(snap->name),
             "%s-%.20s-%.20s-s%" PRIu64 "-%016" PRIx64, s->kind->name,
             s->state.version, key->workload, key->scale,
             hash_of(buf_str(&snap->key), snap->key.len));
    snprintf(snap->dir, sizeof(snap->dir), "%.3800s/" SNAPSHOT_FOLDER "/%s",
             s->base, snap->name);
    snprintf(snap->data, sizeof(snap->data), "%s/data", snap->dir);
    return RC_OK;
}

static void snapshot_release(struct snapshot *snap)
{
    if (snap->lock_fd >= 0)
        close(snap->lock_fd);
    snap->lock_fd = -1;
    buf_release(&snap->key);
}

/* Two keys could have one name. */
static bool key_matches(const struct snapshot *snap)
{
    struct buf text = BUF_INIT(KEY_BYTES_MAX);
    char path[SERVER_PATH_BYTES + 16];
    bool same;

    snprintf(path, sizeof(path), "%s/" SNAPSHOT_KEY_FILE, snap->dir);
    same = !buf_read_file(&text, path, NULL) &&
           strcmp(buf_str(&text), buf_str(&snap->key)) == 0;
    buf_release(&text);
    return same;
}

/* As long as it is locked nobody drops it; false when it is not there. */
static bool lock_for_use(struct snapshot *snap)
{
    if (!key_matches(snap))
        return false;
    snap->lock_fd = open(snap->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return snap->lock_fd >= 0 && flock(snap->lock_fd, LOCK_SH) == 0 &&
           access(snap->data, F_OK) == 0;
}

enum rc snapshot_find(const struct server *s, const struct snapshot_key *key,
                      bool *out, struct err *err)
{
    struct snapshot snap;
    enum rc rc = snapshot_init(&snap, s, key, err);

    *out = !rc && key_matches(&snap);
    snapshot_release(&snap);
    return rc;
}

/* ---- taking ---- */

static tree_skip_fn *skip_of(const struct server *s)
{
    return s->state.kind == SERVER_POSTGRES ? wal_skip_postgres
                                            : wal_skip_mysql;
}

static void note(struct snapshot_done *out, const struct tree_copied *copied,
                 struct mono begun)
{
    *out = (struct snapshot_done){
        .n_bytes = copied->n_bytes,
        .skipped_bytes = copied->skipped_bytes,
        .shared = copied->n_shared > 0,
        .elapsed_ns = mono_since(clock_now(), begun),
    };
}

static enum rc no_room(const char *what, uint64_t need, uint64_t have,
                       const char *where, struct err *err)
{
    char need_text[SIZE_BYTES], have_text[SIZE_BYTES];

    format_bytes(need, need_text, sizeof(need_text));
    format_bytes(have, have_text, sizeof(have_text));
    return err_set(err, RC_DB_NO_SPACE,
                   "a snapshot of %s does not go into %s of '%s', %s",
                   need_text, what, where, have_text);
}

/* What the copy will take, about: of WAL two segments. */
static uint64_t size_of_copy(const struct server *s)
{
    const uint64_t all = tree_disk_bytes(s->data_dir);
    char wal[SERVER_PATH_BYTES];
    uint64_t skipped;

    snprintf(wal, sizeof(wal), "%s/pg_wal", s->data_dir);
    skipped = tree_disk_bytes(wal);
    return skipped > WAL_KEPT_BYTES ? all - skipped + WAL_KEPT_BYTES : all;
}

/* Makes room for it by dropping others. */
static enum rc make_room(const struct server *s, uint64_t need, uint64_t budget,
                         struct err *err)
{
    struct statvfs fs;
    uint64_t left;
    enum rc rc;

    if (statvfs(s->base, &fs))
        return err_errno(err, RC_IO, errno, "cannot look at the disk of '%s'",
                         s->base);
    if (budget == SNAPSHOT_BUDGET_DEFAULT)
        budget = (uint64_t)fs.f_blocks * fs.f_frsize / 4;
    if (budget == SNAPSHOT_BUDGET_NONE || need > budget)
        return no_room("the budget", need,
                       budget == SNAPSHOT_BUDGET_NONE ? 0 : budget, s->base,
                       err);
    rc = snapshot_trim(s->base, budget - need, err);
    if (rc || statvfs(s->base, &fs))
        return rc;
    left = (uint64_t)fs.f_bavail * fs.f_frsize;
    if (need + SPARE_BYTES > left)
        return no_room("what is free", need, left, s->base, err);
    return RC_OK;
}

/* Under another name until it is complete. */
static enum rc copy_data(struct snapshot *snap, const struct server *s,
                         struct tree_copied *copied, struct err *err)
{
    char making[SERVER_PATH_BYTES], path[SERVER_PATH_BYTES + 16];
    FILE *file;
    enum rc rc;

    snprintf(making, sizeof(making),
             "%.3800s/" SNAPSHOT_FOLDER "/" SERVER_NEW_PREFIX "%d", s->base,
             (int)getpid());
    rc = tree_remove(making, err);
    if (!rc)
        rc = tree_make(making, 0700, err);
    if (rc)
        return rc;
    snap->lock_fd = open(making, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (snap->lock_fd < 0 || flock(snap->lock_fd, LOCK_EX | LOCK_NB))
        rc = err_errno(err, RC_IO, errno, "cannot lock '%s'", making);
    snprintf(path, sizeof(path), "%s/data", making);
    if (!rc)
        rc = tree_copy(s->data_dir, path, skip_of(s), NULL, copied, err);
    snprintf(path, sizeof(path), "%s/" SNAPSHOT_KEY_FILE, making);
    file = rc ? NULL : fopen(path, "we");
    if (!rc && (!file || fputs(buf_str(&snap->key), file) < 0))
        rc = err_errno(err, RC_IO, errno, "cannot write '%s'", path);
    if (file && fclose(file) && !rc)
        rc = err_errno(err, RC_IO, errno, "cannot write '%s'", path);
    if (!rc)
        rc = tree_remove(snap->dir, err);
    if (!rc && rename(making, snap->dir))
        rc = err_errno(err, RC_IO, errno, "cannot make '%s'", snap->dir);
    if (rc && tree_remove(making, NULL))
        err_prefix(err, "'%s' is left behind", making);
    return rc;
}

enum rc snapshot_take(struct server *s, const struct snapshot_key *key,
                      uint64_t budget_bytes, struct snapshot_done *out,
                      struct err *err)
{
    struct tree_copied copied = {0};
    struct snapshot snap;
    struct mono begun;
    enum rc rc = snapshot_init(&snap, s, key, err);

    if (!rc)
        rc = server_stop(s, err);
    begun = clock_now();
    if (!rc)
        rc = make_room(s, size_of_copy(s), budget_bytes, err);
    if (!rc)
        rc = copy_data(&snap, s, &copied, err);
    note(out, &copied, begun);
    snapshot_release(&snap);
    return rc;
}

/* ---- restoring ---- */

/* The place of the data that is there is free by now. */
static enum rc check_room(const struct snapshot *snap, const struct server *s,
                          struct err *err)
{
    const uint64_t need = tree_disk_bytes(snap->data);
    char need_text[SIZE_BYTES], left_text[SIZE_BYTES];
    struct statvfs fs;
    uint64_t left;

    if (statvfs(s->base, &fs))
        return RC_OK;
    left = (uint64_t)fs.f_bavail * fs.f_frsize;
    if (need <= left)
        return RC_OK;
    format_bytes(need, need_text, sizeof(need_text));
    format_bytes(left, left_text, sizeof(left_text));
    return err_set(err, RC_DB_NO_SPACE,
                   "the disk is too small: the snapshot takes %s, but '%s' has "
                   "%s free",
                   need_text, s->base, left_text);
}

enum rc snapshot_restore(struct server *s, const struct snapshot_key *key,
                         struct snapshot_done *out, struct err *err)
{
    struct tree_copied copied = {0};
    struct snapshot snap;
    struct mono begun;
    enum rc rc = snapshot_init(&snap, s, key, err);

    if (!rc && !lock_for_use(&snap))
        rc = err_set(err, RC_NOT_FOUND, "there is no snapshot '%s'", snap.name);
    if (!rc)
        rc = server_stop(s, err);
    begun = clock_now();
    if (!rc)
        rc = server_forget_data(s, err);
    if (!rc)
        rc = check_room(&snap, s, err);
    if (!rc)
        rc = tree_copy(snap.data, s->data_dir, NULL, NULL, &copied, err);
    if (!rc) {
        /* What is still to be written would be written during the run. */
        tree_write_out(s->data_dir);
        rc = server_take_data(s, err);
    }
    if (!rc && futimens(snap.lock_fd, NULL))
        log_debug("the time of use of '%s' cannot be kept", snap.dir);
    note(out, &copied, begun);
    snapshot_release(&snap);
    return rc;
}

enum rc snapshot_drop(const struct server *s, const struct snapshot_key *key,
                      struct err *err)
{
    struct snapshot snap;
    enum rc rc = snapshot_init(&snap, s, key, err);

    if (!rc)
        rc = tree_remove(snap.dir, err);
    snapshot_release(&snap);
    return rc;
}
