/* SPDX-License-Identifier: MIT */
/*
 * Option tables.  One row is the whole truth about an option: the parser, the
 * help, the environment, the configuration file and the settings block of the
 * report are loops over the same rows.  Defaults are text, parsed by the code
 * that parses what users write.
 *
 * Precedence: command line, environment (DYNO_RAMP_UP for --ramp-up),
 * configuration file (ramp_up:), default.  Where a value came from is kept.
 * The sources may be read in any order, so the command line can name the
 * configuration file: a value never replaces one of a stronger source (it is
 * checked all the same), and one of the same source replaces, or in STRS
 * follows, the earlier one.
 */
#ifndef BASE_OPT_H
#define BASE_OPT_H

#include "base/arena.h"

#include <stdio.h>

enum opt_type {
    OPT_TYPE_U64,      /* uint64_t */
    OPT_TYPE_DURATION, /* int64_t, ns */
    OPT_TYPE_BYTES,    /* uint64_t */
    OPT_TYPE_SHARE,    /* double, 0..1 */
    OPT_TYPE_BOOL,     /* bool; --x, --x on|off, --no-x */
    OPT_TYPE_CHOICE,   /* int, index into choices */
    OPT_TYPE_STR,      /* const char *, in the set's arena; NULL if unset */
    OPT_TYPE_STRS,     /* struct opt_strs; the option may be repeated */
};

enum opt_flags {
    OPT_SECRET = 1, /* shown as *** everywhere */
    OPT_HIDDEN = 2, /* not in --help */
};

enum opt_source {
    OPT_FROM_DEFAULT,
    OPT_FROM_CONFIG,
    OPT_FROM_ENV,
    OPT_FROM_CLI,
};

#define OPT_STRS_MAX 64

struct opt_strs {
    const char *items[OPT_STRS_MAX];
    size_t n;
};

struct opt {
    const char *name; /* long name without dashes; NULL ends a table */
    char letter;      /* 0 if there is none */
    enum opt_type type;
    size_t offset;     /* of the target in the group's structure */
    const char *arg;   /* "N", "TIME": shown in help */
    const char *help;  /* at most 60 columns, lower case, no full stop */
    const char *def;   /* text, or NULL: target stays as it is (zero) */
    uint64_t min, max; /* U64, BYTES, DURATION (ns); 0, 0 = unchecked */
    const char *const *choices; /* CHOICE: NULL-terminated */
    unsigned flags;
};

/* Refuses at compile time a member of the wrong type. */
/* NOLINTBEGIN(bugprone-macro-parentheses): t is a type */
#define OPT_IS(t, st, member) \
    (0 * sizeof(_Generic(&((st *)0)->member, t * : 0)))
/* NOLINTEND(bugprone-macro-parentheses) */

#define OPT_ROW(t, type_, st, member, lname, ch, argname, text, dflt, ...) \
    {                                                                      \
        .name = (lname), .letter = (ch), .type = (type_),                  \
        .offset = offsetof(st, member) + OPT_IS(t, st, member),            \
        .arg = (argname), .help = (text), .def = (dflt), __VA_ARGS__       \
    }

#define OPT_U64(st, m, lname, ch, dflt, lo, hi, argname, text)             \
    OPT_ROW(uint64_t, OPT_TYPE_U64, st, m, lname, ch, argname, text, dflt, \
            .min = (lo), .max = (hi))
#define OPT_DUR(st, m, lname, ch, dflt, argname, text)                         \
    OPT_ROW(int64_t, OPT_TYPE_DURATION, st, m, lname, ch, argname, text, dflt, \
            .min = 0)
/* As OPT_DUR, at least min_ns. */
#define OPT_DUR_FROM(st, m, lname, ch, dflt, min_ns, argname, text)            \
    OPT_ROW(int64_t, OPT_TYPE_DURATION, st, m, lname, ch, argname, text, dflt, \
            .min = (min_ns))
#define OPT_BYTES(st, m, lname, ch, dflt, argname, text)                     \
    OPT_ROW(uint64_t, OPT_TYPE_BYTES, st, m, lname, ch, argname, text, dflt, \
            .min = 0)
