/* SPDX-License-Identifier: MIT */
#include "run/load.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/stop.h"
#include "engine/crew.h"
#include "run/config.h"
#include "run/load_progress.h"
#include "run/load_space.h"
#include "workload/marker.h"

#include <pthread.h>

/* How often the loaders are looked at. */
#define LOOK_NS (50 * NS_PER_MS)
/* After a wish to stop: for the rows under way, before the statements that run
 * are cancelled, and then before the loops are.  With the looks well under a
 * second: in what is left of it connections close and tables are dropped. */
#define STOP_GRACE_NS (50 * NS_PER_MS)
#define CANCEL_GRACE_NS (400 * NS_PER_MS)
/* For a connection to clean up on, when the database hangs. */
#define CLEAN_UP_NS (3 * NS_PER_S)

struct loader;

/* One thread.  The lock keeps the connection from being closed while another
 * thread cancels what it does. */
struct lane {
    struct loader *loader;
    pthread_mutex_t lock;
    struct conn *conn;
};

/* Shared by the loader threads. */
struct loader {
    struct session *session;
    size_t phase, n_pieces;
    _Atomic size_t next_piece;
    struct load_tally tally;
    struct load_progress progress;
    struct lane *lanes;
    size_t n_lanes;
    pthread_mutex_t lock; /* of the first error */
    enum rc rc;
    struct err err;
};

/* The others stop too. */
static void loader_fail(struct loader *l, enum rc rc, const struct err *err)
{
    pthread_mutex_lock(&l->lock);
    if (!l->rc) {
        l->rc = rc;
        l->err = *err;
    }
    pthread_mutex_unlock(&l->lock);
    atomic_store_explicit(&l->tally.stop, true, memory_order_relaxed);
}

/* ---- the threads ---- */

static CORO_FN enum rc load_pieces(struct loader *l, struct conn *c,
                                   struct err *err)
{
    struct dataset *ds = &l->session->ds;

    for (;;) {
        const size_t piece =
            atomic_fetch_add_explicit(&l->next_piece, 1, memory_order_relaxed);
        enum rc rc;

        if (piece >= l->n_pieces || load_stopped(&l->tally))
            return RC_OK;
        rc = ds->workload->load_piece(ds, l->phase, piece, c, &l->tally, err);
        if (rc)
            return rc;
        atomic_fetch_add_explicit(&l->tally.n_pieces, 1, memory_order_relaxed);
    }
}

static void set_conn(struct lane *lane, struct conn *c)
{
    pthread_mutex_lock(&lane->lock);
    lane->conn = c;
    pthread_mutex_unlock(&lane->lock);
}

static void lane_main(void *arg)
{
    struct lane *lane = arg;
    struct loader *l = lane->loader;
    struct conn *c = NULL;
    struct err err = {0};
    enum rc rc;

    coro_assert_inside();
    rc = conn_open(l->session->db, loop_current(), &c, &err);
    set_conn(lane, c);
    if (!rc)
        rc = load_pieces(l, c, &err);
    if (rc)
        loader_fail(l, rc, &err);
    set_conn(lane, NULL);
    conn_close(c);
}

static enum rc lane_start(void *arg, size_t worker, struct loop *loop,
                          struct err *err)
{
    struct loader *l = arg;

    return loop_spawn(loop, lane_main, &l->lanes[worker], err);
}

/* ---- the thread that waits for them ---- */

/* Long statements, such as the making of an index, do not see the wish. */
static void cancel_all(struct loader *l)
{
    for (size_t i = 0; i < l->n_lanes; i++) {
        pthread_mutex_lock(&l->lanes[i].lock);
        if (l->lanes[i].conn)
            conn_cancel(l->lanes[i].conn);
        pthread_mutex_unlock(&l->lanes[i].lock);
    }
}

