/* SPDX-License-Identifier: MIT */
/*
 * What telemetry counted in one interval of the series: the growth of its
 * sums since the interval before.
 */
#ifndef TELEMETRY_SAMPLES_H
#define TELEMETRY_SAMPLES_H

#include "stats/interval.h"
#include "telemetry/counters.h"
#include "telemetry/host.h"
#include "telemetry/procs.h"
#include "telemetry/self.h"

/* "server." and a counter's name, "server.waits." and an event's. */
#define SAMPLE_NAME_BYTES (COUNTER_NAME_BYTES + 16)

/* The sums at one moment. */
struct samples_now {
    struct host_sum host;
    struct procs_sum procs;
    struct counters counters;
    struct server_waits waits;
    struct self_usage self;
};

struct samples {
    struct samples_now last;
    bool has_last;
    char counter_names[COUNTERS_MAX][SAMPLE_NAME_BYTES];
    char wait_names[WAITS_MAX][SAMPLE_NAME_BYTES];
};

/* Adds what is known to the interval; the names live as long as s. */
void samples_add(struct samples *s, const struct samples_now *now,
                 struct interval *interval);

#endif
