/* SPDX-License-Identifier: MIT */
#include "run/run.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/stop.h"
#include "run/arrears.h"
#include "run/audit_run.h"
#include "run/crowd.h"
#include "run/follow.h"
#include "run/pacing.h"
#include "run/phases.h"
#include "run/script_report.h"
#include "run/verdict.h"

#include <stdio.h>
#include <string.h>

/* How long to wait for a connection to a database whose users had to be
 * cancelled. */
#define HUNG_LIMIT_NS (2 * NS_PER_S)

/* Everything that a run needs while it runs. */
struct run {
    struct session *session;
    const struct run_args *args;
    struct run_result *result;
    struct run_shared shared;
    struct sizes sizes;
    struct crowd crowd;
    struct follow follow;
    struct script_report script_report;
    struct telemetry telemetry;
};

static enum rc start_worker(void *arg, size_t worker, struct loop *loop,
                            struct err *err)
{
    struct run *run = arg;
    const enum rc rc = crowd_spawn(&run->crowd, worker, loop, err);

    if (!rc)
        mem_run_path_enter();
    return rc;
}

/* ---- telemetry ---- */

static uint64_t ended_so_far(const void *arg)
{
    const struct run *run = arg;
    struct recorder_sum sum = {0};

    for (size_t i = 0; i < run->crowd.n_workers; i++) {
        for (size_t txn = 0; txn < run->crowd.recorders[i].n_txns; txn++)
            recorder_sum_add(&sum, &run->crowd.recorders[i], txn);
    }
    return sum.life[COUNT_COMMITTED] + sum.life[COUNT_ROLLED_BACK] +
           sum.life[COUNT_FAILED] + sum.life[COUNT_UNKNOWN];
}

static enum rc begin_telemetry(struct run *run, struct err *err)
{
    const struct telemetry_args args = {
        .db = run->session->db,
        .host_probe = run->args->cfg->host_probe,
        .ended = ended_so_far,
        .ended_arg = run,
    };

    if (!run->args->cfg->telemetry)
        return RC_OK;
    return telemetry_init(&run->telemetry, &args, err);
}

static void end_telemetry(struct run *run)
{
    if (run->args->cfg->telemetry)
        telemetry_end(&run->telemetry, &run->result->telemetry);
}

/* ---- before and after, on a control connection ---- */

static void keep_fact(void *arg, const char *name, const char *value)
{
    struct run_result *r = arg;
    struct named_text *fact = &r->facts[r->n_facts];

    if (r->n_facts == RESULT_FACTS_MAX)
        return;
    for (size_t i = 0; i < r->n_facts; i++) {
        if (strcmp(r->facts[i].name, name) == 0)
            return;
    }
    fact->name = arena_strdup(&r->arena, name);
    fact->value = arena_strdup(&r->arena, value);
    r->n_facts += fact->name && fact->value;
}

/* The first call keeps the server's count, the second the change. */
static CORO_FN void count_server(struct conn *c, struct accounting *a)
{
    int64_t now;

    if (conn_commits(c, &now, NULL))
        return;
    a->server_commits = now - a->server_commits;
    a->server_counts = true;
}

static enum rc before(struct session *s, struct conn *c, void *arg,
                      struct err *err)
{
    struct run *run = arg;
    const struct workload *wl = s->ds.workload;
    enum rc rc;

    coro_assert_inside();
    rc = conn_facts(c, keep_fact, run->result, err);
    if (!rc && wl->run_begin)
        rc = wl->run_begin(&s->ds, c, run->sizes.n_users, err);
    if (!rc && wl->committed)
        rc = wl->committed(&s->ds, c, &run->result->accounting.db, err);
    if (!rc)
        count_server(c, &run->result->accounting);
    return rc;
}

static enum rc count_after(struct session *s, struct conn *c, void *arg,
                           struct err *err)
{
    struct run *run = arg;
    struct accounting *a = &run->result->accounting;
    int64_t now;
    enum rc rc;

    coro_assert_inside();
    count_server(c, a);
    if (s->ds.workload->run_end) {
        rc = s->ds.workload->run_end(&s->ds, c, err);
        if (rc)
            return rc;
    }
    if (!s->ds.workload->committed)
        return RC_OK;
    rc = s->ds.workload->committed(&s->ds, c, &now, err);
    a->db = now - a->db;
    return rc;
}

