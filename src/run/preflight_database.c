/* SPDX-License-Identifier: MIT */
/* The database and the way to it, on a connection of its own. */
#include "base/asset.h"
#include "base/log.h"
#include "base/parse.h"
#include "run/config.h"
#include "run/preflight_int.h"
#include "run/session.h"
#include "stats/hist.h"
#include "telemetry/monitor.h"

#include <inttypes.h>
#include <stdio.h>

#define FOLDER "check"
#define ARENA_BYTES ((size_t)1 << 20)
/* At most so many, and for so long. */
#define PINGS_FULL 1000
#define PINGS_QUICK 50
#define PINGS_FULL_NS (500 * NS_PER_MS)
#define PINGS_QUICK_NS (50 * NS_PER_MS)
#define COMMITS_FULL 100
#define COMMITS_QUICK 10
#define COMMITS_FULL_NS (2 * NS_PER_S)
#define COMMITS_QUICK_NS (100 * NS_PER_MS)
/* A network of some milliseconds measures the network. */
#define FAR_NS (2 * NS_PER_MS)
/* A commit that waits longer than this waits for a disk. */
#define SYNC_NS (1 * NS_PER_MS)
/* Connections of dyno's own beside the users': control, claim, telemetry. */
#define CONNS_SPARE 3

struct look {
    const struct preflight_args *args;
    struct preflight *out;
    struct arena arena;
    struct conn *conn;
    bool embedded;
    int64_t round_trip_ns; /* p50; -1: not measured */
};

struct timing {
    int64_t min_ns, p50_ns;
    uint64_t n;
};

/* ---- SQL ---- */

static const struct asset *file_of(const struct look *l, const char *name)
{
    char path[128];

    snprintf(path, sizeof(path), "sql/" FOLDER "/%s/%s.sql",
             l->conn->driver->dialect, name);
    return asset_find(path);
}

/* NULL, without an error, when there is no such file. */
static enum rc load(struct look *l, const char *name, struct step **out,
                    struct err *err)
{
    *out = NULL;
    if (!file_of(l, name))
        return RC_OK;
    *out = ARENA_NEW(&l->arena, struct step);
    if (!*out)
        return err_set(err, RC_NOMEM, "out of memory");
    return step_load(&l->arena, FOLDER, l->conn->driver, name, *out, err);
}

/* What the server does not understand, or forbids, is left out; only a lost
 * connection is an error. */
static enum rc forgive(struct look *l, enum rc rc, const struct err *err)
{
    if (!rc || l->conn->gone || rc == RC_CANCELLED)
        return rc;
    log_debug("check: %s", err->text);
    return RC_OK;
}

/* *out is empty when there is no answer. */
static CORO_FN enum rc ask(struct look *l, const char *name, size_t n_cols,
                           struct rowset *out, struct err *err)
{
    struct step *step;
    enum rc rc = load(l, name, &step, err);

    *out = (struct rowset){0};
    if (rc || !step)
        return rc;
    rc = conn_query(l->conn, step, NULL, 0, out, err);
    if (!rc && out->n_cols == n_cols)
        return RC_OK;
    *out = (struct rowset){0};
    return forgive(l, rc, err);
}

/* A text of a row as text of ours. */
static const char *text_at(const struct rowset *rows, size_t row, size_t col,
                           char *out, size_t out_len)
{
    const struct value *v = rowset_at(rows, row, col);

    if (v->type == VALUE_TEXT)
        snprintf(out, out_len, "%.*s", (int)v->len, v->s);
    else
        snprintf(out, out_len, "-");
    return out;
}

/* ---- times ---- */

static CORO_FN enum rc time_step(struct look *l, const struct step *step,
                                 uint64_t n_max, int64_t limit_ns,
                                 struct timing *out, struct err *err)
{
    const struct mono until = mono_add(clock_now(), limit_ns);
    struct hist *times = hist_new();
    enum rc rc = RC_OK;

