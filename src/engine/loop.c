/* SPDX-License-Identifier: MIT */
#include "engine/loop.h"

#include "base/mem.h"
#include "engine/loop_int.h"

/* Ended coroutines kept for reuse; more would only hold memory. */
#define SPARE_TASKS_MAX 64

static _Thread_local struct loop *current_loop;

enum rc loop_new(struct loop **out, struct err *err)
{
    struct loop *loop =
        (struct loop *)mem_calloc_aligned(1, sizeof(struct loop));
    enum rc rc;

    if (!loop)
        return err_set(err, RC_NOMEM, "no memory for an event loop");
    atomic_init(&loop->cancelled, false);
    atomic_init(&loop->dismissed, false);
    rc = loop_io_init(loop, err);
    if (!rc)
        loop->lag = hist_new();
    if (!rc && !loop->lag)
        rc = err_set(err, RC_NOMEM, "no memory for an event loop");
    if (rc) {
        loop_free(loop);
        return rc;
    }
    *out = loop;
    return RC_OK;
}

static void task_free(struct task *task)
{
    coro_free(task->coro);
    mem_free(task);
}

/* Returns how many there were. */
static size_t task_list_free(struct task *first)
{
    size_t n = 0;

    while (first) {
        struct task *next = first->next;

        task_free(first);
        first = next;
        n++;
    }
    return n;
}

void loop_free(struct loop *loop)
{
    if (!loop)
        return;
    loop->n_tasks -= task_list_free(loop->ready_first);
    if (loop->n_tasks > 0)
        BUG("loop freed while %zu coroutines wait", loop->n_tasks);
    task_list_free(loop->spare);
    timers_release(&loop->timers);
    loop_io_release(loop);
    hist_free(loop->lag);
    mem_free(loop);
}

static void make_ready(struct loop *loop, struct task *task)
{
    task->next = NULL;
    if (loop->ready_last)
        loop->ready_last->next = task;
    else
        loop->ready_first = task;
    loop->ready_last = task;
}

/* NULL when there is no memory. */
static struct task *task_new(struct loop *loop, coro_fn *fn, void *arg)
{
    struct task *task = loop->spare;

    if (task) {
        loop->spare = task->next;
        loop->n_spare--;
        coro_restart(task->coro, fn, arg);
        return task;
    }
    task = MEM_NEW(struct task);
    if (!task)
        return NULL;
    task->coro = coro_new(fn, arg);
    if (!task->coro) {
        mem_free(task);
        return NULL;
    }
    return task;
}

enum rc loop_spawn(struct loop *loop, coro_fn *fn, void *arg, struct err *err)
{
    struct task *task;

    /* A coroutine waits for one thing at a time, so this is enough. */
    if (timers_reserve(&loop->timers, loop->n_tasks + 1))
        return err_set(err, RC_NOMEM, "no memory for a timer");
    task = task_new(loop, fn, arg);
    if (!task)
        return err_set(err, RC_NOMEM, "no memory for a coroutine's stack");
    loop->n_tasks++;
    make_ready(loop, task);
    return RC_OK;
}

static void task_end(struct loop *loop, struct task *task)
{
    loop->n_tasks--;
    if (loop->n_spare == SPARE_TASKS_MAX) {
        task_free(task);
        return;
    }
    task->next = loop->spare;
    loop->spare = task;
    loop->n_spare++;
}

/* Detached first: what becomes ready meanwhile runs in the next iteration. */
static void run_ready(struct loop *loop)
{
    struct task *task = loop->ready_first;

    loop->ready_first = NULL;
    loop->ready_last = NULL;
    while (task) {
        struct task *next = task->next;

        loop->running = task;
        coro_resume(task->coro);
        if (coro_ended(task->coro))
            task_end(loop, task);
        task = next;
    }
    loop->running = NULL;
}

static void queue_remove(struct loop_waiter *waiter)
{
    struct loop_queue *queue = waiter->queue;

    if (waiter->prev)
        waiter->prev->next = waiter->next;
    else
        queue->first = waiter->next;
    if (waiter->next)
        waiter->next->prev = waiter->prev;
    else
        queue->last = waiter->prev;
}

void loop_wake(struct loop *loop, struct loop_waiter *waiter, enum rc rc)
{
    timers_remove(&loop->timers, &waiter->timer);
    if (waiter->fd >= 0) {
        loop->fds[waiter->fd].waiter = NULL;
        loop->n_io--;
    }
    if (waiter->queue)
        queue_remove(waiter);
    waiter->rc = rc;
    make_ready(loop, waiter->task);
}

/* Switches away until loop_wake(). */
enum rc loop_park(struct loop *loop, struct loop_waiter *waiter,
                  struct mono deadline)
{
    waiter->task = loop->running;
    waiter->task->has_waited = true;
    /* Without a deadline too: the heap is how loop_cancel() finds those who
     * wait for no descriptor. */
    if (waiter->fd < 0 || deadline.ns != MONO_NEVER.ns)
        timers_add(&loop->timers, &waiter->timer, deadline);
    coro_yield();
    return waiter->rc;
}

/* The calling coroutine must be one of this loop. */
void loop_check_inside(const struct loop *loop)
{
    if (UNLIKELY(!loop->running || current_loop != loop || !coro_self()))
        BUG("wait outside a coroutine of this loop");
}

void loop_yield(struct loop *loop)
{
    loop_check_inside(loop);
    make_ready(loop, loop->running);
    coro_yield();
}

