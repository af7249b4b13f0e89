/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "engine/loop.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

/* TSan has room for 8,000 threads and counts coroutines as such. */
#define N_MANY (HAVE_TSAN ? 2000 : 10000)

/* What the coroutines of a test share.  They only write down what happens;
 * checks are made after the loop, because a failed one jumps, and must not jump
 * across stacks. */
struct fixture {
    struct loop *loop;
    int fds[2]; /* a pipe, or a pair of sockets */
    struct mono base;
    struct loop_queue queue;
    uint64_t count;
    char log[256];
};

/* One coroutine of a test. */
struct part {
    struct fixture *f;
    const char *name;
    struct mono due;
    int fd;
    unsigned events;
    enum rc rc;
};

static int setup(void **state)
{
    static struct fixture f;

    f = (struct fixture){.fds = {-1, -1}, .base = clock_now()};
    *state = &f;
    return loop_new(&f.loop, NULL) || pipe2(f.fds, O_CLOEXEC | O_NONBLOCK);
}

static int teardown(void **state)
{
    struct fixture *f = (struct fixture *)*state;

    loop_free(f->loop);
    close(f->fds[0]);
    close(f->fds[1]);
    return 0;
}

static void note(struct fixture *f, const char *word)
{
    size_t len = strlen(f->log);

    snprintf(f->log + len, sizeof(f->log) - len, "%s ", word);
}

static void note_rc(const struct part *p, enum rc rc)
{
    char word[32];

    snprintf(word, sizeof(word), "%s:%s", p->name, rc_name(rc));
    note(p->f, word);
}

static void spawn(struct fixture *f, coro_fn *fn, void *arg)
{
    assert_int_equal(loop_spawn(f->loop, fn, arg, NULL), RC_OK);
}

/* Spawns fn for each part and runs the loop to its end. */
static void run_parts(struct fixture *f, coro_fn *fn, struct part *parts,
                      size_t n)
{
    for (size_t i = 0; i < n; i++) {
        parts[i].f = f;
        spawn(f, fn, &parts[i]);
    }
    loop_run(f->loop);
}

static struct mono after(const struct fixture *f, int64_t us)
{
    return mono_add(f->base, us * NS_PER_US);
}

static void put_byte(int fd)
{
    if (write(fd, "x", 1) != 1)
        BUG("write failed");
}

static void get_byte(int fd)
{
    char byte;

    if (read(fd, &byte, 1) != 1)
        BUG("read failed");
}

/* --- coroutines and yields --- */

static void yield_thrice(void *arg)
{
    struct part *p = (struct part *)arg;

    coro_assert_inside();
    for (int i = 0; i < 3; i++) {
        note(p->f, p->name);
        loop_yield(p->f->loop);
    }
}

static void coroutines_take_turns_in_the_order_of_spawning(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part parts[] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};

    run_parts(f, yield_thrice, parts, ARRAY_LEN(parts));
    assert_string_equal(f->log, "a b c a b c a b c ");
}

/* Waits, goes on without a turn of the others, then has to give them one. */
static void wait_and_give_way(void *arg)
{
    struct part *p = (struct part *)arg;

    coro_assert_inside();
    note(p->f, p->name);
    (void)loop_sleep_until(p->f->loop, p->due);
    note(p->f, p->name);
    loop_give_way(p->f->loop);
    note(p->f, p->name);
    loop_give_way(p->f->loop);
    note(p->f, p->name);
}

static void who_has_waited_gives_way_without_a_turn(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    const struct mono due = mono_add(clock_now(), 100 * NS_PER_MS);
    struct part parts[] = {{.f = f, .name = "a", .due = due},
                           {.f = f, .name = "b", .due = due}};

    run_parts(f, wait_and_give_way, parts, ARRAY_LEN(parts));
    assert_string_equal(f->log, "a b a a b b a b ");
}

static void note_name(void *arg)
{
    struct part *p = (struct part *)arg;

    note(p->f, p->name);
}

