/* SPDX-License-Identifier: MIT */
/*
 * Files of the user's own in place of embedded ones.  Set once, before a second
 * thread starts, so that asset_find() needs no lock.
 */
#include "base/arena.h"
#include "base/asset.h"
#include "base/buf.h"
#include "base/parse.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ARENA_MAX_BYTES (64U << 20)
#define FILE_MAX_BYTES (1U << 20)
/* Embedded names have fewer folders; a loop of links ends here. */
#define DEPTH_MAX 8

static struct {
    struct arena arena;
    struct asset *list; /* asset_count places, sorted by name */
    size_t n;
    uint64_t hash;
} overrides;

/* What reads a folder. */
struct reader {
    const char *dir, *root;
    struct err *err;
};

const struct asset *asset_override_find(const char *name)
{
    for (size_t i = 0; i < overrides.n; i++) {
        if (strcmp(overrides.list[i].name, name) == 0)
            return &overrides.list[i];
    }
    return NULL;
}

const struct asset *asset_override_at(size_t i)
{
    return i < overrides.n ? &overrides.list[i] : NULL;
}

uint64_t asset_override_hash(void)
{
    return overrides.hash;
}

static enum rc no_memory(const struct reader *r)
{
    return err_set(r->err, RC_NOMEM, "%s: no memory for its files", r->dir);
}

/* The names below root, for a message. */
static enum rc unknown_file(const struct reader *r, const char *path)
{
    const size_t root_len = strlen(r->root);
    const char **names =
        ARENA_ARRAY(&overrides.arena, const char *, asset_count);
    const char *near;
    size_t n = 0;

    if (!names)
        return no_memory(r);
    for (size_t i = 0; i < asset_count; i++) {
        if (strncmp(asset_table[i].name, r->root, root_len) == 0)
            names[n++] = asset_table[i].name + root_len;
    }
    near = nearest_name(path, names, n);
    return err_set(r->err, RC_USAGE,
                   "%s/%s replaces nothing: there is no such embedded file%s%s"
                   "%s",
                   r->dir, path, near ? "; did you mean '" : "",
                   near ? near : "", near ? "'?" : "");
}

static enum rc add_file(const struct reader *r, const char *path)
{
    struct arena *arena = &overrides.arena;
    struct buf text = BUF_INIT(FILE_MAX_BYTES);
    const char *name = arena_printf(arena, "%s%s", r->root, path);
    const char *full = arena_printf(arena, "%s/%s", r->dir, path);
    struct asset asset = {.name = name};
    enum rc rc = RC_OK;

    if (!name || !full)
        return no_memory(r);
    if (!asset_find(name))
        return unknown_file(r, path);
    rc = buf_read_file(&text, full, r->err);
    if (!rc && (text.len == 0 || memchr(text.data, 0, text.len)))
        rc = err_set(r->err, RC_USAGE, "%s: %s", full,
                     text.len ? "not text" : "the file is empty");
    if (!rc) {
        asset.len = text.len;
        asset.data = arena_strndup(arena, buf_str(&text), text.len);
        rc = asset.data ? RC_OK : no_memory(r);
    }
    if (!rc)
        overrides.list[overrides.n++] = asset;
    buf_release(&text);
    return rc;
}

/* path is below the folder, "" or "tpcc". */
static enum rc add_folder(const struct reader *r, const char *path, int depth);

static enum rc add_entry(const struct reader *r, const char *path, int depth)
{
    const char *full = arena_printf(&overrides.arena, "%s/%s", r->dir, path);
    struct stat st;

    if (!full)
        return no_memory(r);
    if (stat(full, &st))
        return err_errno(r->err, RC_IO, errno, "cannot read '%s'", full);
    return S_ISDIR(st.st_mode) ? add_folder(r, path, depth + 1)
                               : add_file(r, path);
}

/* Hidden files are those of editors and version control. */
static enum rc add_entries(const struct reader *r, DIR *list, const char *path,
                           int depth)
{
    struct dirent *entry;
    enum rc rc = RC_OK;

    /* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is this call's own */
    while (!rc && (entry = readdir(list)) != NULL) {
        const char *below;

        if (entry->d_name[0] == '.')
            continue;
        below = arena_printf(&overrides.arena, "%s%s%s", path, *path ? "/" : "",
                             entry->d_name);
        rc = below ? add_entry(r, below, depth) : no_memory(r);
    }
    return rc;
}

static enum rc add_folder(const struct reader *r, const char *path, int depth)
{
    const char *full = arena_printf(&overrides.arena, "%s%s%s", r->dir,
                                    *path ? "/" : "", path);
    DIR *list;
    enum rc rc;

    if (!full)
        return no_memory(r);
    if (depth > DEPTH_MAX)
        return err_set(r->err, RC_USAGE, "'%s': too many folders", full);
    list = opendir(full);
    if (!list)
        return err_errno(r->err, RC_USAGE, errno, "cannot read the folder '%s'",
                         full);
    rc = add_entries(r, list, path, depth);
    closedir(list);
    return rc;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct asset *)a)->name,
                  ((const struct asset *)b)->name);
}

/* FNV-1a over names and texts, each with its NUL. */
static uint64_t hash_of_all(void)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < overrides.n; i++) {
        const struct asset *a = &overrides.list[i];
        const char *const parts[] = {a->name, a->data};

        for (size_t k = 0; k < ARRAY_LEN(parts); k++) {
            const size_t len = strlen(parts[k]) + 1;

            for (size_t at = 0; at < len; at++)
                hash = (hash ^ (unsigned char)parts[k][at]) *
                       UINT64_C(0x100000001b3);
        }
    }
    return hash;
}

enum rc asset_override(const char *dir, const char *root, struct err *err)
{
    const struct reader reader = {.dir = dir, .root = root, .err = err};
    enum rc rc;

    asset_override_none();
    arena_init(&overrides.arena, ARENA_MAX_BYTES);
    overrides.list = ARENA_ARRAY(&overrides.arena, struct asset, asset_count);
    rc = overrides.list ? add_folder(&reader, "", 0) : no_memory(&reader);
    if (!rc && overrides.n == 0)
        rc = err_set(err, RC_USAGE, "there is no file in '%s'", dir);
    if (rc) {
        asset_override_none();
        return rc;
    }
    qsort(overrides.list, overrides.n, sizeof(*overrides.list), by_name);
    overrides.hash = hash_of_all();
    return RC_OK;
}

void asset_override_none(void)
{
    arena_release(&overrides.arena);
    overrides.list = NULL;
    overrides.n = 0;
    overrides.hash = 0;
}
