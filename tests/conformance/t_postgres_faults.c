/* SPDX-License-Identifier: MIT */
/* What can go wrong between the PostgreSQL driver and a server. */
#include "support/bulk_once.h"
#include "support/pg_fixture.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- connecting ---- */

static void refused_connections_say_why(void **state)
{
    struct pg_fixture *f = pg_fixture(state);
    const struct {
        const char *user, *db, *params;
        enum rc rc;
        const char *sqlstate, *says;
    } cases[] = {
        {"secret:wrong", "postgres", "", RC_DB_PERMISSION, "28P01",
         "password authentication failed"},
        {"secret", "postgres", "", RC_DB_PERMISSION, "", "PGPASSWORD"},
        {"nobody_known", "postgres", "", RC_DB_PERMISSION, "28000",
         "does not exist"},
        {"dyno", "nowhere", "", RC_NOT_FOUND, "3D000", "--create-database"},
        {"tls", "postgres", "?sslmode=disable", RC_DB_PERMISSION, "28000",
         "pg_hba.conf"},
        {"dyno", "postgres", "?sslmode=require", RC_UNSUPPORTED, "",
         "SSL was required"},
        {"dyno", "postgres", "?sslmode=maybe", RC_USAGE, "", "sslmode"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        pg_open(f, pg_url(f, cases[i].user, cases[i].db, cases[i].params));
        assert_int_equal(pg_try_connect(f), cases[i].rc);
        assert_string_equal(f->err.sqlstate, cases[i].sqlstate);
        assert_non_null(strstr(f->err.text, cases[i].says));
        assert_null(strstr(f->err.text, "wrong"));
        assert_null(strstr(f->err.text, "LOCATION"));
    }
    pg_open(f, pg_url(f, "secret:sesame", "postgres", ""));
    assert_int_equal(pg_try_connect(f), RC_OK);
}

static void unreachable_hosts_are_lost_connections(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    /* Nobody listens on port 1. */
    pg_open(f, "postgres://dyno@127.0.0.1:1/postgres");
    assert_int_equal(pg_try_connect(f), RC_DB_GONE);
    assert_non_null(strstr(f->err.text, "Connection refused"));
    pg_open(f, "postgres:host=/nonexistent user=dyno");
    assert_int_equal(pg_try_connect(f), RC_DB_GONE);
    assert_non_null(strstr(f->err.text, "/nonexistent"));
}

static void wrong_targets_are_refused_without_a_password(void **state)
{
    struct pg_fixture *f = pg_fixture(state);
    static const struct {
        const char *url, *says;
    } cases[] = {
        {"postgres://u:hush@h/db?sslmod=require", "sslmod"},
        {"postgres:host=h pasword=x", "pasword"},
        {"postgres://u:hu%zzsh@h/db", "neither"},
        {"postgres://u:hush@[::1/db", "neither"},
        {"postgres:password='hush", "neither"},
        {"postgres: password = 'a\\' hush' host='x", "neither"},
        {"postgres:host=h password=hush?a=b hots=x", "hots"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct db *db = NULL;

        assert_int_equal(pg_try_open(f, cases[i].url, &db), RC_USAGE);
        assert_non_null(strstr(f->err.text, cases[i].says));
        assert_null(strstr(f->err.text, "hush"));
    }
}

static void a_url_may_also_begin_with_postgresql(void **state)
{
    struct pg_fixture *f = pg_fixture(state);
    const char *url = arena_printf(
        &f->arena, "postgresql://dyno@127.0.0.1:%s/postgres", f->port);

    pg_open(f, url);
    assert_int_equal(pg_try_connect(f), RC_OK);
    assert_string_equal(f->db->driver->name, "postgres");
}

static CORO_FN void connect_once_more(struct pg_fixture *f)
{
    struct conn *c = NULL;
    enum rc rc = conn_open(f->db, loop_current(), &c, &f->err);

    assert_int_equal(rc, RC_DB_LIMIT);
    assert_string_equal(f->err.sqlstate, "53300");
}

static void one_main(void *arg)
{
    struct pg_fixture *f = arg;
    struct conn *c = NULL;

    coro_assert_inside();
    pg_check(f, conn_open(f->db, loop_current(), &c, &f->err));
    connect_once_more(f);
    conn_close(c);
}

static void too_many_connections_are_a_limit(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open(f, pg_url(f, "single", "postgres", ""));
    pg_check(f, loop_call(one_main, f, &f->err));
}

static void a_console_of_a_pooler_is_too_old(void **state)
{
    struct pg_fixture *f = pg_fixture(state);
    const char *port = pg_optional(f, "pooler transaction");

    pg_open(f,
            arena_printf(&f->arena,
                         "postgres://pgbouncer@127.0.0.1:%s/pgbouncer", port));
    assert_int_equal(pg_try_connect(f), RC_UNSUPPORTED);
    assert_non_null(strstr(f->err.text, "10 or later"));
}

/* ---- TLS ---- */

static CORO_FN void read_much(struct pg_fixture *f)
{
    char on[8];

    pg_text(f, f->a,
            "SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
            on, sizeof(on));
    assert_string_equal(on, "true");
    /* More than a record and more than libpq's buffer. */
    for (int i = 1; i <= 20; i++) {
        char sql[80];
        static char text[400000];

        snprintf(sql, sizeof(sql), "SELECT repeat('x', %d)", i * 17000);
        pg_text(f, f->a, sql, text, sizeof(text));
        assert_int_equal(strlen(text), i * 17000);
    }
}

static void answers_of_any_size_come_over_tls(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_optional(f, "tls on");
    pg_open(f, pg_url(f, "tls", "postgres", "?sslmode=require"));
    pg_in_loop(f, read_much);
    db_close(f->db);
    f->db = NULL;
    pg_command(f, "tls off");
}

/* ---- while a statement runs ---- */

static CORO_FN enum rc run_step(struct pg_fixture *f, struct conn *c,
                                const char *text)
{
    return conn_query(c, pg_step(f, text), NULL, 0, NULL, &f->err);
}

static CORO_FN void lose_backend(struct pg_fixture *f)
{
    char sql[80];
    int64_t pid = pg_int(f, f->a, "SELECT pg_backend_pid()");
    struct err err = {0};

    snprintf(sql, sizeof(sql), "SELECT pg_terminate_backend(%d)", (int)pid);
    assert_int_equal(conn_begin(f->a, TXN_WRITE), RC_OK);
    pg_run(f, f->b, sql);
    assert_int_equal(run_step(f, f->a, "-- x\n-- () -> (i int)\nSELECT 1"),
                     RC_DB_GONE);
    assert_string_equal(f->a->sqlstate, "57P01");
    conn_error(f->a, &err);
    assert_non_null(strstr(err.text, "administrator"));
    assert_true(f->a->gone);
    assert_false(f->a->in_txn);
    assert_int_equal(conn_rollback(f->a), RC_OK);
}

static void a_terminated_connection_is_lost(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, lose_backend);
}

static CORO_FN void lose_commit(struct pg_fixture *f)
{
    char sql[80];
    int64_t pid = pg_int(f, f->a, "SELECT pg_backend_pid()");

    snprintf(sql, sizeof(sql), "SELECT pg_terminate_backend(%d)", (int)pid);
    assert_int_equal(conn_begin(f->a, TXN_WRITE), RC_OK);
    pg_run(f, f->b, sql);
    assert_int_equal(conn_commit(f->a), RC_DB_UNKNOWN);
}

static void a_connection_lost_at_commit_leaves_it_unknown(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, lose_commit);
}

