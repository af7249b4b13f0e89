/* SPDX-License-Identifier: MIT */
/*
 * The only place that calls malloc.  Survives failure (returns NULL), counts
 * allocations made by a thread that has declared itself on the run path, and
 * can be told to fail the Nth allocation (fault tests).
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include "base/base.h"

/* Zeroed memory; NULL when there is none or n * size overflows. */
MUST_USE void *mem_calloc(size_t n, size_t size);
MUST_USE void *mem_realloc(void *p, size_t size);
/* The same for an interpreter's own heap, which is not counted. */
MUST_USE void *mem_realloc_script(void *p, size_t size);
MUST_USE char *mem_strdup(const char *s);
/* Zeroed, aligned to CACHE_LINE_BYTES; free with mem_free(). */
MUST_USE void *mem_calloc_aligned(size_t n, size_t size);
void mem_free(void *p); /* NULL is fine */

#define MEM_NEW(type) ((type *)mem_calloc(1, sizeof(type)))
#define MEM_ARRAY(type, n) ((type *)mem_calloc((n), sizeof(type)))

/* Between enter and leave every allocation of the calling thread through this
 * header is counted as one made on the run path, where there must be none. */
void mem_run_path_enter(void);
void mem_run_path_leave(void);
/* Of all threads since the program began. */
uint64_t mem_run_path_allocations(void);

/* The nth allocation of this thread from now (1 = the next) returns NULL;
 * 0 switches off.  For fault tests. */
void mem_fail_nth(uint64_t n);

#endif