static void spawn_child(void *arg)
{
    struct part *p = (struct part *)arg;
    struct part child = {.f = p->f, .name = "child"};

    coro_assert_inside();
    note(p->f, "parent");
    if (loop_spawn(p->f->loop, note_name, &child, NULL))
        BUG("no memory");
    loop_yield(p->f->loop);
    note(p->f, "parent");
}

static void what_becomes_ready_runs_in_the_next_round(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part parent = {.f = f}, other = {.f = f, .name = "other"};

    spawn(f, spawn_child, &parent);
    spawn(f, note_name, &other);
    loop_run(f->loop);
    assert_string_equal(f->log, "parent other child parent ");
}

static void count_and_yield(void *arg)
{
    struct fixture *f = (struct fixture *)arg;

    coro_assert_inside();
    for (int i = 0; i < 10; i++) {
        f->count++;
        loop_yield(f->loop);
    }
}

static void ten_thousand_coroutines_yield(void **state)
{
    struct fixture *f = (struct fixture *)*state;

    for (size_t i = 0; i < N_MANY; i++)
        spawn(f, count_and_yield, f);
    loop_run(f->loop);
    assert_int_equal(f->count, N_MANY * 10);
}

static void note_current(void *arg)
{
    bool *inside = (bool *)arg;

    *inside = loop_current() != NULL;
}

static void a_call_runs_in_a_loop_of_its_own(void **state)
{
    bool inside = false;

    (void)state;
    assert_null(loop_current());
    assert_int_equal(loop_call(note_current, &inside, NULL), RC_OK);
    assert_true(inside);
    assert_null(loop_current());
}

static void a_loop_can_run_again_and_reuses_stacks(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part p = {.f = f, .name = "x"};
    uint64_t before;

    spawn(f, note_name, &p);
    loop_run(f->loop);
    before = mem_run_path_allocations();
    mem_run_path_enter();
    spawn(f, note_name, &p);
    mem_run_path_leave();
    assert_int_equal(mem_run_path_allocations(), before);
    loop_run(f->loop);
    assert_string_equal(f->log, "x x ");
}

static void those_that_never_ran_are_dropped_with_the_loop(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part p = {.f = f, .name = "x"};

    spawn(f, note_name, &p);
    spawn(f, note_name, &p);
    loop_free(f->loop);
    f->loop = NULL;
    assert_string_equal(f->log, "");
}

static void each_lack_of_memory_is_reported(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct loop *loop = NULL;
    uint64_t nth = 0;
    enum rc rc;

    do {
        struct err err = {0};

        mem_fail_nth(++nth);
        rc = loop_new(&loop, &err);
        if (!rc)
            rc = loop_spawn(loop, count_and_yield, f, &err);
        mem_fail_nth(0);
        loop_free(loop);
        loop = NULL;
        assert_int_equal(err.rc, rc);
    } while (rc == RC_NOMEM);
    assert_int_equal(rc, RC_OK);
    assert_int_equal(nth, 7);
}

/* --- sleeping --- */

static void sleep_and_note(void *arg)
{
    struct part *p = (struct part *)arg;

    coro_assert_inside();
    p->rc = loop_sleep_until(p->f->loop, p->due);
    note_rc(p, p->rc);
}

static void sleepers_wake_by_due_time_then_by_order(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct mono soon = after(f, 100000), later = after(f, 101000);
    struct part parts[] = {
        {.name = "a", .due = later}, {.name = "b", .due = soon},
        {.name = "c", .due = later}, {.name = "d", .due = soon},
        {.name = "e", .due = soon},
    };
    struct loop_lag lag;

    run_parts(f, sleep_and_note, parts, ARRAY_LEN(parts));
    assert_string_equal(f->log, "b:OK d:OK e:OK a:OK c:OK ");
    assert_true(mono_since(clock_now(), later) >= 0);
    lag = loop_lag(f->loop);
    assert_int_equal(lag.n, 5);
    assert_true(lag.max_ns > 0 && lag.max_ns <= lag.sum_ns);
}

static void a_due_time_that_has_passed_is_a_yield(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part parts[] = {
        {.name = "late", .due = {1}, .f = f},
        {.name = "other", .f = f},
    };

    spawn(f, sleep_and_note, &parts[0]);
    spawn(f, note_name, &parts[1]);
    loop_run(f->loop);
    assert_string_equal(f->log, "other late:OK ");
    assert_int_equal(loop_lag(f->loop).n, 0);
}

