/* SPDX-License-Identifier: MIT */
#include "run/pacing.h"

/*
 * A user's cycle is keying, response and thinking.  With shares p of the
 * transactions ended, K = sum p (keying + think) and R the mean response:
 * NOPM of a user = 60 p(new order) / (K + R), in seconds.
 */
void pacing_judge(struct run_result *r)
{
    const struct outcome_counts total = result_total(r);
    const double n = (double)outcome_ended(&total);
    const size_t counted = r->workload->counted_txn;
    double cycle_ns = 0, response_ns = 0, share;

    if (r->pacing.factor <= 0 || n <= 0 || counted >= r->n_txns)
        return;
    for (size_t i = 0; i < r->n_txns; i++) {
        const struct txn_pace *pace = &r->workload->paces[i];
        const double p = (double)outcome_ended(&r->txns[i].measured) / n;

        cycle_ns += p * (double)(pace->keying_ns + pace->think_ns);
        response_ns += p * hist_mean(r->txns[i].response);
    }
    cycle_ns *= r->pacing.factor;
    share = (double)outcome_ended(&r->txns[counted].measured) / n;
    r->pacing.bound_per_user = 60 * share * (double)NS_PER_S / cycle_ns;
    r->pacing.nopm_of_response = (double)r->n_vus * 60 * share *
                                 (double)NS_PER_S / (cycle_ns + response_ns);
}
