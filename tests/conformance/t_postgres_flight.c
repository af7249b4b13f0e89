/* SPDX-License-Identifier: MIT */
/* Flights on PostgreSQL: several statements, one round trip. */
#include "base/mem.h"
#include "driver/flight.h"
#include "support/pg_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TABLE                                           \
    "DROP TABLE IF EXISTS fl; CREATE TABLE fl (id int " \
    "PRIMARY KEY, s text); INSERT INTO fl VALUES (1, 'one')"
#define INSERT "-- x\n-- (id int) -> ()\nINSERT INTO fl (id) VALUES (:id)"
#define COUNT "SELECT count(*) FROM fl"

static CORO_FN struct stmt *prepared(struct pg_fixture *f, struct conn *c,
                                     const char *text)
{
    struct stmt *s = NULL;

    pg_check(f, conn_prepare(c, pg_step(f, text), &s, &f->err));
    return s;
}

/* Begins, inserts, commits; ids end with 0. */
static void queue_inserts(struct conn *c, struct stmt *insert,
                          const int64_t *ids)
{
    conn_flight_begin_txn(c, TXN_WRITE);
    for (; *ids; ids++) {
        const struct value id = v_int(*ids);

        conn_flight_exec(c, insert, &id, 1);
    }
    conn_flight_commit(c);
}

/* ---- rows, state, counts ---- */

static CORO_FN void read_rows(struct pg_fixture *f)
{
    struct stmt *series =
        prepared(f, f->a,
                 "-- x\n-- (n int, s text) -> (i int, s text)\n"
                 "SELECT i, concat(:s::text, i) "
                 "FROM generate_series(1, :n::int) AS i");
    struct stmt *both = prepared(f, f->a,
                                 "-- x\n-- (id int) -> (id int, s text)\n"
                                 "UPDATE fl SET s = 'two' WHERE id = :id;\n"
                                 "SELECT id, s FROM fl WHERE id = :id");
    const struct value many[] = {v_int(3000), v_text("many")};
    const struct value few[] = {v_int(2), v_text("few")};
    const struct value id = v_int(1);
    struct rowset rows[3];

    conn_flight_exec(f->a, series, few, 2);
    conn_flight_exec(f->a, series, many, 2);
    conn_flight_exec(f->a, both, &id, 1);
    assert_int_equal(conn_flight_wait(f->a, rows, 3), RC_OK);
    assert_int_equal(rows[0].n_rows, 2);
    assert_int_equal(rowset_at(&rows[0], 1, 0)->i, 2);
    assert_memory_equal(rowset_at(&rows[0], 1, 1)->s, "few2", 4);
    assert_int_equal(rows[1].n_rows, 3000);
    assert_memory_equal(rowset_at(&rows[1], 2999, 1)->s, "many3000", 8);
    assert_int_equal(rows[2].n_rows, 1);
    assert_int_equal(rows[2].n_affected, 1);
    assert_memory_equal(rowset_at(&rows[2], 0, 1)->s, "two", 3);
}

static CORO_FN void fly(struct pg_fixture *f)
{
    pg_run(f, f->a, TABLE);
    read_rows(f);
    /* Other calls go on as ever. */
    assert_int_equal(pg_int(f, f->a, COUNT), 1);
    read_rows(f);
}

static void rows_of_a_flight_live_side_by_side(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, fly);
    f->db->unprepared = true;
    pg_in_loop(f, fly);
}

static CORO_FN void commit_in_flights(struct pg_fixture *f)
{
    struct stmt *insert, *count;
    const struct value two = v_int(2), three = v_int(3);
    struct conn_usage before;
    struct rowset rows[2];

    pg_run(f, f->a, TABLE);
    insert = prepared(f, f->a, INSERT);
    count = prepared(f, f->a, "-- x\n-- () -> (n int)\n" COUNT);
    before = f->a->usage;
    conn_flight_begin_txn(f->a, TXN_WRITE);
    conn_flight_exec(f->a, insert, &two, 1);
    conn_flight_exec(f->a, count, NULL, 0);
    assert_int_equal(f->a->usage.round_trips, before.round_trips);
    assert_int_equal(conn_flight_wait(f->a, rows, 2), RC_OK);
    assert_true(f->a->in_txn);
    assert_int_equal(rows[0].n_affected, 1);
    assert_int_equal(rowset_at(&rows[1], 0, 0)->i, 2);
    assert_int_equal(pg_int(f, f->b, COUNT), 1);
    conn_flight_exec(f->a, insert, &three, 1);
    conn_flight_commit(f->a);
    assert_int_equal(conn_flight_wait(f->a, NULL, 0), RC_OK);
    assert_false(f->a->in_txn);
    assert_int_equal(f->a->usage.round_trips, before.round_trips + 2);
    assert_int_equal(f->a->usage.statements, before.statements + 5);
    assert_int_equal(pg_int(f, f->b, COUNT), 3);
}

