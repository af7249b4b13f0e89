/* SPDX-License-Identifier: MIT */
#include "run/progress.h"

#include "base/log.h"
#include "base/parse.h"

#include <inttypes.h>

/* The cuts come when the thread wakes, which is a little late. */
#define EARLY_NS (50 * NS_PER_MS)

void progress_init(struct progress *p, int64_t every_ns)
{
    *p = (struct progress){.every_ns = every_ns};
}

static void add(struct progress *p, const struct interval *it)
{
    p->since_ns += it->length_ns;
    for (size_t i = 0; i < it->n_txns; i++) {
        const struct interval_txn *t = &it->txns[i];

        p->completed += t->committed + t->rolled_back;
        p->retries += t->retries;
        p->failed += t->failed + t->unknown;
    }
}

static void show_line(void *arg, struct interval *it)
{
    struct progress *p = arg;
    const int64_t at_ns = it->begin_ns + it->length_ns;
    char rate[32];

    if (it->phase == PHASE_DRAIN)
        return;
    add(p, it);
    if (p->since_ns <= 0 || p->since_ns < p->every_ns - EARLY_NS)
        return;
    format_count((uint64_t)((double)p->completed * (double)NS_PER_S /
                            (double)p->since_ns),
                 rate, sizeof(rate));
    log_info("%6.1f s  %-8s %10s tx/s  %" PRIu64 " users  %" PRIu64
             " retries  %" PRIu64 " failed",
             (double)at_ns / (double)NS_PER_S,
             it->phase == PHASE_MEASURE ? "measure" : "ramp-up", rate,
             it->users_active, p->retries, p->failed);
    progress_init(p, p->every_ns);
}

struct series_listener progress_listener(struct progress *p)
{
    return (struct series_listener){.interval = show_line, .arg = p};
}
