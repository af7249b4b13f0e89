/* SPDX-License-Identifier: MIT */
/*
 * Statements that users write, of which dyno knows nothing: steps with `raw`
 * set, prepared and executed as others are (rows come as TEXT with names when
 * raw_rows is set too), or texts with all values in them, for drivers that have
 * the slot exec_text.  They may begin and end transactions where the driver has
 * the slot in_txn; elsewhere conn_begin() and conn_commit() do.
 */
#ifndef DRIVER_RAW_H
#define DRIVER_RAW_H

#include "driver/driver.h"

/* The text of step's statement or statements, in one round trip.  fn, which
 * may be NULL, gets the answer of each in turn, with n_cols 0 when it has no
 * rows; what it returns ends the call. */
MUST_USE CORO_FN enum rc conn_exec_text(struct conn *c, const struct step *step,
                                        const char *text, rows_fn *fn,
                                        void *arg);

/* For the wrappers: a raw statement may have begun or ended one. */
void conn_look_at_txn(struct conn *c);

#endif
