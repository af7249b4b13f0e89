/* SPDX-License-Identifier: MIT */
/*
 * The results store: one SQLite file, dyno.db, in the results folder.  Several
 * processes may have it open and write to it.  What is in it:
 * sql/store/sqlite/version_N.sql; why it is so: docs/design/store.md.
 *
 * Errors: RC_NOT_FOUND, RC_DB_NO_SPACE, RC_DB_PERMISSION, RC_BUSY (others
 * wrote for longer than the patience), RC_INVALID (no store of dyno's, or
 * broken), RC_UNSUPPORTED (made by a newer dyno), else RC_IO; each names the
 * file.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/err.h"

#define STORE_FILE "dyno.db"

struct store;

enum store_mode {
    STORE_READ,  /* must be there */
    STORE_WRITE, /* made when it is not; the folder must be there */
};

/* An older version is brought up to date, in one transaction. */
MUST_USE enum rc store_open(const char *dir, enum store_mode mode,
                            struct store **out, struct err *err);
/* The same for a file of any name, as `dyno runs export` makes. */
MUST_USE enum rc store_open_file(const char *path, enum store_mode mode,
                                 struct store **out, struct err *err);
void store_close(struct store *s); /* NULL is fine */
const char *store_path(const struct store *s);

#endif
