/* SPDX-License-Identifier: MIT */
/* Which snapshots there are; the budget. */
#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "lab/server_int.h"
#include "lab/snapshot.h"
#include "lab/snapshot_int.h"
#include "lab/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIST_MAX 1024
#define LIST_BYTES_MAX ((size_t)16 << 20)

/* Somebody restores it or makes it. */
static bool is_used(const char *path)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool used;

    if (fd < 0)
        return false;
    used = flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
    close(fd);
    return used;
}

static int by_use(const void *a, const void *b)
{
    const struct snapshot_info *x = a, *y = b;

    if (x->used_wall_s != y->used_wall_s)
        return x->used_wall_s < y->used_wall_s ? -1 : 1;
    return strcmp(x->name, y->name);
}

static bool is_new(const char *name)
{
    return strncmp(name, SERVER_NEW_PREFIX, strlen(SERVER_NEW_PREFIX)) == 0;
}

static bool look(const char *folder, const char *name, struct arena *arena,
                 struct snapshot_info *out)
{
    struct stat st, key;
    const char *key_path;

    out->name = arena_strdup(arena, name);
    out->path = arena_printf(arena, "%s/%s", folder, name);
    if (!out->name || !out->path || lstat(out->path, &st) ||
        !S_ISDIR(st.st_mode))
        return false;
    key_path = arena_printf(arena, "%s/" SNAPSHOT_KEY_FILE, out->path);
    if (key_path && lstat(key_path, &key) == 0)
        out->made_wall_s = key.st_mtim.tv_sec;
    else if (is_new(name))
        out->made_wall_s = st.st_mtim.tv_sec;
    else
        return false; /* not ours */
    out->disk_bytes = tree_disk_bytes(out->path);
    out->used_wall_s = st.st_mtim.tv_sec;
    out->busy = is_used(out->path);
    return true;
}

/* *out and the texts are in the arena. */
static enum rc read_all(const char *base, struct arena *arena,
                        struct snapshot_info **out, size_t *out_n,
                        struct err *err)
{
    const char *folder;
    const struct dirent *e;
    DIR *dir;

    *out = NULL;
    *out_n = 0;
    if (!base)
        base = server_base(arena);
    if (!base)
        return RC_OK;
    folder = arena_printf(arena, "%s/" SNAPSHOT_FOLDER, base);
    *out = ARENA_ARRAY(arena, struct snapshot_info, LIST_MAX);
    if (!folder || !*out)
        return err_set(err, RC_NOMEM, "out of memory");
    dir = opendir(folder);
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is ours alone */
    while (dir && *out_n < LIST_MAX && (e = readdir(dir))) {
        if (!tree_is_dots(e->d_name))
            *out_n += look(folder, e->d_name, arena, &(*out)[*out_n]);
    }
    if (dir)
        closedir(dir);
    qsort(*out, *out_n, sizeof(**out), by_use);
    return RC_OK;
}

enum rc snapshot_list(const char *base, snapshot_info_fn *fn, void *arg,
                      struct err *err)
{
    struct arena arena = ARENA_INIT(LIST_BYTES_MAX);
    struct snapshot_info *all;
    size_t n = 0;
    enum rc rc = read_all(base, &arena, &all, &n, err);

    for (size_t i = 0; !rc && i < n; i++)
        rc = fn(arg, &all[i], err);
    arena_release(&arena);
    return rc;
}

static enum rc not_there(const struct snapshot_info *all, size_t n,
                         const char *name, struct err *err)
{
    const char *names[LIST_MAX], *near;

    for (size_t i = 0; i < n; i++)
        names[i] = all[i].name;
    near = nearest_name(name, names, n);
    if (near)
        return err_set(err, RC_NOT_FOUND,
                       "there is no snapshot '%.160s'; did you mean '%s'?",
                       name, near);
    return err_set(err, RC_NOT_FOUND,
                   "there is no snapshot '%.160s'; 'dyno server snapshots' "
                   "lists what there is",
                   name);
}

/* Copies that did not end are of no use to anybody. */
static bool is_torn(const struct snapshot_info *s)
{
    return !s->busy && is_new(s->name);
}

enum rc snapshot_trim(const char *base, uint64_t most_bytes, struct err *err)
{
    struct arena arena = ARENA_INIT(LIST_BYTES_MAX);
    struct snapshot_info *all;
    uint64_t sum = 0;
    size_t n = 0;
    enum rc rc = read_all(base, &arena, &all, &n, err);

    for (size_t i = 0; !rc && i < n; i++)
        sum += all[i].disk_bytes;
    for (size_t i = 0; !rc && i < n; i++) {
        if (all[i].busy || (sum <= most_bytes && !is_torn(&all[i])))
            continue;
        log_info("dropping the snapshot '%s'", all[i].name);
        rc = tree_remove(all[i].path, err);
        sum -= all[i].disk_bytes;
    }
    arena_release(&arena);
    return rc;
}

static enum rc remove_one(const char *base, const char *name, struct err *err)
{
    struct arena arena = ARENA_INIT(LIST_BYTES_MAX);
    struct snapshot_info *all;
    size_t n = 0, i = 0;
    enum rc rc = read_all(base, &arena, &all, &n, err);

    while (!rc && i < n && strcmp(all[i].name, name) != 0)
        i++;
    if (!rc && i == n)
        rc = not_there(all, n, name, err);
    else if (!rc && all[i].busy)
        rc = err_set(err, RC_BUSY, "a dyno uses the snapshot '%s' now", name);
    else if (!rc)
        rc = tree_remove(all[i].path, err);
    arena_release(&arena);
    return rc;
}

/* The folder of snapshots goes with the last one, and what was kept for it. */
static void tidy(const char *base)
{
    struct arena arena = ARENA_INIT(LIST_BYTES_MAX);
    const char *folder;

    if (!base)
        base = server_base(&arena);
    folder = base ? arena_printf(&arena, "%s/" SNAPSHOT_FOLDER, base) : NULL;
    if (folder && rmdir(folder) == 0)
        server_base_tidy(base);
    arena_release(&arena);
}

enum rc snapshot_remove(const char *base, const char *name, struct err *err)
{
    const enum rc rc =
        name ? remove_one(base, name, err) : snapshot_trim(base, 0, err);

    if (!rc)
        tidy(base);
    return rc;
}
