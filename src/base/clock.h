/* SPDX-License-Identifier: MIT */
/*
 * Time.  A point on the monotonic clock has a type of its own, so that it
 * cannot be mixed with a duration; wall time is only for what people and
 * databases read.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include "base/base.h"

#include <time.h>

#define NS_PER_US INT64_C(1000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)

struct mono {
    int64_t ns; /* CLOCK_MONOTONIC, never wall time */
};

#define MONO_NEVER ((struct mono){INT64_MAX})

static inline struct mono clock_now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (struct mono){(int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec};
}

static inline int64_t mono_since(struct mono now, struct mono then)
{
    return now.ns - then.ns;
}

/* Saturates at MONO_NEVER. */
static inline struct mono mono_min(struct mono a, struct mono b)
{
    return a.ns < b.ns ? a : b;
}

static inline struct mono mono_add(struct mono t, int64_t ns)
{
    struct mono out;

    if (__builtin_add_overflow(t.ns, ns, &out.ns))
        return MONO_NEVER;
    return out;
}

/* Microseconds since 1970-01-01 UTC. */
int64_t clock_wall_us(void);
/* CPU time of the process (user + system), ns. */
int64_t clock_process_cpu_ns(void);
/* "2026-11-30T09:05:00Z"; out holds at least 21 bytes. */
void clock_format_utc(int64_t wall_us, char *out, size_t out_len);
/* Blocks the calling thread; returns early on a signal. */
void clock_sleep_until(struct mono due);

#endif
