/* SPDX-License-Identifier: MIT */
/*
 * What dyno itself uses.
 */
#ifndef TELEMETRY_SELF_H
#define TELEMETRY_SELF_H

#include "base/base.h"

struct self_usage {
    int64_t cpu_ns; /* user + system, all threads, since the start */
    int64_t user_ns, system_ns; /* the same apart, less finely measured */
    uint64_t context_switches;
    uint64_t rss_bytes;      /* resident now */
    uint64_t rss_peak_bytes; /* the most so far */
};

/* What cannot be read is 0. */
void self_usage_read(struct self_usage *out);
/* How long the calling thread was ready and had no core, since its start; does
 * not grow while the process is stopped.  0: the kernel does not say. */
int64_t self_queued_ns(void);

#endif
