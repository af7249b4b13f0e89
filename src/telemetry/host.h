/* SPDX-License-Identifier: MIT */
/*
 * What a whole machine does: CPU, context switches, disks, paging.  The
 * figures are those of /proc/stat, /proc/diskstats and /proc/vmstat, read
 * here or printed by a command that looks at another machine.
 */
#ifndef TELEMETRY_HOST_H
#define TELEMETRY_HOST_H

#include "telemetry/span.h"

#include <stdio.h>

enum host_counter {
    HOST_CPU_USER_US,   /* nice and guests included */
    HOST_CPU_SYSTEM_US, /* interrupts included */
    HOST_CPU_IDLE_US,
    HOST_CPU_IOWAIT_US, /* idle while a disk was waited for */
    HOST_CPU_STEAL_US,  /* wanted, but given to another virtual machine */
    HOST_CONTEXT_SWITCHES,
    HOST_DISK_READS, /* requests that ended, of all whole disks */
    HOST_DISK_READ_BYTES,
    HOST_DISK_WRITES,
    HOST_DISK_WRITTEN_BYTES,
    HOST_MAJOR_FAULTS,
    HOST_SWAPPED_IN_PAGES,
    HOST_SWAPPED_OUT_PAGES,
    N_HOST_COUNTERS,
};

/* "cpu_user_us"; in the order of the enum. */
extern const char *const host_counter_names[N_HOST_COUNTERS];

struct host_usage {
    struct moment at;            /* the caller's */
    uint64_t v[N_HOST_COUNTERS]; /* since the machine started */
    unsigned known;              /* bits 1 << enum host_counter */
};

/*
 * Reads lines to the end and knows those of the three files of /proc, in any
 * order and any number of them, and "name value" with the names above; others
 * are passed over.  Partitions and what is built from other disks (dm-, md,
 * loop) are left out, so that nothing counts twice.  out->at stays.
 */
void host_usage_parse(FILE *in, struct host_usage *out);
/* Of this machine.  What cannot be read is not known. */
void host_usage_read(struct host_usage *out);

/* What was counted over a stretch of time. */
struct host_sum {
    uint64_t v[N_HOST_COUNTERS];
    unsigned known; /* at every moment */
    struct span span;
};

/* Adds what happened between two moments.  A counter that went back counts
 * nothing: iowait may, and a machine that was started again. */
void host_sum_add(struct host_sum *sum, const struct host_usage *before,
                  const struct host_usage *now);

static inline bool host_knows(const struct host_sum *sum, enum host_counter c)
{
    return (sum->known >> c & 1U) != 0;
}

#endif