static void yield_until_counted(void *arg)
{
    struct fixture *f = (struct fixture *)arg;

    coro_assert_inside();
    while (f->count == 0)
        loop_yield(f->loop);
    note(f, "busy");
}

static void sleep_and_count(void *arg)
{
    struct part *p = (struct part *)arg;

    coro_assert_inside();
    p->rc = loop_sleep_until(p->f->loop, p->due);
    p->f->count++;
}

static void sleepers_wake_although_others_are_busy(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part sleeper = {.f = f, .due = after(f, 2000)};

    spawn(f, yield_until_counted, f);
    spawn(f, sleep_and_count, &sleeper);
    loop_run(f->loop);
    assert_string_equal(f->log, "busy ");
}

/* --- descriptors --- */

static void wait_and_note(void *arg)
{
    struct part *p = (struct part *)arg;

    coro_assert_inside();
    p->rc = io_wait(p->f->loop, p->fd, p->events, p->due);
    note_rc(p, p->rc);
}

static void write_and_note(void *arg)
{
    struct part *p = (struct part *)arg;

    coro_assert_inside();
    note(p->f, "write");
    put_byte(p->f->fds[1]);
}

static void a_reader_wakes_when_there_is_something_to_read(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part reader = {
        .f = f,
        .name = "read",
        .fd = f->fds[0],
        .events = IO_READ,
        .due = MONO_NEVER,
    };
    struct part writer = {.f = f};

    spawn(f, wait_and_note, &reader);
    spawn(f, write_and_note, &writer);
    loop_run(f->loop);
    assert_string_equal(f->log, "write read:OK ");
}

static void an_empty_pipe_can_be_written_at_once(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part p = {.name = "write", .events = IO_WRITE, .due = MONO_NEVER};

    p.fd = f->fds[1];
    run_parts(f, wait_and_note, &p, 1);
    assert_string_equal(f->log, "write:OK ");
}

static void a_wait_ends_at_its_deadline(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part p = {.name = "read", .events = IO_READ};

    p.fd = f->fds[0];
    p.due = after(f, 3000);
    run_parts(f, wait_and_note, &p, 1);
    assert_string_equal(f->log, "read:TIMEOUT ");
    assert_true(mono_since(clock_now(), p.due) >= 0);
}

static void what_is_ready_wins_over_a_deadline_that_has_passed(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part p = {.name = "read", .events = IO_READ, .due = {1}};

    p.fd = f->fds[0];
    run_parts(f, wait_and_note, &p, 1);
    put_byte(f->fds[1]);
    run_parts(f, wait_and_note, &p, 1);
    assert_string_equal(f->log, "read:TIMEOUT read:OK ");
}

static void a_hang_up_counts_as_ready(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part p = {.name = "read", .events = IO_READ, .due = MONO_NEVER};

    p.fd = f->fds[0];
    close(f->fds[1]);
    f->fds[1] = -1;
    run_parts(f, wait_and_note, &p, 1);
    assert_string_equal(f->log, "read:OK ");
}

static void what_epoll_refuses_is_an_error(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part parts[] = {
        {.name = "none", .fd = -1, .events = IO_READ, .due = MONO_NEVER},
        {.name = "shut", .fd = 900, .events = IO_READ, .due = MONO_NEVER},
    };

    run_parts(f, wait_and_note, parts, ARRAY_LEN(parts));
    assert_string_equal(f->log, "none:IO shut:IO ");
}

static void ping_pong(void *arg)
{
    struct part *p = (struct part *)arg;
    struct loop *loop = p->f->loop;

    coro_assert_inside();
    for (int i = 0; i < 50 && !p->rc; i++) {
        p->rc = io_wait(loop, p->fd, IO_WRITE, MONO_NEVER);
        put_byte(p->fd);
        if (!p->rc)
            p->rc = io_wait(loop, p->fd, IO_READ, MONO_NEVER);
        get_byte(p->fd);
        if (!p->rc)
            p->rc = io_wait(loop, p->fd, IO_READ | IO_WRITE, MONO_NEVER);
        p->f->count++;
    }
    loop_forget(loop, p->fd);
}