static CORO_FN void lose_server(struct pg_fixture *f)
{
    static const struct column cols[] = {{"i", VALUE_INT}};
    static const struct table_def table = {
        .name = "lost", .cols = cols, .n_cols = 1};
    const struct value cell = v_int(1);

    pg_run(f, f->a, "DROP TABLE IF EXISTS lost; CREATE TABLE lost (i int)");
    pg_check(f, bulk_once(f->a, &table, &cell, 1, &f->err));
    pg_command(f, "stop SIGQUIT");
    assert_int_equal(bulk_once(f->a, &table, &cell, 1, &f->err), RC_DB_GONE);
    assert_true(f->a->gone);
    assert_int_equal(pg_try_run(f, f->b, "SELECT 1"), RC_DB_GONE);
    assert_true(f->b->gone);
    assert_int_equal(pg_try_run(f, f->b, "SELECT 1"), RC_DB_GONE);
}

static void a_server_that_dies_loses_its_connections(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, lose_server);
    assert_int_equal(pg_try_connect(f), RC_DB_GONE);
    pg_command(f, "start");
    assert_int_equal(pg_try_connect(f), RC_OK);
}

/* ---- locks ---- */

struct locker {
    struct pg_fixture *f;
    struct conn *c;
    const char *first, *second;
    enum rc rc;
    bool ready, ended;
};

