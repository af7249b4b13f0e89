/* SPDX-License-Identifier: MIT */
/* What MariaDB's driver promises beyond the contract, on a server. */
#include "driver/flight.h"
#include "support/bulk_once.h"
#include "support/maria_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TABLE                                                                  \
    "DROP TABLE IF EXISTS t; CREATE TABLE t (id int PRIMARY KEY, i1 tinyint, " \
    "i8 bigint, u4 int unsigned, m decimal(16, 2), r decimal(4, 4), "          \
    "t datetime(6), v varchar(80), b longtext) CHARACTER SET utf8mb4 COLLATE " \
    "utf8mb4_bin"
#define COLUMNS                                                            \
    "(id int, i1 int, i8 int, u4 int, m money, r rate, t time, v text, b " \
    "text)"
#define N_COLUMNS 9
#define LONG_BYTES 70000

/* ---- values ---- */

static char long_text[LONG_BYTES];

static size_t make_rows(struct value out[][N_COLUMNS])
{
    static const char odd[] = "it's \\ \"q\" \n\t\r? \303\244 %_";
    const struct value rows[][N_COLUMNS] = {
        {v_int(1), v_int(-128), v_int(INT64_MAX), v_int(UINT32_MAX),
         v_money(-123456789), v_rate(1), v_time(1700000000123456), v_text(odd),
         v_textn(long_text, LONG_BYTES)},
        {v_int(INT32_MIN), v_int(127), v_int(INT64_MIN), v_int(0),
         v_money(99999999999999), v_rate(-9999), v_time(0), v_textn("", 0),
         v_textn("a\0b", 3)},
        {v_int(3), v_null(), v_null(), v_null(), v_null(), v_null(), v_null(),
         v_null(), v_null()},
    };

    memset(long_text, 'x', sizeof(long_text));
    memcpy(out, rows, sizeof(rows));
    return ARRAY_LEN(rows);
}

static void assert_same(const struct value *got, const struct value *want)
{
    assert_int_equal(got->type, want->type);
    if (want->type == VALUE_NULL)
        return;
    if (want->type != VALUE_TEXT) {
        assert_int_equal(got->i, want->i);
        return;
    }
    assert_int_equal(got->len, want->len);
    assert_memory_equal(got->s, want->s, want->len);
}

static CORO_FN void assert_table_holds(struct pg_fixture *f,
                                       struct value want[][N_COLUMNS], size_t n)
{
    const struct step *read =
        pg_step(f, "-- x\n-- (id int) -> " COLUMNS
                   "\nSELECT id, i1, i8, u4, m, r, t, v, b FROM t "
                   "WHERE id = :id");

    for (size_t row = 0; row < n; row++) {
        struct rowset rows;

        pg_check(f, conn_query(f->b, read, &want[row][0], 1, &rows, &f->err));
        assert_int_equal(rows.n_rows, 1);
        for (size_t i = 0; i < N_COLUMNS; i++)
            assert_same(rowset_at(&rows, 0, i), &want[row][i]);
    }
}

static CORO_FN void insert_and_read(struct pg_fixture *f)
{
    const struct step *insert =
        pg_step(f, "-- x\n-- " COLUMNS " -> ()\nINSERT INTO t VALUES "
                   "(:id, :i1, :i8, :u4, :m, :r, :t, :v, :b)");
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

    maria_open_default(f);
    pg_in_loop(f, insert_and_read);
}

static void values_survive_as_text(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    maria_open_default(f);
    f->db->unprepared = true;
    pg_in_loop(f, insert_and_read);
}

static const struct column load_cols[N_COLUMNS] = {
    {"id", VALUE_INT}, {"i1", VALUE_INT},  {"i8", VALUE_INT},
    {"u4", VALUE_INT}, {"m", VALUE_MONEY}, {"r", VALUE_RATE},
    {"t", VALUE_TIME}, {"v", VALUE_TEXT},  {"b", VALUE_TEXT}};
