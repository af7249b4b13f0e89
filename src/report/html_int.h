/* SPDX-License-Identifier: MIT */
/*
 * Private to the HTML report: html.c (the page), html_run.c (the data of one
 * run), html_series.c and html_telemetry.c (its course), html_times.c (its
 * distributions), html_matrix.c (what several runs have in common), html_put.c
 * (writing).
 */
#ifndef REPORT_HTML_INT_H
#define REPORT_HTML_INT_H

#include "report/html.h"
#include "report/json_int.h"

/* ---- html_put.c ---- */

/* Text between tags, or in a quoted attribute. */
void html_escape(struct buf *out, const char *text);
/* Takes root; compact, and without "<", so that no text ends the element it
 * is in. */
MUST_USE enum rc html_put_json(struct buf *out, struct json_out *o,
                               json_t *root, struct err *err);
/* Four digits are enough to draw with; what is not finite becomes null. */
void html_add_number(struct json_out *o, json_t *array, double value);

/* ---- html_run.c ---- */

MUST_USE enum rc html_run(struct store *s, const struct stored_run *run,
                          size_t points, struct buf *out, struct err *err);

/* ---- html_series.c ---- */

/*
 * The course of a run: neighbouring intervals are one point, so that there are
 * about so many.  A point has the mean, least and highest throughput of its
 * intervals; its percentiles are those of all its transactions together.
 */
struct html_series;

/* per_point intervals become one point. */
struct html_series *html_series_new(uint64_t per_point);
void html_series_free(struct html_series *h); /* NULL is fine */
MUST_USE enum rc html_series_add(struct html_series *h,
                                 const struct interval *it, struct err *err);
/* Into run, as its member "series"; null when there was no interval. */
void html_series_put(struct html_series *h, struct json_out *o, json_t *run);
/* Of the measurement interval as it was stored; NULL past the last type. */
const struct hist *html_series_whole(const struct html_series *h, size_t txn);

/* ---- html_telemetry.c ---- */

struct html_telemetry;

struct html_telemetry *html_telemetry_new(size_t points, size_t n_intervals);
void html_telemetry_free(struct html_telemetry *h); /* NULL is fine */
MUST_USE enum rc html_telemetry_add(struct html_telemetry *h,
                                    const struct interval *it, struct err *err);
/* Into run, as its member "samples"; null when nothing was sampled. */
void html_telemetry_put(struct html_telemetry *h, struct json_out *o,
                        json_t *run);

/* ---- html_times.c ---- */

/* Response and service times by percentile, as members "percentiles" of run.
 */
MUST_USE enum rc html_times(struct store *s, const struct stored_run *run,
                            const struct html_series *series,
                            struct json_out *o, json_t *obj, struct err *err);

/* ---- html_matrix.c ---- */

MUST_USE enum rc html_matrix(struct store *s, const struct html_args *args,
                             struct buf *out, struct err *err);

#endif