static CORO_FN enum rc lock_both(struct pg_fixture *f, struct conn *c,
                                 const char *first, const char *second,
                                 struct locker *self, struct locker *other)
{
    enum rc rc = conn_begin(c, TXN_WRITE);

    if (!rc)
        rc = run_step(f, c, first);
    self->ready = true;
    while (!other->ready)
        loop_yield(c->loop);
    if (!rc)
        rc = run_step(f, c, second);
    if (!rc)
        rc = conn_commit(c);
    else if (conn_rollback(c))
        rc = RC_DB_GONE;
    self->ended = true;
    return rc;
}

static struct locker lockers[2];

static void locker_main(void *arg)
{
    struct locker *me = arg;

    coro_assert_inside();
    me->rc = lock_both(me->f, me->c, me->first, me->second, me,
                       &lockers[me == &lockers[0]]);
}

#define UPDATE(id) "-- x\n-- () -> ()\nUPDATE lk SET n = n + 1 WHERE id = " #id

static CORO_FN void meet(struct pg_fixture *f)
{
    struct conn *conns[] = {f->a, f->b};

    pg_run(f, f->a,
           "DROP TABLE IF EXISTS lk; CREATE TABLE lk (id int PRIMARY "
           "KEY, n int); INSERT INTO lk VALUES (1, 0), (2, 0)");
    for (size_t i = 0; i < 2; i++) {
        lockers[i] = (struct locker){.f = f,
                                     .c = conns[i],
                                     .first = i ? UPDATE(2) : UPDATE(1),
                                     .second = i ? UPDATE(1) : UPDATE(2)};
        pg_check(f,
                 loop_spawn(loop_current(), locker_main, &lockers[i], &f->err));
    }
    while (!lockers[0].ended || !lockers[1].ended)
        loop_yield(loop_current());
    /* One is the victim, the other goes on. */
    assert_int_equal(lockers[0].rc + lockers[1].rc, RC_DB_RETRY);
    assert_string_equal(f->a->sqlstate[0] ? f->a->sqlstate : f->b->sqlstate,
                        "40P01");
    assert_int_equal(pg_int(f, f->a, "SELECT sum(n) FROM lk"), 2);
}

static void a_deadlock_may_be_retried(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, meet);
}

static CORO_FN void conflict(struct pg_fixture *f)
{
    pg_run(f, f->a,
           "DROP TABLE IF EXISTS lk; CREATE TABLE lk (id int PRIMARY "
           "KEY, n int); INSERT INTO lk VALUES (1, 0), (2, 0)");
    assert_int_equal(conn_begin(f->a, TXN_WRITE), RC_OK);
    pg_int(f, f->a, "SELECT n FROM lk WHERE id = 1");
    pg_check(f, run_step(f, f->b, UPDATE(1)));
    assert_int_equal(run_step(f, f->a, UPDATE(1)), RC_DB_RETRY);
    assert_string_equal(f->a->sqlstate, "40001");
    assert_true(f->a->in_txn);
    assert_int_equal(conn_rollback(f->a), RC_OK);
    /* A lock that is not waited for. */
    assert_int_equal(conn_begin(f->b, TXN_WRITE), RC_OK);
    pg_check(f, run_step(f, f->b, UPDATE(1)));
    assert_int_equal(pg_try_run(f, f->a, "SELECT n FROM lk FOR UPDATE NOWAIT"),
                     RC_DB_RETRY);
    assert_string_equal(f->err.sqlstate, "55P03");
    assert_int_equal(conn_rollback(f->b), RC_OK);
}

static void a_serialization_failure_may_be_retried(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    f->db->isolation = ISOLATION_REPEATABLE_READ;
    pg_in_loop(f, conflict);
}

