/* SPDX-License-Identifier: MIT */
#include "run/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define N_LINKS 2

/* Users of one loop; each notes when it gets a link and what it came to. */
struct fixture {
    struct loop *loop;
    struct link links[N_LINKS];
    struct pool pool;
    char log[256];
};

struct part {
    struct fixture *f;
    char name;
    int n_rounds;  /* transactions, each one yield long */
    bool gives_up; /* instead of giving back */
};

static void note(struct fixture *f, char name, const char *what)
{
    const size_t len = strlen(f->log);

    snprintf(f->log + len, sizeof(f->log) - len, "%c%s ", name, what);
}

static void use_links(void *arg)
{
    struct part *p = arg;
    struct fixture *f = p->f;
    struct link *l;

    coro_assert_inside();
    for (int i = 0; i < p->n_rounds; i++) {
        const enum rc rc = pool_take(&f->pool, f->loop, &l);

        if (rc) {
            note(f, p->name, rc == RC_DB_GONE ? "-gone" : "-sent-home");
            return;
        }
        note(f, p->name, l == &f->links[0] ? "0" : "1");
        loop_yield(f->loop);
        if (p->gives_up)
            pool_give_up(&f->pool, f->loop, l);
        else
            pool_give(&f->pool, f->loop, l);
    }
}

static void give_all(void *arg)
{
    struct fixture *f = arg;

    coro_assert_inside();
    for (size_t i = 0; i < N_LINKS; i++)
        pool_give(&f->pool, f->loop, &f->links[i]);
}

static void dismiss(void *arg)
{
    struct fixture *f = arg;

    coro_assert_inside();
    loop_yield(f->loop);
    loop_dismiss(f->loop);
}

static int setup(void **state)
{
    static struct fixture f;

    f = (struct fixture){0};
    if (loop_new(&f.loop, NULL))
        return -1;
    for (size_t i = 0; i < N_LINKS; i++)
        link_init(&f.links[i]);
    pool_init(&f.pool, f.links, N_LINKS);
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    loop_free(f->loop);
    for (size_t i = 0; i < N_LINKS; i++)
        link_release(&f->links[i]);
    return 0;
}

static void run(struct fixture *f, coro_fn *first, struct part *parts, size_t n)
{
    if (first)
        assert_int_equal(loop_spawn(f->loop, first, f, NULL), RC_OK);
    for (size_t i = 0; i < n; i++) {
        parts[i].f = f;
        assert_int_equal(loop_spawn(f->loop, use_links, &parts[i], NULL),
                         RC_OK);
    }
    loop_run(f->loop);
}

static void links_go_round_and_users_wait_in_order(void **state)
{
    struct fixture *f = *state;
    struct part parts[] = {
        {.name = 'a', .n_rounds = 2},
        {.name = 'b', .n_rounds = 2},
        {.name = 'c', .n_rounds = 2},
        {.name = 'd', .n_rounds = 1},
    };

    run(f, give_all, parts, ARRAY_LEN(parts));
    /* a comes back while c is on its way to the link that a gave: a waits. */
    assert_string_equal(f->log, "a0 b1 c0 d1 a0 b1 c0 ");
    assert_int_equal(f->pool.n_free, N_LINKS);
    assert_int_equal(f->pool.n_promised, 0);
}

static void when_the_last_link_is_given_up_nobody_waits_for_ever(void **state)
{
    struct fixture *f = *state;
    struct part parts[] = {
        {.name = 'a', .n_rounds = 1, .gives_up = true},
        {.name = 'b', .n_rounds = 2, .gives_up = true},
        {.name = 'c', .n_rounds = 1},
        {.name = 'd', .n_rounds = 1},
    };

    run(f, give_all, parts, ARRAY_LEN(parts));
    assert_string_equal(f->log, "a0 b1 b-gone c-gone d-gone ");
    assert_true(pool_is_gone(&f->pool));
}

static void who_waits_is_sent_home_at_the_end(void **state)
{
    struct fixture *f = *state;
    struct part parts[] = {
        {.name = 'a', .n_rounds = 1},
        {.name = 'b', .n_rounds = 1},
    };

    run(f, dismiss, parts, ARRAY_LEN(parts));
    assert_string_equal(f->log, "a-sent-home b-sent-home ");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(links_go_round_and_users_wait_in_order),
        TEST(when_the_last_link_is_given_up_nobody_waits_for_ever),
        TEST(who_waits_is_sent_home_at_the_end),
    };

    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