/* The change of the database's count against the client's commits, over the
 * whole life of the connections, read after they are closed. */
static enum rc account(struct run *run, struct err *err)
{
    struct run_result *r = run->result;
    const struct workload *wl = r->workload;
    struct accounting *a = &r->accounting;
    enum rc rc;

    for (size_t i = 0; i < r->n_txns; i++) {
        a->client_commits += (int64_t)r->txns[i].life.committed;
        a->client_completed += (int64_t)outcome_completed(&r->txns[i].life);
    }
    if (db_can(run->session->db, DRIVER_DISCARDS))
        return RC_OK;
    rc = session_call(run->session, count_after, run, err);
    if (rc)
        return rc;
    if (!wl->committed)
        return RC_OK;
    a->done = true;
    a->client = (int64_t)r->txns[wl->counted_txn].life.committed;
    a->unknown = (int64_t)r->txns[wl->counted_txn].life.unknown;
    a->difference = a->db - a->client;
    return RC_OK;
}

/* ---- the result ---- */

static enum rc describe(struct run *run, struct err *err)
{
    struct session *s = run->session;
    struct run_result *r = run->result;
    const struct workload *wl = s->ds.workload;

    r->workload = wl;
    r->composition = s->ds.composition;
    r->note = s->ds.note;
    if (!result_keep_own_sql(r))
        return err_set(err, RC_NOMEM, "no memory for the names of statements");
    r->target = s->target.shown;
    r->driver = s->db->driver->name;
    r->data_seed = s->ds.data_seed;
    r->no_database = db_can(s->db, DRIVER_DISCARDS);
    r->in_process =
        db_can(s->db, DRIVER_EMBEDDED) || db_can(s->db, DRIVER_DISCARDS);
    r->scale = s->ds.scale;
    r->seed = s->ds.seed;
    r->n_vus = run->sizes.n_users;
    r->n_conns = run->sizes.n_conns;
    r->n_threads = run->sizes.n_workers;
    r->shared_conns = !run->sizes.pinned;
    r->started_wall_us = clock_wall_us();
    r->n_txns = wl->n_txns;
    for (size_t i = 0; i < wl->n_txns; i++) {
        r->txns[i].type = &wl->txns[i];
        r->txns[i].response = hist_new();
        r->txns[i].service = hist_new();
        r->txns[i].wait = hist_new();
        if (!r->txns[i].response || !r->txns[i].service || !r->txns[i].wait)
            return err_set(err, RC_NOMEM, "no memory for the result");
    }
    return RC_OK;
}

static void keep_input(void *arg, const char *name, double value, uint64_t n)
{
    struct run_result *r = arg;

    if (r->n_inputs < RESULT_INPUTS_MAX)
        r->inputs[r->n_inputs++] =
            (struct named_value){.name = name, .value = value, .n = n};
}

/* NULL when there is no memory. */
static struct vu **list_vus(const struct run *run)
{
    struct vu **vus = mem_calloc(run->crowd.n_users, sizeof(*vus));

    for (size_t i = 0; vus && i < run->crowd.n_users; i++)
        vus[i] = run->crowd.users[i].vu;
    return vus;
}

static void collect_inputs(struct run *run, struct vu *const *vus)
{
    const struct dataset *ds = &run->session->ds;

    if (vus && ds->workload->inputs)
        ds->workload->inputs(ds, vus, run->crowd.n_users, keep_input,
                             run->result);
}

static void collect_users(struct run *run)
{
    struct run_result *r = run->result;

    r->fewest_of_a_user = UINT64_MAX;
    for (size_t i = 0; i < run->crowd.n_users; i++) {
        const struct user *u = &run->crowd.users[i];
        const uint64_t n =
            atomic_load_explicit(&u->n_measured, memory_order_relaxed);

        if (n < r->fewest_of_a_user)
            r->fewest_of_a_user = n;
        if (n > r->most_of_a_user)
            r->most_of_a_user = n;
        r->users_cancelled += u->cancelled;
    }
    for (size_t i = 0; i < run->crowd.n_links; i++) {
        const struct err *why = &run->crowd.links[i].err;

        if (why->rc && !r->complete && !r->partial_reason[0])
            snprintf(r->partial_reason, sizeof(r->partial_reason),
                     "the database is gone: %.*s", 200, why->text);
    }
}

