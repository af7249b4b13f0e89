/* SPDX-License-Identifier: MIT */
#include "run/step_stats.h"

#include "base/mem.h"

/* A power of two, large enough that probing stays short. */
#define SLOTS 256

struct step_stats {
    struct step_stat stats[STEP_STATS_MAX];
    size_t n;
    uint64_t not_listed;
    uint8_t slots[SLOTS]; /* index into stats and one, 0: free */
    struct hist *hists;   /* of all stats, in one piece */
};

_Static_assert(STEP_STATS_MAX < UINT8_MAX, "an index fits into a slot");

struct step_stats *step_stats_new(void)
{
    struct step_stats *s = MEM_NEW(struct step_stats);

    if (!s)
        return NULL;
    /* Pages of zeros that the kernel makes when they are written first. */
    s->hists = MEM_ARRAY(struct hist, STEP_STATS_MAX);
    if (s->hists)
        return s;
    mem_free(s);
    return NULL;
}

void step_stats_free(struct step_stats *s)
{
    if (!s)
        return;
    mem_free(s->hists);
    mem_free(s);
}

static size_t first_slot(size_t txn, enum conn_call call,
                         const struct step *step)
{
    uint64_t key = (uint64_t)(uintptr_t)step + txn * 8 + (uint64_t)call;

    key *= UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(key >> 56) % SLOTS;
}

/* NULL when the table is full. */
static struct step_stat *find(struct step_stats *s, size_t txn,
                              enum conn_call call, const struct step *step)
{
    struct step_stat *stat;
    size_t at = first_slot(txn, call, step);

    for (; s->slots[at] > 0; at = (at + 1) % SLOTS) {
        stat = &s->stats[s->slots[at] - 1];
        if (stat->step == step && stat->txn == txn && stat->call == call)
            return stat;
    }
    if (s->n == STEP_STATS_MAX)
        return NULL;
    stat = &s->stats[s->n];
    *stat = (struct step_stat){
        .txn = txn, .call = call, .step = step, .hist = &s->hists[s->n]};
    s->slots[at] = (uint8_t)++s->n;
    return stat;
}

void step_stats_add(struct step_stats *s, size_t txn, enum conn_call call,
                    const struct step *step, int64_t ns)
{
    struct step_stat *stat = find(s, txn, call, step);

    if (stat)
        hist_record(stat->hist, ns);
    else
        s->not_listed++;
}

size_t step_stats_count(const struct step_stats *s)
{
    return s->n;
}

const struct step_stat *step_stats_get(const struct step_stats *s, size_t i)
{
    return &s->stats[i];
}

uint64_t step_stats_not_listed(const struct step_stats *s)
{
    return s->not_listed;
}
