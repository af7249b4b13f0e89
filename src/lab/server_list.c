/* SPDX-License-Identifier: MIT */
/* Which servers there are, whoever made them, and what became of them. */
#include "base/mem.h"
#include "lab/server_int.h"
#include "lab/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define LIST_MAX 4096

const char *const server_status_names[] = {
    [SERVER_RUNNING] = "running",
    [SERVER_STOPPED] = "stopped",
    [SERVER_LEFT_BEHIND] = "left behind",
    [SERVER_UNFINISHED] = "unfinished",
};

/* A dyno holds its lock. */
static bool is_busy(const char *dir)
{
    const int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool busy;

    if (fd < 0)
        return false;
    busy = flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
    close(fd);
    return busy;
}

static bool is_new(const char *name)
{
    return strncmp(name, SERVER_NEW_PREFIX, strlen(SERVER_NEW_PREFIX)) == 0;
}

static enum server_status status_of(const struct server *s,
                                    const struct server_info *info)
{
    if (is_new(s->name))
        return SERVER_UNFINISHED;
    if (!s->state.keep && !info->busy)
        return SERVER_LEFT_BEHIND;
    if (!s->state.made && !info->busy)
        return SERVER_UNFINISHED;
    return info->running ? SERVER_RUNNING : SERVER_STOPPED;
}

/* A folder without a state that can be read is none of ours, or was not
 * finished. */
static enum rc tell(const char *base, const char *name, server_info_fn *fn,
                    void *arg, struct err *err)
{
    char dir[SERVER_PATH_BYTES];
    struct server_info info = {
        .name = name, .kind = "", .version = "", .preset = "", .dir = dir};
    struct server *s = NULL;
    enum rc rc;

    snprintf(dir, sizeof(dir), "%s/%s", base, name);
    info.busy = is_busy(dir);
    if (server_look(base, name, &s, NULL)) {
        if (!is_new(name))
            return RC_OK;
        info.status = SERVER_UNFINISHED;
        return fn(arg, &info, err);
    }
    info.kind = s->kind->name;
    info.version = s->state.version ? s->state.version : "";
    info.preset = server_preset_names[s->state.preset];
    info.url = s->url;
    info.pid = server_pid(s);
    info.running = info.pid != 0;
    info.port = s->state.port;
    info.disk_bytes = tree_disk_bytes(dir);
    info.status = status_of(s, &info);
    rc = fn(arg, &info, err);
    server_close(s);
    return rc;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static enum rc tell_all(DIR *dir, const char *base, struct arena *arena,
                        server_info_fn *fn, void *arg, struct err *err)
{
    const char **names = ARENA_ARRAY(arena, const char *, LIST_MAX);
    const struct dirent *e;
    size_t n = 0;
    enum rc rc = names ? RC_OK : err_set(err, RC_NOMEM, "out of memory");

    /* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is ours alone */
    while (!rc && n < LIST_MAX && (e = readdir(dir))) {
        if (server_check_name(e->d_name, NULL) && !is_new(e->d_name))
            continue;
        names[n] = arena_strdup(arena, e->d_name);
        if (!names[n++])
            rc = err_set(err, RC_NOMEM, "out of memory");
    }
    if (!rc)
        qsort(names, n, sizeof(*names), by_name);
    for (size_t i = 0; !rc && i < n; i++)
        rc = tell(base, names[i], fn, arg, err);
    return rc;
}

enum rc server_list(const char *base, server_info_fn *fn, void *arg,
                    struct err *err)
{
    struct arena arena = ARENA_INIT(SERVER_ARENA_MAX);
    DIR *dir = NULL;
    enum rc rc = RC_OK;

    if (!base)
        base = server_base(&arena);
    dir = base ? opendir(base) : NULL;
    if (dir)
        rc = tell_all(dir, base, &arena, fn, arg, err);
    else if (base && errno != ENOENT)
        rc = err_errno(err, RC_IO, errno, "cannot read '%s'", base);
    if (dir)
        closedir(dir);
    arena_release(&arena);
    return rc;
}