static void collect_plan(struct run *run, const struct phases *p)
{
    const struct plan *plan = &run->shared.plan;
    struct run_result *r = run->result;

    r->pacing.factor = plan->pacing;
    pacing_judge(r);
    r->rate.planned = plan->open_loop;
    r->rate.behind_from_ns = -1;
    if (!plan->open_loop || !p->window_opened)
        return;
    r->rate.target_per_s =
        plan_starts(plan) * NS_PER_S / (double)plan->duration_ns;
    arrears_collect(run->crowd.workers, run->crowd.n_workers, p->opened,
                    p->closed, &r->rate);
}

static void collect_client(struct run *run, const struct phases *p)
{
    struct run_result *r = run->result;

    r->users_active = p->n_active;
    r->users_died =
        atomic_load_explicit(&run->shared.n_died, memory_order_relaxed);
    if (!p->window_opened)
        return;
    r->ramp_up_ns = mono_since(p->opened, p->begun);
    r->interval_ns = mono_since(p->closed, p->opened);
    r->client_cpu_ns = p->at_close.cpu_ns - p->at_open.cpu_ns;
    r->rss_start_bytes = p->at_open.rss_bytes;
    r->rss_end_bytes = p->at_close.rss_bytes;
    r->rss_peak_bytes = p->at_close.rss_peak_bytes;
    r->run_path_allocations =
        p->allocations_known ? p->allocations : UINT64_MAX;
}

/* Nobody has a connection any more, and not because the work is done. */
static bool server_gone(const struct run *run, const struct phases *p)
{
    return p->n_open == 0 && (!run->args->cfg->iterations || !p->window_full);
}

static void note_end(struct run *run, const struct phases *p)
{
    struct run_result *r = run->result;
    const size_t cap = sizeof(r->partial_reason);

    r->complete = !p->abort_rc && !p->stop_signal && !server_gone(run, p);
    if (p->stop_signal)
        snprintf(r->partial_reason, cap, "ended by signal %d", p->stop_signal);
    else if (run->args->brake && run->args->brake->rc)
        snprintf(r->partial_reason, cap, "%s", run->args->brake->text);
    else if (p->abort_rc)
        snprintf(r->partial_reason, cap, "ended by an error: %s",
                 rc_text(p->abort_rc));
}

/* Telemetry comes first, for the others take what it adds. */
static enum rc make_followers(struct run *run, struct err *err)
{
    const struct series_listener telemetry = {
        .interval = telemetry_interval,
        .arg = &run->telemetry,
    };
    struct series_listeners listeners = {.n = 0};
    const struct follow_args args = {
        .cfg = run->args->cfg,
        .quiet = run->args->quiet,
        .first = run->args->cfg->telemetry ? &telemetry : NULL,
        .listeners = &listeners,
        .recorders = run->crowd.recorders,
        .n_recorders = run->crowd.n_workers,
        .workload = run->session->ds.workload,
    };
    enum rc rc;

    if (run->args->listeners)
        listeners = *run->args->listeners;
    rc = script_report_init(&run->script_report, &run->session->ds, &run->crowd,
                            &listeners, err);
    return rc ? rc : follow_init(&run->follow, &args, err);
}

static enum rc work(struct run *run, struct phases *p, struct err *err)
{
    struct mono begun;
    struct crew *crew;
    enum rc rc = follow_begin(&run->follow, run->result, err);

    if (!rc)
        rc = begin_telemetry(run, err);
    if (rc)
        return rc;
    begun = clock_now();
    /* Counted runs are measured from their first transaction on, which may be
     * over before this thread goes on. */
    if (run->args->cfg->iterations)
        atomic_store_explicit(&run->shared.window_start_ns, begun.ns,
                              memory_order_relaxed);
    run->shared.begun = begun;
    rc = crew_new(run->crowd.n_workers, start_worker, run, &crew, err);
    if (rc) {
        end_telemetry(run);
        return rc;
    }
    *p = (struct phases){
        .shared = &run->shared,
        .crew = crew,
        .workers = run->crowd.workers,
        .n_workers = run->crowd.n_workers,
        .series = run->follow.series,
        .telemetry = run->args->cfg->telemetry ? &run->telemetry : NULL,
        .brake = run->args->brake ? &run->args->brake->rc : NULL,
        .begun = begun,
    };
    phases_run(p);
    end_telemetry(run);
    rc = crew_error(crew, err);
    if (crew_running(crew) == 0)
        run->result->lag = crew_lag(crew);
    run->result->users_abandoned = crew_free(crew);
    return rc;
}

