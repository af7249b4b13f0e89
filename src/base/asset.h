/* SPDX-License-Identifier: MIT */
/*
 * Files embedded at build time: sql/ and, later, what the report needs.
 * Names are paths below the project's root, "sql/tpcc/sqlite/schema.sql".
 */
#ifndef BASE_ASSET_H
#define BASE_ASSET_H

#include "base/base.h"

struct asset {
    const char *name;
    const char *data; /* NUL-terminated */
    size_t len;
};

/* Sorted by name; filled by tools/embed.c at build time. */
extern const struct asset asset_table[];
extern const size_t asset_count;

/* NULL when there is none of that name. */
const struct asset *asset_find(const char *name);

#endif
