/* SPDX-License-Identifier: MIT */
/*
 * Loaded data of dyno's own servers, kept as copies of their data folders, so
 * that what takes minutes to load is there again in seconds and every run
 * begins with the same.
 *
 * They are in BASE/.snapshots, one for each (server program, what shapes its
 * data, workload, scale, seed, schema).  A copy is taken of a server that was
 * stopped in order, without the log files that it would only write over again.
 */
#ifndef LAB_SNAPSHOT_H
#define LAB_SNAPSHOT_H

#include "lab/server.h"

/* What was loaded. */
struct snapshot_key {
    const char *workload;
    uint64_t scale, seed;
    const char *schema; /* switches, in a fixed order: "foreign-keys=on" */
};

struct snapshot_done {
    uint64_t n_bytes;       /* copied, or shared */
    uint64_t skipped_bytes; /* of logs that are of no use */
    bool shared;            /* the file system shares the blocks */
    int64_t elapsed_ns;
};

/* The default budget: a quarter of the file system. */
#define SNAPSHOT_BUDGET_DEFAULT 0
/* No snapshots. */
#define SNAPSHOT_BUDGET_NONE UINT64_MAX

MUST_USE enum rc snapshot_find(const struct server *s,
                               const struct snapshot_key *key, bool *out,
                               struct err *err);
/*
 * The server stops, if it runs, and stays stopped.  Others, those used longest
 * ago first, are dropped until this one is within the budget; when it is not
 * even so, or the disk has no room for it, it is RC_DB_NO_SPACE with the
 * numbers, and nothing is lost.
 */
MUST_USE enum rc snapshot_take(struct server *s, const struct snapshot_key *key,
                               uint64_t budget_bytes, struct snapshot_done *out,
                               struct err *err);
/* The server stops, if it runs; its data is that of the snapshot then. */
MUST_USE enum rc snapshot_restore(struct server *s,
                                  const struct snapshot_key *key,
                                  struct snapshot_done *out, struct err *err);
/* It turned out not to be what it should. */
MUST_USE enum rc snapshot_drop(const struct server *s,
                               const struct snapshot_key *key, struct err *err);

struct snapshot_info {
    const char *name, *path;
    uint64_t disk_bytes;
    int64_t made_wall_s, used_wall_s;
    bool busy;
};
typedef enum rc snapshot_info_fn(void *arg, const struct snapshot_info *info,
                                 struct err *err);
/* Used longest ago first; base NULL: server_base(). */
MUST_USE enum rc snapshot_list(const char *base, snapshot_info_fn *fn,
                               void *arg, struct err *err);
/* By its name; NULL: all that are not in use.  RC_NOT_FOUND names the nearest;
 * RC_BUSY: it is in use. */
MUST_USE enum rc snapshot_remove(const char *base, const char *name,
                                 struct err *err);
/* Drops those used longest ago until the rest takes at most so much. */
MUST_USE enum rc snapshot_trim(const char *base, uint64_t most_bytes,
                               struct err *err);

#endif