static void collect(struct run *run, const struct phases *p)
{
    struct run_result *r = run->result;
    struct vu **vus = list_vus(run);
    struct err err = {0};
    bool unreachable = false;

    note_end(run, p);
    for (size_t i = 0; i < run->crowd.n_workers; i++)
        recorder_collect(&run->crowd.recorders[i], r);
    collect_users(run);
    collect_client(run, p);
    collect_plan(run, p);
    r->outage = p->outage.result;
    follow_collect(&run->follow, r);
    collect_inputs(run, vus);
    /* With users stuck in the database another connection may be stuck too. */
    if (r->users_abandoned)
        goto out;
    if (p->hung)
        run->session->connect_limit_ns = HUNG_LIMIT_NS;
    if (account(run, &err)) {
        log_warn("the accounting could not be made: %s", err.text);
        /* One wait for a database that does not answer is enough. */
        unreachable = err.rc == RC_TIMEOUT || err.rc == RC_DB_GONE ||
                      err.rc == RC_CANCELLED;
    }
    audit_run(run->session,
              &(struct audit_args){
                  .cfg = run->args->cfg,
                  .vus = vus,
                  .n_vus = run->crowd.n_users,
                  .why_not = unreachable ? &err : NULL,
                  .quiet = run->args->quiet,
              },
              r);
out:
    mem_free(vus);
}

/* What is cheap.  A database that cannot be asked will say so itself. */
static void look_first(struct run *run)
{
    const struct preflight_args args = {
        .session = run->session,
        .results = run->args->results,
        .n_conns = run->crowd.n_links,
    };
    struct err err = {0};

    if (preflight_look(&args, &run->result->preflight, &err))
        log_debug("check: %s", err.text);
}

static enum rc make_plan(struct run *run, struct err *err)
{
    const struct sizes_args args = {
        .cfg = run->args->cfg,
        .plan = &run->shared.plan,
        .threads = run->args->threads,
    };
    const struct sizes *z = &run->sizes;
    enum rc rc = plan_make(run->args->cfg, &run->shared.plan, err);

    if (!rc)
        rc = sizes_find(run->session, &args, &run->sizes, err);
    if (rc)
        return rc;
    run->session->db->expected_conns = (unsigned)z->n_conns;
    run->shared.n_users = z->n_users;
    run->shared.n_conns = z->n_conns;
    run->shared.n_workers = z->n_workers;
    run->shared.pinned = z->pinned;
    run->shared.planned =
        run->shared.plan.open_loop || run->shared.plan.pacing > 0;
    run->shared.late_limit_ns = arrears_limit_ns(&run->shared.plan);
    return RC_OK;
}

enum rc run_workload(struct session *s, const struct run_args *args,
                     struct run_result *result, struct err *err)
{
    struct run *run = mem_calloc_aligned(1, sizeof(*run));
    struct phases phases = {0};
    enum rc rc;

    if (!run)
        return err_set(err, RC_NOMEM, "no memory for a run");
    *run = (struct run){
        .session = s,
        .args = args,
        .result = result,
        .shared = {.cfg = args->cfg,
                   .session = s,
                   .window_start_ns = INT64_MAX,
                   .window_end_ns = INT64_MAX},
    };
    rc = make_plan(run, err);
    if (!rc)
        rc = describe(run, err);
    if (!rc)
        look_first(run);
    if (!rc)
        rc = session_call(s, before, run, err);
    if (!rc)
        rc = crowd_init(&run->crowd, &run->shared, &run->sizes, err);
    if (!rc)
        rc = make_followers(run, err);
    if (!rc)
        rc = work(run, &phases, err);
    if (!rc) {
        collect(run, &phases);
        script_report_end(&run->script_report);
        verdict_reach(result, args->cfg, phases.window_full);
    }
    /* Abandoned threads may still touch their users, and what they share. */
    if (!result_abandoned(result)) {
        follow_release(&run->follow);
        script_report_release(&run->script_report);
        crowd_release(&run->crowd);
        mem_free(run);
    }
    return rc;
}