static const struct table_def load_table = {
    .name = "t", .cols = load_cols, .n_cols = N_COLUMNS};

static CORO_FN void load_and_read(struct pg_fixture *f)
{
    struct value want[3][N_COLUMNS];
    size_t n = make_rows(want);

    pg_run(f, f->a, TABLE);
    pg_check(f, bulk_once(f->a, &load_table, want[0], n - 1, &f->err));
    pg_check(f, bulk_once(f->a, &load_table, want[n - 1], 1, &f->err));
    assert_table_holds(f, want, n);
    /* All of a call or nothing, and the connection goes on. */
    want[1][0] = v_int(77);
    assert_int_equal(bulk_once(f->a, &load_table, want[1], 2, &f->err),
                     RC_DB_CONSTRAINT);
    assert_int_equal(f->err.native, 1062);
    want[2][0] = v_int(78);
    want[2][1] = v_int(128); /* too big for its column */
    assert_int_equal(bulk_once(f->a, &load_table, want[1], 2, &f->err),
                     RC_DB_ERROR);
    assert_non_null(strstr(f->err.text, "i1"));
    assert_int_equal(pg_int(f, f->a, "SELECT count(*) FROM t"), n);
}

static void values_survive_a_bulk_load(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    maria_open_default(f);
    pg_in_loop(f, load_and_read);
}

static void values_survive_a_bulk_load_by_inserts(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    maria_open_default(f);
    pg_command(f, "sql SET GLOBAL local_infile = 0");
    pg_in_loop(f, load_and_read);
    pg_command(f, "sql SET GLOBAL local_infile = 1");
}

static CORO_FN void ask_for_a_file(struct pg_fixture *f)
{
    pg_run(f, f->a, "DROP TABLE IF EXISTS u; CREATE TABLE u (x text)");
    assert_int_not_equal(
        pg_try_run(f, f->a,
                   "LOAD DATA LOCAL INFILE '/etc/hostname' INTO "
                   "TABLE u"),
        RC_OK);
    assert_int_equal(pg_int(f, f->b, "SELECT count(*) FROM u"), 0);
}

static void no_file_is_given_to_a_server_that_asks(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    maria_open_default(f);
    pg_in_loop(f, ask_for_a_file);
}

static CORO_FN void read_lists(struct pg_fixture *f)
{
    const struct step *sum =
        pg_step(f, "-- x\n-- (list ints) -> (n int, last int)\nSELECT "
                   "CHAR_LENGTH(:list) DIV 20, CAST(SUBSTRING(:list, "
                   "CHAR_LENGTH(:list) - 19, 20) AS SIGNED)");
    int64_t ints[64];

    for (size_t n = 0; n < 64; n++) {
        const struct value arg = v_ints(ints, n);
        struct rowset rows;

        pg_check(f, conn_query(f->a, sum, &arg, 1, &rows, &f->err));
        assert_int_equal(rowset_at(&rows, 0, 0)->i, n);
        if (n > 0)
            assert_int_equal(rowset_at(&rows, 0, 1)->i, ints[n - 1]);
        ints[n] = n % 2 ? INT64_MIN + (int64_t)n : (int64_t)n * 1000;
    }
}

static void lists_of_any_length_arrive(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    maria_open_default(f);
    pg_in_loop(f, read_lists);
    f->db->unprepared = true;
    pg_in_loop(f, read_lists);
}

/* ---- flights ---- */

#define ACCOUNTS                                                   \
    "DROP TABLE IF EXISTS t; CREATE TABLE t (id int PRIMARY KEY, " \
    "n int NOT NULL); INSERT INTO t VALUES (1, 0), (2, 0), (3, 0), (4, 0)"

struct steps {
    struct stmt *add, *insert;
};

