/* SPDX-License-Identifier: MIT */
#include "run/load.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/parse.h"
#include "base/stop.h"
#include "engine/crew.h"
#include "run/config.h"

#include <pthread.h>
#include <stdatomic.h>

/* On a terminal the bar moves five times a second; elsewhere a line each ten
 * seconds is enough. */
#define BAR_NS (200 * NS_PER_MS)
#define LINE_NS (10 * NS_PER_S)
#define BAR_CELLS 24
/* After a request to stop: for the rows under way, and then for a connection
 * to clean up on. */
#define STOP_GRACE_NS (3 * NS_PER_S)

/* Shared by the loader threads. */
struct loader {
    struct session *session;
    size_t n_chunks;
    _Atomic size_t next_chunk;
    _Atomic uint64_t n_rows; /* relaxed: only for progress */
    _Atomic bool stop;       /* relaxed: seen soon is enough */
    pthread_mutex_t lock;    /* of the first error */
    enum rc rc;
    struct err err;
};

static void loader_fail(struct loader *l, enum rc rc, const struct err *err)
{
    pthread_mutex_lock(&l->lock);
    if (!l->rc) {
        l->rc = rc;
        l->err = *err;
    }
    pthread_mutex_unlock(&l->lock);
    atomic_store_explicit(&l->stop, true, memory_order_relaxed);
}

static CORO_FN enum rc load_chunks(struct loader *l, struct conn *c,
                                   struct err *err)
{
    struct dataset *ds = &l->session->ds;

    for (;;) {
        const size_t chunk =
            atomic_fetch_add_explicit(&l->next_chunk, 1, memory_order_relaxed);
        enum rc rc;

        if (chunk >= l->n_chunks)
            return RC_OK;
        if (atomic_load_explicit(&l->stop, memory_order_relaxed))
            return RC_OK;
        rc = ds->workload->load_chunk(ds, chunk, c, &l->n_rows, &l->stop, err);
        if (rc)
            return rc;
    }
}

static void loader_main(void *arg)
{
    struct loader *l = arg;
    struct conn *c = NULL;
    struct err err = {0};
    enum rc rc;

    coro_assert_inside();
    rc = conn_open(l->session->db, loop_current(), &c, &err);
    if (!rc)
        rc = load_chunks(l, c, &err);
    if (rc)
        loader_fail(l, rc, &err);
    conn_close(c);
}

static enum rc loader_start(void *arg, size_t worker, struct loop *loop,
                            struct err *err)
{
    (void)worker;
    return loop_spawn(loop, loader_main, arg, err);
}

static void show_progress(const struct loader *l, uint64_t total,
                          struct mono start)
{
    const uint64_t n = atomic_load_explicit(&l->n_rows, memory_order_relaxed);
    const int64_t ns = mono_since(clock_now(), start);
    const uint64_t us = (uint64_t)(ns / NS_PER_US) + 1;
    const uint64_t pct = total ? n * 100 / total : 100;
    const uint64_t left_s =
        n > 0 && n < total ? us * (total - n) / n / 1000000 : 0;
    char bar[BAR_CELLS + 1], rows[32], rate[32];

    for (size_t i = 0; i < BAR_CELLS; i++)
        bar[i] = i < pct * BAR_CELLS / 100 ? '#' : '.';
    bar[BAR_CELLS] = '\0';
    format_count(n, rows, sizeof(rows));
    format_count(n * 1000000 / us, rate, sizeof(rate));
    log_progress("loading [%s] %3llu %%  %s rows  %s rows/s  ETA %llu s", bar,
                 (unsigned long long)(pct > 100 ? 100 : pct), rows, rate,
                 (unsigned long long)left_s);
}

/* Waits for the loaders, showing how far they are. */
static void watch(struct loader *l, struct crew *crew,
                  const struct load_args *args, struct mono start)
{
    const uint64_t total = l->session->ds.workload->n_rows(&l->session->ds);
    const int64_t every = log_is_terminal() ? BAR_NS : LINE_NS;
    struct mono next = mono_add(start, every);
    struct mono give_up = MONO_NEVER;

    while (crew_running(crew) > 0) {
        const struct mono slice = mono_add(clock_now(), BAR_NS);

        if (crew_wait(crew, slice) == RC_OK)
            break;
        if (stop_requested() && give_up.ns == MONO_NEVER.ns) {
            atomic_store_explicit(&l->stop, true, memory_order_relaxed);
            give_up = mono_add(clock_now(), STOP_GRACE_NS);
        }
        if (clock_now().ns > give_up.ns) {
            l->session->connect_limit_ns = STOP_GRACE_NS;
            crew_cancel(crew);
        }
        if (args->quiet || clock_now().ns < next.ns)
            continue;
        show_progress(l, total, start);
        next = mono_add(next, every);
    }
    if (args->quiet)
        return;
    show_progress(l, total, start);
    log_progress_end();
}

