/* SPDX-License-Identifier: MIT */
#include "base/mem.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local unsigned run_path_depth;
static _Thread_local uint64_t fail_countdown;
static _Atomic uint64_t run_path_allocations;

void mem_run_path_enter(void)
{
    run_path_depth++;
}

void mem_run_path_leave(void)
{
    assert(run_path_depth > 0);
    run_path_depth--;
}

uint64_t mem_run_path_allocations(void)
{
    /* Partner: note_allocation().  Relaxed, because no other data depends on
     * the count; who needs an exact one reads it after joining the threads. */
    return atomic_load_explicit(&run_path_allocations, memory_order_relaxed);
}

void mem_fail_nth(uint64_t n)
{
    fail_countdown = n;
}

/* Exists to hold a breakpoint at the failure that mem_fail_nth() asked for. */
static bool injected_failure(void)
{
    return true;
}

/* Called once for every allocation; true means that it has to fail. */
static bool note_allocation(void)
{
    if (run_path_depth > 0)
        /* Partner: mem_run_path_allocations(). */
        atomic_fetch_add_explicit(&run_path_allocations, 1,
                                  memory_order_relaxed);
    if (LIKELY(fail_countdown == 0))
        return false;
    fail_countdown--;
    return fail_countdown == 0 && injected_failure();
}

void *mem_calloc(size_t n, size_t size)
{
    size_t bytes;

    /* calloc() checks the product too, but sanitizers make that an abort. */
    if (note_allocation() || __builtin_mul_overflow(n, size, &bytes))
        return NULL;
    return calloc(1, bytes > 0 ? bytes : 1);
}

void *mem_realloc(void *p, size_t size)
{
    if (note_allocation())
        return NULL;
    /* A size of zero would free p, and the caller would free it again. */
    return realloc(p, size > 0 ? size : 1);
}

void *mem_realloc_script(void *p, size_t size)
{
    return realloc(p, size > 0 ? size : 1);
}

char *mem_strdup(const char *s)
{
    return note_allocation() ? NULL : strdup(s);
}

void *mem_calloc_aligned(size_t n, size_t size)
{
    size_t bytes;
    void *p;

    if (note_allocation())
        return NULL;
    if (__builtin_mul_overflow(n, size, &bytes) ||
        __builtin_add_overflow(bytes, CACHE_LINE_BYTES, &bytes))
        return NULL;
    /* aligned_alloc() wants a multiple of the alignment, never zero. */
    bytes -= bytes % CACHE_LINE_BYTES;
    p = aligned_alloc(CACHE_LINE_BYTES, bytes);
    if (p)
        memset(p, 0, bytes);
    return p;
}

void mem_free(void *p)
{
    free(p);
}