static void interest_follows_what_is_waited_for(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part parts[2] = {{.name = "a"}, {.name = "b"}};
    int pair[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair),
                     0);
    parts[0].fd = pair[0];
    parts[1].fd = pair[1];
    run_parts(f, ping_pong, parts, 2);
    assert_int_equal(parts[0].rc, RC_OK);
    assert_int_equal(parts[1].rc, RC_OK);
    assert_int_equal(f->count, 100);
    close(pair[0]);
    close(pair[1]);
}

static void lose_interest_and_return(void *arg)
{
    struct part *p = (struct part *)arg;
    struct loop *loop = p->f->loop;

    coro_assert_inside();
    note_rc(p, io_wait(loop, p->fd, IO_READ, (struct mono){1}));
    put_byte(p->f->fds[1]);
    /* The loop hears of the byte while nobody wants it. */
    note_rc(p, loop_sleep_until(loop, mono_add(clock_now(), NS_PER_MS)));
    note_rc(p, io_wait(loop, p->fd, IO_READ, MONO_NEVER));
    get_byte(p->fd);
    note_rc(p, io_wait(loop, p->fd, IO_READ, (struct mono){1}));
}

static void an_event_that_nobody_waits_for_is_not_lost(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part p = {.name = "r"};

    p.fd = f->fds[0];
    run_parts(f, lose_interest_and_return, &p, 1);
    assert_string_equal(f->log, "r:TIMEOUT r:OK r:OK r:TIMEOUT ");
}

static void read_reopened(void *arg)
{
    struct part *p = (struct part *)arg;
    struct fixture *f = p->f;
    int fds[2];

    coro_assert_inside();
    note_rc(p, io_wait(f->loop, f->fds[0], IO_READ, (struct mono){1}));
    if (pipe2(fds, O_CLOEXEC | O_NONBLOCK))
        BUG("no pipe");
    loop_forget(f->loop, f->fds[0]);
    if (dup2(fds[0], f->fds[0]) < 0 || dup2(fds[1], f->fds[1]) < 0)
        BUG("no descriptor");
    close(fds[0]);
    close(fds[1]);
    put_byte(f->fds[1]);
    note_rc(p, io_wait(f->loop, f->fds[0], IO_READ, MONO_NEVER));
}

static void a_descriptor_number_can_be_used_again(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part p = {.name = "r"};

    run_parts(f, read_reopened, &p, 1);
    assert_string_equal(f->log, "r:TIMEOUT r:OK ");
}

static void large_descriptors_fit(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part p = {.name = "r", .events = IO_READ, .due = MONO_NEVER};

    p.fd = fcntl(f->fds[0], F_DUPFD_CLOEXEC, 1500);
    if (p.fd < 0)
        skip();
    put_byte(f->fds[1]);
    run_parts(f, wait_and_note, &p, 1);
    loop_forget(f->loop, p.fd);
    close(p.fd);
    assert_string_equal(f->log, "r:OK ");
}

static void wait_in_every_way(void *arg)
{
    struct part *p = (struct part *)arg;
    struct loop *loop = p->f->loop;

    coro_assert_inside();
    mem_run_path_enter();
    for (int i = 0; i < 5; i++) {
        loop_yield(loop);
        (void)loop_sleep_until(loop, mono_add(clock_now(), 10000));
        (void)io_wait(loop, p->fd, IO_WRITE, MONO_NEVER);
        (void)io_wait(loop, p->fd, IO_READ, (struct mono){1});
        (void)loop_queue_wait(loop, &p->f->queue, (struct mono){1});
    }
    mem_run_path_leave();
}

static void waits_allocate_nothing(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    uint64_t before = mem_run_path_allocations();
    struct part p = {.fd = f->fds[1]};

    run_parts(f, wait_in_every_way, &p, 1);
    assert_int_equal(mem_run_path_allocations(), before);
}

/* --- queues --- */

