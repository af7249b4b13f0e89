/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "engine/loop_int.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define FD_SLOTS_MIN 1024

/* -DLOOP_TIMERFD=1 forces what kernels before 5.11 need. */
#ifndef LOOP_TIMERFD
#define LOOP_TIMERFD 0
#endif

static enum rc reserve_fds(struct loop *loop, size_t n)
{
    size_t cap = loop->fds_cap ? loop->fds_cap : FD_SLOTS_MIN;
    struct fd_slot *fds;

    if (n <= loop->fds_cap)
        return RC_OK;
    while (cap < n)
        cap *= 2;
    fds = (struct fd_slot *)mem_realloc(loop->fds, cap * sizeof(*fds));
    if (!fds)
        return RC_NOMEM;
    for (size_t i = loop->fds_cap; i < cap; i++)
        fds[i] = (struct fd_slot){0};
    loop->fds = fds;
    loop->fds_cap = cap;
    return RC_OK;
}

static enum rc watch_own(struct loop *loop, int fd, struct err *err)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

    if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event))
        return err_errno(err, RC_IO, errno, "cannot set up an event loop");
    return RC_OK;
}

static bool has_pwait2(const struct loop *loop)
{
    const struct timespec zero = {0};
    struct epoll_event event;

    return !LOOP_TIMERFD &&
           epoll_pwait2(loop->epoll_fd, &event, 1, &zero, NULL) >= 0;
}

enum rc loop_io_init(struct loop *loop, struct err *err)
{
    enum rc rc;

    loop->epoll_fd = loop->wake_fd = loop->timer_fd = -1;
    loop->timer_armed = MONO_NEVER;
    if (reserve_fds(loop, FD_SLOTS_MIN))
        return err_set(err, RC_NOMEM, "no memory for an event loop");
    loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (loop->epoll_fd < 0)
        return err_errno(err, RC_IO, errno, "cannot create an epoll set");
    loop->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (loop->wake_fd < 0)
        return err_errno(err, RC_IO, errno, "cannot create an eventfd");
    rc = watch_own(loop, loop->wake_fd, err);
    if (rc || has_pwait2(loop))
        return rc;
    loop->timer_fd =
        timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (loop->timer_fd < 0)
        return err_errno(err, RC_IO, errno, "cannot create a timerfd");
    return watch_own(loop, loop->timer_fd, err);
}

static void close_descriptor(int fd)
{
    if (fd >= 0)
        close(fd);
}

void loop_io_release(struct loop *loop)
{
    close_descriptor(loop->timer_fd);
    close_descriptor(loop->wake_fd);
    close_descriptor(loop->epoll_fd);
    mem_free(loop->fds);
}

void loop_io_interrupt(struct loop *loop)
{
    const uint64_t one = 1;

    /* A full counter wakes as well. */
    if (write(loop->wake_fd, &one, sizeof(one)) < 0 && errno != EAGAIN)
        BUG("write of an event counter: errno %d", errno);
}

/* Makes epoll report exactly these events. */
static enum rc arm(struct loop *loop, int fd, unsigned events)
{
    struct fd_slot *slot = &loop->fds[fd];
    struct epoll_event event = {.data.fd = fd};
    int failed;

    if (slot->known && slot->armed == events)
        return RC_OK;
    if (events & IO_READ)
        event.events |= EPOLLIN;
    if (events & IO_WRITE)
        event.events |= EPOLLOUT;
    failed = epoll_ctl(loop->epoll_fd,
                       slot->known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event);
    /* Closed by a library behind our back, and the number used again. */
    if (failed && slot->known && errno == ENOENT)
        failed = epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event);
    if (failed) {
        *slot = (struct fd_slot){0};
        return RC_IO;
    }
    slot->known = true;
    slot->armed = events;
    return RC_OK;
}

static void disarm(struct loop *loop, int fd)
{
    struct fd_slot *slot = &loop->fds[fd];

    /* Fails when the descriptor is closed already, which is as good. */
    if (slot->known)
        (void)epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
    *slot = (struct fd_slot){0};
}

