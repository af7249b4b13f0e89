/* SPDX-License-Identifier: MIT */
/* Statements, transactions and rows of the PostgreSQL driver, on a server. */
#include "base/mem.h"
#include "support/bulk_once.h"
#include "support/pg_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TABLE                                                               \
    "DROP TABLE IF EXISTS t; CREATE TABLE t (id int PRIMARY KEY, i2 "       \
    "smallint, i8 bigint, m numeric(16, 2), r numeric(4, 4), t timestamp, " \
    "z timestamptz, v varchar(40), c char(4))"
#define COLUMNS                                                            \
    "(id int, i2 int, i8 int, m money, r rate, t time, z time, v text, c " \
    "text)"
#define N_COLUMNS 9

/* ---- values ---- */

static const int64_t time_us = 1700000000123456;

static size_t make_rows(struct value out[][N_COLUMNS])
{
    const struct value rows[][N_COLUMNS] = {
        {v_int(1), v_int(-32768), v_int(INT64_MAX), v_money(-123456789),
         v_rate(1), v_time(time_us), v_time(-1), v_text("text"),
         v_text("abcd")},
        {v_int(INT32_MIN), v_int(32767), v_int(INT64_MIN),
         v_money(99999999999999), v_rate(-9999), v_time(0), v_time(time_us),
         v_textn("", 0), v_text("ab")},
        {v_int(3), v_null(), v_null(), v_null(), v_null(), v_null(), v_null(),
         v_null(), v_null()},
    };

    memcpy(out, rows, sizeof(rows));
    return ARRAY_LEN(rows);
}

static void assert_same(const struct value *got, const struct value *want,
                        size_t col)
{
    assert_int_equal(got->type, want->type);
    if (want->type == VALUE_NULL)
        return;
    if (want->type != VALUE_TEXT) {
        assert_int_equal(got->i, want->i);
        return;
    }
    /* char(4) is returned as it is stored. */
    assert_int_equal(got->len, col == 8 ? 4 : want->len);
    assert_memory_equal(got->s, want->s, want->len);
}

static CORO_FN void assert_table_holds(struct pg_fixture *f,
                                       struct value want[][N_COLUMNS], size_t n)
{
    const struct step *read =
        pg_step(f, "-- x\n-- (id int) -> " COLUMNS
                   "\nSELECT id, i2, i8, m, r, t, z, v, c FROM t "
                   "WHERE id = :id");

    for (size_t row = 0; row < n; row++) {
        struct rowset rows;

        pg_check(f, conn_query(f->b, read, &want[row][0], 1, &rows, &f->err));
        assert_int_equal(rows.n_rows, 1);
        for (size_t i = 0; i < N_COLUMNS; i++)
            assert_same(rowset_at(&rows, 0, i), &want[row][i], i);
    }
}

static CORO_FN void insert_and_read(struct pg_fixture *f)
{
    const struct step *insert =
        pg_step(f, "-- x\n-- " COLUMNS " -> ()\nINSERT INTO t VALUES "
                   "(:id, :i2, :i8, :m, :r, :t, :z, :v, :c)");
    struct value want[3][N_COLUMNS];
    size_t n = make_rows(want);

    pg_run(f, f->a, TABLE);
    for (size_t i = 0; i < n; i++) {
        struct rowset rows;

        pg_check(f,
                 conn_query(f->a, insert, want[i], N_COLUMNS, &rows, &f->err));
        assert_int_equal(rows.n_affected, 1);
    }
    assert_table_holds(f, want, n);
}

static void values_survive_prepared_statements(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, insert_and_read);
}

static void values_survive_without_prepared_statements(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    f->db->unprepared = true;
    pg_in_loop(f, insert_and_read);
}