static void a_transaction_is_as_many_round_trips_as_flights(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, commit_in_flights);
}

static CORO_FN void roll_back(struct pg_fixture *f)
{
    struct stmt *insert;
    const struct value two = v_int(2);

    pg_run(f, f->a, TABLE);
    insert = prepared(f, f->a, INSERT);
    conn_flight_begin_txn(f->a, TXN_WRITE);
    conn_flight_exec(f->a, insert, &two, 1);
    conn_flight_rollback(f->a);
    assert_int_equal(conn_flight_wait(f->a, NULL, 0), RC_OK);
    assert_false(f->a->in_txn);
    /* What one call has begun, a flight may end, and the reverse. */
    assert_int_equal(conn_begin(f->a, TXN_WRITE), RC_OK);
    conn_flight_exec(f->a, insert, &two, 1);
    conn_flight_rollback(f->a);
    assert_int_equal(conn_flight_wait(f->a, NULL, 0), RC_OK);
    conn_flight_begin_txn(f->a, TXN_WRITE);
    conn_flight_exec(f->a, insert, &two, 1);
    assert_int_equal(conn_flight_wait(f->a, NULL, 0), RC_OK);
    assert_int_equal(conn_rollback(f->a), RC_OK);
    assert_int_equal(pg_int(f, f->a, COUNT), 1);
}

static void a_flight_may_roll_back(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, roll_back);
}

static CORO_FN void check_modes(struct pg_fixture *f)
{
    static const struct {
        enum txn_mode mode;
        const char *want;
    } cases[] = {{TXN_WRITE, "serializable off 77ms"},
                 {TXN_READ, "serializable on 77ms"},
                 {TXN_SNAPSHOT, "repeatable read on 77ms"}};
    struct stmt *ask =
        prepared(f, f->a,
                 "-- x\n-- () -> (s text)\n"
                 "SELECT concat(current_setting('transaction_isolation'), ' ', "
                 "current_setting('transaction_read_only'), ' ', "
                 "current_setting('statement_timeout'))");

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const size_t len = strlen(cases[i].want);
        struct rowset rows;

        conn_flight_begin_txn(f->a, cases[i].mode);
        conn_flight_exec(f->a, ask, NULL, 0);
        conn_flight_commit(f->a);
        assert_int_equal(conn_flight_wait(f->a, &rows, 1), RC_OK);
        assert_int_equal(rowset_at(&rows, 0, 0)->len, len);
        assert_memory_equal(rowset_at(&rows, 0, 0)->s, cases[i].want, len);
    }
}

static void a_flight_begins_with_the_isolation_asked_for(void **state)
{
    struct pg_fixture *f = pg_fixture(state);
    const char *port;

    pg_open_default(f);
    f->db->isolation = ISOLATION_SERIALIZABLE;
    f->db->statement_timeout_ns = 77 * NS_PER_MS;
    pg_in_loop(f, check_modes);
    port = pg_optional(f, "pooler transaction");
    pg_open(f, arena_printf(&f->arena, "postgres://dyno@127.0.0.1:%s/postgres",
                            port));
    f->db->isolation = ISOLATION_SERIALIZABLE;
    f->db->statement_timeout_ns = 77 * NS_PER_MS;
    f->db->unprepared = true;
    pg_in_loop(f, check_modes);
}

static CORO_FN void fly_warm(struct pg_fixture *f)
{
    static const int64_t ids[] = {2, 3, 4, 0};
    struct stmt *insert, *clear;
    uint64_t before;

    pg_run(f, f->a, TABLE);
    insert = prepared(f, f->a, INSERT);
    clear = prepared(f, f->a, "-- x\n-- () -> ()\nDELETE FROM fl WHERE id > 1");
    before = mem_run_path_allocations();
    mem_run_path_enter();
    for (size_t i = 0; i < 20; i++) {
        queue_inserts(f->a, insert, ids);
        assert_int_equal(conn_flight_wait(f->a, NULL, 0), RC_OK);
        assert_int_equal(conn_exec(f->a, clear, NULL, 0, NULL), RC_OK);
    }
    mem_run_path_leave();
    assert_int_equal(mem_run_path_allocations(), before);
}

