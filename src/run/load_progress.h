/* SPDX-License-Identifier: MIT */
/*
 * What a load says while it goes on: a bar on a terminal, elsewhere a line
 * each ten seconds; rows, megabytes, rate and the time left, or how many
 * statements of a phase are done.  That nothing has moved for a minute is
 * said too, once for each stall.
 */
#ifndef RUN_LOAD_PROGRESS_H
#define RUN_LOAD_PROGRESS_H

#include "base/clock.h"
#include "workload/workload.h"

struct load_progress {
    bool quiet, terminal;
    uint64_t total_rows;
    uint64_t rows_before; /* in the database when this process began */
    struct mono start, next;
    struct load_phase phase;
    /* Stalls: what was seen last, and since when it has not changed. */
    uint64_t seen;
    struct mono seen_since;
    bool stalled;
};

void load_progress_init(struct load_progress *p, uint64_t total_rows,
                        uint64_t rows_before, bool quiet);
void load_progress_phase(struct load_progress *p,
                         const struct load_phase *phase, struct mono now);
/* Called several times a second; prints when it is time. */
void load_progress_look(struct load_progress *p, const struct load_tally *tally,
                        struct mono now);
/* At the end of a phase: the last line. */
void load_progress_end(struct load_progress *p, const struct load_tally *tally,
                       struct mono now);

/* The line itself; out holds LOAD_LINE_MAX. */
#define LOAD_LINE_MAX 200
void load_progress_line(const struct load_progress *p,
                        const struct load_tally *tally, struct mono now,
                        char *out);
/* Whether a stall is to be said now. */
bool load_progress_stalls(struct load_progress *p,
                          const struct load_tally *tally, struct mono now);

#endif
