/* SPDX-License-Identifier: MIT */
/*
 * Stored runs as one HTML file that needs nothing else: style, scripts, the
 * charts' library and the data are inside, and no request leaves it.
 *
 * C collects and thins the data; all that is seen is made from it by the
 * scripts in report/html/ (docs/report.md).  Several runs get an overview
 * before the runs themselves.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "base/buf.h"
#include "store/runs.h"

#define HTML_BYTES_MAX ((size_t)256 << 20)

struct html_args {
    const char *title; /* NULL: made from the runs */
    const struct stored_run *runs;
    size_t n_runs; /* at least one */
    /* Names of what variants differ in; none: what differs between runs. */
    const char *const *axes;
    size_t n_axes;
};

/* Appends the page to out, which should have room for HTML_BYTES_MAX. */
MUST_USE enum rc report_html(struct store *s, const struct html_args *args,
                             struct buf *out, struct err *err);

#endif