static CORO_FN struct steps prepare(struct pg_fixture *f, struct conn *c)
{
    struct steps s;

    pg_check(f, conn_prepare(c,
                             pg_step(f, "-- x\n-- (lo int, hi int)\nUPDATE t "
                                        "SET n = n + 1 WHERE id BETWEEN :lo "
                                        "AND :hi"),
                             &s.add, &f->err));
    pg_check(f, conn_prepare(c,
                             pg_step(f, "-- x\n-- (id int)\nINSERT INTO t "
                                        "VALUES (:id, 0)"),
                             &s.insert, &f->err));
    return s;
}

static CORO_FN void fail_in_a_flight(struct pg_fixture *f)
{
    const struct value there = v_int(1), fresh = v_int(9);
    struct steps s;

    pg_run(f, f->a, ACCOUNTS);
    s = prepare(f, f->a);
    conn_flight_begin_txn(f->a, TXN_WRITE);
    conn_flight_exec(f->a, s.insert, &there, 1);
    conn_flight_exec(f->a, s.insert, &fresh, 1);
    conn_flight_commit(f->a);
    assert_int_equal(conn_flight_wait(f->a, NULL, 0), RC_DB_CONSTRAINT);
    assert_int_equal(f->a->native, 1062);
    assert_true(f->a->in_txn);
    pg_check(f, conn_rollback(f->a));
    assert_int_equal(pg_int(f, f->b, "SELECT count(*) FROM t"), 4);
    assert_false(f->a->gone);
}

static CORO_FN void count_trips(struct pg_fixture *f)
{
    const struct value fresh = v_int(9);
    const uint64_t extra = f->db->unprepared ? 0 : 1;
    struct steps s;
    uint64_t before;

    pg_run(f, f->a, ACCOUNTS);
    s = prepare(f, f->a);
    before = f->a->usage.round_trips;
    conn_flight_begin_txn(f->a, TXN_WRITE);
    conn_flight_exec(f->a, s.insert, &fresh, 1);
    conn_flight_commit(f->a);
    pg_check(f, conn_flight_wait(f->a, NULL, 0));
    assert_false(f->a->in_txn);
    assert_int_equal(f->a->usage.round_trips, before + 1 + extra);
    assert_int_equal(pg_int(f, f->b, "SELECT count(*) FROM t"), 5);
    /* Outside a transaction autocommit is on again. */
    pg_check(f, conn_exec(f->a, s.add, (struct value[]){v_int(1), v_int(4)}, 2,
                          NULL));
    assert_int_equal(pg_int(f, f->b, "SELECT sum(n) FROM t"), 4);
}

static void in_both_ways(void **state, void (*fn)(struct pg_fixture *f))
{
    struct pg_fixture *f = pg_fixture(state);

    maria_open_default(f);
    pg_in_loop(f, fn);
    f->db->unprepared = true;
    pg_in_loop(f, fn);
}

static void a_commit_is_not_run_behind_a_failure(void **state)
{
    in_both_ways(state, fail_in_a_flight);
}

static void a_commit_behind_prepared_writes_is_a_trip_of_its_own(void **state)
{
    in_both_ways(state, count_trips);
}

/* The deadlock ends the lighter transaction, a's, in the middle of its flight;
 * the server runs what stands behind it. */