static CORO_FN void copy_and_read(struct pg_fixture *f)
{
    static const struct column cols[N_COLUMNS] = {
        {"id", VALUE_INT},  {"i2", VALUE_INT}, {"i8", VALUE_INT},
        {"m", VALUE_MONEY}, {"r", VALUE_RATE}, {"t", VALUE_TIME},
        {"z", VALUE_TIME},  {"v", VALUE_TEXT}, {"c", VALUE_TEXT}};
    const struct table_def table = {
        .name = "t", .cols = cols, .n_cols = N_COLUMNS};
    struct value want[3][N_COLUMNS];
    size_t n = make_rows(want);

    pg_run(f, f->a, TABLE);
    pg_check(f, bulk_once(f->a, &table, want[0], n - 1, &f->err));
    pg_check(f, bulk_once(f->a, &table, want[n - 1], 1, &f->err));
    assert_table_holds(f, want, n);
    /* All of a call or nothing, and the connection goes on. */
    want[1][0] = v_int(77);
    assert_int_equal(bulk_once(f->a, &table, want[1], 2, &f->err),
                     RC_DB_CONSTRAINT);
    assert_string_equal(f->err.sqlstate, "23505");
    want[2][0] = v_int(78);
    want[2][1] = v_int(40000);
    assert_int_equal(bulk_once(f->a, &table, want[1], 2, &f->err), RC_DB_ERROR);
    assert_non_null(strstr(f->err.text, "too big"));
    assert_int_equal(pg_int(f, f->a, "SELECT count(*) FROM t"), n);
}

static void values_survive_a_bulk_load(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, copy_and_read);
}

#define LONG_ROWS 400
#define LONG_BYTES 100000

static CORO_FN void copy_long_texts(struct pg_fixture *f)
{
    static const struct column cols[] = {{"n", VALUE_INT}, {"s", VALUE_TEXT}};
    static const struct table_def table = {
        .name = "long", .cols = cols, .n_cols = 2};
    static char text[LONG_BYTES];
    static struct value cells[2 * LONG_ROWS];

    memset(text, 'x', sizeof(text));
    for (size_t i = 0; i < LONG_ROWS; i++) {
        cells[2 * i] = v_int((int64_t)i);
        cells[2 * i + 1] = v_textn(text, i * (LONG_BYTES / LONG_ROWS));
    }
    pg_run(f, f->a,
           "DROP TABLE IF EXISTS long; "
           "CREATE TABLE long (n int, s text)");
    pg_check(f, bulk_once(f->a, &table, cells, LONG_ROWS, &f->err));
    assert_int_equal(pg_int(f, f->a,
                            "SELECT count(*) FROM long "
                            "WHERE length(s) = n * 250"),
                     LONG_ROWS);
    pg_run(f, f->a, "DROP TABLE long");
}

static void texts_longer_than_a_piece_are_loaded(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, copy_long_texts);
}

/* ---- parameters ---- */

static CORO_FN void check_types(struct pg_fixture *f)
{
    const struct step *step =
        pg_step(f, "-- x\n-- (id int, i2 int, m money) -> (n int)\n"
                   "SELECT count(*) FROM t "
                   "WHERE id = :id AND i2 = :i2 AND m > :m");
    char types[80];
    struct stmt *s;

    pg_run(f, f->a, TABLE);
    pg_check(f, conn_prepare(f->a, step, &s, &f->err));
    pg_text(f, f->a,
            "SELECT parameter_types::text FROM pg_prepared_statements "
            "WHERE statement LIKE '%i2 = %m > %' AND name = 'd0'",
            types, sizeof(types));
    assert_string_equal(types, "{integer,smallint,numeric}");
}

static void parameters_have_the_types_of_their_columns(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, check_types);
}

static CORO_FN void check_odd_types(struct pg_fixture *f)
{
    static const int64_t items[] = {1, 2, 3};
    const struct value args[] = {v_int(5),         v_ints(items, 3),
                                 v_ints(items, 2), v_ints(NULL, 0),
                                 v_text("1.5"),    v_time(0)};
    const struct step *step = pg_step(
        f, "-- x\n-- (f int, l ints, s ints, e ints, n text, d time) -> "
           "(sum int, text text)\n"
           "SELECT :f::float8::int + (SELECT sum(x) FROM unnest(:l::int[]) x) "
           "+ cardinality(:s::smallint[]) + cardinality(:e::numeric[]), "
           "concat(:n::numeric * 2, ' ', :d::date)");
    struct rowset rows;

    pg_check(f, conn_query(f->a, step, args, 6, &rows, &f->err));
    assert_int_equal(rowset_at(&rows, 0, 0)->i, 13);
    assert_int_equal(rowset_at(&rows, 0, 1)->len, 14);
    assert_memory_equal(rowset_at(&rows, 0, 1)->s, "3.0 1970-01-01", 14);
}

static void types_that_are_not_known_take_text(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, check_odd_types);
}

