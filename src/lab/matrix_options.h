/* SPDX-License-Identifier: MIT */
/*
 * The options of `dyno run` as keys of a matrix file: which there are, and
 * whether a value is one.
 */
#ifndef LAB_MATRIX_OPTIONS_H
#define LAB_MATRIX_OPTIONS_H

#include "run/config.h"
#include "workload/workload.h"

struct matrix_options {
    const struct workload *workload;
    struct opt_set set;
    struct sql_cfg sql;
    struct run_cfg run;
    struct load_cfg load;
    void *workload_cfg;
};

MUST_USE enum rc matrix_options_init(struct matrix_options *o,
                                     const struct workload *wl,
                                     struct err *err);
void matrix_options_release(struct matrix_options *o);

/* The option of a key ("ramp_up"); NULL when a matrix file has none such. */
const struct opt *matrix_option_find(const struct matrix_options *o,
                                     const char *key);
/* Why a key is none: reserved, or the nearest one; a part of a sentence. */
void matrix_option_unknown(const struct matrix_options *o, const char *key,
                           const char *const *others, size_t n_others,
                           struct err *err);
/*
 * The value as `dyno run` takes it: itself, or for connections by the users
 * ("vus/2", "2*vus") in its own form.  In the arena.
 */
MUST_USE enum rc matrix_option_value(struct matrix_options *o,
                                     const struct opt *opt, const char *text,
                                     struct arena *arena, const char **out,
                                     struct err *err);

/* What `dyno run` is given for a value that was found right; NULL: no memory.
 * option: its name. */
const char *matrix_option_argument(const char *option, const char *text,
                                   struct arena *arena);
/* `dyno load` takes the option too. */
bool matrix_option_loads(const struct workload *wl, const char *option);
/* How it is loaded: `dyno audit` does not take it. */
bool matrix_option_is_loader(const char *option);

#endif
