/* SPDX-License-Identifier: MIT */
/* What only the SQLite driver promises; the rest is in conformance. */
#include "driver/sqlite/classify.h"
#include "driver/sqlite/sqlite.h"
#include "support/sqlite_fixture.h"

#include <sqlite3.h>

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct pair {
    struct sqlite_fixture *f;
    void (*fn)(struct sqlite_fixture *f, struct conn *a, struct conn *b);
};

static void pair_main(void *arg)
{
    struct pair *p = arg;
    struct conn *a = NULL, *b = NULL;

    coro_assert_inside();
    if (conn_open(p->f->db, loop_current(), &a, &p->f->err) ||
        conn_open(p->f->db, loop_current(), &b, &p->f->err))
        fail_msg("%s", p->f->err.text);
    p->fn(p->f, a, b);
    conn_close(a);
    conn_close(b);
}

static void with_pair(struct sqlite_fixture *f,
                      void (*fn)(struct sqlite_fixture *f, struct conn *a,
                                 struct conn *b))
{
    struct pair p = {.f = f, .fn = fn};
    struct err err;

    if (loop_call(pair_main, &p, &err))
        fail_msg("%s", err.text);
}

static CORO_FN void script_ok(struct sqlite_fixture *f, struct conn *c,
                              const char *text)
{
    if (conn_script(c, text, strlen(text), NULL, &f->err))
        fail_msg("%s", f->err.text);
}

static CORO_FN int64_t read_int(struct sqlite_fixture *f, struct conn *c,
                                const struct step *step)
{
    struct rowset rows;

    if (conn_query(c, step, NULL, 0, &rows, &f->err))
        fail_msg("%s", f->err.text);
    assert_int_equal(rows.n_rows, 1);
    return rowset_at(&rows, 0, 0)->i;
}

static CORO_FN void check_snapshot(struct sqlite_fixture *f, struct conn *a,
                                   struct conn *b)
{
    struct step sum;

    fixture_step(f, &sum, "-- x\n-- () -> (n int)\nSELECT sum(n) FROM t");
    script_ok(f, a, "CREATE TABLE t (n); INSERT INTO t VALUES (1)");
    assert_int_equal(conn_begin(a, TXN_SNAPSHOT), RC_OK);
    assert_int_equal(read_int(f, a, &sum), 1);
    script_ok(f, b, "INSERT INTO t VALUES (2)");
    assert_int_equal(read_int(f, b, &sum), 3);
    assert_int_equal(read_int(f, a, &sum), 1);
    assert_int_equal(conn_commit(a), RC_OK);
    assert_int_equal(read_int(f, a, &sum), 3);
}

static void a_snapshot_does_not_see_later_commits(void **state)
{
    struct sqlite_fixture *f = *state;

    fixture_open(f);
    with_pair(f, check_snapshot);
}

static CORO_FN void check_self_wait(struct sqlite_fixture *f, struct conn *a,
                                    struct conn *b)
{
    struct err err = {0};

    (void)f;
    assert_int_equal(conn_begin(a, TXN_WRITE), RC_OK);
    assert_int_equal(conn_begin(b, TXN_WRITE), RC_DB_RETRY);
    conn_error(b, &err);
    assert_string_equal(err.text, "another connection of this thread writes");
    assert_int_equal(conn_rollback(a), RC_OK);
    assert_int_equal(conn_begin(b, TXN_WRITE), RC_OK);
    assert_int_equal(conn_rollback(b), RC_OK);
}

static CORO_FN void check_close_gives_turn(struct sqlite_fixture *f,
                                           struct conn *a, struct conn *b)
{
    struct conn *c = NULL;

    (void)b;
    assert_int_equal(conn_open(f->db, loop_current(), &c, &f->err), RC_OK);
    assert_int_equal(conn_begin(c, TXN_WRITE), RC_OK);
    conn_close(c);
    assert_int_equal(conn_begin(a, TXN_WRITE), RC_OK);
    assert_int_equal(conn_commit(a), RC_OK);
}

static void closing_in_a_transaction_gives_the_turn_back(void **state)
{
    struct sqlite_fixture *f = *state;

    fixture_open(f);
    with_pair(f, check_close_gives_turn);
}

static void a_thread_never_waits_for_itself(void **state)
{
    struct sqlite_fixture *f = *state;

    fixture_open(f);
    with_pair(f, check_self_wait);
}

static CORO_FN void check_disk_full(struct sqlite_fixture *f, struct conn *a,
                                    struct conn *b)
{
    struct step fill, count;
    const struct value arg = v_int(100000);
    struct err err = {0};