static CORO_FN void exceed(struct pg_fixture *f)
{
    const struct value args[] = {v_int(40000)};
    const struct step *step =
        pg_step(f, "-- x\n-- (i2 int) -> (n int)\nSELECT :i2::smallint + 0");

    assert_int_equal(conn_query(f->a, step, args, 1, NULL, &f->err),
                     RC_DB_ERROR);
    assert_non_null(strstr(f->err.text, "too big"));
    assert_false(f->a->gone);
    assert_int_equal(pg_int(f, f->a, "SELECT 7"), 7);
}

static void a_value_too_big_for_its_column_is_refused(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, exceed);
}

static CORO_FN void prepare_wrong_steps(struct pg_fixture *f)
{
    static const struct {
        const char *text;
        enum rc rc;
        const char *says;
    } cases[] = {
        {"-- x\n-- () -> (n int)\nSELECT x FROM nowhere", RC_DB_ERROR,
         "nowhere"},
        {"-- x\n-- () -> (n int)\nSELECT 1, 2", RC_INVALID, "2 columns"},
        {"-- x\n-- () -> (n int)\nSELECT 'a'::text", RC_INVALID, "column n"},
        {"-- x\n-- () -> (n text)\nSELECT 1.5::float8", RC_INVALID, "column n"},
        {"-- x\n-- () -> (n int)\nSELECT $1::int", RC_INVALID, "parameters"},
        {"-- x\n-- () -> (n int)\nDELETE FROM t", RC_INVALID, "no rows"},
    };

    pg_run(f, f->a, TABLE);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct stmt *s = NULL;

        assert_int_equal(
            conn_prepare(f->a, pg_step(f, cases[i].text), &s, &f->err),
            cases[i].rc);
        assert_non_null(strstr(f->err.text, "step"));
        assert_non_null(strstr(f->err.text, cases[i].says));
        assert_int_equal(pg_int(f, f->a, "SELECT 7"), 7);
    }
}

static void a_wrong_step_is_refused_when_prepared(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, prepare_wrong_steps);
}

/* ---- steps of several statements ---- */

static CORO_FN void run_several(struct pg_fixture *f)
{
    const struct step *both =
        pg_step(f, "-- x\n-- (id int, add int) -> (n int)\n"
                   "UPDATE t SET i8 = i8 + :add WHERE id = :id;\n"
                   "SELECT i8 FROM t WHERE id = :id;\n"
                   "DELETE FROM t WHERE id > 90");
    const struct step *bad = pg_step(f, "-- x\n-- (id int) -> ()\n"
                                        "INSERT INTO t (id) VALUES (:id + 1);\n"
                                        "INSERT INTO t (id) VALUES (:id)");
    const struct value args[] = {v_int(1), v_int(5)};
    struct rowset rows;
    uint64_t trips;
    struct stmt *s;

    pg_run(f, f->a, TABLE "; INSERT INTO t (id, i8) VALUES (1, 10), (99, 0)");
    pg_check(f, conn_prepare(f->a, both, &s, &f->err));
    trips = f->a->usage.round_trips;
    assert_int_equal(conn_exec(f->a, s, args, 2, &rows), RC_OK);
    assert_int_equal(f->a->usage.round_trips, trips + 1);
    assert_int_equal(rows.n_rows, 1);
    assert_int_equal(rowset_at(&rows, 0, 0)->i, 15);
    assert_int_equal(rows.n_affected, 1);
    assert_int_equal(pg_int(f, f->a, "SELECT count(*) FROM t"), 1);
    /* All or nothing. */
    assert_int_equal(conn_query(f->a, bad, args, 1, NULL, &f->err),
                     RC_DB_CONSTRAINT);
    assert_string_equal(f->a->sqlstate, "23505");
    assert_int_equal(pg_int(f, f->a, "SELECT count(*) FROM t"), 1);
}

static void a_step_of_several_statements_is_one_flight(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, run_several);
}

