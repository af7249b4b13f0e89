/* SPDX-License-Identifier: MIT */
/*
 * The options of a run, as one row each in config.c.
 */
#ifndef RUN_CONFIG_H
#define RUN_CONFIG_H

#include "base/opt.h"

enum arrivals { ARRIVALS_EXPONENTIAL, ARRIVALS_EVEN };
enum on_error { ON_ERROR_CONTINUE, ON_ERROR_ABORT };

/* Which database; every command has these. */
struct target_cfg {
    const char *db; /* URL; NULL: SQLite in the results folder */
    const char *results;
    bool create_database; /* when it is missing */
};

/* What a workload sends. */
struct sql_cfg {
    const char *dir; /* of statements instead of embedded ones, or NULL */
};

/* How data is loaded. */
struct load_cfg {
    uint64_t seed;
    uint64_t threads; /* 0: the number of cores */
    bool replace;     /* drop what dyno loaded before */
    bool resume;      /* go on with a load that did not end */
    bool disk_check;  /* refuse what the disk cannot hold */
};

struct run_cfg {
    uint64_t vus;            /* 0: one for each core, at least 4 */
    const char *connections; /* NULL: one for each user (sizes.h) */
    bool check_limits;
    int64_t duration_ns;
    uint64_t iterations; /* 0: by time */
    int64_t ramp_up_ns;
    /* The shape of the load (plan.h); NULL: users without pause. */
    const char *rate, *stages, *pacing;
    int arrivals; /* enum arrivals */
    const char *composition;
    int isolation; /* enum isolation */
    bool prepare;
    int64_t statement_timeout_ns;
    uint64_t max_tries;
    int on_error;
    double max_failed;
    int64_t drain_ns;
    int audit;              /* enum audit_level */
    struct opt_strs checks; /* of the audit; none: all */
    const char *name;
    const char *server_name; /* in the run's name; NULL: the driver's */
    struct opt_strs labels;
    struct opt_strs thresholds;
    int64_t progress_ns;
    bool statement_stats;
    int64_t series_ns; /* length of an interval of the series */
    bool telemetry;
    const char *host_probe; /* NULL: this machine */
};

extern const struct opt target_opts[];
extern const struct opt sql_opts[];
extern const struct opt load_opts[];
extern const struct opt run_opts[];

/* More coroutines or descriptors than these a process cannot have. */
#define CONNS_MAX 100000

/* Cores that this process may use. */
uint64_t cores_available(void);
/* The number of users that "left out" means. */
uint64_t default_vus(void);

#endif
