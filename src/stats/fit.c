/* SPDX-License-Identifier: MIT */
#include "stats/fit.h"

#include "stats/pvalue.h"

/* Cells put together. */
struct cell {
    size_t from, end;
    uint64_t seen, weight;
};

static uint64_t weight_of(const uint64_t *weights, size_t i)
{
    return weights ? weights[i] : 1;
}

static void add_cell(struct fit *out, const struct cell *c, double expected)
{
    const double off = (double)c->seen - expected;
    const double part = off * off / expected;
    const double worst_off = (double)out->worst_seen - out->worst_expected;

    out->chisq += part;
    out->n_cells++;
    if (out->n_cells > 1 && part * out->worst_expected <= worst_off * worst_off)
        return;
    out->worst = c->from;
    out->worst_end = c->end;
    out->worst_seen = c->seen;
    out->worst_expected = expected;
}

/* A draw that cannot be is proof enough. */
static bool impossible(const uint64_t *seen, const uint64_t *weights, size_t n,
                       struct fit *out)
{
    for (size_t i = 0; i < n; i++) {
        if (seen[i] == 0 || weight_of(weights, i) > 0)
            continue;
        out->n_cells = n;
        out->worst = i;
        out->worst_end = i + 1;
        out->worst_seen = seen[i];
        return true;
    }
    return false;
}

bool fit_test(const uint64_t *seen, const uint64_t *weights, size_t n_cells,
              struct fit *out)
{
    struct cell rest = {0, n_cells, 0, 0}, c = {0};
    double each;

    *out = (struct fit){0};
    for (size_t i = 0; i < n_cells; i++) {
        rest.seen += seen[i];
        rest.weight += weight_of(weights, i);
    }
    out->n = rest.seen;
    if (impossible(seen, weights, n_cells, out))
        return true;
    if (rest.weight == 0)
        return false;
    each = (double)rest.seen / (double)rest.weight;
    for (size_t i = 0; i < n_cells; i++) {
        c.end = i + 1;
        c.seen += seen[i];
        c.weight += weight_of(weights, i);
        /* What is left must be enough for a cell, or belongs to this one. */
        if ((double)c.weight * each < FIT_EXPECTED_MIN ||
            (double)(rest.weight - c.weight) * each < FIT_EXPECTED_MIN)
            continue;
        add_cell(out, &c, (double)c.weight * each);
        rest.from = i + 1;
        rest.seen -= c.seen;
        rest.weight -= c.weight;
        c = (struct cell){.from = i + 1};
    }
    if (out->n_cells == 0)
        return false;
    add_cell(out, &rest, (double)rest.weight * each);
    out->p = pvalue_chisq(out->chisq, out->n_cells - 1);
    return true;
}