    (void)b;
    fixture_step(f, &fill,
                 "-- x\n-- (n int) -> ()\n"
                 "INSERT INTO t VALUES (zeroblob(:n))");
    fixture_step(f, &count, "-- x\n-- () -> (n int)\nSELECT count(*) FROM t");
    script_ok(f, a, "CREATE TABLE t (x); PRAGMA max_page_count=8");
    assert_int_equal(conn_begin(a, TXN_WRITE), RC_OK);
    assert_int_equal(conn_query(a, &fill, &arg, 1, NULL, &err), RC_DB_NO_SPACE);
    assert_string_equal(err.text, "step: database or disk is full");
    assert_int_equal(err.native, SQLITE_FULL);
    assert_int_equal(conn_rollback(a), RC_OK);
    assert_false(a->gone);
    assert_int_equal(read_int(f, a, &count), 0);
    script_ok(f, a, "PRAGMA max_page_count=10000");
    assert_int_equal(conn_begin(a, TXN_WRITE), RC_OK);
    assert_int_equal(conn_query(a, &fill, &arg, 1, NULL, &err), RC_OK);
    assert_int_equal(conn_commit(a), RC_OK);
    assert_int_equal(read_int(f, a, &count), 1);
}

static void after_a_full_disk_the_connection_is_usable(void **state)
{
    struct sqlite_fixture *f = *state;

    fixture_open(f);
    with_pair(f, check_disk_full);
}

/* The connection may be closed only after the canceller has let go of it. */
static CORO_FN enum rc run_endless(struct work *w, struct conn *c,
                                   struct err *err)
{
    enum rc rc;

    w->conn = c;
    atomic_store(w->flag, 1);
    rc = conn_query(c, &w->step[0], NULL, 0, NULL, err);
    atomic_store(w->flag, 2);
    while (atomic_load(w->flag) != 3)
        sched_yield();
    return rc;
}

static void a_running_statement_can_be_cancelled(void **state)
{
    struct sqlite_fixture *f = *state;
    atomic_int flag = 0;
    struct work w = {.fn = run_endless, .flag = &flag};
    pthread_t thread;

    fixture_open(f);
    w.db = f->db;
    fixture_step(f, &w.step[0],
                 "-- x\n-- () -> (n int)\n"
                 "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
                 "FROM r WHERE i < 2000000000) SELECT count(*) FROM r");
    assert_int_equal(pthread_create(&thread, NULL, work_thread, &w), 0);
    while (atomic_load(&flag) == 0)
        sched_yield();
    /* A cancel before the statement runs does nothing, so it is repeated. */
    while (atomic_load(&flag) == 1) {
        conn_cancel(w.conn);
        sched_yield();
    }
    atomic_store(&flag, 3);
    pthread_join(thread, NULL);
    assert_int_equal(w.rc, RC_CANCELLED);
}

static void codes_have_their_classes(void **state)
{
    static const struct {
        int code;
        enum rc rc;
    } cases[] = {
        {SQLITE_OK, RC_OK},
        {SQLITE_ROW, RC_OK},
        {SQLITE_DONE, RC_OK},
        {SQLITE_BUSY, RC_DB_RETRY},
        {SQLITE_BUSY_SNAPSHOT, RC_DB_RETRY},
        {SQLITE_BUSY_RECOVERY, RC_DB_RETRY},
        {SQLITE_LOCKED, RC_DB_RETRY},
        {SQLITE_LOCKED_SHAREDCACHE, RC_DB_RETRY},
        {SQLITE_CONSTRAINT, RC_DB_CONSTRAINT},
        {SQLITE_CONSTRAINT_PRIMARYKEY, RC_DB_CONSTRAINT},
        {SQLITE_FULL, RC_DB_NO_SPACE},
        {SQLITE_READONLY, RC_DB_PERMISSION},
        {SQLITE_READONLY_DBMOVED, RC_DB_PERMISSION},
        {SQLITE_PERM, RC_DB_PERMISSION},
        {SQLITE_AUTH, RC_DB_PERMISSION},
        {SQLITE_INTERRUPT, RC_CANCELLED},
        {SQLITE_NOMEM, RC_NOMEM},
        {SQLITE_IOERR, RC_IO},
        {SQLITE_IOERR_NOMEM, RC_NOMEM},
        {SQLITE_IOERR_SHMSIZE, RC_DB_NO_SPACE},
        {SQLITE_IOERR_FSYNC, RC_IO},
        {SQLITE_CORRUPT, RC_INVALID},
        {SQLITE_CORRUPT_INDEX, RC_INVALID},
        {SQLITE_NOTADB, RC_INVALID},
        {SQLITE_CANTOPEN, RC_IO},
        {SQLITE_ERROR, RC_DB_ERROR},
        {SQLITE_MISUSE, RC_DB_ERROR},
        {SQLITE_SCHEMA, RC_DB_ERROR},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(sqlite_classify(cases[i].code), cases[i].rc);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        T(a_snapshot_does_not_see_later_commits),
        T(a_thread_never_waits_for_itself),
        T(closing_in_a_transaction_gives_the_turn_back),
        T(after_a_full_disk_the_connection_is_usable),
        T(a_running_statement_can_be_cancelled),
        cmocka_unit_test(codes_have_their_classes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
