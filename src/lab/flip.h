/* SPDX-License-Identifier: MIT */
/*
 * Runs the plan of `dyno flip`: rounds of all variants, each run a process of
 * its own, restored before where that can be done.  What became of each is in
 * the results store; which runs belong to which variant is in the result.
 */
#ifndef LAB_FLIP_H
#define LAB_FLIP_H

#include "base/clock.h"
#include "lab/flip_plan.h"
#include "lab/server.h"
#include "lab/variant.h"

/* What the variants run on; one of these is chosen by the caller. */
struct flip_place;

struct flip_place_ops {
    /* Once, before anything else: data for all variants of the plan. */
    enum rc (*prepare)(struct flip_place *p, const struct flip_plan *plan,
                       struct err *err);
    /* Before each run.  *out_url is borrowed until the next call; *out_load:
     * the run loads its data anew. */
    enum rc (*restore)(struct flip_place *p, const struct flip_variant *v,
                       const char **out_url, bool *out_load, struct err *err);
    /* After each run. */
    enum rc (*rest)(struct flip_place *p, struct err *err);
};

struct flip_place {
    const struct flip_place_ops *ops;
};

struct flip_args {
    const struct flip_plan *plan;
    struct flip_place *place;
    const char *workload, *results;
    const char *server; /* stands in the names of runs; may be NULL */
    const struct variant_text *options; /* of all runs, without switches */
    size_t n_options;
    const char *id; /* label "flip" of all runs */
    const char *log;
    uint64_t seed;
    struct mono begun;
    int64_t budget_ns;       /* from begun on; 0: none */
    struct flip_times times; /* 0: to be found from the budget */
    bool quiet;
};

struct flip_run {
    size_t variant;
    uint64_t round;
    struct variant_result result;
};

struct flip_result {
    struct flip_run *runs;
    size_t n_runs;
    uint64_t rounds; /* that are complete */
    struct flip_times times;
    bool interrupted;
    int64_t took_ns;
};

/* The runs live in arena.  A variant that fails does not end it, a base that
 * fails does. */
MUST_USE enum rc flip_run_all(const struct flip_args *args, struct arena *arena,
                              struct flip_result *out, struct err *err);

/* A database that somebody else keeps: nothing is restored, unless the run may
 * load anew (replace), which it then does each time. */
struct flip_given {
    struct flip_place place;
    const char *url;
    bool replace;
};
void flip_given_init(struct flip_given *g, const char *url, bool replace);

/* A server of dyno's own, made when the plan is prepared.  Each run finds the
 * data as it was loaded (stage.h); settings are changed by a restart. */
struct flip_own_args {
    const struct server_spec *spec;
    const char *workload;
    const struct variant_text *options; /* of all runs */
    size_t n_options;
    const char *log;
    bool quiet;
    struct arena *arena;
};
MUST_USE enum rc flip_own_new(const struct flip_own_args *args,
                              struct flip_place **out, struct err *err);
/* Removes the server with its data.  NULL is fine. */
MUST_USE enum rc flip_own_free(struct flip_place *place, struct err *err);

#endif