static void queue_and_note(void *arg)
{
    struct part *p = (struct part *)arg;

    coro_assert_inside();
    p->rc = loop_queue_wait(p->f->loop, &p->f->queue, p->due);
    note_rc(p, p->rc);
}

static void wake_all(void *arg)
{
    struct fixture *f = (struct fixture *)arg;

    coro_assert_inside();
    /* After the impatient one has left, two rounds from now. */
    loop_yield(f->loop);
    loop_yield(f->loop);
    while (loop_queue_wake(f->loop, &f->queue))
        f->count++;
    note(f, "woke");
}

static void a_queue_is_first_come_first_served(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part parts[] = {
        {.name = "a", .due = MONO_NEVER, .f = f},
        {.name = "b", .due = {1}, .f = f},
        {.name = "c", .due = MONO_NEVER, .f = f},
    };

    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        spawn(f, queue_and_note, &parts[i]);
    spawn(f, wake_all, f);
    loop_run(f->loop);
    assert_string_equal(f->log, "b:TIMEOUT woke a:OK c:OK ");
    assert_int_equal(f->count, 2);
    assert_null(f->queue.first);
    assert_null(f->queue.last);
}

/* --- cancelling --- */

static void cancel_inside(void *arg)
{
    struct part *p = (struct part *)arg;

    coro_assert_inside();
    loop_cancel(p->f->loop);
    note(p->f, "cancel");
    loop_yield(p->f->loop);
    note_rc(p, loop_sleep_until(p->f->loop, MONO_NEVER));
    note_rc(p, io_wait(p->f->loop, p->f->fds[0], IO_READ, MONO_NEVER));
    note_rc(p, loop_queue_wait(p->f->loop, &p->f->queue, MONO_NEVER));
}

static void cancelling_ends_every_wait_now_and_later(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part io = {.f = f, .name = "io", .due = MONO_NEVER};
    struct part timed = {.f = f, .name = "timed", .due = after(f, 3600000000)};
    struct part sleeper = {.f = f, .name = "sleep", .due = MONO_NEVER};
    struct part queued = {.f = f, .name = "queue", .due = MONO_NEVER};
    struct part canceller = {.f = f, .name = "x"};

    io.fd = f->fds[0];
    io.events = IO_READ;
    timed.fd = f->fds[1];
    spawn(f, wait_and_note, &io);
    spawn(f, sleep_and_note, &sleeper);
    spawn(f, queue_and_note, &queued);
    spawn(f, wait_and_note, &timed);
    assert_false(loop_cancelled(f->loop));
    spawn(f, cancel_inside, &canceller);
    loop_run(f->loop);
    assert_true(loop_cancelled(f->loop));
    assert_string_equal(f->log,
                        "cancel x:CANCELLED x:CANCELLED x:CANCELLED "
                        "timed:CANCELLED sleep:CANCELLED queue:CANCELLED "
                        "io:CANCELLED ");
}

static void rest_and_note(void *arg)
{
    struct part *p = (struct part *)arg;

    coro_assert_inside();
    p->rc = loop_rest_until(p->f->loop, p->due);
    note_rc(p, p->rc);
}

static void dismiss_inside(void *arg)
{
    struct part *p = (struct part *)arg;

    coro_assert_inside();
    loop_dismiss(p->f->loop);
    loop_yield(p->f->loop);
    note_rc(p, loop_rest_until(p->f->loop, MONO_NEVER));
    note_rc(p, loop_queue_wait(p->f->loop, &p->f->queue, MONO_NEVER));
    note_rc(p, loop_sleep_until(p->f->loop, p->due));
}

