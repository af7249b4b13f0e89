/* SPDX-License-Identifier: MIT */
/*
 * Loads a dataset in phases: pieces are taken from a queue by threads with a
 * connection each.  The content does not depend on their number.
 */
#ifndef RUN_LOAD_H
#define RUN_LOAD_H

#include "run/session.h"

struct load_args {
    uint64_t threads;      /* 0: the number of cores */
    bool quiet;            /* no progress */
    bool resume;           /* go on with the load that is there */
    bool any_disk;         /* do not look whether there is room */
    uint64_t beside_bytes; /* of disk, for the run after it; 0: none */
    bool checked;          /* load_check() has been called */
};

struct load_result {
    uint64_t rows;
    int64_t elapsed_ns;
};

/* What speaks against a load before anything is touched: its options, the room
 * on the disk. */
MUST_USE enum rc load_check(struct session *s, const struct load_args *args,
                            struct err *err);

/*
 * Makes the tables, loads s->ds.scale, builds the indexes, checks what has
 * been loaded, and settles.  When it fails or is interrupted (RC_CANCELLED)
 * before a first piece is complete, what it made is removed again, the file
 * too if there was none before; later it is kept, to be gone on with.
 */
MUST_USE enum rc load_dataset(struct session *s, const struct load_args *args,
                              struct load_result *out, struct err *err);

/* Compares what is loaded with what its seed makes, value by value. */
MUST_USE enum rc verify_dataset(struct session *s, const struct load_args *args,
                                struct err *err);

/* Removes the dataset (dyno drop). */
MUST_USE enum rc drop_dataset(struct session *s, struct err *err);

#endif
