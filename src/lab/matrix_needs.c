/* SPDX-License-Identifier: MIT */
#include "lab/matrix_needs.h"

#include "base/clock.h"
#include "base/parse.h"
#include "driver/driver.h"
#include "lab/matrix_loop.h"
#include "lab/server.h"
#include "workload/workload.h"

#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Start, audit, report; stop and restore. */
#define BESIDE_NS (10 * NS_PER_S)
/* What runs write beside what was loaded. */
#define GROWTH_PERCENT 30
#define ARENA_MAX ((size_t)65536)

/* Data of one's own is there twice: as it is used, and as a snapshot. */
struct cell_needs {
    uint64_t disk_bytes;
    int64_t load_ns;
    bool known, local;
};

static const char *driver_name(const struct matrix_server *s, char *out,
                               size_t out_len)
{
    if (!s->url)
        snprintf(out, out_len, "%s", s->kind);
    else
        snprintf(out, out_len, "%.*s", (int)strcspn(s->url, ":"), s->url);
    return out;
}

static uint64_t scale_of(const struct matrix *m, const struct matrix_cell *cell,
                         const struct workload *wl)
{
    const char *text = matrix_cell_option(m, cell, wl->scale_name);
    uint64_t scale = wl->default_scale > 0 ? wl->default_scale : 1;

    if (text && parse_u64(text, &scale, NULL))
        scale = 1;
    return scale;
}

static struct cell_needs cell_needs(const struct matrix *m,
                                    const struct matrix_cell *cell)
{
    const struct workload *wl = workload_find(m->workload);
    const struct matrix_server *s = cell->server;
    struct cell_needs out = {.local = !s->url};
    struct load_needs needs = {.seconds = 0};
    char name[32];
    struct db db = {.driver = driver_find(driver_name(s, name, sizeof(name)))};
    struct dataset ds = {.workload = wl, .db = &db};

    out.known = !wl->scale_name;
    if (!wl->scale_name || !wl->load_needs || !db.driver)
        return out;
    ds.scale = scale_of(m, cell, wl);
    out.known = wl->load_needs(&ds, &needs);
    if (!out.known)
        return out;
    out.load_ns = (int64_t)needs.seconds * NS_PER_S;
    out.disk_bytes = needs.data_bytes + needs.log_bytes +
                     needs.data_bytes / 100 * GROWTH_PERCENT;
    if (!s->url && m->fresh)
        out.disk_bytes += needs.data_bytes;
    return out;
}

/* The nearest folder above that is there. */
static bool free_space(const char *path, char *where, size_t where_len,
                       uint64_t *out)
{
    struct statvfs fs;
    char *slash;

    snprintf(where, where_len, "%s", path);
    while (statvfs(where, &fs)) {
        slash = strrchr(where, '/');
        if (!slash || slash == where)
            return false;
        *slash = '\0';
    }
    *out = (uint64_t)fs.f_bavail * fs.f_frsize;
    return true;
}

/* Of dyno's own servers and their snapshots. */
static void look_at_disk(struct matrix_needs *out)
{
    struct arena arena = ARENA_INIT(ARENA_MAX);
    const char *base = server_base(&arena);

    if (!base ||
        !free_space(base, out->where, sizeof(out->where), &out->free_bytes))
        out->where[0] = '\0';
    arena_release(&arena);
}

enum rc matrix_needs_find(const struct matrix_plan *plan,
                          struct matrix_needs *out, struct err *err)
{
    bool any_own = false;

    (void)err;
    *out = (struct matrix_needs){.least_bytes = UINT64_MAX};
    for (size_t k = 0; k < plan->n_runs; k++) {
        const struct matrix_cell *cell = plan->runs[k].cell;
        const struct cell_needs needs = cell_needs(plan->m, cell);

        out->time_ns += matrix_cell_ns(plan->m, cell) + BESIDE_NS;
        /* A snapshot is made once, and copied in a fraction of the time. */
        if (plan->m->fresh && (cell->server->url || plan->runs[k].repeat == 1))
            out->time_ns += needs.load_ns;
        out->n_unknown += !needs.known;
        if (!needs.local)
            continue;
        any_own = true;
        if (needs.disk_bytes > out->disk_bytes)
            out->disk_bytes = needs.disk_bytes;
        if (needs.disk_bytes < out->least_bytes)
            out->least_bytes = needs.disk_bytes;
    }
    if (!any_own)
        out->least_bytes = 0;
    if (any_own)
        look_at_disk(out);
    return RC_OK;
}

enum rc matrix_needs_check(const struct matrix_plan *plan, struct err *err)
{
    struct matrix_needs needs;
    char need[32], have[32];
    enum rc rc = matrix_needs_find(plan, &needs, err);

    if (rc || !needs.where[0] || needs.least_bytes <= needs.free_bytes)
        return rc;
    format_bytes(needs.least_bytes, need, sizeof(need));
    format_bytes(needs.free_bytes, have, sizeof(have));
    return err_set(err, RC_DB_NO_SPACE,
                   "%s: the disk is too small for even one of the runs: the "
                   "smallest needs about %s, '%s' has %s free; make room, "
                   "choose a smaller scale, or another folder with "
                   "DYNO_SERVERS",
                   plan->m->tree.path, need, needs.where, have);
}
