/* SPDX-License-Identifier: MIT */
/*
 * The findings of an audit for people: how many checks passed, and each one
 * that did not, with its detail.
 */
#ifndef REPORT_AUDIT_TEXT_H
#define REPORT_AUDIT_TEXT_H

#include "report/doc.h"
#include "workload/audit.h"

/* At most DOC_WIDTH columns. */
void report_audit_text(const struct audit *audit, FILE *out);
/* The same as a part of another document, under its own heading. */
void report_audit_doc(const struct audit *audit, struct doc *d);

#endif
