/* SPDX-License-Identifier: MIT */
/*
 * Words of a command line that name stored runs: one by its name, its number
 * or as "latest", several with commas between them, a pattern of names with *
 * or ?, a label as KEY=VALUE, or the name of a plan of `dyno matrix` or `dyno
 * flip`: all of its runs.  A run of exactly that name wins over all.
 */
#ifndef CLI_PICK_H
#define CLI_PICK_H

#include "store/runs.h"

#define PICKED_MAX 1000

struct picked {
    struct stored_run *runs;
    size_t n;
};

/* None, with room for PICKED_MAX. */
MUST_USE enum rc picked_init(struct picked *p, struct arena *arena,
                             struct err *err);
/* word is for the message: RC_USAGE when the run is there already. */
MUST_USE enum rc pick_run(struct picked *p, const struct stored_run *run,
                          const char *word, struct err *err);
/* Those of a pattern or a label in the order of their start; workload (NULL:
 * any) is theirs.  A word that names none is RC_NOT_FOUND. */
MUST_USE enum rc pick_word(struct store *store, const char *word,
                           const char *workload, struct arena *arena,
                           struct picked *out, struct err *err);
/* May be none. */
MUST_USE enum rc pick_filter(struct store *store,
                             const struct store_filter *filter,
                             struct arena *arena, struct picked *out,
                             struct err *err);

#endif