    *out = (struct timing){.min_ns = INT64_MAX};
    if (!times)
        return err_set(err, RC_NOMEM, "out of memory");
    /* Prepared, and warm. */
    rc = conn_query(l->conn, step, NULL, 0, NULL, err);
    while (!rc && out->n < n_max && clock_now().ns < until.ns) {
        const struct mono begun = clock_now();
        int64_t ns;

        rc = conn_query(l->conn, step, NULL, 0, NULL, err);
        ns = mono_since(clock_now(), begun);
        hist_record(times, ns);
        if (ns < out->min_ns)
            out->min_ns = ns;
        out->n++;
    }
    if (out->n > 0)
        out->p50_ns = hist_percentile(times, 50);
    hist_free(times);
    return rc;
}

static CORO_FN enum rc check_round_trip(struct look *l, struct err *err)
{
    const bool full = l->args->full;
    char p50[32], min[32];
    struct timing t;
    struct step *step;
    struct finding *f;
    enum rc rc = load(l, "round_trip", &step, err);

    if (rc || !step)
        return rc;
    rc = time_step(l, step, full ? PINGS_FULL : PINGS_QUICK,
                   full ? PINGS_FULL_NS : PINGS_QUICK_NS, &t, err);
    if (rc || t.n == 0)
        return forgive(l, rc, err);
    l->round_trip_ns = t.p50_ns;
    format_duration(t.p50_ns, p50, sizeof(p50));
    format_duration(t.min_ns, min, sizeof(min));
    f = preflight_add(l->out, l->embedded ? "call" : "round_trip",
                      "%s (p50 of %" PRIu64 "), %s at least", p50, t.n, min);
    if (t.p50_ns > FAR_NS && !l->embedded)
        preflight_warn(f,
                       "a transaction waits for the network as often as it "
                       "has round trips, so the network is measured",
                       "run dyno nearer to the server, or use a composition "
                       "with few round trips");
    return RC_OK;
}

static void found_commit(struct look *l, const struct timing *t)
{
    const int64_t trip_ns = l->round_trip_ns > 0 ? l->round_trip_ns : 0;
    const int64_t own_ns = t->p50_ns > trip_ns ? t->p50_ns - trip_ns : 0;
    char p50[32], own[32];
    struct finding *f;

    format_duration(t->p50_ns, p50, sizeof(p50));
    format_duration(own_ns, own, sizeof(own));
    f = preflight_add(l->out, "commit",
                      "%s (p50 of %" PRIu64 "), %s without the %s", p50, t->n,
                      own, l->embedded ? "call" : "round trip");
    if (own_ns > SYNC_NS)
        preflight_warn(f,
                       "a commit waits for the disk: with few connections the "
                       "sync of the disk is measured, not the database",
                       "use enough users for commits to share a sync, or a "
                       "faster disk; say so beside the numbers");
}

static CORO_FN enum rc run_script(struct look *l, const struct asset *file,
                                  struct err *err)
{
    return conn_script(l->conn, file->data, file->len, NULL, err);
}

static void not_measured(struct look *l, const struct err *err)
{
    preflight_add(l->out, "commit", "not measured: %.90s", err->text);
}

/* With a table of its own where one is needed: made, used, removed. */
static CORO_FN enum rc time_commits(struct look *l, struct timing *out,
                                    struct err *err)
{
    const struct asset *make = file_of(l, "commit_prepare");
    const struct asset *drop = file_of(l, "commit_remove");
    const bool full = l->args->full;
    struct step *step;
    struct err why = {0};
    enum rc rc = load(l, "commit", &step, err);

    *out = (struct timing){0};
    if (rc || !step || (make && !full))
        return rc;
    if (make)
        rc = run_script(l, make, err);
    if (rc)
        return rc;
    rc = time_step(l, step, full ? COMMITS_FULL : COMMITS_QUICK,
                   full ? COMMITS_FULL_NS : COMMITS_QUICK_NS, out, err);
    if (make && drop && run_script(l, drop, &why)) {
        struct finding *f =
            preflight_add(l->out, "leftover", "%.100s", why.text);

        preflight_warn(f, "the table of this check could not be removed",
                       "drop table dyno_check_scratch yourself");
    }
    return rc;
}

static CORO_FN enum rc check_commit(struct look *l, struct err *err)
{
    struct err why = {0};
    struct timing t;
    const enum rc rc = time_commits(l, &t, &why);

    if (!rc) {
        if (t.n > 0)
            found_commit(l, &t);
        return RC_OK;
    }
    if (l->conn->gone || rc == RC_CANCELLED) {
        if (err)
            *err = why;
        return rc;
    }
    not_measured(l, &why);
    return RC_OK;
}

