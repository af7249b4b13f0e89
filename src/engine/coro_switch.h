/* SPDX-License-Identifier: MIT */
/*
 * Private to engine/coro.c: where a thread of control stands, and how to go
 * from one to another.  x86-64 has an assembly version; others, and builds with
 * -DCORO_UCONTEXT=1, use ucontext, which makes two system calls a switch.
 */
#ifndef ENGINE_CORO_SWITCH_H
#define ENGINE_CORO_SWITCH_H

#include "base/base.h"

#ifndef CORO_UCONTEXT
#if defined(__x86_64__) && !defined(__ILP32__)
#define CORO_UCONTEXT 0
#else
#define CORO_UCONTEXT 1
#endif
#endif

#if CORO_UCONTEXT
#include <ucontext.h>
struct coro_context {
    ucontext_t uc;
};
#else
struct coro_context {
    void *sp; /* the rest is on the stack it points to */
};
#endif

typedef void coro_context_entry(void);

/* The first switch to ctx calls entry, which must never return, on the stack
 * given, its end aligned to 16 bytes. */
void coro_context_init(struct coro_context *ctx, char *stack,
                       size_t stack_bytes, coro_context_entry *entry);

/* Returns when somebody switches back to from. */
void coro_context_switch(struct coro_context *from,
                         const struct coro_context *to);

#endif
