/* SPDX-License-Identifier: MIT */
/*
 * Stackful coroutines: a stack of its own for each, switched by a few
 * instructions (x86-64 assembly, ucontext elsewhere).  A coroutine belongs to
 * the thread that made it for life.  All knowledge of sanitizers and valgrind
 * is in coro.c.
 *
 * CORO_FN marks a function that may switch away and so may only be called
 * inside a coroutine; clang's lock analysis checks it, gcc sees nothing.
 */
#ifndef ENGINE_CORO_H
#define ENGINE_CORO_H

#include "base/err.h"

#ifdef __clang__
struct __attribute__((capability("coroutine"))) coro_role {
    char unused;
};
extern struct coro_role in_coro; /* never defined, never read */
#define CORO_FN __attribute__((requires_capability(in_coro)))
#define CORO_ENTRY __attribute__((assert_capability(in_coro)))
#else
#define CORO_FN
#define CORO_ENTRY
#endif
#define CORO_SLOT /* on table members, where attributes cannot go */

/* Mapped lazily, with a guard page: only touched pages cost memory. */
#define CORO_STACK_BYTES (256 * 1024)

/* How many one process can have, by the kernel's limit of mappings, and that
 * limit; 0 when it is not known. */
uint64_t coro_most(uint64_t *out_maps);

struct coro;
typedef void coro_fn(void *arg);

/* Starts suspended.  NULL when there is no memory for the stack. */
MUST_USE struct coro *coro_new(coro_fn *fn, void *arg);
/* Makes one that has ended run another function, on the same stack. */
void coro_restart(struct coro *c, coro_fn *fn, void *arg);
/* Only for one that has ended or never ran; NULL is fine. */
void coro_free(struct coro *c);

/* Runs c until it yields or ends.  Only outside a coroutine, on its thread. */
void coro_resume(struct coro *c);
bool coro_ended(const struct coro *c);

/* The coroutine that runs on this thread now, NULL outside. */
struct coro *coro_self(void);
/* Back to whoever resumed. */
CORO_FN void coro_yield(void);

/* First call of an entry function: tells the analysis where it is, and is a
 * BUG outside a coroutine. */
void coro_assert_inside(void) CORO_ENTRY;

/* Deepest use of the stack so far, by all functions that ran on it, bytes.
 * Fresh pages are zero, which is the paint: it costs nothing, in any build, and
 * touches no page that the coroutine did not. */
size_t coro_stack_used(const struct coro *c);

#endif
