/* SPDX-License-Identifier: MIT */
/*
 * Shared by opt*.c only: walking over a set's rows and setting one of them.
 */
#ifndef BASE_OPT_INT_H
#define BASE_OPT_INT_H

#include "base/opt.h"

/* Of a long name, with the terminator; opt_set_add() checks it. */
#define OPT_NAME_BYTES 48

/* One row of a set; index is its place in sources[] and texts[]. */
struct opt_ref {
    const struct opt *opt;
    void *field;
    size_t index;
};

/* Start with {0}. */
struct opt_iter {
    size_t group, row, index;
};

bool opt_next(const struct opt_set *set, struct opt_iter *it,
              struct opt_ref *out);

bool opt_find(const struct opt_set *set, const char *name, size_t len,
              struct opt_ref *out);
/* As opt_find() for a name with '_' in place of '-'. */
bool opt_find_key(const struct opt_set *set, const char *key,
                  struct opt_ref *out);
bool opt_find_letter(const struct opt_set *set, char letter,
                     struct opt_ref *out);
/* The long name nearest to text, NULL when none is near. */
const char *opt_nearest(const struct opt_set *set, const char *text);

/* What help and errors call the option's value. */
const char *opt_arg_name(const struct opt *opt);

/* Parses text, and stores it unless the row has a value of a stronger source
 * already.  The error does not name the option. */
MUST_USE enum rc opt_apply(struct opt_set *set, const struct opt_ref *ref,
                           const char *text, enum opt_source source,
                           struct err *err);

#endif