static CORO_FN void lack_rights(struct pg_fixture *f)
{
    assert_int_equal(pg_try_run(f, f->a, "CREATE TABLE public.x (i int)"),
                     RC_DB_PERMISSION);
    assert_int_equal(pg_try_run(f, f->a, "CREATE DATABASE x"),
                     RC_DB_PERMISSION);
    /* Only superusers may checkpoint, which is no failure. */
    assert_int_equal(conn_settle(f->a, &f->err), RC_OK);
}

static void missing_rights_are_told(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open(f, pg_url(f, "guest", "postgres", ""));
    pg_in_loop(f, lack_rights);
}

/* ---- time limits and cancels ---- */

static CORO_FN void exceed_limit(struct pg_fixture *f)
{
    assert_int_equal(pg_try_run(f, f->a, "SELECT pg_sleep(60)"), RC_DB_TIMEOUT);
    assert_false(f->a->gone);
    assert_int_equal(conn_begin(f->a, TXN_WRITE), RC_OK);
    assert_int_equal(
        run_step(f, f->a, "-- x\n-- () -> (t text)\nSELECT pg_sleep(60)::text"),
        RC_DB_TIMEOUT);
    assert_int_equal(conn_rollback(f->a), RC_OK);
    assert_int_equal(pg_int(f, f->a, "SELECT 7"), 7);
}

static void a_statement_over_its_limit_is_ended(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    f->db->statement_timeout_ns = 100 * NS_PER_MS;
    pg_in_loop(f, exceed_limit);
}

struct sleeper {
    struct pg_fixture *f;
    enum rc rc;
    bool ended;
};

static void sleep_main(void *arg)
{
    struct sleeper *s = arg;

    coro_assert_inside();
    s->rc = pg_try_run(s->f, s->f->a, "SELECT pg_sleep(60)");
    s->ended = true;
}

static CORO_FN void wait_until_asleep(struct pg_fixture *f)
{
    while (pg_int(f, f->b,
                  "SELECT count(*) FROM pg_stat_activity "
                  "WHERE wait_event = 'PgSleep' AND state = 'active'") == 0)
        loop_yield(loop_current());
}

static CORO_FN void cancel_sleeper(struct pg_fixture *f)
{
    struct sleeper s = {.f = f};

    pg_check(f, loop_spawn(loop_current(), sleep_main, &s, &f->err));
    wait_until_asleep(f);
    conn_cancel(f->a);
    conn_cancel(f->a); /* one on its way is enough */
    while (!s.ended)
        loop_yield(loop_current());
    assert_int_equal(s.rc, RC_CANCELLED);
    assert_string_equal(f->a->sqlstate, "57014");
    assert_false(f->a->gone);
    assert_int_equal(pg_int(f, f->a, "SELECT 7"), 7);
}

static void a_cancelled_statement_leaves_the_connection(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, cancel_sleeper);
}

static CORO_FN void cancel_loop(struct pg_fixture *f)
{
    struct sleeper s = {.f = f};

    pg_check(f, loop_spawn(loop_current(), sleep_main, &s, &f->err));
    wait_until_asleep(f);
    pg_command(f, "pause");
    conn_cancel(f->a); /* blocks nobody */
    loop_cancel(loop_current());
    while (!s.ended)
        loop_yield(loop_current());
    assert_int_equal(s.rc, RC_CANCELLED);
    assert_true(f->a->gone);
}

static void a_loop_can_be_stopped_when_the_server_is_silent(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, cancel_loop);
    pg_command(f, "resume");
    assert_int_equal(pg_try_connect(f), RC_OK);
}

static CORO_FN void ask_a_silent_server(struct pg_fixture *f)
{
    struct stmt *s;
    const struct step *step = pg_step(f, "-- x\n-- () -> (i int)\nSELECT 1");

    pg_check(f, conn_prepare(f->a, step, &s, &f->err));
    pg_command(f, "pause");
    assert_int_equal(conn_exec(f->a, s, NULL, 0, NULL), RC_TIMEOUT);
    assert_true(f->a->gone);
}

static void a_silent_server_is_given_up(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    f->db->statement_timeout_ns = NS_PER_MS * 100;
    pg_in_loop(f, ask_a_silent_server);
    pg_open(f, pg_url(f, "dyno", "postgres", "?connect_timeout=1"));
    assert_int_equal(pg_try_connect(f), RC_TIMEOUT);
    assert_non_null(strstr(f->err.text, "within 1 s"));
    pg_command(f, "resume");
    assert_int_equal(pg_try_connect(f), RC_OK);
}