static void dismissing_ends_rests_and_queues_but_not_work(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part rests[5];
    struct part io = {.f = f, .name = "io", .due = after(f, 30000)};
    struct part queued = {.f = f, .name = "queue", .due = MONO_NEVER};
    struct part x = {.f = f, .name = "x", .due = after(f, 20000)};

    io.fd = f->fds[0];
    io.events = IO_READ;
    spawn(f, wait_and_note, &io);
    for (size_t i = 0; i < ARRAY_LEN(rests); i++) {
        rests[i] = (struct part){.f = f, .name = "rest", .due = MONO_NEVER};
        spawn(f, rest_and_note, &rests[i]);
    }
    spawn(f, queue_and_note, &queued);
    spawn(f, dismiss_inside, &x);
    loop_run(f->loop);
    for (size_t i = 0; i < ARRAY_LEN(rests); i++)
        assert_int_equal(rests[i].rc, RC_CANCELLED);
    assert_non_null(strstr(f->log, "queue:CANCELLED "));
    assert_non_null(strstr(f->log, "x:OK io:TIMEOUT "));
}

static void *cancel_from_outside(void *arg)
{
    loop_cancel((struct loop *)arg);
    return NULL;
}

/* Runs the loop while another thread cancels it, sooner or later. */
static void run_and_cancel(struct fixture *f)
{
    pthread_t thread;

    assert_int_equal(
        pthread_create(&thread, NULL, cancel_from_outside, f->loop), 0);
    loop_run(f->loop);
    pthread_join(thread, NULL);
}

static void another_thread_can_cancel_a_loop_that_waits(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part p = {.f = f, .name = "read", .due = MONO_NEVER};

    p.fd = f->fds[0];
    p.events = IO_READ;
    spawn(f, wait_and_note, &p);
    run_and_cancel(f);
    assert_string_equal(f->log, "read:CANCELLED ");
}

static void yield_until_cancelled(void *arg)
{
    struct fixture *f = (struct fixture *)arg;

    coro_assert_inside();
    while (!loop_cancelled(f->loop))
        loop_yield(f->loop);
    note(f, "busy");
}

static void another_thread_can_cancel_a_loop_that_is_busy(void **state)
{
    struct fixture *f = (struct fixture *)*state;
    struct part p = {.f = f, .name = "sleep", .due = MONO_NEVER};

    spawn(f, sleep_and_note, &p);
    spawn(f, yield_until_cancelled, f);
    run_and_cancel(f);
    assert_non_null(strstr(f->log, "busy"));
    assert_non_null(strstr(f->log, "sleep:CANCELLED"));
}

#define LOOP_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOOP_TEST(coroutines_take_turns_in_the_order_of_spawning),
        LOOP_TEST(who_has_waited_gives_way_without_a_turn),
        LOOP_TEST(what_becomes_ready_runs_in_the_next_round),
        LOOP_TEST(ten_thousand_coroutines_yield),
        LOOP_TEST(a_call_runs_in_a_loop_of_its_own),
        LOOP_TEST(a_loop_can_run_again_and_reuses_stacks),
        LOOP_TEST(those_that_never_ran_are_dropped_with_the_loop),
        LOOP_TEST(each_lack_of_memory_is_reported),
        LOOP_TEST(sleepers_wake_by_due_time_then_by_order),
        LOOP_TEST(a_due_time_that_has_passed_is_a_yield),
        LOOP_TEST(sleepers_wake_although_others_are_busy),
        LOOP_TEST(a_reader_wakes_when_there_is_something_to_read),
        LOOP_TEST(an_empty_pipe_can_be_written_at_once),
        LOOP_TEST(a_wait_ends_at_its_deadline),
        LOOP_TEST(what_is_ready_wins_over_a_deadline_that_has_passed),
        LOOP_TEST(a_hang_up_counts_as_ready),
        LOOP_TEST(what_epoll_refuses_is_an_error),
        LOOP_TEST(interest_follows_what_is_waited_for),
        LOOP_TEST(an_event_that_nobody_waits_for_is_not_lost),
        LOOP_TEST(a_descriptor_number_can_be_used_again),
        LOOP_TEST(large_descriptors_fit),
        LOOP_TEST(waits_allocate_nothing),
        LOOP_TEST(a_queue_is_first_come_first_served),
        LOOP_TEST(cancelling_ends_every_wait_now_and_later),
        LOOP_TEST(dismissing_ends_rests_and_queues_but_not_work),
        LOOP_TEST(another_thread_can_cancel_a_loop_that_waits),
        LOOP_TEST(another_thread_can_cancel_a_loop_that_is_busy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
