/* SPDX-License-Identifier: MIT */
#include "driver/sqlite/sqlite_int.h"
#include "driver/sqlite/turn.h"
#include "support/sqlite_fixture.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ADD_TXNS 100

/* Adds one, and commits only when the other writer waits for its turn or has
 * done its share: so the order of turns does not depend on the scheduler. */
static CORO_FN enum rc add_one(struct work *w, struct conn *c, struct stmt *s)
{
    struct turn_queue *q = &sqlite_db_of(c->db)->turns;
    const struct value one = v_int(1);
    enum rc rc = conn_begin(c, TXN_WRITE);
    bool ready = false;

    if (!rc)
        rc = conn_exec(c, s, &one, 1, NULL);
    while (!rc && !ready) {
        pthread_mutex_lock(&q->lock);
        ready = q->first || atomic_load(w->flag) < 2;
        pthread_mutex_unlock(&q->lock);
        if (!ready)
            sched_yield();
    }
    return rc ? rc : conn_commit(c);
}

static CORO_FN enum rc add_many(struct work *w, struct conn *c, struct err *err)
{
    struct rowset rows;
    struct stmt *s;
    enum rc rc = conn_prepare(c, &w->step[0], &s, err);

    for (; !rc && w->done < w->n; w->done++) {
        rc = add_one(w, c, s);
        if (rc)
            conn_error(c, err);
    }
    if (!rc)
        rc = conn_query(c, &w->step[1], NULL, 0, &rows, err);
    if (!rc)
        w->total = rowset_at(&rows, 0, 0)->i;
    return rc;
}

static void *writer(void *arg)
{
    struct work *w = arg;

    work_thread(w);
    atomic_fetch_sub(w->flag, 1);
    return NULL;
}

static void two_writers_alternate(void **state)
{
    struct sqlite_fixture *f = *state;
    pthread_t threads[2];
    static struct work work[2];
    atomic_int running = 2;

    fixture_open(f);
    fixture_script(f, "CREATE TABLE t (n); INSERT INTO t VALUES (0)");
    for (size_t i = 0; i < 2; i++) {
        work[i] = (struct work){
            .db = f->db, .fn = add_many, .n = ADD_TXNS, .flag = &running};
        fixture_step(f, &work[i].step[0],
                     "-- adds\n-- (d int) -> ()\nUPDATE t SET n = n + :d");
        fixture_step(f, &work[i].step[1],
                     "-- reads\n-- () -> (n int)\nSELECT n FROM t");
        assert_int_equal(pthread_create(&threads[i], NULL, writer, &work[i]),
                         0);
    }
    for (size_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < 2; i++) {
        if (work[i].rc)
            fail_msg("%s: %s", rc_name(work[i].rc), work[i].err.text);
        /* Whoever ended first, the other had had as many turns. */
        assert_in_range(work[i].total, 2 * ADD_TXNS - 2, 2 * ADD_TXNS);
    }
}

struct waiter {
    struct turn_queue *q;
    struct turn turn;
    enum rc rc;
    atomic_bool done;
};

static void *wait_for_turn(void *arg)
{
    struct waiter *w = arg;

    w->rc = turn_take(w->q, &w->turn);
    atomic_store(&w->done, true);
    return NULL;
}

static bool is_waiting(struct turn_queue *q, const struct turn *t)
{
    bool waiting;

    pthread_mutex_lock(&q->lock);
    waiting = t->waiting;
    pthread_mutex_unlock(&q->lock);
    return waiting;
}

static void start_waiter(struct turn_queue *q, struct waiter *w,
                         struct loop *loop, pthread_t *thread)
{
    *w = (struct waiter){.q = q};
    turn_init(&w->turn, loop);
    assert_int_equal(pthread_create(thread, NULL, wait_for_turn, w), 0);
    while (!is_waiting(q, &w->turn))
        sched_yield();
}

static void turns_are_given_in_the_order_of_asking(void **state)
{
    struct turn_queue q;
    struct turn first;
    struct waiter w[3];
    pthread_t threads[3];

    (void)state;
    turn_queue_init(&q);
    turn_init(&first, NULL);
    assert_true(turn_try(&q, &first));
    for (size_t i = 0; i < 3; i++)
        start_waiter(&q, &w[i], NULL, &threads[i]);
    assert_false(turn_try(&q, &first));
    turn_give(&q, &first);
    for (size_t i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(w[i].rc, RC_OK);
        for (size_t k = i + 1; k < 3; k++)
            assert_false(atomic_load(&w[k].done));
        turn_give(&q, &w[i].turn);
        turn_release(&w[i].turn);
    }
    assert_true(turn_try(&q, &first));
    turn_release(&first);
    turn_queue_release(&q);
}

static void a_cancelled_waiter_leaves_the_queue(void **state)
{
    struct turn_queue q;
    struct turn first;
    struct waiter w[3];
    pthread_t threads[3];
    struct loop *loop = NULL;
    struct err err;

    (void)state;
    assert_int_equal(loop_new(&loop, &err), RC_OK);
    turn_queue_init(&q);
    turn_init(&first, NULL);
    assert_true(turn_try(&q, &first));
    start_waiter(&q, &w[0], NULL, &threads[0]);
    start_waiter(&q, &w[1], NULL, &threads[1]);
    start_waiter(&q, &w[2], loop, &threads[2]);
    turn_cancel(&q, &w[0].turn);
    pthread_join(threads[0], NULL);
    assert_int_equal(w[0].rc, RC_CANCELLED);
    loop_cancel(loop);
    pthread_join(threads[2], NULL);
    assert_int_equal(w[2].rc, RC_CANCELLED);
    turn_give(&q, &first);
    pthread_join(threads[1], NULL);
    assert_int_equal(w[1].rc, RC_OK);
    turn_give(&q, &w[1].turn);
    for (size_t i = 0; i < 3; i++)
        turn_release(&w[i].turn);
    turn_release(&first);
    turn_queue_release(&q);
    loop_free(loop);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        T(two_writers_alternate),
        cmocka_unit_test(turns_are_given_in_the_order_of_asking),
        cmocka_unit_test(a_cancelled_waiter_leaves_the_queue),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