static void a_flight_allocates_nothing(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, fly_warm);
}

/* ---- failures ---- */

static CORO_FN void fail_in_the_middle(struct pg_fixture *f)
{
    static const int64_t bad[] = {2, 1, 3, 0}, good[] = {2, 3, 0};
    struct stmt *insert;
    uint64_t trips;
    struct err err = {0};

    pg_run(f, f->a, TABLE);
    insert = prepared(f, f->a, INSERT);
    trips = f->a->usage.round_trips;
    queue_inserts(f->a, insert, bad);
    assert_int_equal(conn_flight_wait(f->a, NULL, 0), RC_DB_CONSTRAINT);
    assert_string_equal(f->a->sqlstate, "23505");
    conn_error(f->a, &err);
    assert_non_null(strstr(err.text, "(id)=(1) already exists"));
    assert_true(f->a->in_txn);
    assert_false(f->a->gone);
    assert_int_equal(conn_rollback(f->a), RC_OK);
    assert_int_equal(f->a->usage.round_trips, trips + 2);
    assert_int_equal(pg_int(f, f->b, COUNT), 1);
    queue_inserts(f->a, insert, good);
    assert_int_equal(conn_flight_wait(f->a, NULL, 0), RC_OK);
    assert_int_equal(pg_int(f, f->b, COUNT), 3);
}

static void an_error_in_the_middle_stops_the_rest_and_the_commit(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, fail_in_the_middle);
}

static CORO_FN void fail_late(struct pg_fixture *f)
{
    static const int64_t ids[] = {1, 0};
    struct stmt *insert, *twice;
    const struct value id = v_int(1);

    pg_run(f, f->a,
           "DROP TABLE IF EXISTS late; CREATE TABLE late (id int "
           "UNIQUE DEFERRABLE INITIALLY DEFERRED); "
           "INSERT INTO late VALUES (1)");
    insert = prepared(f, f->a,
                      "-- x\n-- (id int) -> ()\nINSERT INTO late VALUES (:id)");
    queue_inserts(f->a, insert, ids);
    assert_int_equal(conn_flight_wait(f->a, NULL, 0), RC_DB_CONSTRAINT);
    assert_int_equal(conn_rollback(f->a), RC_OK);
    /* Without BEGIN the whole flight is one transaction, and a step too. */
    conn_flight_exec(f->a, insert, &id, 1);
    assert_int_equal(conn_flight_wait(f->a, NULL, 0), RC_DB_CONSTRAINT);
    twice = prepared(f, f->a,
                     "-- x\n-- (id int) -> ()\n"
                     "INSERT INTO late VALUES (:id + 1);\n"
                     "INSERT INTO late VALUES (:id)");
    assert_int_equal(conn_exec(f->a, twice, &id, 1, NULL), RC_DB_CONSTRAINT);
    assert_int_equal(pg_int(f, f->a, "SELECT count(*) FROM late"), 1);
    pg_run(f, f->a, "DROP TABLE late");
}

static void a_failure_of_the_commit_itself_is_seen(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, fail_late);
}

static CORO_FN void queue_too_big(struct pg_fixture *f)
{
    static const int64_t ids[] = {2, 1LL << 40, 3, 0};
    struct stmt *insert;
    struct err err = {0};

    pg_run(f, f->a, TABLE);
    insert = prepared(f, f->a, INSERT);
    queue_inserts(f->a, insert, ids);
    assert_int_equal(conn_flight_wait(f->a, NULL, 0), RC_DB_ERROR);
    conn_error(f->a, &err);
    assert_non_null(strstr(err.text, "too big"));
    assert_true(f->a->in_txn);
    assert_int_equal(conn_rollback(f->a), RC_OK);
    assert_int_equal(pg_int(f, f->a, COUNT), 1);
}

static void what_cannot_be_queued_fails_the_flight(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, queue_too_big);
}