static CORO_FN void run_warm(struct pg_fixture *f)
{
    const struct step *step =
        pg_step(f, "-- x\n-- (n int, s text) -> (i int, s text)\n"
                   "SELECT i, :s::text FROM generate_series(1, :n::int) AS i");
    const struct value args[] = {v_int(100), v_text("some text")};
    uint64_t before;
    struct stmt *s;

    pg_check(f, conn_prepare(f->a, step, &s, &f->err));
    before = mem_run_path_allocations();
    mem_run_path_enter();
    for (int i = 0; i < 50; i++) {
        assert_int_equal(conn_begin(f->a, TXN_WRITE), RC_OK);
        assert_int_equal(conn_exec(f->a, s, args, 2, NULL), RC_OK);
        assert_int_equal(conn_commit(f->a), RC_OK);
    }
    mem_run_path_leave();
    assert_int_equal(mem_run_path_allocations(), before);
    assert_int_not_equal(f->a->usage.bytes_sent, 0);
    assert_int_not_equal(f->a->usage.bytes_received, 0);
}

static void the_run_path_allocates_nothing(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, run_warm);
}

/* ---- transactions ---- */

static CORO_FN void check_isolation(struct pg_fixture *f)
{
    static const struct {
        enum isolation level;
        enum txn_mode mode;
        const char *want;
    } cases[] = {
        {ISOLATION_DEFAULT, TXN_WRITE, "read committed off"},
        {ISOLATION_DEFAULT, TXN_READ, "read committed on"},
        {ISOLATION_READ_COMMITTED, TXN_WRITE, "read committed off"},
        {ISOLATION_REPEATABLE_READ, TXN_WRITE, "repeatable read off"},
        {ISOLATION_SERIALIZABLE, TXN_WRITE, "serializable off"},
        {ISOLATION_SERIALIZABLE, TXN_READ, "serializable on"},
        {ISOLATION_READ_COMMITTED, TXN_SNAPSHOT, "repeatable read on"},
        {ISOLATION_SERIALIZABLE, TXN_SNAPSHOT, "repeatable read on"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[64];

        f->db->isolation = cases[i].level;
        assert_int_equal(conn_begin(f->a, cases[i].mode), RC_OK);
        pg_text(f, f->a,
                "SELECT concat(current_setting('transaction_isolation'), ' ', "
                "current_setting('transaction_read_only'))",
                text, sizeof(text));
        assert_string_equal(text, cases[i].want);
        assert_int_equal(conn_commit(f->a), RC_OK);
    }
}

static void transactions_have_the_isolation_asked_for(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, check_isolation);
}

static CORO_FN void commit_and_roll_back(struct pg_fixture *f)
{
    const struct step *insert =
        pg_step(f, "-- x\n-- (id int) -> ()\nINSERT INTO t (id) VALUES (:id)");
    const struct value one = v_int(1), two = v_int(2);

    pg_run(f, f->a, TABLE);
    assert_int_equal(conn_begin(f->a, TXN_WRITE), RC_OK);
    pg_check(f, conn_query(f->a, insert, &one, 1, NULL, &f->err));
    assert_int_equal(pg_int(f, f->b, "SELECT count(*) FROM t"), 0);
    assert_int_equal(conn_commit(f->a), RC_OK);
    assert_int_equal(pg_int(f, f->b, "SELECT count(*) FROM t"), 1);

    assert_int_equal(conn_begin(f->a, TXN_WRITE), RC_OK);
    pg_check(f, conn_query(f->a, insert, &two, 1, NULL, &f->err));
    assert_int_equal(conn_query(f->a, insert, &one, 1, NULL, &f->err),
                     RC_DB_CONSTRAINT);
    assert_non_null(strstr(f->err.text, "Key (id)=(1) already exists"));
    assert_int_equal(conn_rollback(f->a), RC_OK);
    assert_int_equal(pg_int(f, f->a, "SELECT count(*) FROM t"), 1);
}

static void a_commit_is_seen_and_a_rollback_is_not(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, commit_and_roll_back);
}

static CORO_FN void commit_late_failure(struct pg_fixture *f)
{
    const struct step *insert =
        pg_step(f, "-- x\n-- (id int) -> ()\nINSERT INTO late VALUES (:id)");
    const struct value id = v_int(1);

    pg_run(f, f->a,
           "DROP TABLE IF EXISTS late; CREATE TABLE late (id int "
           "UNIQUE DEFERRABLE INITIALLY DEFERRED); "
           "INSERT INTO late VALUES (1)");
    assert_int_equal(conn_begin(f->a, TXN_WRITE), RC_OK);
    pg_check(f, conn_query(f->a, insert, &id, 1, NULL, &f->err));
    assert_int_equal(conn_commit(f->a), RC_DB_CONSTRAINT);
    assert_false(f->a->in_txn);
    assert_int_equal(pg_int(f, f->a, "SELECT count(*) FROM late"), 1);
    pg_run(f, f->a, "DROP TABLE late");
}