/* ---- what the server says ---- */

static CORO_FN enum rc check_settings(struct look *l, struct err *err)
{
    struct rowset rows;
    const enum rc rc = ask(l, "settings", 4, &rows, err);

    for (size_t i = 0; !rc && i < rows.n_rows; i++) {
        char name[40], value[100], why[200], advice[200];
        struct finding *f;

        text_at(&rows, i, 1, value, sizeof(value));
        f = preflight_add(l->out, text_at(&rows, i, 0, name, sizeof(name)),
                          "%s", value);
        preflight_warn(f, text_at(&rows, i, 2, why, sizeof(why)),
                       text_at(&rows, i, 3, advice, sizeof(advice)));
    }
    return rc;
}

static CORO_FN enum rc check_limits(struct look *l, struct err *err)
{
    struct rowset rows;
    const enum rc rc = ask(l, "limits", 3, &rows, err);
    int64_t allowed, reserved, used, left;
    struct finding *f;

    if (rc || rows.n_rows != 1)
        return rc;
    allowed = rowset_at(&rows, 0, 0)->i;
    reserved = rowset_at(&rows, 0, 1)->i;
    used = rowset_at(&rows, 0, 2)->i;
    /* Ours is among those in use, and ends. */
    left = allowed - reserved - used + 1;
    f = preflight_add(l->out, "connections",
                      "%" PRId64 " allowed, %" PRId64 " reserved, %" PRId64
                      " in use",
                      allowed, reserved, used);
    if (left < (int64_t)l->args->n_conns + CONNS_SPARE)
        preflight_warn(f, "a run needs one for each user, and some of its own",
                       "use fewer connections, or raise the server's limit");
    return RC_OK;
}

static CORO_FN enum rc check_data_disk(struct look *l, struct err *err)
{
    struct rowset rows;
    char path[1024];
    const enum rc rc = ask(l, "data_directory", 1, &rows, err);

    if (!rc && rows.n_rows == 1 && rowset_at(&rows, 0, 0)->type == VALUE_TEXT &&
        *text_at(&rows, 0, 0, path, sizeof(path)) == '/')
        preflight_disk(l->out, "data_disk", path);
    return rc;
}

static CORO_FN enum rc check_place(struct look *l, struct err *err)
{
    struct procs_server server;
    struct err why = {0};
    struct finding *f;

    if (l->embedded) {
        preflight_add(l->out, "server", "none: the database is in dyno");
        return check_data_disk(l, err);
    }
    if (monitor_find_server(l->conn, &l->arena, &server, &why)) {
        preflight_add(l->out, "server", "on another machine, as far as known");
        return l->conn->gone ? err_set(err, RC_DB_GONE, "%s", why.text) : RC_OK;
    }
    f = preflight_add(l->out, "server", "on this machine, process %d (%s)",
                      server.root, server.name);
    preflight_warn(f,
                   "dyno and the server compete for its CPU: the numbers "
                   "are those of both together",
                   "use another machine for dyno, or compare only runs that "
                   "share it alike");
    return check_data_disk(l, err);
}

static enum rc look(struct session *s, struct conn *c, void *arg,
                    struct err *err)
{
    struct look *l = arg;
    enum rc rc;

    (void)s;
    coro_assert_inside();
    l->conn = c;
    rc = check_place(l, err);
    if (!rc)
        rc = check_limits(l, err);
    if (!rc)
        rc = check_round_trip(l, err);
    if (!rc)
        rc = check_commit(l, err);
    if (!rc)
        rc = check_settings(l, err);
    return rc;
}

enum rc preflight_database(const struct preflight_args *args,
                           struct preflight *out, struct err *err)
{
    struct look l = {
        .args = args,
        .out = out,
        .embedded = db_can(args->session->db, DRIVER_EMBEDDED),
        .round_trip_ns = -1,
    };
    enum rc rc;

    arena_init(&l.arena, ARENA_BYTES);
    rc = session_call(args->session, look, &l, err);
    arena_release(&l.arena);
    return rc;
}