static CORO_FN void conflict(struct pg_fixture *f)
{
    const char *update = "-- x\n-- (id int) -> ()\n"
                         "UPDATE fl SET s = s || '!' WHERE id = :id";
    struct stmt *a, *b;
    const struct value one = v_int(1);

    pg_run(f, f->a, TABLE);
    a = prepared(f, f->a, update);
    b = prepared(f, f->b, update);
    assert_int_equal(conn_begin(f->a, TXN_WRITE), RC_OK);
    assert_int_equal(pg_int(f, f->a, COUNT), 1);
    pg_check(f, conn_exec(f->b, b, &one, 1, NULL));
    for (int i = 0; i < 2; i++) {
        conn_flight_exec(f->a, a, &one, 1);
        conn_flight_commit(f->a);
        assert_int_equal(conn_flight_wait(f->a, NULL, 0),
                         i ? RC_OK : RC_DB_RETRY);
        if (i == 0)
            assert_string_equal(f->a->sqlstate, "40001");
        assert_int_equal(conn_rollback(f->a), RC_OK);
        if (i == 0)
            conn_flight_begin_txn(f->a, TXN_WRITE);
    }
    assert_int_equal(pg_int(f, f->a, "SELECT length(s) FROM fl WHERE id = 1"),
                     5);
}

static void a_serialization_failure_of_a_flight_may_be_retried(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    f->db->isolation = ISOLATION_SERIALIZABLE;
    pg_in_loop(f, conflict);
}

/* ---- size ---- */

#define BIG_BYTES 60000
#define BIG_STEPS 150

static CORO_FN void fly_big(struct pg_fixture *f)
{
    struct stmt *s = prepared(f, f->a,
                              "-- x\n-- (s text) -> (s text)\n"
                              "SELECT repeat(:s::text, 5)");
    static char text[BIG_BYTES];
    static struct rowset rows[BIG_STEPS];
    const struct value arg = v_textn(text, sizeof(text));

    memset(text, 'x', sizeof(text));
    for (size_t i = 0; i < BIG_STEPS; i++)
        conn_flight_exec(f->a, s, &arg, 1);
    assert_int_equal(conn_flight_wait(f->a, rows, BIG_STEPS), RC_OK);
    for (size_t i = 0; i < BIG_STEPS; i++)
        assert_int_equal(rowset_at(&rows[i], 0, 0)->len, 5 * BIG_BYTES);
}

/* The server reads no more while nobody takes its answers. */
static void a_flight_larger_than_all_buffers_does_not_stall(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, fly_big);
}

static void a_large_flight_does_not_stall_over_tls(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_optional(f, "tls on");
    pg_open(f, pg_url(f, "tls", "postgres", "?sslmode=require"));
    pg_in_loop(f, fly_big);
    db_close(f->db);
    f->db = NULL;
    pg_command(f, "tls off");
}

/* ---- while a flight is under way ---- */

struct flyer {
    struct pg_fixture *f;
    struct stmt *insert, *sleep;
    bool commit, ended;
    enum rc rc;
};

static CORO_FN void fly_and_sleep(struct flyer *me)
{
    struct conn *c = me->f->a;
    const struct value two = v_int(2);

    conn_flight_begin_txn(c, TXN_WRITE);
    conn_flight_exec(c, me->insert, &two, 1);
    conn_flight_exec(c, me->sleep, NULL, 0);
    if (me->commit)
        conn_flight_commit(c);
    me->rc = conn_flight_wait(c, NULL, 0);
    me->ended = true;
}

static void flyer_main(void *arg)
{
    coro_assert_inside();
    fly_and_sleep(arg);
}

/* A flight in which the server sleeps, and the server process. */
static CORO_FN int take_off(struct pg_fixture *f, struct flyer *flyer,
                            bool commit)
{
    int pid;

    pg_run(f, f->a, TABLE);
    pid = (int)pg_int(f, f->a, "SELECT pg_backend_pid()");
    *flyer = (struct flyer){.f = f, .commit = commit};
    flyer->insert = prepared(f, f->a, INSERT);
    flyer->sleep =
        prepared(f, f->a, "-- x\n-- () -> (s text)\nSELECT pg_sleep(60)::text");
    pg_check(f, loop_spawn(loop_current(), flyer_main, flyer, &f->err));
    while (pg_int(f, f->b,
                  "SELECT count(*) FROM pg_stat_activity "
                  "WHERE wait_event = 'PgSleep' AND state = 'active'") == 0)
        loop_yield(loop_current());
    return pid;
}

static CORO_FN void land(struct flyer *flyer)
{
    while (!flyer->ended)
        loop_yield(loop_current());
}

static CORO_FN void cancel_flight(struct pg_fixture *f)
{
    struct flyer flyer;

    take_off(f, &flyer, true);
    conn_cancel(f->a);
    land(&flyer);
    assert_int_equal(flyer.rc, RC_CANCELLED);
    assert_false(f->a->gone);
    assert_int_equal(conn_rollback(f->a), RC_OK);
    assert_int_equal(pg_int(f, f->a, COUNT), 1);
}

static void a_cancelled_flight_leaves_the_connection(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, cancel_flight);
}

