/* SPDX-License-Identifier: MIT */
/*
 * The users of a run with their workers, connections and recorders, made in
 * one piece before it starts.  User i and connection i belong to worker
 * i % n_workers.
 */
#ifndef RUN_CROWD_H
#define RUN_CROWD_H

#include "run/sizes.h"
#include "run/user.h"

struct crowd {
    struct user *users;
    size_t n_users;
    struct worker *workers;
    struct recorder *recorders; /* one for each worker */
    size_t n_workers;
    struct link *links; /* those of a worker lie together */
    size_t n_links;
};

/* Release also after a failure. */
MUST_USE enum rc crowd_init(struct crowd *crowd, struct run_shared *shared,
                            const struct sizes *sizes, struct err *err);
void crowd_release(struct crowd *crowd); /* the zero state is fine */

/* Spawns the users of one worker in its loop. */
MUST_USE enum rc crowd_spawn(struct crowd *crowd, size_t worker,
                             struct loop *loop, struct err *err);

#endif