#define OPT_SHARE(st, m, lname, ch, dflt, argname, text)                   \
    OPT_ROW(double, OPT_TYPE_SHARE, st, m, lname, ch, argname, text, dflt, \
            .min = 0)
#define OPT_BOOL(st, m, lname, ch, dflt, text)                           \
    OPT_ROW(bool, OPT_TYPE_BOOL, st, m, lname, ch, "on|off", text, dflt, \
            .min = 0)
#define OPT_CHOICE(st, m, lname, ch, dflt, names, argname, text)         \
    OPT_ROW(int, OPT_TYPE_CHOICE, st, m, lname, ch, argname, text, dflt, \
            .choices = (names))
#define OPT_STR(st, m, lname, ch, dflt, argname, text)                         \
    OPT_ROW(const char *, OPT_TYPE_STR, st, m, lname, ch, argname, text, dflt, \
            .min = 0)
#define OPT_STRS(st, m, lname, ch, argname, text)                            \
    OPT_ROW(struct opt_strs, OPT_TYPE_STRS, st, m, lname, ch, argname, text, \
            NULL, .min = 0)
#define OPT_END      \
    {                \
        .name = NULL \
    }

#define OPT_GROUPS_MAX 12
#define OPT_ROWS_MAX 160

/* The tables of one command, each with the structure that it fills. */
struct opt_group {
    const char *title; /* a heading in --help */
    const struct opt *opts;
    void *target;
};

struct opt_set {
    struct opt_group groups[OPT_GROUPS_MAX];
    size_t n_groups;
    enum opt_source sources[OPT_ROWS_MAX]; /* in order of groups and rows */
    const char *texts[OPT_ROWS_MAX];       /* value as text, for the report */
    struct arena arena;
};

/* Storage is the caller's.  Strings live until opt_set_release(). */
void opt_set_init(struct opt_set *set);
void opt_set_release(struct opt_set *set);
/* Two rows of one name or letter in a set are a BUG. */
void opt_set_add(struct opt_set *set, const char *title, const struct opt *opts,
                 void *target);

/* Fills all targets with the defaults.  A default that does not parse is a
 * BUG. */
void opt_set_defaults(struct opt_set *set);
/* From DYNO_* variables; unknown and empty ones are left alone. */
MUST_USE enum rc opt_set_env(struct opt_set *set, struct err *err);
/* A flat YAML (or JSON) mapping "name_with_underscores: value"; an unknown key
 * is an error that names the line and the nearest right key. */
MUST_USE enum rc opt_set_config(struct opt_set *set, const char *path,
                                struct err *err);
/*
 * Parses argv[0..argc-1] (no command name inside).  What is not an option goes
 * to args (borrowed from argv, at most args_cap; "--" ends options).
 * --name VALUE, --name=VALUE, -n VALUE, -nVALUE; a VALUE of its own does not
 * start with "--", and switches may share a dash (-qu4).  Does not treat
 * --help: the caller has a row for it.  An unknown option is RC_USAGE and names
 * the nearest right one.
 */
MUST_USE enum rc opt_set_argv(struct opt_set *set, int argc, char **argv,
                              const char **args, size_t args_cap,
                              size_t *out_n_args, struct err *err);
/* Sets one option by its long name as if from source; for tests and callers
 * that derive a default (source OPT_FROM_DEFAULT). */
MUST_USE enum rc opt_set_value(struct opt_set *set, const char *name,
                               const char *text, enum opt_source source,
                               struct err *err);
/* Whether there is an option of this long name. */
bool opt_set_has(const struct opt_set *set, const char *name);
/* Where an option's value came from; name must exist. */
enum opt_source opt_set_source(const struct opt_set *set, const char *name);

void opt_set_help(const struct opt_set *set, FILE *out);

/* Calls fn for each option, in order, with its value as text ("***" for a
 * secret, NULL when unset) and the source's name: default, config,
 * environment, command line. */
typedef void opt_each_fn(void *arg, const struct opt *opt, const char *value,
                         const char *source);
void opt_set_each(const struct opt_set *set, opt_each_fn *fn, void *arg);

#endif
