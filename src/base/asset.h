/* SPDX-License-Identifier: MIT */
/*
 * Files embedded at build time: sql/ and, later, what the report needs.
 * Names are paths below the project's root, "sql/tpcc/sqlite/schema.sql".
 */
#ifndef BASE_ASSET_H
#define BASE_ASSET_H

#include "base/err.h"

struct asset {
    const char *name;
    const char *data; /* NUL-terminated */
    size_t len;
};

/* Sorted by name; filled by tools/embed.c at build time. */
extern const struct asset asset_table[];
extern const size_t asset_count;

/* NULL when there is none of that name.  What has been overridden is found
 * instead of what was embedded. */
const struct asset *asset_find(const char *name);

/* ---- files of the user's own instead of embedded ones ---- */

/* Each file below the folder dir, hidden ones apart, takes the place of the
 * embedded one of that path below root ("sql/"), until asset_override_none().
 * A file that replaces nothing is RC_USAGE, and nothing is replaced then.
 * Before other threads start. */
MUST_USE enum rc asset_override(const char *dir, const char *root,
                                struct err *err);
void asset_override_none(void);
/* The ith replaced one in the order of names, NULL past the last. */
const struct asset *asset_override_at(size_t i);
const struct asset *asset_override_find(const char *name);
/* Of the names and texts of all; 0 when there is none. */
uint64_t asset_override_hash(void);

#endif