void loop_give_way(struct loop *loop)
{
    loop_check_inside(loop);
    if (!loop->running->has_waited)
        loop_yield(loop);
    loop->running->has_waited = false;
}

/* Partner: loop_dismiss(). */
static bool is_dismissed(const struct loop *loop)
{
    return atomic_load_explicit(&loop->dismissed, memory_order_acquire);
}

static CORO_FN enum rc sleep_until(struct loop *loop, struct mono due,
                                   bool rests)
{
    struct loop_waiter waiter = {
        .at_deadline = RC_OK, .fd = -1, .rests = rests};
    enum rc rc;

    loop_check_inside(loop);
    if (loop_cancelled(loop) || (rests && is_dismissed(loop)))
        return RC_CANCELLED;
    if (mono_since(clock_now(), due) >= 0) {
        loop_yield(loop);
        return loop_cancelled(loop) ? RC_CANCELLED : RC_OK;
    }
    rc = loop_park(loop, &waiter, due);
    if (!rc)
        hist_record(loop->lag, mono_since(clock_now(), due));
    return rc;
}

enum rc loop_sleep_until(struct loop *loop, struct mono due)
{
    return sleep_until(loop, due, false);
}

enum rc loop_rest_until(struct loop *loop, struct mono due)
{
    return sleep_until(loop, due, true);
}

enum rc loop_queue_wait(struct loop *loop, struct loop_queue *queue,
                        struct mono deadline)
{
    struct loop_waiter waiter = {
        .at_deadline = RC_TIMEOUT,
        .fd = -1,
        .rests = true,
        .queue = queue,
        .prev = queue->last,
    };

    loop_check_inside(loop);
    if (loop_cancelled(loop) || is_dismissed(loop))
        return RC_CANCELLED;
    if (queue->last)
        queue->last->next = &waiter;
    else
        queue->first = &waiter;
    queue->last = &waiter;
    return loop_park(loop, &waiter, deadline);
}

bool loop_queue_wake(struct loop *loop, struct loop_queue *queue)
{
    if (!queue->first)
        return false;
    loop_wake(loop, queue->first, RC_OK);
    return true;
}

static void fire_timers(struct loop *loop)
{
    struct mono now;
    struct timer *timer;

    if (loop->timers.n == 0)
        return;
    now = clock_now();
    while ((timer = timers_pop(&loop->timers, now))) {
        struct loop_waiter *waiter =
            CONTAINER_OF(timer, struct loop_waiter, timer);

        loop_wake(loop, waiter, waiter->at_deadline);
    }
}

/* Ends all waits, those with a time in its order, then the others by
 * descriptor. */
static void cancel_waits(struct loop *loop)
{
    struct timer *timer;

    loop->cancel_done = true;
    while ((timer = timers_pop(&loop->timers, MONO_NEVER)))
        loop_wake(loop, CONTAINER_OF(timer, struct loop_waiter, timer),
                  RC_CANCELLED);
    for (size_t fd = 0; fd < loop->fds_cap && loop->n_io > 0; fd++)
        if (loop->fds[fd].waiter)
            loop_wake(loop, loop->fds[fd].waiter, RC_CANCELLED);
}

/* Waking one moves others in the heap, so until a pass finds none. */
static void dismiss_rests(struct loop *loop)
{
    const struct timers *timers = &loop->timers;
    bool any;

    loop->dismiss_done = true;
    do {
        any = false;
        for (size_t i = 0; i < timers->n; i++) {
            struct loop_waiter *waiter =
                CONTAINER_OF(timers->heap[i], struct loop_waiter, timer);

            if (!waiter->rests)
                continue;
            any = true;
            loop_wake(loop, waiter, RC_CANCELLED);
        }
    } while (any);
}

void loop_run(struct loop *loop)
{
    if (current_loop)
        BUG("loop run inside a loop");
    current_loop = loop;
    while (loop->n_tasks > 0) {
        if (UNLIKELY(loop_cancelled(loop) && !loop->cancel_done))
            cancel_waits(loop);
        if (UNLIKELY(is_dismissed(loop) && !loop->dismiss_done))
            dismiss_rests(loop);
        loop_io_poll(loop);
        fire_timers(loop);
        run_ready(loop);
    }
    current_loop = NULL;
}

enum rc loop_call(coro_fn *fn, void *arg, struct err *err)
{
    struct loop *loop;
    enum rc rc = loop_new(&loop, err);

    if (rc)
        return rc;
    rc = loop_spawn(loop, fn, arg, err);
    if (!rc)
        loop_run(loop);
    loop_free(loop);
    return rc;
}

struct loop *loop_current(void)
{
    return current_loop;
}

void loop_dismiss(struct loop *loop)
{
    /* As in loop_cancel(); partner: is_dismissed(). */
    atomic_store_explicit(&loop->dismissed, true, memory_order_release);
    loop_io_interrupt(loop);
}

void loop_cancel(struct loop *loop)
{
    /* The flag for a loop that is busy, the descriptor for one that waits.
     * Partner: the load in loop_cancelled(). */
    atomic_store_explicit(&loop->cancelled, true, memory_order_release);
    loop_io_interrupt(loop);
}

bool loop_cancelled(const struct loop *loop)
{
    return atomic_load_explicit(&loop->cancelled, memory_order_acquire);
}

const struct hist *loop_lag_hist(const struct loop *loop)
{
    return loop->lag;
}

struct loop_lag loop_lag(const struct loop *loop)
{
    return (struct loop_lag){
        .max_ns = hist_max(loop->lag),
        .sum_ns = hist_sum(loop->lag),
        .n = hist_count(loop->lag),
    };
}