static enum rc run_loaders(struct session *s, const struct load_args *args,
                           struct loader *l, struct mono start, struct err *err)
{
    size_t n = (size_t)(args->threads ? args->threads : cores_available());
    struct crew *crew = NULL;
    enum rc rc;

    l->n_chunks = s->ds.workload->n_chunks(&s->ds);
    if (n > l->n_chunks)
        n = l->n_chunks;
    rc = crew_new(n, loader_start, l, &crew, err);
    if (rc)
        return rc;
    watch(l, crew, args, start);
    rc = crew_error(crew, err);
    (void)crew_free(crew);
    if (rc)
        return rc;
    if (l->rc && l->rc != RC_CANCELLED) {
        if (err)
            *err = l->err;
        return l->rc;
    }
    if (l->rc || atomic_load_explicit(&l->stop, memory_order_relaxed))
        return err_set(err, RC_CANCELLED, "loading was interrupted");
    return RC_OK;
}

static enum rc begin(struct session *s, struct conn *c, void *arg,
                     struct err *err)
{
    (void)arg;
    coro_assert_inside();
    return s->ds.workload->load_begin(&s->ds, c, err);
}

static enum rc end(struct session *s, struct conn *c, void *arg,
                   struct err *err)
{
    enum rc rc;

    (void)arg;
    coro_assert_inside();
    rc = s->ds.workload->load_end(&s->ds, c, err);
    if (!rc)
        rc = conn_settle(c, err);
    return rc;
}

static enum rc drop(struct session *s, struct conn *c, void *arg,
                    struct err *err)
{
    (void)arg;
    coro_assert_inside();
    return s->ds.workload->drop(&s->ds, c, err);
}

enum rc drop_dataset(struct session *s, struct err *err)
{
    if (!s->ds.workload->drop)
        return err_set(err, RC_NOT_FOUND, "workload '%s' has no data",
                       s->ds.workload->name);
    return session_call(s, drop, NULL, err);
}

/* Nothing is left behind; why the load failed stays the error. */
static void clean_up(struct session *s)
{
    struct err drop_err = {0};
    bool removed = false;
    enum rc rc = db_discard(s->db, &removed, &drop_err);

    if (!rc && !removed)
        rc = drop_dataset(s, &drop_err);
    if (rc == RC_NOT_FOUND)
        return;
    if (rc)
        log_warn("what was loaded so far could not be removed: %s; remove it "
                 "with 'dyno drop %s'",
                 drop_err.text, s->ds.workload->name);
    else
        log_info("what was loaded so far has been removed");
}

enum rc load_dataset(struct session *s, const struct load_args *args,
                     struct load_result *out, struct err *err)
{
    struct loader l = {
        .session = s,
        .lock = PTHREAD_MUTEX_INITIALIZER,
    };
    const struct mono start = clock_now();
    char rows[32], took[32], scale[48];
    enum rc rc;

    scale_text(&s->ds, s->ds.scale, scale, sizeof(scale));
    rc = session_call(s, begin, NULL, err);
    if (!rc)
        rc = run_loaders(s, args, &l, start, err);
    if (!rc)
        rc = session_call(s, end, NULL, err);
    out->rows = atomic_load_explicit(&l.n_rows, memory_order_relaxed);
    out->elapsed_ns = mono_since(clock_now(), start);
    format_count(out->rows, rows, sizeof(rows));
    format_duration(out->elapsed_ns, took, sizeof(took));
    if (rc) {
        err_prefix(err, "loading %s, after %s rows in %s", scale, rows, took);
        clean_up(s);
        return rc;
    }
    if (!args->quiet)
        log_info("loaded %s: %s rows in %s", scale, rows, took);
    return RC_OK;
}