static CORO_FN void deadlock_in_a_flight(struct pg_fixture *f)
{
    const struct value one[] = {v_int(1), v_int(1)};
    const struct value rest[] = {v_int(2), v_int(4)};
    const struct value two[] = {v_int(2), v_int(2)}, fresh = v_int(9);
    struct steps a, b;

    pg_run(f, f->a, ACCOUNTS);
    a = prepare(f, f->a);
    b = prepare(f, f->b);
    pg_check(f, conn_begin(f->a, TXN_WRITE));
    pg_check(f, conn_exec(f->a, a.add, one, 2, NULL));
    pg_check(f, conn_begin(f->b, TXN_WRITE));
    for (size_t i = 0; i < 20; i++)
        pg_check(f, conn_exec(f->b, b.add, rest, 2, NULL));
    conn_flight_exec(f->a, a.add, two, 2);
    conn_flight_exec(f->a, a.insert, &fresh, 1);
    pg_check(f, conn_exec(f->b, b.add, one, 2, NULL));
    assert_int_equal(conn_flight_wait(f->a, NULL, 0), RC_DB_RETRY);
    assert_int_equal(f->a->native, 1213);
    pg_check(f, conn_rollback(f->a));
    pg_check(f, conn_commit(f->b));
    assert_int_equal(pg_int(f, f->b, "SELECT count(*) FROM t"), 4);
    assert_int_equal(pg_int(f, f->b, "SELECT n FROM t WHERE id = 1"), 1);
}

static void what_stands_behind_a_deadlock_leaves_nothing(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    maria_open_default(f);
    pg_in_loop(f, deadlock_in_a_flight);
}

static CORO_FN void fail_in_a_block(struct pg_fixture *f)
{
    const struct step *block = pg_step(
        f, "-- x\n-- (id int)\nBEGIN NOT ATOMIC START TRANSACTION; UPDATE t "
           "SET n = 7 WHERE id = 2; INSERT INTO t VALUES (:id, 0); COMMIT; "
           "END");
    const struct value there = v_int(1), fresh = v_int(9);

    pg_run(f, f->a, ACCOUNTS);
    assert_int_equal(conn_query(f->a, block, &there, 1, NULL, &f->err),
                     RC_DB_CONSTRAINT);
    assert_int_equal(f->err.native, 1062);
    pg_check(f, conn_query(f->a, block, &fresh, 1, NULL, &f->err));
    assert_int_equal(pg_int(f, f->b, "SELECT n FROM t WHERE id = 2"), 7);
    pg_run(f, f->a, "UPDATE t SET n = 0");
    assert_int_equal(conn_query(f->a, block, &there, 1, NULL, &f->err),
                     RC_DB_CONSTRAINT);
    /* This would commit what the block has left. */
    pg_check(f, conn_begin(f->a, TXN_READ));
    pg_check(f, conn_commit(f->a));
    assert_int_equal(pg_int(f, f->b, "SELECT sum(n) FROM t"), 0);
}

static void a_block_that_fails_is_undone(void **state)
{
    in_both_ways(state, fail_in_a_block);
}

/* ---- scans ---- */

static CORO_FN void merge_scans(struct pg_fixture *f)
{
    const struct step *numbers = pg_step(
        f, "-- x\n-- (hi int) -> (n int)\nSELECT seq FROM seq_1_to_5000 "
           "WHERE seq <= :hi ORDER BY seq");
    const struct step *status =
        pg_step(f, "-- x\n-- () -> (a text, b text)\nSHOW VARIABLES LIKE "
                   "'version'");
    const struct value hi = v_int(4500), none = v_int(0);
    struct scan *a, *b, *empty, *show;
    const struct value *row;

    pg_check(f, conn_begin(f->a, TXN_SNAPSHOT));
    pg_check(f, scan_open(f->a, numbers, &hi, 1, &a, &f->err));
    pg_check(f, scan_open(f->a, numbers, &none, 1, &empty, &f->err));
    pg_check(f, scan_open(f->a, status, NULL, 0, &show, &f->err));
    pg_check(f, scan_open(f->a, numbers, &hi, 1, &b, &f->err));
    for (int64_t i = 1; i <= 4500; i++) {
        pg_check(f, scan_next(a, &row, &f->err));
        assert_int_equal(row[0].i, i);
        pg_check(f, scan_next(b, &row, &f->err));
        assert_int_equal(row[0].i, i);
    }
    pg_check(f, scan_next(a, &row, &f->err));
    assert_null(row);
    pg_check(f, scan_next(empty, &row, &f->err));
    assert_null(row);
    pg_check(f, scan_next(show, &row, &f->err));
    assert_non_null(row);
    scan_close(a);
    scan_close(b); /* before its end */
    scan_close(empty);
    scan_close(show);
    pg_check(f, conn_rollback(f->a));
    assert_int_equal(pg_int(f, f->a, "SELECT 5"), 5);
}