static void a_commit_that_fails_leaves_nothing(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, commit_late_failure);
}

/* ---- scans ---- */

static CORO_FN size_t read_to_end(struct pg_fixture *f, struct scan *s)
{
    const struct value *row;
    size_t n = 0;

    for (;;) {
        pg_check(f, scan_next(s, &row, &f->err));
        if (!row)
            return n;
        assert_int_equal(row[0].i, ++n);
    }
}

static CORO_FN void scan_side_by_side(struct pg_fixture *f)
{
    const struct step *step = pg_step(
        f, "-- x\n-- (n int, s text) -> (i int, s text, m money)\n"
           "SELECT i, :s::text, i * 1.01 FROM generate_series(1, :n) AS i");
    const struct value args[] = {v_int(4000), v_text("it's")};
    const struct value few[] = {v_int(3), v_null()};
    const struct value *row;
    struct scan *long_one, *short_one;

    pg_check(f, scan_open(f->a, step, args, 2, &long_one, &f->err));
    pg_check(f, scan_open(f->a, step, few, 2, &short_one, &f->err));
    pg_check(f, scan_next(short_one, &row, &f->err));
    assert_true(value_is_null(&row[1]));
    assert_int_equal(row[2].i, 101);
    assert_int_equal(read_to_end(f, long_one), 4000);
    pg_check(f, scan_next(short_one, &row, &f->err));
    assert_int_equal(row[0].i, 2);
    pg_check(f, scan_next(short_one, &row, &f->err));
    /* The end is the end however often it is asked. */
    for (size_t i = 0; i < 2; i++) {
        pg_check(f, scan_next(short_one, &row, &f->err));
        assert_null(row);
    }
    scan_close(long_one);
    scan_close(short_one);
}

static CORO_FN void scan_in_transaction(struct pg_fixture *f)
{
    const struct step *good =
        pg_step(f, "-- x\n-- () -> (i int)\nSELECT generate_series(1, 5000)");
    const struct step *bad =
        pg_step(f, "-- x\n-- () -> (i int)\nSELECT i FROM nowhere");
    struct scan *s, *none;
    const struct value *row;

    scan_side_by_side(f);
    assert_int_equal(conn_begin(f->a, TXN_SNAPSHOT), RC_OK);
    scan_side_by_side(f);
    pg_check(f, scan_open(f->a, good, NULL, 0, &s, &f->err));
    pg_check(f, scan_next(s, &row, &f->err));
    /* One that fails does no harm to the others. */
    assert_int_equal(scan_open(f->a, bad, NULL, 0, &none, &f->err),
                     RC_DB_ERROR);
    assert_non_null(strstr(f->err.text, "nowhere"));
    for (int64_t i = 2; i <= 5000; i++) {
        pg_check(f, scan_next(s, &row, &f->err));
        assert_int_equal(row[0].i, i);
    }
    scan_close(s);
    assert_int_equal(conn_commit(f->a), RC_OK);
}

static void scans_run_side_by_side(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, scan_in_transaction);
}

int main(void)
{
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, pg_setup, pg_teardown)
    const struct CMUnitTest tests[] = {
        TEST(values_survive_prepared_statements),
        TEST(values_survive_without_prepared_statements),
        TEST(values_survive_a_bulk_load),
        TEST(texts_longer_than_a_piece_are_loaded),
        TEST(parameters_have_the_types_of_their_columns),
        TEST(types_that_are_not_known_take_text),
        TEST(a_value_too_big_for_its_column_is_refused),
        TEST(a_wrong_step_is_refused_when_prepared),
        TEST(a_step_of_several_statements_is_one_flight),
        TEST(the_run_path_allocates_nothing),
        TEST(transactions_have_the_isolation_asked_for),
        TEST(a_commit_is_seen_and_a_rollback_is_not),
        TEST(a_commit_that_fails_leaves_nothing),
        TEST(scans_run_side_by_side),
    };

    return cmocka_run_group_tests(tests, pg_group_setup, pg_group_teardown);
}
