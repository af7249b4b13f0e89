/* SPDX-License-Identifier: MIT */
#include "engine/coro.h"

#include "base/mem.h"
#include "engine/coro_switch.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#if HAVE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define NO_ASAN __attribute__((no_sanitize("address")))
#else
#define NO_ASAN
#endif
#if HAVE_TSAN
#include <sanitizer/tsan_interface.h>
#endif
#ifdef __has_include
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#define HAVE_VALGRIND_H 1
#endif
#endif
#ifndef HAVE_VALGRIND_H
#define HAVE_VALGRIND_H 0
#endif

/* A call of its own would begin on one stack and end on another, and TSan
 * counts both. */
#define SWITCH_HOOK static inline __attribute__((always_inline))

/* Of a process, for all but stacks: libraries, heaps, threads. */
#define OTHER_MAPS 2000

enum coro_state { CORO_FRESH, CORO_RUNNING, CORO_SUSPENDED, CORO_ENDED };

/* What the tools that watch the stack must be told about a coroutine. */
struct watch {
#if HAVE_ASAN
    void *fake_outside, *fake_inside; /* stacks of use-after-return checks */
    const void *outside_stack;
    size_t outside_bytes;
#endif
#if HAVE_TSAN
    void *fiber, *outside_fiber;
#endif
    unsigned valgrind_id;
};

struct coro {
    struct coro_context inside, outside;
    coro_fn *fn;
    void *arg;
    char *stack; /* CORO_STACK_BYTES, above the guard page */
    enum coro_state state;
    struct watch watch;
};

static _Thread_local struct coro *current;

/* Before the first run of a function. */
static void watch_start(struct coro *c)
{
#if HAVE_ASAN
    ASAN_UNPOISON_MEMORY_REGION(c->stack, CORO_STACK_BYTES);
#endif
#if HAVE_TSAN
    c->watch.fiber = __tsan_create_fiber(0);
#endif
    (void)c;
}

/* After its end: the shadow call stack of TSan still holds the frames that
 * never returned, so a fiber serves for one function only; the frames' poison
 * must not survive in memory that somebody else maps. */
static void watch_end(struct coro *c)
{
#if HAVE_ASAN
    ASAN_UNPOISON_MEMORY_REGION(c->stack, CORO_STACK_BYTES);
#endif
#if HAVE_TSAN
    __tsan_destroy_fiber(c->watch.fiber);
#endif
    (void)c;
}

static void watch_register(struct coro *c)
{
#if HAVE_VALGRIND_H
    c->watch.valgrind_id =
        VALGRIND_STACK_REGISTER(c->stack, c->stack + CORO_STACK_BYTES - 1);
#endif
    (void)c;
}

static void watch_deregister(struct coro *c)
{
#if HAVE_VALGRIND_H
    VALGRIND_STACK_DEREGISTER(c->watch.valgrind_id);
#endif
    (void)c;
}

/* Just before and just after the switch to the coroutine, outside. */
SWITCH_HOOK void watch_before_resume(struct coro *c)
{
#if HAVE_ASAN
    __sanitizer_start_switch_fiber(&c->watch.fake_outside, c->stack,
                                   CORO_STACK_BYTES);
#endif
#if HAVE_TSAN
    c->watch.outside_fiber = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(c->watch.fiber, 0);
#endif
    (void)c;
}

SWITCH_HOOK void watch_after_resume(struct coro *c)
{
#if HAVE_ASAN
    __sanitizer_finish_switch_fiber(c->watch.fake_outside, NULL, NULL);
#endif
    (void)c;
}

/* Just before the switch away from and just after the switch back to the
 * coroutine, inside. */
SWITCH_HOOK void watch_before_leave(struct coro *c)
{
#if HAVE_ASAN
    __sanitizer_start_switch_fiber(
        c->state == CORO_ENDED ? NULL : &c->watch.fake_inside,
        c->watch.outside_stack, c->watch.outside_bytes);
#endif
#if HAVE_TSAN
    __tsan_switch_to_fiber(c->watch.outside_fiber, 0);
#endif
    (void)c;
}

SWITCH_HOOK void watch_after_enter(struct coro *c)
{
#if HAVE_ASAN
    __sanitizer_finish_switch_fiber(
        c->watch.fake_inside, &c->watch.outside_stack, &c->watch.outside_bytes);
#endif
    (void)c;
}

