/* SPDX-License-Identifier: MIT */
/* Servers that are there: found, opened, removed. */
#include "base/mem.h"
#include "base/parse.h"
#include "lab/server_int.h"
#include "lab/tree.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define NAMES_MAX 256

/* ---- opening ---- */

static enum rc no_such_server(const struct server *s, struct err *err)
{
    char texts[NAMES_MAX][SERVER_NAME_MAX + 1];
    const char *names[NAMES_MAX];
    DIR *dir = opendir(s->base);
    const struct dirent *e;
    const char *near;
    size_t n = 0;

    /* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is ours alone */
    while (dir && n < NAMES_MAX && (e = readdir(dir))) {
        if (server_check_name(e->d_name, NULL))
            continue;
        snprintf(texts[n], sizeof(texts[n]), "%.*s", SERVER_NAME_MAX,
                 e->d_name);
        names[n] = texts[n];
        n++;
    }
    if (dir)
        closedir(dir);
    near = nearest_name(s->name, names, n);
    return err_set(err, RC_NOT_FOUND, "there is no server '%s' in '%s'%s%s%s",
                   s->name, s->base,
                   near ? "; did you mean '"
                        : "; 'dyno server list' shows what there is",
                   near ? near : "", near ? "'?" : "");
}

static enum rc take_state(struct server *s, struct err *err)
{
    static const char *const nobody[] = {NULL};
    enum rc rc = server_state_read(s, err);

    if (rc)
        return rc;
    s->kind = server_kind_of((enum server_kind)s->state.kind);
    if (geteuid() == 0 && s->state.run_as) {
        rc = child_user_find(s->state.run_as, nobody, &s->user, err);
        if (rc)
            return rc;
    }
    return s->kind->make_urls(s, err);
}

enum rc server_look(const char *base, const char *name, struct server **out,
                    struct err *err)
{
    struct server *s = server_new();
    enum rc rc;

    if (!s)
        return err_set(err, RC_NOMEM, "no memory for a server");
    opt_set_init(&s->known);
    s->name = arena_strdup(&s->arena, name);
    rc = s->name ? server_find_base(s, base, err) : RC_NOMEM;
    if (!rc)
        rc = server_set_paths(s, err);
    if (!rc && access(s->dir, F_OK))
        rc = no_such_server(s, err);
    if (!rc)
        rc = take_state(s, err);
    if (rc) {
        server_close(s);
        return rc;
    }
    *out = s;
    return RC_OK;
}

enum rc server_find(const char *base, const char *name, struct server **out,
                    struct err *err)
{
    const enum rc rc = server_check_name(name, err);

    return rc ? rc : server_look(base, name, out, err);
}

enum rc server_open(const char *base, const char *name, struct server **out,
                    struct err *err)
{
    struct server *s = NULL;
    enum rc rc = server_find(base, name, &s, err);

    if (!rc)
        rc = server_lock(s, s->dir, err);
    if (rc) {
        server_close(s);
        return rc;
    }
    *out = s;
    return RC_OK;
}
/* A folder that has no state yet has nothing else either. */
static enum rc remove_new(const char *base, const char *name, struct err *err)
{
    struct server *s = server_new();
    enum rc rc;

    if (!s)
        return err_set(err, RC_NOMEM, "no memory for a server");
    opt_set_init(&s->known);
    s->name = name;
    rc = server_find_base(s, base, err);
    if (!rc)
        rc = server_set_paths(s, err);
    if (!rc)
        rc = server_lock(s, s->dir, err);
    if (!rc)
        rc = tree_remove(s->dir, err);
    server_close(s);
    return rc;
}

enum rc server_remove(const char *base, const char *name, struct err *err)
{
    struct server *s;
    enum rc rc;

    if (strncmp(name, SERVER_NEW_PREFIX, strlen(SERVER_NEW_PREFIX)) == 0 &&
        !strchr(name, '/'))
        return remove_new(base, name, err);
    rc = server_open(base, name, &s, err);
    if (rc)
        return rc;
    rc = server_destroy(s, err);
    server_close(s);
    return rc;
}