static CORO_FN void exceed_limit(struct pg_fixture *f)
{
    static const int64_t ids[] = {2, 3, 0};
    struct stmt *insert, *sleep;

    pg_run(f, f->a, TABLE);
    insert = prepared(f, f->a, INSERT);
    sleep =
        prepared(f, f->a, "-- x\n-- () -> (s text)\nSELECT pg_sleep(60)::text");
    conn_flight_begin_txn(f->a, TXN_WRITE);
    conn_flight_exec(f->a, sleep, NULL, 0);
    conn_flight_commit(f->a);
    assert_int_equal(conn_flight_wait(f->a, NULL, 0), RC_DB_TIMEOUT);
    assert_int_equal(conn_rollback(f->a), RC_OK);
    queue_inserts(f->a, insert, ids);
    assert_int_equal(conn_flight_wait(f->a, NULL, 0), RC_OK);
}

static void a_statement_of_a_flight_has_its_limit(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    f->db->statement_timeout_ns = 100 * NS_PER_MS;
    pg_in_loop(f, exceed_limit);
}

static CORO_FN void lose_connection(struct pg_fixture *f, bool commit)
{
    static const int64_t ids[] = {3, 0};
    struct flyer flyer;
    char sql[80];
    int pid = take_off(f, &flyer, commit);

    snprintf(sql, sizeof(sql), "SELECT pg_terminate_backend(%d)", pid);
    pg_run(f, f->b, sql);
    land(&flyer);
    assert_int_equal(flyer.rc, commit ? RC_DB_UNKNOWN : RC_DB_GONE);
    assert_true(f->a->gone);
    assert_false(f->a->in_txn);
    assert_int_equal(conn_rollback(f->a), RC_OK);
    assert_int_equal(pg_int(f, f->b, COUNT), 1);
    /* Nothing of a later one is sent. */
    queue_inserts(f->a, flyer.insert, ids);
    assert_int_equal(conn_flight_wait(f->a, NULL, 0), RC_DB_GONE);
}

static CORO_FN void lose_before_commit(struct pg_fixture *f)
{
    lose_connection(f, false);
}

static CORO_FN void lose_with_commit(struct pg_fixture *f)
{
    lose_connection(f, true);
}

static void a_connection_lost_in_mid_flight_is_gone(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, lose_before_commit);
}

static void a_connection_lost_with_a_commit_leaves_it_unknown(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, lose_with_commit);
}

static CORO_FN void lose_server(struct pg_fixture *f)
{
    static const int64_t ids[] = {2, 0};
    struct stmt *insert;

    pg_run(f, f->a, TABLE);
    insert = prepared(f, f->a, INSERT);
    pg_command(f, "stop SIGQUIT");
    queue_inserts(f->a, insert, ids);
    /* Nobody knows how far a flight has come before the loss shows. */
    assert_int_equal(conn_flight_wait(f->a, NULL, 0), RC_DB_UNKNOWN);
    assert_true(f->a->gone);
    conn_flight_begin_txn(f->b, TXN_READ);
    assert_int_equal(conn_flight_wait(f->b, NULL, 0), RC_DB_GONE);
}

static void a_flight_to_a_dead_server_is_lost(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, lose_server);
    pg_command(f, "start");
}

int main(void)
{
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, pg_setup, pg_teardown)
    const struct CMUnitTest tests[] = {
        TEST(rows_of_a_flight_live_side_by_side),
        TEST(a_transaction_is_as_many_round_trips_as_flights),
        TEST(a_flight_may_roll_back),
        TEST(a_flight_begins_with_the_isolation_asked_for),
        TEST(a_flight_allocates_nothing),
        TEST(an_error_in_the_middle_stops_the_rest_and_the_commit),
        TEST(a_failure_of_the_commit_itself_is_seen),
        TEST(what_cannot_be_queued_fails_the_flight),
        TEST(a_serialization_failure_of_a_flight_may_be_retried),
        TEST(a_flight_larger_than_all_buffers_does_not_stall),
        TEST(a_large_flight_does_not_stall_over_tls),
        TEST(a_cancelled_flight_leaves_the_connection),
        TEST(a_statement_of_a_flight_has_its_limit),
        TEST(a_connection_lost_in_mid_flight_is_gone),
        TEST(a_connection_lost_with_a_commit_leaves_it_unknown),
        TEST(a_flight_to_a_dead_server_is_lost),
    };

    return cmocka_run_group_tests(tests, pg_group_setup, pg_group_teardown);
}