/* ---- poolers ---- */

static void open_pooler(struct pg_fixture *f, const char *mode)
{
    const char *port = pg_optional(f, "pooler %s", mode);

    pg_open(f, arena_printf(&f->arena, "postgres://dyno@127.0.0.1:%s/postgres",
                            port));
}

static void a_pooler_of_transactions_is_refused(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    open_pooler(f, "transaction");
    assert_int_equal(pg_try_connect(f), RC_UNSUPPORTED);
    assert_non_null(strstr(f->err.text, "--no-prepare"));
    assert_non_null(strstr(f->err.text, "pool_mode"));
    /* There is nothing to hold a lock with. */
    pg_check(f, db_claim(f->db, &f->err));
}

static CORO_FN void run_pooled(struct pg_fixture *f)
{
    const struct step *step =
        pg_step(f, "-- x\n-- (n int) -> (n int)\nSELECT :n::int + 1");

    for (int64_t i = 0; i < 20; i++) {
        const struct value arg = v_int(i);
        struct conn *c = i % 2 ? f->a : f->b;
        struct rowset rows;

        assert_int_equal(conn_begin(c, TXN_WRITE), RC_OK);
        pg_check(f, conn_query(c, step, &arg, 1, &rows, &f->err));
        assert_int_equal(rowset_at(&rows, 0, 0)->i, i + 1);
        assert_int_equal(conn_commit(c), RC_OK);
    }
}

static CORO_FN void run_pooled_with_limit(struct pg_fixture *f)
{
    run_pooled(f);
    assert_int_equal(conn_begin(f->a, TXN_WRITE), RC_OK);
    assert_int_equal(
        run_step(f, f->a, "-- x\n-- () -> (t text)\nSELECT pg_sleep(60)::text"),
        RC_DB_TIMEOUT);
    assert_int_equal(conn_rollback(f->a), RC_OK);
    /* The limit is not left behind for others. */
    assert_int_equal(
        pg_int(f, f->b,
               "SELECT count(*) FROM pg_settings "
               "WHERE name = 'statement_timeout' AND setting <> '0'"),
        0);
}

static void a_pooler_of_transactions_serves_the_unprepared(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    open_pooler(f, "transaction");
    f->db->unprepared = true;
    f->db->statement_timeout_ns = 200 * NS_PER_MS;
    pg_in_loop(f, run_pooled_with_limit);
}

static void a_pooler_of_sessions_serves_all(void **state)
{
    struct pg_fixture *f = pg_fixture(state);
    struct db *other = NULL;

    open_pooler(f, "session");
    pg_check(f, db_claim(f->db, &f->err));
    pg_in_loop(f, run_pooled);
    pg_check(f, pg_try_open(f, f->db->target->url, &other));
    assert_int_equal(db_claim(other, &f->err), RC_BUSY);
    db_close(other);
}

int main(void)
{
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, pg_setup, pg_teardown)
    const struct CMUnitTest tests[] = {
        TEST(refused_connections_say_why),
        TEST(unreachable_hosts_are_lost_connections),
        TEST(wrong_targets_are_refused_without_a_password),
        TEST(a_url_may_also_begin_with_postgresql),
        TEST(too_many_connections_are_a_limit),
        TEST(a_console_of_a_pooler_is_too_old),
        TEST(answers_of_any_size_come_over_tls),
        TEST(a_terminated_connection_is_lost),
        TEST(a_connection_lost_at_commit_leaves_it_unknown),
        TEST(a_server_that_dies_loses_its_connections),
        TEST(a_deadlock_may_be_retried),
        TEST(a_serialization_failure_may_be_retried),
        TEST(missing_rights_are_told),
        TEST(a_statement_over_its_limit_is_ended),
        TEST(a_cancelled_statement_leaves_the_connection),
        TEST(a_loop_can_be_stopped_when_the_server_is_silent),
        TEST(a_silent_server_is_given_up),
        TEST(a_pooler_of_transactions_is_refused),
        TEST(a_pooler_of_transactions_serves_the_unprepared),
        TEST(a_pooler_of_sessions_serves_all),
    };

    return cmocka_run_group_tests(tests, pg_group_setup, pg_group_teardown);
}
