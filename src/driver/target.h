/* SPDX-License-Identifier: MIT */
/*
 * A target names a database to load by a URL: "sqlite:FILE", "noop:",
 * "postgres://user@host/db".  Only the scheme is understood here; the rest is
 * the driver's.
 */
#ifndef DRIVER_TARGET_H
#define DRIVER_TARGET_H

#include "base/arena.h"

struct driver;

struct target {
    const struct driver *driver;
    const char *url;   /* as given; may hold a password, never print it */
    const char *shown; /* with the password replaced by *** */
    const char *word;  /* the same as a word of a shell's command */
    const char *rest;  /* behind "scheme:", parameters cut off */
};

/* The driver is found in the registry; an unknown scheme is RC_USAGE and
 * names the nearest one.  Text without a scheme that ends in .db, .sqlite or
 * .sqlite3, or names an existing file, is an SQLite file.  Strings live in the
 * arena. */
MUST_USE enum rc target_parse(struct arena *arena, const char *url,
                              struct target *out, struct err *err);

/* The value of "?name=value&…" in the URL, percent-decoded, NULL if absent. */
MUST_USE const char *target_param(const struct target *t, struct arena *arena,
                                  const char *name);
/* A percent-decoded copy; NULL: no memory. */
MUST_USE const char *target_decode(struct arena *arena, const char *s,
                                   size_t len);
/* An error that names the first parameter which is not in names[]. */
MUST_USE enum rc target_check_params(const struct target *t,
                                     const char *const *names, size_t n,
                                     struct err *err);

#endif
