/* SPDX-License-Identifier: MIT */
/*
 * From the words of a command line to the sides of a comparison.  A word is a
 * run (its name, number or "latest"), several with commas between them, a
 * pattern of names with * or ?, or a label as KEY=VALUE.
 *
 * Without `by` each word is a side.  With it all runs that the words name (or
 * all that there are) are grouped by the value of that property: anything that
 * figures_property() knows.
 */
#ifndef CLI_SIDES_H
#define CLI_SIDES_H

#include "report/comparison.h"

#define SIDES_MAX 65

struct sides {
    struct side items[SIDES_MAX];
    size_t n;
};

struct sides_args {
    struct store *store;
    struct store *baseline; /* NULL; else all of its runs are the first side */
    const char *baseline_name;
    const char *const *words;
    size_t n_words;
    const char *by;       /* NULL: each word is a side */
    const char *workload; /* NULL: any */
};

/* Reads the figures of all of them into arena.  Needs two sides at least:
 * RC_USAGE says what to do. */
MUST_USE enum rc sides_gather(const struct sides_args *args,
                              struct arena *arena, struct sides *out,
                              struct err *err);

#endif
