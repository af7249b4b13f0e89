/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/skew.h"

#include "base/mem.h"
#include "workload/tpcc/nurand.h"

#include <stdlib.h>

/* A value below, how often it comes up above: sorted together. */
#define VALUE_BITS 20

static uint64_t value_of(uint64_t entry)
{
    return entry & ((UINT64_C(1) << VALUE_BITS) - 1);
}

static uint64_t count_of(uint64_t entry)
{
    return entry >> VALUE_BITS;
}

static int by_count_down(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x < y) - (x > y);
}

/* Some of the entries, to be shared out to groups from..end-1. */
struct part {
    const uint64_t *entries;
    uint64_t n, weight;
    size_t from, end;
};

static void share_out(struct skew *s, uint8_t *groups, const struct part *p)
{
    const uint64_t n_groups = p->end - p->from;
    uint64_t before = 0;

    for (uint64_t i = 0; i < p->n; i++) {
        const uint64_t count = count_of(p->entries[i]);
        /* The middle of the entry decides; no group is left empty as long as
         * none of the entries is larger than a group. */
        const uint64_t at = (before + count / 2) * n_groups / p->weight;
        const size_t group = p->from + (size_t)at;

        groups[value_of(p->entries[i])] = (uint8_t)group;
        s->weights[group] += count;
        before += count;
    }
}

static uint64_t weight_of(const uint64_t *entries, uint64_t n)
{
    uint64_t sum = 0;

    for (uint64_t i = 0; i < n; i++)
        sum += count_of(entries[i]);
    return sum;
}

/* The hottest fifth and the rest apart, each a number of groups by its
 * weight. */
static void make_groups(struct skew *s, uint8_t *groups,
                        const uint64_t *entries, uint64_t n)
{
    const uint64_t n_hot = n / 5;
    const uint64_t all = weight_of(entries, n);
    struct part hot = {entries, n_hot, weight_of(entries, n_hot), 0, 0};
    struct part rest = {entries + n_hot, n - n_hot, all - hot.weight, 0,
                        SKEW_GROUPS};

    if (all == 0)
        BUG("a distribution without weight");
    hot.end = (size_t)(hot.weight * SKEW_GROUPS / all);
    rest.from = hot.end;
    s->n_hot = hot.end;
    share_out(s, groups, &hot);
    share_out(s, groups, &rest);
}

enum rc skew_init(struct skew *s, uint8_t *groups,
                  const struct skew_field *field, uint64_t c, struct err *err)
{
    const uint64_t n = field->y - field->x + 1;
    uint64_t *entries = MEM_ARRAY(uint64_t, n);
    enum rc rc = RC_OK;

    *s = (struct skew){.groups = groups};
    if (!entries || !nurand_counts(field->a, field->x, field->y, entries)) {
        rc = err_set(err, RC_NOMEM, "no memory for a distribution");
        goto out;
    }
    for (uint64_t i = 0; i < n; i++)
        entries[i] = entries[i] << VALUE_BITS | (i + c) % n;
    qsort(entries, n, sizeof(*entries), by_count_down);
    make_groups(s, groups, entries, n);
out:
    mem_free(entries);
    return rc;
}
