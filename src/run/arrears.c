/* SPDX-License-Identifier: MIT */
#include "run/arrears.h"

#define LIMIT_LEAST_NS (50 * NS_PER_MS)
#define LIMIT_SHARE 1000

int64_t arrears_limit_ns(const struct plan *plan)
{
    const int64_t ns = plan->duration_ns / LIMIT_SHARE;

    return ns > LIMIT_LEAST_NS ? ns : LIMIT_LEAST_NS;
}

/* Of one worker: counts what is left, and says what has waited longest. */
static struct mono oldest_left(const struct worker *w, struct mono opened,
                               struct mono closed, uint64_t *n_left)
{
    struct schedule rest = w->schedule;
    struct mono oldest = MONO_NEVER;

    *n_left = w->n_sent_home;
    if (w->n_sent_home > 0)
        oldest = w->oldest_sent_home;
    /* Nobody was free since the interval opened. */
    if (!w->measuring)
        schedule_begin(&rest, opened, 1);
    if (rest.next.ns < oldest.ns)
        oldest = rest.next;
    for (; rest.next.ns < closed.ns; (*n_left)++)
        (void)schedule_take(&rest);
    return oldest;
}

void arrears_collect(const struct worker *workers, size_t n, struct mono opened,
                     struct mono closed, struct rate_result *out)
{
    const int64_t limit_ns = n > 0 ? workers[0].shared->late_limit_ns : 0;

    out->behind_from_ns = -1;
    for (size_t i = 0; i < n; i++) {
        const struct worker *w = &workers[i];
        uint64_t n_left;
        const struct mono oldest = oldest_left(w, opened, closed, &n_left);
        const int64_t from_ns =
            w->measuring ? mono_since(w->on_time, opened) : 0;

        out->n_begun += w->n_begun;
        out->n_planned += w->n_begun + n_left;
        if (n_left == 0 || mono_since(closed, oldest) <= limit_ns)
            continue;
        if (out->behind_from_ns < 0 || from_ns < out->behind_from_ns)
            out->behind_from_ns = from_ns;
    }
}
