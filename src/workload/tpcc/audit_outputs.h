/* SPDX-License-Identifier: MIT */
/*
 * The sampled outputs of a run against the tables: columns that nothing
 * changes, the right customer of a last name, the right order, ten districts
 * in a delivery.
 */
#ifndef WORKLOAD_TPCC_AUDIT_OUTPUTS_H
#define WORKLOAD_TPCC_AUDIT_OUTPUTS_H

#include "workload/tpcc/audit_checks.h"
#include "workload/tpcc/output.h"

struct outputs_shown;

/* NULL without memory; everything else is borrowed. */
struct outputs_shown *outputs_shown_new(struct dataset *ds, struct conn *c,
                                        struct audit *audit);
void outputs_shown_free(struct outputs_shown *shown);
/* What one user saw; borrowed until the audit. */
void outputs_add(struct outputs_shown *shown, const struct output_log *log,
                 const struct input_tally *tally);
/* RC_OK when the checks could be made, passed or not. */
MUST_USE CORO_FN enum rc outputs_audit(struct outputs_shown *shown,
                                       struct err *err);

#endif
