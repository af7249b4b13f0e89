/* SPDX-License-Identifier: MIT */
#include "run/crowd.h"

#include "base/mem.h"

/* How many of n things, dealt out in turn, the i-th of n_hands gets. */
static size_t dealt(size_t n, size_t i, size_t n_hands)
{
    return n / n_hands + (i < n % n_hands);
}

static enum rc init_workers(struct crowd *crowd, struct run_shared *shared,
                            struct err *err)
{
    const size_t n_txns = shared->session->ds.workload->n_txns;
    struct link *links = crowd->links;
    enum rc rc = RC_OK;

    for (size_t i = 0; i < crowd->n_links; i++)
        link_init(&crowd->links[i]);
    for (size_t i = 0; !rc && i < crowd->n_workers; i++) {
        struct worker *w = &crowd->workers[i];
        const size_t n = dealt(crowd->n_links, i, crowd->n_workers);

        w->shared = shared;
        w->recorder = &crowd->recorders[i];
        w->n_users = dealt(crowd->n_users, i, crowd->n_workers);
        pool_init(&w->pool, links, n);
        schedule_init(&w->schedule, &shared->plan, shared->session->ds.seed, i,
                      crowd->n_workers);
        links += n;
        rc = recorder_init(w->recorder, n_txns, err);
        if (!rc && shared->cfg->statement_stats) {
            w->recorder->steps = step_stats_new();
            if (!w->recorder->steps)
                rc = err_set(err, RC_NOMEM, "no memory for the statements");
        }
    }
    return rc;
}

static enum rc init_users(struct crowd *crowd, const struct run_cfg *cfg,
                          struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < crowd->n_users; i++) {
        struct user *u = &crowd->users[i];

        rc = user_init(u, &crowd->workers[i % crowd->n_workers], i, err);
        u->iterations_left = UINT64_MAX;
        /* Shared out before, so that the count is exact and the work of each
         * user the same every time. */
        if (cfg->iterations)
            u->iterations_left = dealt(cfg->iterations, i, crowd->n_users);
    }
    return rc;
}

enum rc crowd_init(struct crowd *crowd, struct run_shared *shared,
                   const struct sizes *sizes, struct err *err)
{
    enum rc rc;

    *crowd = (struct crowd){
        .users = mem_calloc_aligned(sizes->n_users, sizeof(struct user)),
        .workers = mem_calloc_aligned(sizes->n_workers, sizeof(struct worker)),
        .recorders =
            mem_calloc_aligned(sizes->n_workers, sizeof(struct recorder)),
        .links = mem_calloc_aligned(sizes->n_conns, sizeof(struct link)),
    };
    if (!crowd->users || !crowd->workers || !crowd->recorders || !crowd->links)
        return err_set(err, RC_NOMEM, "no memory for %zu users",
                       sizes->n_users);
    crowd->n_users = sizes->n_users;
    crowd->n_workers = sizes->n_workers;
    crowd->n_links = sizes->n_conns;
    rc = init_workers(crowd, shared, err);
    return rc ? rc : init_users(crowd, shared->cfg, err);
}

void crowd_release(struct crowd *crowd)
{
    for (size_t i = 0; i < crowd->n_users; i++)
        user_release(&crowd->users[i]);
    for (size_t i = 0; i < crowd->n_workers; i++)
        recorder_release(&crowd->recorders[i]);
    for (size_t i = 0; i < crowd->n_links; i++)
        link_release(&crowd->links[i]);
    mem_free(crowd->users);
    mem_free(crowd->workers);
    mem_free(crowd->recorders);
    mem_free(crowd->links);
    *crowd = (struct crowd){0};
}

enum rc crowd_spawn(struct crowd *crowd, size_t worker, struct loop *loop,
                    struct err *err)
{
    struct worker *w = &crowd->workers[worker];

    if (w->shared->plan.open_loop)
        schedule_begin(&w->schedule, w->shared->begun, 0);
    for (size_t i = worker; i < crowd->n_users; i += crowd->n_workers) {
        const enum rc rc = loop_spawn(loop, user_main, &crowd->users[i], err);

        if (rc)
            return rc;
    }
    return RC_OK;
}
