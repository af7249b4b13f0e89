/* SPDX-License-Identifier: MIT */
/*
 * The interval log of HdrHistogram, format 1.3, with histograms in the encoding
 * V2, compressed: what its own tools (HistogramLogProcessor, HistogramLog-
 * Analyzer, the readers of other languages) take.  Values are in ns with two
 * significant digits; Interval_Max is in ms as those tools write it.
 */
#ifndef STATS_HIST_LOG_H
#define STATS_HIST_LOG_H

#include "base/buf.h"
#include "stats/hist.h"

/* The lines before the first histogram; a comment may not hold line ends. */
void hist_log_head(struct buf *out, int64_t start_wall_us, const char *comment);
/* One line; begin_ns is since the start.  tag: no comma, no blank. */
MUST_USE enum rc hist_log_line(struct buf *out, const char *tag,
                               int64_t begin_ns, int64_t length_ns,
                               const struct hist *h);

#endif