static void watch(struct loader *l, struct crew *crew)
{
    struct mono cancel_at = MONO_NEVER, give_up = MONO_NEVER;

    while (crew_running(crew) > 0) {
        if (crew_wait(crew, mono_add(clock_now(), LOOK_NS)) == RC_OK)
            break;
        if (stop_requested())
            atomic_store_explicit(&l->tally.stop, true, memory_order_relaxed);
        if (load_stopped(&l->tally) && give_up.ns == MONO_NEVER.ns) {
            cancel_at = mono_add(clock_now(), STOP_GRACE_NS);
            give_up = mono_add(cancel_at, CANCEL_GRACE_NS);
        }
        if (clock_now().ns > cancel_at.ns) {
            cancel_at = MONO_NEVER;
            cancel_all(l);
        }
        if (clock_now().ns > give_up.ns) {
            l->session->connect_limit_ns = CLEAN_UP_NS;
            crew_cancel(crew);
        }
        load_progress_look(&l->progress, &l->tally, clock_now());
    }
    load_progress_end(&l->progress, &l->tally, clock_now());
}

static enum rc outcome(struct loader *l, struct err *err)
{
    if (stop_requested() || l->rc == RC_CANCELLED)
        return err_set(err, RC_CANCELLED, "loading was interrupted");
    if (l->rc && err)
        *err = l->err;
    return l->rc;
}

static enum rc run_phase(struct loader *l, const struct load_phase *phase,
                         struct err *err)
{
    struct crew *crew = NULL;
    const size_t n =
        l->n_lanes < phase->n_pieces ? l->n_lanes : phase->n_pieces;
    enum rc rc;

    if (n == 0)
        return RC_OK;
    l->n_pieces = phase->n_pieces;
    l->next_piece = 0;
    l->tally.n_pieces = 0;
    load_progress_phase(&l->progress, phase, clock_now());
    rc = crew_new(n, lane_start, l, &crew, err);
    if (rc)
        return rc;
    watch(l, crew);
    rc = crew_error(crew, err);
    (void)crew_free(crew);
    return rc ? rc : outcome(l, err);
}

static enum rc run_phases(struct loader *l, const struct load_args *args,
                          struct err *err)
{
    const struct dataset *ds = &l->session->ds;
    struct load_phase phase;
    enum rc rc = RC_OK;

    load_progress_init(
        &l->progress, ds->workload->n_rows(ds),
        atomic_load_explicit(&l->tally.n_rows, memory_order_relaxed),
        args->quiet);
    for (l->phase = 0; !rc && ds->workload->load_phase(ds, l->phase, &phase);
         l->phase++)
        rc = run_phase(l, &phase, err);
    return rc;
}

/* ---- before and after ---- */

static enum rc begin(struct session *s, struct conn *c, void *arg,
                     struct err *err)
{
    struct loader *l = arg;

    coro_assert_inside();
    return s->ds.workload->load_begin(&s->ds, c, l->n_lanes, err);
}

static enum rc resume(struct session *s, struct conn *c, void *arg,
                      struct err *err)
{
    struct loader *l = arg;

    coro_assert_inside();
    return s->ds.workload->load_resume(&s->ds, c, &l->tally, err);
}

static enum rc verify(struct session *s, struct conn *c, void *arg,
                      struct err *err)
{
    (void)arg;
    coro_assert_inside();
    return s->ds.workload->verify_begin(&s->ds, c, err);
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
    enum rc rc;

    if (!s->ds.workload->drop)
        return err_set(err, RC_NOT_FOUND, "workload '%s' has no data",
                       s->ds.workload->name);
    rc = session_call(s, drop, NULL, err);
    if (rc == RC_DB_NO_SPACE && db_can(s->db, DRIVER_EMBEDDED))
        err_prefix(err, "the disk is full, and dropping needs some room first: "
                        "make room, or remove the file and those beside it "
                        "(-wal, -shm) yourself");
    return rc;
}

