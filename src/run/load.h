/* SPDX-License-Identifier: MIT */
/*
 * Loads a dataset: chunks are taken from a queue by threads with a connection
 * each.  The content does not depend on their number.
 */
#ifndef RUN_LOAD_H
#define RUN_LOAD_H

#include "run/session.h"

struct load_args {
    uint64_t threads; /* 0: the number of cores */
    bool quiet;       /* no progress */
};

struct load_result {
    uint64_t rows;
    int64_t elapsed_ns;
};

/*
 * Makes the tables, loads s->ds.scale, builds the indexes, and settles.  When
 * it fails or is interrupted (RC_CANCELLED), what it made is removed again,
 * the file too if there was none before.
 */
MUST_USE enum rc load_dataset(struct session *s, const struct load_args *args,
                              struct load_result *out, struct err *err);

/* Removes the dataset (dyno drop). */
MUST_USE enum rc drop_dataset(struct session *s, struct err *err);

#endif
