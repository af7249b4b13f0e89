/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "engine/coro.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* TSan has room for 8,000 threads and counts coroutines as such. */
#define N_MANY (HAVE_TSAN ? 2000 : 10000)

/* Checks are made outside: a failed one jumps, and must not jump across
 * stacks. */
struct log {
    char text[64];
    struct coro *self;
};

static void note(struct log *log, const char *word)
{
    size_t len = strlen(log->text);

    snprintf(log->text + len, sizeof(log->text) - len, "%s ", word);
}

static struct coro *new_coro(coro_fn *fn, void *arg)
{
    struct coro *c = coro_new(fn, arg);

    assert_non_null(c);
    return c;
}

static void two_steps(void *arg)
{
    struct log *log = (struct log *)arg;

    coro_assert_inside();
    note(log, "one");
    log->self = coro_self();
    coro_yield();
    note(log, "two");
    coro_yield();
    note(log, "end");
}

static void it_runs_from_yield_to_yield(void **state)
{
    struct log log = {0};
    struct coro *c = new_coro(two_steps, &log);

    (void)state;
    assert_string_equal(log.text, "");
    coro_resume(c);
    assert_string_equal(log.text, "one ");
    assert_ptr_equal(log.self, c);
    assert_null(coro_self());
    note(&log, "main");
    coro_resume(c);
    assert_string_equal(log.text, "one main two ");
    assert_false(coro_ended(c));
    coro_resume(c);
    assert_string_equal(log.text, "one main two end ");
    assert_true(coro_ended(c));
    coro_free(c);
}

static void one_that_never_ran_can_be_freed(void **state)
{
    struct log log = {0};

    (void)state;
    coro_free(new_coro(two_steps, &log));
    coro_free(NULL);
    assert_string_equal(log.text, "");
}

static void an_ended_one_can_run_something_else(void **state)
{
    struct log log = {0};
    struct coro *c = new_coro(two_steps, &log);

    (void)state;
    for (int i = 0; i < 1000; i++) {
        log.text[0] = '\0';
        while (!coro_ended(c))
            coro_resume(c);
        assert_string_equal(log.text, "one two end ");
        coro_restart(c, two_steps, &log);
    }
    coro_free(c);
}

struct sums {
    uint64_t integer;
    double real;
};

CORO_FN static void add_deep(struct sums *s, uint64_t n)
{
    uint64_t a = n * 3, b = n ^ 5;
    double x = (double)n * 0.5;

    if (n == 0)
        return;
    coro_yield();
    add_deep(s, n - 1);
    coro_yield();
    s->integer += a + b;
    s->real += x;
}

static void add_twenty(void *arg)
{
    coro_assert_inside();
    add_deep((struct sums *)arg, 20);
}

static void locals_and_registers_survive_switches(void **state)
{
    struct sums a = {0}, b = {0};
    struct coro *ca = new_coro(add_twenty, &a);
    struct coro *cb = new_coro(add_twenty, &b);
    uint64_t want = 0;

    (void)state;
    for (uint64_t n = 1; n <= 20; n++)
        want += n * 3 + (n ^ 5);
    while (!coro_ended(ca)) {
        coro_resume(ca);
        coro_resume(cb);
    }
    assert_true(coro_ended(cb));
    assert_int_equal(a.integer, want);
    assert_int_equal(b.integer, want);
    assert_true(a.real > 104.9 && a.real < 105.1);
    coro_free(ca);
    coro_free(cb);
}

static void count_twice(void *arg)
{
    uint64_t *n = (uint64_t *)arg;

    coro_assert_inside();
    ++*n;
    coro_yield();
    ++*n;
}

static void ten_thousand_exist_at_once(void **state)
{
    static struct coro *c[N_MANY];
    uint64_t n = 0;

    (void)state;
    for (size_t i = 0; i < N_MANY; i++)
        c[i] = new_coro(count_twice, &n);
    for (size_t i = 0; i < N_MANY; i++)
        coro_resume(c[i]);
    assert_int_equal(n, N_MANY);
    for (size_t i = 0; i < N_MANY; i++)
        coro_resume(c[i]);
    assert_int_equal(n, 2 * N_MANY);
    for (size_t i = 0; i < N_MANY; i++) {
        assert_true(coro_ended(c[i]));
        coro_free(c[i]);
    }
}

static void *run_on_thread(void *arg)
{
    struct sums *s = (struct sums *)arg;
    struct coro *c = coro_new(add_twenty, s);

    while (c && !coro_ended(c))
        coro_resume(c);
    coro_free(c);
    return NULL;
}

static void threads_have_coroutines_of_their_own(void **state)
{
    struct sums s[4] = {0};
    pthread_t threads[4];

    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(
            pthread_create(&threads[i], NULL, run_on_thread, &s[i]), 0);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 1; i < 4; i++)
        assert_int_equal(s[i].integer, s[0].integer);
    assert_null(coro_self());
}

/* Uses about 1 KB of stack for each level. */
static unsigned dive(unsigned levels)
{
    volatile char block[1000];
    unsigned sum = 0;

    memset((void *)(uintptr_t)block, 1, sizeof(block));
    if (levels > 0)
        sum = dive(levels - 1);
    for (size_t i = 0; i < sizeof(block); i++)
        sum += (unsigned)block[i];
    return sum;
}

static void dive_forty(void *arg)
{
    unsigned *sum = (unsigned *)arg;

    coro_assert_inside();
    *sum = dive(40);
    coro_yield();
}

static void the_deepest_use_of_the_stack_is_known(void **state)
{
    unsigned sum = 0;
    struct coro *c = new_coro(dive_forty, &sum);
    size_t fresh = coro_stack_used(c);

    (void)state;
    coro_resume(c);
    assert_int_equal(sum, 41 * 1000);
    /* A check for use after return keeps arrays elsewhere. */
    if (!HAVE_ASAN)
        assert_true(coro_stack_used(c) >= fresh + 40000);
    assert_true(coro_stack_used(c) < CORO_STACK_BYTES);
    coro_resume(c);
    coro_free(c);
}

static void dive_too_far(void *arg)
{
    unsigned *sum = (unsigned *)arg;

    coro_assert_inside();
    *sum = dive(CORO_STACK_BYTES);
}

static void an_overflow_hits_the_guard_page(void **state)
{
    unsigned sum = 0;
    int status = 0;
    pid_t child;

    (void)state;
    /* A sanitizer or valgrind would explain at length what is meant to
     * happen. */
    if (HAVE_ASAN || HAVE_TSAN)
        skip();
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct coro *c = coro_new(dive_too_far, &sum);

        signal(SIGSEGV, SIG_DFL);
        if (c)
            coro_resume(c);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSEGV);
}

static void no_memory_gives_null(void **state)
{
    (void)state;
    mem_fail_nth(1);
    assert_null(coro_new(count_twice, NULL));
    mem_fail_nth(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_runs_from_yield_to_yield),
        cmocka_unit_test(one_that_never_ran_can_be_freed),
        cmocka_unit_test(an_ended_one_can_run_something_else),
        cmocka_unit_test(locals_and_registers_survive_switches),
        cmocka_unit_test(ten_thousand_exist_at_once),
        cmocka_unit_test(threads_have_coroutines_of_their_own),
        cmocka_unit_test(the_deepest_use_of_the_stack_is_known),
        cmocka_unit_test(an_overflow_hits_the_guard_page),
        cmocka_unit_test(no_memory_gives_null),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