/* Nothing is left behind; why the load failed stays the error. */
static void clean_up(struct session *s)
{
    struct err drop_err = {0};
    bool removed = false;
    enum rc rc = db_discard(s->db, &removed, &drop_err);

    /* Of files only those are removed that this load has written. */
    if (!rc && !removed && db_can(s->db, DRIVER_FILES))
        return;
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

/* Nothing was begun: a file that was made by opening it goes, no more. */
static void undo_opening(struct session *s)
{
    bool removed = false;

    if (db_discard(s->db, &removed, NULL))
        log_warn("the empty database stays where it is");
}

/* Hours of work are not thrown away because of the last minute. */
static void keep_or_clean_up(struct loader *l, const struct load_args *args)
{
    struct session *s = l->session;
    const size_t n_kept =
        atomic_load_explicit(&l->tally.n_kept, memory_order_relaxed);

    if ((n_kept == 0 && !args->resume) || !marker_resumes(s->ds.workload))
        clean_up(s);
    else
        log_info("what was loaded so far is kept: go on with 'dyno load %s "
                 "--db %s --continue', or remove it with 'dyno drop %s --db "
                 "%s'",
                 s->ds.workload->name, s->target.word, s->ds.workload->name,
                 s->target.word);
}

static enum rc make_lanes(struct loader *l, const struct load_args *args,
                          struct err *err)
{
    l->n_lanes = (size_t)(args->threads ? args->threads : cores_available());
    l->lanes = MEM_ARRAY(struct lane, l->n_lanes);
    if (!l->lanes)
        return err_set(err, RC_NOMEM, "no memory for %zu loaders", l->n_lanes);
    for (size_t i = 0; i < l->n_lanes; i++) {
        l->lanes[i].loader = l;
        pthread_mutex_init(&l->lanes[i].lock, NULL);
    }
    return RC_OK;
}

static void free_lanes(struct loader *l)
{
    for (size_t i = 0; l->lanes && i < l->n_lanes; i++)
        pthread_mutex_destroy(&l->lanes[i].lock);
    mem_free(l->lanes);
}

static enum rc load_all(struct loader *l, const struct load_args *args,
                        struct err *err)
{
    struct session *s = l->session;
    enum rc rc = session_call(s, args->resume ? resume : begin, l, err);

    /* What is there and cannot be gone on with is left as it is. */
    if (rc && args->resume)
        return rc;
    if (!rc)
        rc = run_phases(l, args, err);
    if (!rc)
        rc = session_call(s, end, NULL, err);
    if (rc)
        keep_or_clean_up(l, args);
    return rc;
}

static enum rc probe(struct session *s, struct conn *c, void *arg,
                     struct err *err)
{
    (void)arg;
    coro_assert_inside();
    return s->ds.workload->load_probe(&s->ds, c, err);
}

enum rc load_check(struct session *s, const struct load_args *args,
                   struct err *err)
{
    const struct workload *wl = s->ds.workload;
    enum rc rc = wl->load_check ? wl->load_check(&s->ds, err) : RC_OK;

    if (!rc && wl->load_probe && !args->resume &&
        !db_can(s->db, DRIVER_DISCARDS))
        rc = session_call(s, probe, NULL, err);
    if (!rc && !args->any_disk && !args->resume)
        rc = load_space_check(s, args->quiet, args->beside_bytes, err);
    return rc;
}

enum rc load_dataset(struct session *s, const struct load_args *args,
                     struct load_result *out, struct err *err)
{
    struct loader l = {.session = s, .lock = PTHREAD_MUTEX_INITIALIZER};
    const struct mono start = clock_now();
    char rows[32], took[32], scale[48];
    enum rc rc = RC_OK;

    if (!args->checked)
        rc = load_check(s, args, err);
    if (rc)
        undo_opening(s);
    else
        rc = make_lanes(&l, args, err);
    if (rc)
        return rc;
    rc = load_all(&l, args, err);
    free_lanes(&l);
    scale_text(&s->ds, s->ds.scale, scale, sizeof(scale));
    out->rows = atomic_load_explicit(&l.tally.n_rows, memory_order_relaxed);
    out->elapsed_ns = mono_since(clock_now(), start);
    format_count(out->rows, rows, sizeof(rows));
    format_duration(out->elapsed_ns, took, sizeof(took));
    if (rc) {
        err_prefix(err, "loading %s, after %s rows in %s", scale, rows, took);
        return rc;
    }
    if (!args->quiet)
        log_info("loaded %s: %s rows in %s", scale, rows, took);
    return RC_OK;
}

enum rc verify_dataset(struct session *s, const struct load_args *args,
                       struct err *err)
{
    struct loader l = {.session = s, .lock = PTHREAD_MUTEX_INITIALIZER};
    enum rc rc;

    s->ds.verify = true;
    rc = make_lanes(&l, args, err);
    if (rc)
        return rc;
    rc = session_call(s, verify, NULL, err);
    if (!rc)
        rc = run_phases(&l, args, err);
    free_lanes(&l);
    return rc;
}
