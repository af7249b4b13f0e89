/* SPDX-License-Identifier: MIT */
#include "run/verdict.h"

#include <stdio.h>

/* A client that uses more of its cores than this may be what was measured. */
#define CLIENT_BOUND_SHARE 0.8
/* The same of one thread; and how late timers may be on average. */
#define CLIENT_BOUND_THREAD 0.9
#define CLIENT_BOUND_LAG_NS (1 * NS_PER_MS)

static bool accounting_holds(const struct accounting *a)
{
    return !a->done || (a->difference >= 0 && a->difference <= a->unknown);
}

static bool too_many_failed(const struct outcome_counts *sum,
                            const struct run_cfg *cfg)
{
    const uint64_t ended = outcome_ended(sum);

    return ended > 0 && (double)sum->failed > cfg->max_failed * (double)ended;
}

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* Says why; "" when dyno was not the limit.  Each of its threads serves its
 * own users, so one that is busy all the time is enough. */
static void find_client_bound(struct run_result *r)
{
    const uint64_t cores =
        r->n_threads < cores_available() ? r->n_threads : cores_available();
    const struct client_sum *c = &r->telemetry.client;
    const double used = share_of((double)r->client_cpu_ns,
                                 (double)cores * (double)r->interval_ns);
    const double busiest = share_of((double)c->busiest_ns, (double)c->span.ns);
    const int64_t lag_ns = r->lag.n > 0 ? r->lag.sum_ns / (int64_t)r->lag.n : 0;
    char *why = r->client_bound;

    why[0] = '\0';
    if (r->in_process)
        return;
    if (used > CLIENT_BOUND_SHARE)
        snprintf(why, sizeof(r->client_bound),
                 "dyno used %.0f %% of the CPU that its threads can have",
                 100 * used);
    else if (busiest > CLIENT_BOUND_THREAD)
        snprintf(why, sizeof(r->client_bound),
                 "one of dyno's threads used %.0f %% of a core", 100 * busiest);
    else if (lag_ns > CLIENT_BOUND_LAG_NS)
        snprintf(why, sizeof(r->client_bound),
                 "dyno's timers were served %.1f ms late on average",
                 (double)lag_ns / (double)NS_PER_MS);
}

static void set_if(unsigned *bits, bool on, unsigned bit)
{
    if (on)
        *bits |= bit;
}

/* A load that changes by plan is not expected to be steady. */
static void find_steadiness(struct run_result *r, const struct run_cfg *cfg)
{
    double tps[COURSE_POINTS_MAX];
    const size_t n = course_throughput(&r->course, tps);

    if (!cfg->stages)
        steady_test(tps, n, &r->steady);
}

void verdict_reach(struct run_result *r, const struct run_cfg *cfg,
                   bool window_full)
{
    const struct outcome_counts sum = result_total(r);
    bool lacks_data = false;

    for (size_t i = 0; i < r->audit.n_checks; i++)
        lacks_data =
            lacks_data || r->audit.checks[i].verdict == AUDIT_NOT_ENOUGH_DATA;
    set_if(&r->invalid, r->audited && !audit_passed(&r->audit),
           INVALID_AUDIT_FAILED);
    set_if(&r->invalid, !accounting_holds(&r->accounting),
           INVALID_ACCOUNTING_MISMATCH);
    set_if(&r->invalid,
           r->users_died + r->users_abandoned + r->users_cancelled > 0,
           INVALID_USER_DIED);
    set_if(&r->invalid, outcome_completed(&sum) == 0,
           INVALID_NOTHING_COMPLETED);
    set_if(&r->invalid, too_many_failed(&sum, cfg), INVALID_TOO_MANY_FAILED);
    set_if(&r->invalid, r->rate.planned && r->rate.behind_from_ns >= 0,
           INVALID_RATE_NOT_SUSTAINED);
    set_if(&r->invalid, !window_full, INVALID_WINDOW_INCOMPLETE);

    set_if(&r->warnings, sum.retries > 0, WARN_RETRIES);
    set_if(&r->warnings, sum.unknown > 0, WARN_UNKNOWN_OUTCOMES);
    set_if(&r->warnings, lacks_data, WARN_NOT_ENOUGH_DATA);
    set_if(&r->warnings, r->n_vus < r->scale, WARN_FEW_USERS_FOR_SCALE);
    find_steadiness(r, cfg);
    set_if(&r->warnings, !steady_holds(&r->steady), WARN_NOT_STEADY);
    find_client_bound(r);
    set_if(&r->warnings, r->client_bound[0] != '\0', WARN_CLIENT_BOUND);
}
