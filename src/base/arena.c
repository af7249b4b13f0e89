/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#if HAVE_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(p, len) __asan_poison_memory_region((p), (len))
#define UNPOISON(p, len) __asan_unpoison_memory_region((p), (len))
#else
#define POISON(p, len) ((void)0)
#define UNPOISON(p, len) ((void)0)
#endif

#define ALIGN_BYTES 16
#define BLOCK_BYTES_MIN ((size_t)4096)
#define BLOCK_BYTES_MAX ((size_t)1 << 20)

struct arena_block {
    struct arena_block *next;
    size_t used, cap; /* of data */
    _Alignas(ALIGN_BYTES) char data[];
};

void arena_init(struct arena *a, size_t max_bytes)
{
    *a = (struct arena){.max_bytes = max_bytes};
}

void arena_release(struct arena *a)
{
    struct arena_block *b = a->first;

    while (b) {
        struct arena_block *next = b->next;

        UNPOISON(b->data, b->cap);
        mem_free(b);
        b = next;
    }
    arena_init(a, a->max_bytes);
}

void arena_reset(struct arena *a)
{
    for (struct arena_block *b = a->first; b; b = b->next) {
        b->used = 0;
        POISON(b->data, b->cap);
    }
    a->current = a->first;
    a->used_bytes = 0;
}

/* Blocks double with the arena, so that their number stays small, between
 * BLOCK_BYTES_MIN and _MAX; a bigger request gets a block of its own size. */
static size_t next_block_cap(const struct arena *a, size_t bytes)
{
    const size_t room = a->max_bytes - a->total_bytes;
    size_t cap = a->total_bytes;

    if (cap < BLOCK_BYTES_MIN)
        cap = BLOCK_BYTES_MIN;
    if (cap > BLOCK_BYTES_MAX)
        cap = BLOCK_BYTES_MAX;
    if (cap < bytes)
        cap = bytes;
    return cap < room ? cap : room;
}

static struct arena_block *add_block(struct arena *a, size_t bytes)
{
    const size_t cap = next_block_cap(a, bytes);
    struct arena_block *b;
    size_t size;

    if (cap < bytes || __builtin_add_overflow(sizeof(*b), cap, &size))
        return NULL;
    b = mem_realloc(NULL, size);
    if (!b)
        return NULL;
    b->used = 0;
    b->cap = cap;
    POISON(b->data, b->cap);
    if (a->current) {
        b->next = a->current->next;
        a->current->next = b;
    } else {
        b->next = a->first;
        a->first = b;
    }
    a->total_bytes += cap;
    return b;
}

/* After a reset the later blocks are empty and used before a new one. */
static struct arena_block *block_with_room(struct arena *a, size_t bytes)
{
    for (struct arena_block *b = a->current; b; b = b->next)
        if (b->cap - b->used >= bytes)
            return b;
    return add_block(a, bytes);
}

void *arena_alloc(struct arena *a, size_t bytes)
{
    struct arena_block *b;
    size_t rounded;
    void *p;

    if (__builtin_add_overflow(bytes > 0 ? bytes : 1, ALIGN_BYTES - 1,
                               &rounded))
        return NULL;
    rounded -= rounded % ALIGN_BYTES;
    b = block_with_room(a, rounded);
    if (!b)
        return NULL;
    p = b->data + b->used;
    b->used += rounded;
    a->current = b;
    a->used_bytes += rounded;
    /* Only what was asked for: the rest of the 16 bytes guards the end. */
    UNPOISON(p, bytes);
    memset(p, 0, bytes);
    return p;
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(n, size, &bytes))
        return NULL;
    return arena_alloc(a, bytes);
}

char *arena_strdup(struct arena *a, const char *s)
{
    return arena_strndup(a, s, strlen(s));
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
    char *copy;

    len = strnlen(s, len);
    copy = arena_alloc(a, len + 1);
    if (copy)
        memcpy(copy, s, len);
    return copy;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    char *text;
    int len;

    va_start(ap, fmt);
    len = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (len < 0)
        return NULL;
    text = arena_alloc(a, (size_t)len + 1);
    if (!text)
        return NULL;
    va_start(ap, fmt);
    vsnprintf(text, (size_t)len + 1, fmt, ap);
    va_end(ap);
    return text;
}
