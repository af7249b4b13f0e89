/* SPDX-License-Identifier: MIT */
#include "workload/audit_fit.h"

#include "stats/fit.h"
#include "stats/pvalue.h"

#include <inttypes.h>
#include <stdio.h>

#define MILLIONTH 1e-6

/* The worst cell, "7" or "5..7" or by name. */
static void cell_text(const struct audit_counts *c, const struct fit *fit,
                      char *out, size_t out_len)
{
    const size_t last = fit->worst_end - 1;

    if (c->names && last == fit->worst)
        snprintf(out, out_len, "%s", c->names[last]);
    else if (c->names)
        snprintf(out, out_len, "%s..%s", c->names[fit->worst], c->names[last]);
    else if (last == fit->worst)
        snprintf(out, out_len, "%d", c->first + (int)last);
    else
        snprintf(out, out_len, "%d..%d", c->first + (int)fit->worst,
                 c->first + (int)last);
}

void audit_expect_counts(struct audit_check *check,
                         const struct audit_counts *counts)
{
    char cell[96];
    struct fit fit;

    if (!fit_test(counts->seen, counts->weights, counts->n, &fit)) {
        audit_lacks(check, "%s: %" PRIu64 " draws", counts->what, fit.n);
        return;
    }
    cell_text(counts, &fit, cell, sizeof(cell));
    audit_expect(check, fit.p >= MILLIONTH,
                 "%s: %s came up %" PRIu64 " times in %" PRIu64
                 ", expected %.0f (chi-square %.1f, %zu degrees of freedom)",
                 counts->what, cell, fit.worst_seen, fit.n, fit.worst_expected,
                 fit.chisq, fit.n_cells - 1);
}

void audit_expect_rate(struct audit_check *check, const struct audit_rate *rate)
{
    const double p = (double)rate->p / (double)rate->q;
    const double expected = p * (double)rate->n;

    if (expected < FIT_EXPECTED_MIN ||
        (double)rate->n - expected < FIT_EXPECTED_MIN) {
        audit_lacks(check, "%s: %" PRIu64 " draws", rate->what, rate->n);
        return;
    }
    audit_expect(check, pvalue_binomial(rate->k, rate->n, p) >= MILLIONTH,
                 "%s: %" PRIu64 " of %" PRIu64 ", expected %.0f", rate->what,
                 rate->k, rate->n, expected);
}
