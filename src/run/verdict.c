/* SPDX-License-Identifier: MIT */
#include "run/verdict.h"

/* A client that uses more of its cores than this may be what was measured. */
#define CLIENT_BOUND_SHARE 0.8

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

static bool client_bound(const struct run_result *r)
{
    const double cores =
        (double)(r->n_threads < cores_available() ? r->n_threads
                                                  : cores_available());

    return !r->in_process && r->interval_ns > 0 &&
           (double)r->client_cpu_ns >
               CLIENT_BOUND_SHARE * cores * (double)r->interval_ns;
}

static void set_if(unsigned *bits, bool on, unsigned bit)
{
    if (on)
        *bits |= bit;
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
    set_if(&r->warnings, client_bound(r), WARN_CLIENT_BOUND);
}
