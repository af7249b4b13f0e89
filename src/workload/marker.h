/* SPDX-License-Identifier: MIT */
/*
 * The mark of data that dyno made: a table of one row beside the others, made
 * before them and dropped after them.  Tables without it are somebody else's.
 */
#ifndef WORKLOAD_MARKER_H
#define WORKLOAD_MARKER_H

#include "workload/workload.h"

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

/* RC_UNSUPPORTED where the workload has no tables for this database; before
 * anything is made. */
enum rc marker_check(const struct conn *c, const char *workload,
                     struct err *err);

/* A script of a workload, "sql/<workload>/<dialect>/<name>.sql", in which mark
 * stands for text; mark may be NULL. */
CORO_FN enum rc marker_script(struct conn *c, const char *workload,
                              const char *name, const char *mark,
                              const char *text, struct err *err);

/* What loads of this kind have in common: one phase of rows, in pieces that are
 * a transaction each; nothing of an unfinished load is used again. */
struct row_writer {
    struct conn *conn;
    struct load_tally *tally;
    const struct table_def *table;
    struct value *cells; /* room for batch_rows */
    size_t batch_rows, n;
    struct err *err;
};

/* BEGIN; write() adds the rows of one or more tables; COMMIT. */
typedef enum rc write_fn(struct row_writer *w, struct dataset *ds,
                         size_t piece);
CORO_FN enum rc rows_write_piece(struct row_writer *w, struct dataset *ds,
                                 size_t piece, write_fn *write);
/* Around the rows of one table. */
CORO_FN enum rc rows_begin(struct row_writer *w, const struct table_def *table);
CORO_FN enum rc rows_end(struct row_writer *w);
/* Sends the n rows that cells holds. */
CORO_FN enum rc rows_flush(struct row_writer *w);

/* Whether a load that did not end can be gone on with. */
bool marker_resumes(const struct workload *wl);
CORO_FN enum rc marker_no_resume(struct dataset *ds, struct conn *c,
                                 struct load_tally *tally, struct err *err);
CORO_FN enum rc marker_no_verify(struct dataset *ds, struct conn *c,
                                 struct err *err);

#endif
