/* SPDX-License-Identifier: MIT */
/*
 * Counters and wait events by the names that the SQL gives them.  A source is
 * one statement: its counters are read at one moment.
 */
#ifndef TELEMETRY_COUNTERS_H
#define TELEMETRY_COUNTERS_H

#include "driver/value.h"
#include "telemetry/span.h"

#define COUNTERS_MAX 96
#define COUNTER_SOURCES_MAX 12
#define COUNTER_NAME_BYTES 48
#define WAITS_MAX 48

struct server_counter {
    char name[COUNTER_NAME_BYTES];
    size_t source;
    bool has_last;
    int64_t last;
    uint64_t sum; /* what was counted over the source's span */
};

struct counter_source {
    bool has_last;
    struct moment last;
    struct span span;
};

struct counters {
    struct server_counter all[COUNTERS_MAX];
    size_t n;
    struct counter_source sources[COUNTER_SOURCES_MAX];
    uint64_t n_resets; /* samples that began again, the time before left out */
};

/* rows: (name text, value int), values that grow.  A value that went back
 * means that the server began to count again: the time since the last sample
 * is left out. */
void counters_sample(struct counters *c, size_t source, const struct moment *at,
                     const struct rowset *rows);
/* After an outage: what comes next is not compared with what was before. */
void counters_forget(struct counters *c);
/* NULL when there is none of that name. */
const struct server_counter *counters_find(const struct counters *c,
                                           const char *name);
const struct span *counter_span(const struct counters *c,
                                const struct server_counter *one);

/* Sessions by what they wait for, summed over samples. */
struct server_waits {
    struct {
        char name[COUNTER_NAME_BYTES];
        uint64_t sessions;
    } all[WAITS_MAX];
    size_t n;
    uint64_t sessions_not_listed;
    uint64_t n_samples;
};

/* rows: (name text, value int), the sessions of one moment. */
void waits_sample(struct server_waits *w, const struct rowset *rows);

#endif
