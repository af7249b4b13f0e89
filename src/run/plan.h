/* SPDX-License-Identifier: MIT */
/*
 * The shape of the load: users or starts a second, over time, and pacing, as
 * the options say (docs/design/load-shapes.md).
 */
#ifndef RUN_PLAN_H
#define RUN_PLAN_H

#include "base/clock.h"
#include "run/config.h"

#define PLAN_STAGES_MAX 64

/* n starts in each period; exact, as a ratio of whole numbers. */
struct rate {
    uint64_t n;
    int64_t period_ns;
};

struct plan_stage {
    int64_t length_ns; /* INT64_MAX: to the end of the interval */
    struct rate rate;  /* of an open loop */
    uint64_t n_users;  /* else */
};

struct plan {
    bool open_loop; /* starts are planned, whoever is free takes the next */
    bool by_stages; /* users or rate change over the interval */
    bool even;      /* gaps are equal, not exponential */
    double pacing;  /* factor of keying and think times; 0: none */
    int64_t duration_ns; /* of the interval */
    struct plan_stage stages[PLAN_STAGES_MAX];
    size_t n_stages; /* 0: a closed loop of all users, all the time */
};

/* "7", "7/s", "0.5/s", "90/m", "10/h". */
MUST_USE enum rc rate_parse(const char *text, struct rate *out,
                            struct err *err);
double rate_per_s(const struct rate *rate);

/* What cannot be combined or read is RC_USAGE and names the option. */
MUST_USE enum rc plan_make(const struct run_cfg *cfg, struct plan *out,
                           struct err *err);

static inline bool plan_stages_users(const struct plan *p)
{
    return p->by_stages && !p->open_loop;
}
/* The stage at this time since the interval opened; before it, the first; the
 * last one does not end. */
size_t plan_stage_at(const struct plan *p, int64_t since_ns);
/* When a stage begins, since the interval opened. */
int64_t plan_stage_begin(const struct plan *p, size_t stage);
/* The most users that are at work at once; 0: the plan does not say. */
uint64_t plan_most_users(const struct plan *p);
/* Starts that the plan has in its interval, on average for random gaps. */
double plan_starts(const struct plan *p);

#endif
