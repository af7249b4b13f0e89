/* SPDX-License-Identifier: MIT */
#include "engine/timers.h"

#include "base/mem.h"

#define TIMERS_CAP_MIN 16

void timers_release(struct timers *timers)
{
    mem_free(timers->heap);
    *timers = (struct timers){0};
}

enum rc timers_reserve(struct timers *timers, size_t n)
{
    size_t cap = timers->cap ? timers->cap : TIMERS_CAP_MIN;
    struct timer **heap;

    if (n <= timers->cap)
        return RC_OK;
    while (cap < n)
        cap *= 2;
    heap = (struct timer **)mem_realloc(timers->heap, cap * sizeof(*heap));
    if (!heap)
        return RC_NOMEM;
    timers->heap = heap;
    timers->cap = cap;
    return RC_OK;
}

static bool is_before(const struct timer *a, const struct timer *b)
{
    if (a->due.ns != b->due.ns)
        return a->due.ns < b->due.ns;
    return a->sequence < b->sequence;
}

/* Places count from 1: the parent of place p is p / 2. */
static void put(struct timers *timers, size_t place, struct timer *timer)
{
    timers->heap[place - 1] = timer;
    timer->place = place;
}

static void sift_up(struct timers *timers, size_t place, struct timer *timer)
{
    while (place > 1 && is_before(timer, timers->heap[place / 2 - 1])) {
        put(timers, place, timers->heap[place / 2 - 1]);
        place /= 2;
    }
    put(timers, place, timer);
}

static void sift_down(struct timers *timers, size_t place, struct timer *timer)
{
    size_t child = 2 * place;

    while (child <= timers->n) {
        if (child < timers->n &&
            is_before(timers->heap[child], timers->heap[child - 1]))
            child++;
        if (is_before(timer, timers->heap[child - 1]))
            break;
        put(timers, place, timers->heap[child - 1]);
        place = child;
        child = 2 * place;
    }
    put(timers, place, timer);
}

void timers_add(struct timers *timers, struct timer *timer, struct mono due)
{
    if (timer->place != 0)
        BUG("timer added twice");
    if (timers->n == timers->cap)
        BUG("more timers than reserved (%zu)", timers->cap);
    timer->due = due;
    timer->sequence = timers->n_added++;
    timers->n++;
    sift_up(timers, timers->n, timer);
}

void timers_remove(struct timers *timers, struct timer *timer)
{
    size_t place = timer->place;
    struct timer *last;

    if (place == 0)
        return;
    last = timers->heap[timers->n - 1];
    timers->n--;
    timer->place = 0;
    if (last == timer)
        return;
    if (place > 1 && is_before(last, timers->heap[place / 2 - 1]))
        sift_up(timers, place, last);
    else
        sift_down(timers, place, last);
}

struct timer *timers_first(const struct timers *timers)
{
    return timers->n == 0 ? NULL : timers->heap[0];
}

struct timer *timers_pop(struct timers *timers, struct mono now)
{
    struct timer *first = timers_first(timers);

    if (!first || first->due.ns > now.ns)
        return NULL;
    timers_remove(timers, first);
    return first;
}
