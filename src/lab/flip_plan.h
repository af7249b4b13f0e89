/* SPDX-License-Identifier: MIT */
/*
 * What `dyno flip` will run: a base, the base again under another name, and a
 * variant for each further value of each switch, in which nothing else is
 * changed.  All of them once make a round, in an order drawn anew for each.
 */
#ifndef LAB_FLIP_PLAN_H
#define LAB_FLIP_PLAN_H

#include "base/arena.h"

#define FLIP_SWITCHES_MAX 24
#define FLIP_VALUES_MAX 8
#define FLIP_VARIANTS_MAX 48
#define FLIP_ROUNDS_MAX 100
#define FLIP_ROUNDS_MIN 3

/* What a switch changes. */
enum flip_kind {
    FLIP_RUN,    /* an option of `dyno run` */
    FLIP_DATA,   /* an option that shapes the data: it is loaded anew */
    FLIP_SERVER, /* a setting of the server */
};

struct flip_switch {
    enum flip_kind kind;
    const char *name;
    const char *values[FLIP_VALUES_MAX]; /* [0] is the base's; "": left out */
    size_t n_values;
};

struct flip_variant {
    const char *name;               /* "base", "composition=literal" */
    const struct flip_switch *flip; /* NULL: nothing is changed */
    size_t value;
};

enum { FLIP_BASE, FLIP_BASE_AGAIN, FLIP_FIRST_SWITCH };

struct flip_plan {
    struct flip_switch switches[FLIP_SWITCHES_MAX];
    size_t n_switches;
    struct flip_variant variants[FLIP_VARIANTS_MAX];
    size_t n_variants;
};

/* "NAME=A,B…", or with '|' between values that hold commas: two values at
 * least, none twice.  The kind is FLIP_RUN until the caller knows better. */
MUST_USE enum rc flip_switch_add(struct flip_plan *plan, const char *text,
                                 struct arena *arena, struct err *err);
/* Makes the variants of the switches. */
MUST_USE enum rc flip_plan_make(struct flip_plan *plan, struct arena *arena,
                                struct err *err);
/* The value that a switch has in a variant. */
const char *flip_value(const struct flip_variant *v,
                       const struct flip_switch *s);
/* The order of a round (from 0): out holds n_variants places.  The same seed
 * gives the same order. */
void flip_plan_order(const struct flip_plan *plan, uint64_t seed,
                     uint64_t round, size_t *out);

/* How the time is spent. */
struct flip_times {
    uint64_t rounds;
    int64_t interval_ns; /* of each run */
};

/*
 * Fits n_runs of a round into what is left of a budget, where each run costs
 * overhead_ns beyond its interval.  rounds and interval_ns of *inout that are
 * not 0 were chosen by the user and stay.  RC_USAGE says what would be needed.
 */
MUST_USE enum rc flip_fit(size_t n_runs, int64_t left_ns, int64_t overhead_ns,
                          struct flip_times *inout, struct err *err);
/* Refuses a budget that cannot do, whatever a run costs: before anything is
 * loaded.  given as in flip_fit(). */
MUST_USE enum rc flip_check_budget(size_t n_runs, int64_t budget_ns,
                                   const struct flip_times *given,
                                   struct err *err);

#endif
