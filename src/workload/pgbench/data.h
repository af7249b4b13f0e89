/* SPDX-License-Identifier: MIT */
/*
 * The tables of pgbench, as "pgbench -i" makes them: counts, types, keys and
 * content.  Tables that pgbench itself has made are used too, but never
 * dropped.
 */
#ifndef WORKLOAD_PGBENCH_DATA_H
#define WORKLOAD_PGBENCH_DATA_H

#include "workload/workload.h"

CORO_FN enum rc pgb_inspect(struct dataset *ds, struct conn *c,
                            struct data_info *out, struct err *err);
uint64_t pgb_n_rows(const struct dataset *ds);
bool pgb_load_phase(const struct dataset *ds, size_t phase,
                    struct load_phase *out);
CORO_FN enum rc pgb_load_begin(struct dataset *ds, struct conn *c,
                               size_t n_streams, struct err *err);
CORO_FN enum rc pgb_load_piece(struct dataset *ds, size_t phase, size_t piece,
                               struct conn *c, struct load_tally *tally,
                               struct err *err);
CORO_FN enum rc pgb_load_end(struct dataset *ds, struct conn *c,
                             struct err *err);
CORO_FN enum rc pgb_drop(struct dataset *ds, struct conn *c, struct err *err);

/* The sums of balances, for the audit, before and after a run. */
struct pgb_sums {
    int64_t accounts, tellers, branches, history;
};

CORO_FN enum rc pgb_read_sums(struct dataset *ds, struct conn *c,
                              struct pgb_sums *out, struct err *err);

#endif
