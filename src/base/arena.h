/* SPDX-License-Identifier: MIT */
/*
 * Memory for things that die together.  Grows by blocks up to a stated
 * maximum, is reset (blocks kept) or released, and never frees one object.
 * Under ASan a reset poisons the memory, so stale pointers are caught.
 * Belongs to one thread.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/err.h"

struct arena_block;

struct arena {
    struct arena_block *first, *current;
    size_t used_bytes;  /* handed out since the last reset, rounded */
    size_t total_bytes; /* in blocks, at most max_bytes */
    size_t max_bytes;
};

#define ARENA_INIT(max)    \
    {                      \
        .max_bytes = (max) \
    }

void arena_init(struct arena *a, size_t max_bytes);
void arena_release(struct arena *a); /* the zero state is fine */
/* Empties it and keeps the memory. */
void arena_reset(struct arena *a);

/* Aligned to 16 bytes, zeroed; NULL when the maximum or memory is reached. */
MUST_USE void *arena_alloc(struct arena *a, size_t bytes);
MUST_USE void *arena_array(struct arena *a, size_t n, size_t size);
MUST_USE char *arena_strdup(struct arena *a, const char *s);
MUST_USE char *arena_strndup(struct arena *a, const char *s, size_t len);
MUST_USE char *arena_printf(struct arena *a, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_array((a), (n), sizeof(type)))

#endif
