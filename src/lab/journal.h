/* SPDX-License-Identifier: MIT */
/*
 * What has been done, kept so that it outlives kill and power: a file of
 * lines, each on the disk before journal_add() returns.  A last line that is
 * not complete was never promised, and is dropped.
 */
#ifndef LAB_JOURNAL_H
#define LAB_JOURNAL_H

#include "base/err.h"

#define JOURNAL_LINE_MAX 2048 /* bytes, without the line end */

struct journal;

/* Makes the file when it is not there.  RC_BUSY when another process has it
 * open, or a process of one that is dead (journal_fd()). */
MUST_USE enum rc journal_open(const char *path, struct journal **out,
                              struct err *err);
void journal_close(struct journal *j); /* NULL is fine */
/* The descriptor whose lock says that the journal is in use: kept open in a
 * process, it is in use until that has ended. */
int journal_fd(const struct journal *j);

/* One line; control characters in it become spaces. */
MUST_USE enum rc journal_add(struct journal *j, struct err *err,
                             const char *fmt, ...) PRINTF_LIKE(3, 4);

/* The lines in order; a failure of fn ends it and is returned. */
typedef enum rc journal_line_fn(void *arg, const char *line, struct err *err);
MUST_USE enum rc journal_each(struct journal *j, journal_line_fn *fn, void *arg,
                              struct err *err);

#endif