NO_RETURN static void coro_main(void)
{
    struct coro *c = current;

    watch_after_enter(c);
    c->fn(c->arg);
    c->state = CORO_ENDED;
    watch_before_leave(c);
    coro_context_switch(&c->inside, &c->outside);
    BUG("ended coroutine resumed");
}

static size_t guard_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* NULL when there is no memory.  Nothing is reserved: pages count when they are
 * touched. */
static char *stack_map(void)
{
    size_t guard = guard_bytes();
    void *map =
        mmap(NULL, guard + CORO_STACK_BYTES, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);

    if (map == MAP_FAILED)
        return NULL;
    if (mprotect(map, guard, PROT_NONE)) {
        munmap(map, guard + CORO_STACK_BYTES);
        return NULL;
    }
    return (char *)map + guard;
}

uint64_t coro_most(uint64_t *out_maps)
{
    FILE *f = fopen("/proc/sys/vm/max_map_count", "re");
    char line[32] = "";

    *out_maps = 0;
    if (f && fgets(line, sizeof(line), f))
        *out_maps = strtoull(line, NULL, 10);
    if (f)
        fclose(f);
    if (*out_maps == 0)
        return UINT64_MAX;
    /* A stack and its guard are a mapping each. */
    return *out_maps > OTHER_MAPS ? (*out_maps - OTHER_MAPS) / 2 : 0;
}

static void coro_arm(struct coro *c, coro_fn *fn, void *arg)
{
    c->fn = fn;
    c->arg = arg;
    c->state = CORO_FRESH;
#if HAVE_ASAN
    c->watch.fake_inside = NULL;
#endif
    watch_start(c);
    coro_context_init(&c->inside, c->stack, CORO_STACK_BYTES, coro_main);
}

struct coro *coro_new(coro_fn *fn, void *arg)
{
    struct coro *c = MEM_NEW(struct coro);

    if (!c)
        return NULL;
    c->stack = stack_map();
    if (!c->stack) {
        mem_free(c);
        return NULL;
    }
    watch_register(c);
    coro_arm(c, fn, arg);
    return c;
}

void coro_restart(struct coro *c, coro_fn *fn, void *arg)
{
    if (c->state != CORO_ENDED)
        BUG("restart of a coroutine that has not ended");
    watch_end(c);
    coro_arm(c, fn, arg);
}

void coro_free(struct coro *c)
{
    size_t guard = guard_bytes();

    if (!c)
        return;
    if (c->state != CORO_ENDED && c->state != CORO_FRESH)
        BUG("free of a coroutine that has not ended");
    watch_end(c);
    watch_deregister(c);
    munmap(c->stack - guard, guard + CORO_STACK_BYTES);
    mem_free(c);
}

void coro_resume(struct coro *c)
{
    if (UNLIKELY(current))
        BUG("resume inside a coroutine");
    if (UNLIKELY(c->state != CORO_FRESH && c->state != CORO_SUSPENDED))
        BUG("resume of a coroutine that has ended");
    current = c;
    c->state = CORO_RUNNING;
    watch_before_resume(c);
    coro_context_switch(&c->outside, &c->inside);
    watch_after_resume(c);
    current = NULL;
}

bool coro_ended(const struct coro *c)
{
    return c->state == CORO_ENDED;
}

struct coro *coro_self(void)
{
    return current;
}

void coro_yield(void)
{
    struct coro *c = current;

    if (UNLIKELY(!c))
        BUG("yield outside a coroutine");
    c->state = CORO_SUSPENDED;
    watch_before_leave(c);
    coro_context_switch(&c->inside, &c->outside);
    watch_after_enter(c);
}

void coro_assert_inside(void)
{
    if (!current)
        BUG("not inside a coroutine");
}

/* Reads what the tools hold to be nobody's: frames that are gone. */
NO_ASAN static size_t untouched_bytes(const char *stack)
{
    size_t n = 0;

    while (n < CORO_STACK_BYTES && stack[n] == 0)
        n++;
    return n;
}

size_t coro_stack_used(const struct coro *c)
{
    size_t untouched;

#if HAVE_VALGRIND_H
    VALGRIND_DISABLE_ERROR_REPORTING;
#endif
    untouched = untouched_bytes(c->stack);
#if HAVE_VALGRIND_H
    VALGRIND_ENABLE_ERROR_REPORTING;
#endif
    return CORO_STACK_BYTES - untouched;
}
