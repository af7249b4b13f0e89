/* SPDX-License-Identifier: MIT */
/*
 * The mark of data that dyno made: a table of one row beside the others, made
 * before them and dropped after them.  Tables without it are somebody else's.
 */
#ifndef WORKLOAD_MARKER_H
#define WORKLOAD_MARKER_H

#include "driver/driver.h"

struct marker {
    uint64_t scale, seed;
    bool complete;
};

/* table: of the marker, "dyno_kv". */
CORO_FN enum rc marker_find(struct conn *c, const char *table, bool *out_found,
                            struct marker *out, struct err *err);
/* Not complete yet. */
CORO_FN enum rc marker_make(struct conn *c, const char *table, uint64_t scale,
                            uint64_t seed, struct err *err);
CORO_FN enum rc marker_set_complete(struct conn *c, const char *table,
                                    bool complete, struct err *err);
CORO_FN enum rc marker_drop(struct conn *c, const char *table, struct err *err);

/* A script of a workload, "sql/<workload>/<dialect>/<name>.sql", in which mark
 * stands for text; mark may be NULL. */
CORO_FN enum rc marker_script(struct conn *c, const char *workload,
                              const char *name, const char *mark,
                              const char *text, struct err *err);

#endif