static void scans_are_read_in_pieces(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    maria_open_default(f);
    pg_in_loop(f, merge_scans);
}

/* ---- faults ---- */

static CORO_FN void lose_connections(struct pg_fixture *f)
{
    const struct value fresh = v_int(9);
    int64_t id;
    char kill[64];
    struct steps s;

    pg_run(f, f->b, ACCOUNTS);
    s = prepare(f, f->a);
    id = pg_int(f, f->a, "SELECT CONNECTION_ID()");
    snprintf(kill, sizeof(kill), "KILL %jd", (intmax_t)id);
    pg_check(f, conn_begin(f->a, TXN_WRITE));
    pg_check(f, conn_exec(f->a, s.insert, &fresh, 1, NULL));
    pg_run(f, f->b, kill);
    assert_int_equal(conn_commit(f->a), RC_DB_UNKNOWN);
    assert_true(f->a->gone);
    conn_error(f->a, &f->err);
    assert_int_equal(f->err.rc, RC_DB_GONE);
    assert_int_equal(conn_exec(f->a, s.insert, &fresh, 1, NULL), RC_DB_GONE);
}

static void a_connection_lost_in_commit_is_unknown(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    maria_open_default(f);
    pg_in_loop(f, lose_connections);
}

static struct pg_fixture *cancelled;

static void cancel_main(void *arg)
{
    coro_assert_inside();
    (void)loop_sleep_until(arg, mono_add(clock_now(), 300 * NS_PER_MS));
    conn_cancel(cancelled->a);
}

static CORO_FN void cancel_one(struct pg_fixture *f)
{
    const struct step *sleep =
        pg_step(f, "-- x\n-- () -> (n int)\nSELECT SLEEP(30) + id FROM t");

    pg_run(f, f->b, ACCOUNTS);
    cancelled = f;
    pg_check(f,
             loop_spawn(loop_current(), cancel_main, loop_current(), &f->err));
    assert_int_equal(conn_query(f->a, sleep, NULL, 0, NULL, &f->err),
                     RC_CANCELLED);
    assert_int_equal(f->err.native, 1317);
    assert_int_equal(pg_int(f, f->a, "SELECT 5"), 5);
}

static void a_cancel_ends_the_statement_only(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    maria_open_default(f);
    pg_in_loop(f, cancel_one);
}

static CORO_FN void time_out(struct pg_fixture *f)
{
    const struct step *slow = pg_step(
        f, "-- x\n-- () -> (n int)\nSELECT COUNT(*) FROM seq_1_to_100000 AS a "
           "JOIN seq_1_to_100000 AS b");

    assert_int_equal(conn_query(f->a, slow, NULL, 0, NULL, &f->err),
                     RC_DB_TIMEOUT);
    assert_int_equal(f->err.native, 1969);
    assert_int_equal(pg_int(f, f->a, "SELECT 5"), 5);
}

static void a_statement_has_its_time_limit(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    maria_open_default(f);
    f->db->statement_timeout_ns = 200 * NS_PER_MS;
    pg_in_loop(f, time_out);
}

struct limits_found {
    int64_t conns, conns_used, stmts, each;
};

static void take_limit(void *arg, const struct conn_limit *limit)
{
    struct limits_found *found = arg;

    if (strcmp(limit->setting, "max_connections") == 0) {
        found->conns = limit->value;
        found->conns_used = limit->in_use;
    } else if (strcmp(limit->setting, "max_prepared_stmt_count") == 0) {
        found->stmts = limit->value;
        found->each = limit->each;
    } else {
        fail_msg("%s", limit->setting);
    }
}

