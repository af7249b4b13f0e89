/* SPDX-License-Identifier: MIT */
/*
 * The constants stored with the data, in the table dyno_tpcc: names and texts.
 * Reading them is in tpcc.h.
 */
#ifndef WORKLOAD_TPCC_META_H
#define WORKLOAD_TPCC_META_H

#include "workload/tpcc/tpcc.h"

#define META_TABLE "dyno_tpcc"

CORO_FN enum rc meta_set(struct dataset *ds, struct conn *c, const char *name,
                         const char *value, struct err *err);
/* All of them, in the transaction that is open. */
CORO_FN enum rc meta_write(struct dataset *ds, struct conn *c,
                           const struct tpcc_meta *meta, struct err *err);
/* The same where they are a file. */
CORO_FN enum rc meta_write_file(struct dataset *ds, struct conn *c,
                                const struct tpcc_meta *meta, struct err *err);
/* A target that keeps nothing has whatever is asked of it. */
void meta_imagine(struct dataset *ds, struct tpcc_meta *out);

#endif
