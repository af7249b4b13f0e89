/* SPDX-License-Identifier: MIT */
/*
 * What each statement took (--statement-stats): one histogram for each call of
 * a transaction, of one worker, in the measurement interval.  Size is constant:
 * calls beyond the table are counted together.
 */
#ifndef RUN_STEP_STATS_H
#define RUN_STEP_STATS_H

#include "driver/driver.h"
#include "stats/hist.h"

#define STEP_STATS_MAX 96

struct step_stat {
    size_t txn;
    enum conn_call call;
    const struct step *step; /* NULL: BEGIN or COMMIT alone */
    struct hist *hist;
};

struct step_stats;

/* NULL when out of memory.  Memory is touched as calls are seen first. */
MUST_USE struct step_stats *step_stats_new(void);
void step_stats_free(struct step_stats *s); /* NULL is fine */
/* Owner only. */
void step_stats_add(struct step_stats *s, size_t txn, enum conn_call call,
                    const struct step *step, int64_t ns);
/* After the owner has ended: the table in the order of first use. */
size_t step_stats_count(const struct step_stats *s);
const struct step_stat *step_stats_get(const struct step_stats *s, size_t i);
uint64_t step_stats_not_listed(const struct step_stats *s);

#endif
