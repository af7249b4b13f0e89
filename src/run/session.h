/* SPDX-License-Identifier: MIT */
/*
 * An opened target with the dataset of one workload, for one command, and the
 * way to do work on it that waits for the database outside a run.
 */
#ifndef RUN_SESSION_H
#define RUN_SESSION_H

#include "workload/workload.h"

struct session {
    struct arena arena;
    struct target target;
    struct db *db;
    struct dataset ds; /* ds.workload NULL when opened without one */
    /* session_call() waits so long for a connection, 0: as the driver does.
     * Less for a database that has just been found to hang. */
    int64_t connect_limit_ns;
};

struct session_args {
    const char *url;                 /* of the target */
    const struct workload *workload; /* NULL: only the target (dyno exec) */
    const void *workload_cfg;        /* outlives the session */
    const struct opt_set *options;   /* the same, or NULL */
    const char *composition;
    const char *sql_dir; /* see asset_override(), or NULL */
    uint64_t seed;
    bool create; /* make the database when it is missing */
    bool claim;  /* take the target for this process alone */
};

MUST_USE enum rc session_open(const struct session_args *args,
                              struct session *out, struct err *err);
void session_close(struct session *s); /* the zero state is fine */

/* Work on a connection of its own, in a coroutine on the calling thread. */
typedef enum rc conn_fn(struct session *s, struct conn *c, void *arg,
                        struct err *err);
MUST_USE enum rc session_call(struct session *s, conn_fn *fn, void *arg,
                              struct err *err);

/* What is on the target; sets s->ds.scale when it was not given.  Data loaded
 * at another scale, by another tool or only in part is an error here, with
 * what to do. */
MUST_USE enum rc session_inspect(struct session *s, struct data_info *out,
                                 struct err *err);
/* "1 warehouse", "10 warehouses"; out holds at least 48 bytes; returns out. */
const char *scale_text(const struct dataset *ds, uint64_t n, char *out,
                       size_t out_len);
/* The error for data that cannot be used as it is (PARTIAL, FOREIGN, another
 * scale); RC_OK for ABSENT and for what fits. */
MUST_USE enum rc session_check_data(struct session *s,
                                    const struct data_info *info,
                                    struct err *err);

#endif
