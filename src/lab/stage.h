/* SPDX-License-Identifier: MIT */
/*
 * A server of dyno's own with the data of a variant on it: restored from a
 * snapshot where there is one, else loaded on fresh data and kept as one.
 */
#ifndef LAB_STAGE_H
#define LAB_STAGE_H

#include "base/buf.h"
#include "lab/snapshot.h"
#include "workload/workload.h"

struct stage_args {
    struct server *server;
    struct snapshot_key key;
    uint64_t budget_bytes; /* of all snapshots; SNAPSHOT_BUDGET_… */
    /* Loads what the key says into the empty database of the URL. */
    enum rc (*load)(void *arg, const char *url, struct err *err);
    /* Whether what was restored is that: the constants of the data, and a
     * quick audit; NULL: no look. */
    enum rc (*verify)(void *arg, const char *url, struct err *err);
    void *arg;
};

struct stage_result {
    bool restored;
    bool kept;         /* as a snapshot, after the load */
    char why_not[256]; /* it was not kept */
    int64_t load_ns;   /* when it was loaded */
    int64_t verify_ns;
    struct snapshot_done copy; /* of the restoring, or of keeping it */
};

/*
 * The server runs then.  A snapshot that does not verify is dropped, with a
 * warning, and the data loaded.  On failure the server is stopped.
 */
MUST_USE enum rc stage_ready(const struct stage_args *args,
                             struct stage_result *out, struct err *err);

/* The text of an option of the workload as it was given; NULL: it was not. */
typedef const char *stage_value_fn(void *arg, const char *option);
/* snapshot_key.schema and .scale from these; the text is in the arena, NULL
 * when there is no memory. */
MUST_USE const char *stage_schema(struct arena *arena, const struct workload *w,
                                  stage_value_fn *value, void *arg);
MUST_USE enum rc stage_scale(const struct workload *w, stage_value_fn *value,
                             void *arg, uint64_t *out, struct err *err);

#endif