static CORO_FN void ask_for_room(struct pg_fixture *f)
{
    struct limits_found found = {0};

    pg_check(f, conn_limits(f->a, take_limit, &found, &f->err));
    assert_int_equal(found.conns, 60);
    assert_true(found.conns_used >= 1); /* b, and who has just gone */
    assert_int_equal(found.stmts, 16382);
    assert_int_equal(found.each, 20);
    f->db->unprepared = true;
    found = (struct limits_found){0};
    pg_check(f, conn_limits(f->a, take_limit, &found, &f->err));
    assert_int_equal(found.stmts, 0);
}

static void limits_are_known_before_a_run(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    maria_open_default(f);
    f->db->n_statements = 20;
    pg_in_loop(f, ask_for_room);
}

static CORO_FN void send_too_much(struct pg_fixture *f)
{
    const struct step *length =
        pg_step(f, "-- x\n-- (v text) -> (n int)\nSELECT LENGTH(:v)");
    const struct value v = v_textn(long_text, LONG_BYTES);

    assert_int_equal(conn_query(f->a, length, &v, 1, NULL, &f->err),
                     RC_DB_LIMIT);
    assert_non_null(strstr(f->err.text, "max_allowed_packet"));
    assert_false(f->a->gone);
    assert_int_equal(pg_int(f, f->a, "SELECT 5"), 5);
}

static void a_packet_that_is_too_large_names_the_setting(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    maria_open_default(f);
    pg_command(f, "sql SET GLOBAL max_allowed_packet = 16384");
    pg_in_loop(f, send_too_much);
    f->db->unprepared = true;
    pg_in_loop(f, send_too_much);
    pg_command(f, "sql SET GLOBAL max_allowed_packet = 16777216");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values_survive_prepared_statements,
                                        pg_setup, pg_teardown),
        cmocka_unit_test_setup_teardown(values_survive_as_text, pg_setup,
                                        pg_teardown),
        cmocka_unit_test_setup_teardown(values_survive_a_bulk_load, pg_setup,
                                        pg_teardown),
        cmocka_unit_test_setup_teardown(values_survive_a_bulk_load_by_inserts,
                                        pg_setup, pg_teardown),
        cmocka_unit_test_setup_teardown(no_file_is_given_to_a_server_that_asks,
                                        pg_setup, pg_teardown),
        cmocka_unit_test_setup_teardown(lists_of_any_length_arrive, pg_setup,
                                        pg_teardown),
        cmocka_unit_test_setup_teardown(a_commit_is_not_run_behind_a_failure,
                                        pg_setup, pg_teardown),
        cmocka_unit_test_setup_teardown(
            a_commit_behind_prepared_writes_is_a_trip_of_its_own, pg_setup,
            pg_teardown),
        cmocka_unit_test_setup_teardown(
            what_stands_behind_a_deadlock_leaves_nothing, pg_setup,
            pg_teardown),
        cmocka_unit_test_setup_teardown(a_block_that_fails_is_undone, pg_setup,
                                        pg_teardown),
        cmocka_unit_test_setup_teardown(scans_are_read_in_pieces, pg_setup,
                                        pg_teardown),
        cmocka_unit_test_setup_teardown(a_connection_lost_in_commit_is_unknown,
                                        pg_setup, pg_teardown),
        cmocka_unit_test_setup_teardown(a_cancel_ends_the_statement_only,
                                        pg_setup, pg_teardown),
        cmocka_unit_test_setup_teardown(a_statement_has_its_time_limit,
                                        pg_setup, pg_teardown),
        cmocka_unit_test_setup_teardown(limits_are_known_before_a_run, pg_setup,
                                        pg_teardown),
        cmocka_unit_test_setup_teardown(
            a_packet_that_is_too_large_names_the_setting, pg_setup,
            pg_teardown),
    };

    return cmocka_run_group_tests(tests, maria_group_setup, pg_group_teardown);
}