enum rc io_wait(struct loop *loop, int fd, unsigned events,
                struct mono deadline)
{
    struct loop_waiter waiter = {.at_deadline = RC_TIMEOUT, .fd = fd};
    enum rc rc;

    loop_check_inside(loop);
    if (loop_cancelled(loop))
        return RC_CANCELLED;
    if (fd < 0)
        return RC_IO;
    if (UNLIKELY((size_t)fd >= loop->fds_cap)) {
        rc = reserve_fds(loop, (size_t)fd + 1);
        if (rc)
            return rc;
    }
    if (UNLIKELY(loop->fds[fd].waiter != NULL))
        BUG("two waiters for descriptor %d", fd);
    rc = arm(loop, fd, events);
    if (rc)
        return rc;
    loop->fds[fd].waiter = &waiter;
    loop->n_io++;
    return loop_park(loop, &waiter, deadline);
}

void loop_forget(struct loop *loop, int fd)
{
    if (fd < 0 || (size_t)fd >= loop->fds_cap)
        return;
    if (loop->fds[fd].waiter)
        BUG("descriptor %d forgotten while somebody waits for it", fd);
    disarm(loop, fd);
}

static void drain(int fd)
{
    uint64_t count;

    /* Empty already is fine: it is the flag or the clock that counts. */
    if (read(fd, &count, sizeof(count)) < 0 && errno != EAGAIN)
        BUG("read of an event counter: errno %d", errno);
}

static void on_event(struct loop *loop, int fd)
{
    if (fd == loop->wake_fd) {
        drain(fd);
        return;
    }
    if (fd == loop->timer_fd) {
        drain(fd);
        loop->timer_armed = MONO_NEVER;
        return;
    }
    if (loop->fds[fd].waiter)
        loop_wake(loop, loop->fds[fd].waiter, RC_OK);
    else
        /* Level-triggered, so it would fire for ever; no events asked for
         * would still let errors and hang-ups through. */
        disarm(loop, fd);
}

static struct timespec timespec_of(int64_t ns)
{
    return (struct timespec){
        .tv_sec = ns / NS_PER_S,
        .tv_nsec = ns % NS_PER_S,
    };
}

static void arm_timer_fd(struct loop *loop, struct mono due)
{
    /* Zero would switch it off; any time that has passed fires at once. */
    const struct itimerspec spec = {
        .it_value = timespec_of(due.ns > 0 ? due.ns : 1),
    };

    if (loop->timer_armed.ns == due.ns)
        return;
    if (timerfd_settime(loop->timer_fd, TFD_TIMER_ABSTIME, &spec, NULL))
        BUG("timerfd_settime: errno %d", errno);
    loop->timer_armed = due;
}

/* Waits for events until due; MONO_NEVER for as long as it takes, zero for no
 * time. */
static int wait_events(struct loop *loop, struct mono due)
{
    const bool never = due.ns == MONO_NEVER.ns;
    int64_t left_ns = 0;
    struct timespec left;

    if (loop->timer_fd >= 0) {
        if (due.ns > 0 && !never)
            arm_timer_fd(loop, due);
        return epoll_wait(loop->epoll_fd, loop->events, LOOP_EVENTS_MAX,
                          due.ns > 0 ? -1 : 0);
    }
    if (due.ns > 0 && !never)
        left_ns = mono_since(due, clock_now());
    left = timespec_of(left_ns > 0 ? left_ns : 0);
    return epoll_pwait2(loop->epoll_fd, loop->events, LOOP_EVENTS_MAX,
                        never ? NULL : &left, NULL);
}

void loop_io_poll(struct loop *loop)
{
    const struct timer *first = timers_first(&loop->timers);
    struct mono due = first ? first->due : MONO_NEVER;
    int n;

    if (loop->ready_first) {
        if (loop->n_io == 0)
            return;
        due = (struct mono){0};
    } else if (!first && loop->n_io == 0) {
        BUG("coroutine switched away and waits for nothing");
    }
    n = wait_events(loop, due);
    if (n < 0 && errno != EINTR)
        BUG("wait for events: errno %d", errno);
    for (int i = 0; i < n; i++)
        on_event(loop, loop->events[i].data.fd);
}
