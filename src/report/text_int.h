/* SPDX-License-Identifier: MIT */
/*
 * The parts of the report for people, each with its heading; a part that has
 * nothing to say prints nothing.
 */
#ifndef REPORT_TEXT_INT_H
#define REPORT_TEXT_INT_H

#include "report/doc.h"
#include "run/result.h"

void text_transactions(struct doc *d, const struct run_result *r);
void text_response_times(struct doc *d, const struct run_result *r);
void text_waiting(struct doc *d, const struct run_result *r);
void text_wait_times(struct doc *d, const struct run_result *r);
void text_preflight(struct doc *d, const struct run_result *r);
void text_telemetry(struct doc *d, const struct run_result *r);
void text_inputs(struct doc *d, const struct run_result *r);
void text_statements(struct doc *d, const struct run_result *r);
void text_put_duration(struct doc_table *t, double ns);
/* The type is in the mix, or was tried. */
bool text_was_used(const struct txn_result *txn);

/* text_course.c: spark lines */
void text_course(struct doc *d, const struct run_result *r);
/* text_load.c */
void text_load_shape(struct doc *d, const struct run_result *r);

#endif
