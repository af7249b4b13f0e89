/* SPDX-License-Identifier: MIT */
/*
 * How many users, connections and threads a run has, and whether that many
 * connections fit into the limits of the server and of this process.
 */
#ifndef RUN_SIZES_H
#define RUN_SIZES_H

#include "run/config.h"
#include "run/plan.h"
#include "run/session.h"

struct sizes {
    size_t n_users, n_conns, n_workers;
    bool pinned; /* each user has a connection of its own */
};

/* --connections: N, or N for each user, or one for each N users, or what
 * fits. */
struct conns_wish {
    enum {
        CONNS_PINNED,
        CONNS_NUMBER,
        CONNS_TIMES,
        CONNS_SHARE,
        CONNS_FIT
    } how;
    uint64_t n, of; /* n; n x; n/of */
};

/* text may be NULL: pinned. */
MUST_USE enum rc conns_parse(const char *text, struct conns_wish *out,
                             struct err *err);

/*
 * Works the sizes out, asking the server for its limits where need be.
 * RC_DB_LIMIT names the setting, its value and the number that is needed.
 * threads 0: the number of cores.
 */
struct sizes_args {
    const struct run_cfg *cfg;
    const struct plan *plan;
    uint64_t threads;
};
/* What can be said of them without the server. */
MUST_USE enum rc sizes_check(const struct session *s,
                             const struct sizes_args *args, struct err *err);
MUST_USE enum rc sizes_find(struct session *s, const struct sizes_args *args,
                            struct sizes *out, struct err *err);

#endif
