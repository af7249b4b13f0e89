/* SPDX-License-Identifier: MIT */
/*
 * The life of TPC-C's data on SQLite: load, inspect, audit, drop.  One
 * warehouse is loaded once; tests that plant faults put them right again.
 */
#include "base/mem.h"
#include "engine/loop.h"
#include "workload/tpcc/tpcc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
    char dir[64];
    struct arena arena;
    struct target target;
    struct db *db;
    struct tpcc tpcc;
    struct tpcc_cfg cfg;
    struct dataset ds;
    struct audit audit;
};

static struct fixture fix;

/* What runs in a coroutine with a connection. */
typedef enum rc work_fn(struct fixture *f, struct conn *c, struct err *err);

struct call {
    work_fn *work;
    enum rc rc;
    struct err err;
};

static void call_main(void *arg)
{
    struct call *call = arg;
    struct conn *c = NULL;

    coro_assert_inside();
    call->rc = conn_open(fix.db, loop_current(), &c, &call->err);
    if (!call->rc)
        call->rc = call->work(&fix, c, &call->err);
    conn_close(c);
}

static enum rc call(work_fn *work, struct err *out)
{
    static struct call call;

    call = (struct call){.work = work};
    assert_int_equal(loop_call(call_main, &call, &call.err), RC_OK);
    if (out)
        *out = call.err;
    else if (call.rc)
        fail_msg("%s", call.err.text);
    return call.rc;
}

static const char *sql_text;

static CORO_FN enum rc run_sql(struct fixture *f, struct conn *c,
                               struct err *err)
{
    (void)f;
    return conn_script(c, sql_text, strlen(sql_text), NULL, err);
}

static void sql(const char *text)
{
    sql_text = text;
    call(run_sql, NULL);
}

static CORO_FN enum rc load(struct fixture *f, struct conn *c, struct err *err)
{
    struct load_tally tally = {0};
    struct load_phase phase;
    enum rc rc = tpcc_load_begin(&f->ds, c, 1, err);

    for (size_t k = 0; !rc && tpcc_load_phase(&f->ds, k, &phase); k++) {
        /* Any order will do. */
        for (size_t n = phase.n_pieces; !rc && n > 0; n--)
            rc = tpcc_load_piece(&f->ds, k, n - 1, c, &tally, err);
    }
    if (!rc)
        rc = tpcc_load_end(&f->ds, c, err);
    if (!rc && tally.n_rows != tpcc_n_rows(&f->ds))
        rc = err_set(err, RC_INVALID, "%llu rows",
                     (unsigned long long)tally.n_rows);
    return rc;
}

static CORO_FN enum rc load_stops(struct fixture *f, struct conn *c,
                                  struct err *err)
{
    struct load_tally tally = {.stop = true};
    enum rc rc = tpcc_load_begin(&f->ds, c, 1, err);

    if (!rc)
        rc = tpcc_load_piece(&f->ds, 0, 0, c, &tally, err);
    return rc;
}

static struct data_info info;

static CORO_FN enum rc inspect(struct fixture *f, struct conn *c,
                               struct err *err)
{
    memset(&f->tpcc, 0, sizeof(f->tpcc));
    return tpcc_inspect(&f->ds, c, &info, err);
}

static CORO_FN enum rc drop(struct fixture *f, struct conn *c, struct err *err)
{
    return tpcc_drop(&f->ds, c, err);
}

static CORO_FN enum rc count_run(struct fixture *f, struct conn *c,
                                 struct err *err)
{
    return tpcc_meta_count_run(&f->ds, c, err);
}

static CORO_FN enum rc audit_full(struct fixture *f, struct conn *c,
                                  struct err *err)
{
    audit_init(&f->audit, AUDIT_FULL);
    return tpcc_audit(&f->ds, c, &f->audit, err);
}

static CORO_FN enum rc audit_quick(struct fixture *f, struct conn *c,
                                   struct err *err)
{
    audit_init(&f->audit, AUDIT_QUICK);
    return tpcc_audit(&f->ds, c, &f->audit, err);
}

static void open_target(struct fixture *f, const char *url)
{
    struct err err = {0};

    arena_init(&f->arena, 1 << 20);
    arena_init(&f->ds.arena, 1 << 20);
    assert_int_equal(target_parse(&f->arena, url, &f->target, &err), RC_OK);
    assert_int_equal(db_open(&f->target, &f->db, &err), RC_OK);
    f->ds.db = f->db;
    f->ds.scale = 1;
    f->ds.seed = 42;
    f->ds.state = &f->tpcc;
    f->ds.cfg = &f->cfg;
}

static void close_target(struct fixture *f)
{
    db_close(f->db);
    arena_release(&f->ds.arena);
    arena_release(&f->arena);
}

static void make_dir(struct fixture *f, char *url, size_t url_len)
{
    *f = (struct fixture){.dir = "/tmp/dyno-audit-XXXXXX"};
    assert_non_null(mkdtemp(f->dir));
    snprintf(url, url_len, "sqlite:%s/t.db?synchronous=off", f->dir);
}

static void remove_dir(struct fixture *f)
{
    static const char *const names[] = {"t.db", "t.db-wal", "t.db-shm",
                                        "t.db-journal", "t.db-dyno-lock"};
    char path[128];

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        snprintf(path, sizeof(path), "%s/%s", f->dir, names[i]);
        unlink(path);
    }
    rmdir(f->dir);
}

static int setup_empty(void **state)
{
    char url[128];

    (void)state;
    make_dir(&fix, url, sizeof(url));
    open_target(&fix, url);
    return 0;
}

static int setup_loaded(void **state)
{
    setup_empty(state);
    call(load, NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    close_target(&fix);
    remove_dir(&fix);
    return 0;
}

static void nothing_is_found_in_an_empty_database(void **state)
{
    struct err err = {0};

    (void)state;
    call(inspect, NULL);
    assert_int_equal(info.status, DATA_ABSENT);
    assert_int_equal(call(drop, &err), RC_NOT_FOUND);
    assert_non_null(strstr(err.text, "no TPC-C data"));
}

static void tables_of_others_are_named_and_left_alone(void **state)
{
    struct err err = {0};

    (void)state;
    sql("CREATE TABLE customer (x INTEGER)");
    call(inspect, NULL);
    assert_int_equal(info.status, DATA_FOREIGN);
    assert_string_equal(info.detail,
                        "table 'customer' exists and was not created by dyno");
    assert_int_equal(call(drop, &err), RC_INVALID);
    assert_non_null(strstr(err.text, "'customer'"));
    assert_int_equal(call(load, &err), RC_INVALID);
    assert_non_null(strstr(err.text, "'customer'"));
    sql("SELECT x FROM customer");
}

static void a_load_that_was_stopped_is_partial_and_can_be_dropped(void **state)
{
    struct err err = {0};

    (void)state;
    assert_int_equal(call(load_stops, &err), RC_CANCELLED);
    call(inspect, NULL);
    assert_int_equal(info.status, DATA_PARTIAL);
    assert_int_equal(info.scale, 1);
    assert_non_null(strstr(info.detail, "1 warehouse, seed 42"));
    assert_int_equal(call(load, &err), RC_INVALID);
    call(drop, NULL);
    call(inspect, NULL);
    assert_int_equal(info.status, DATA_ABSENT);
}

static void a_load_killed_before_its_constants_is_partial(void **state)
{
    (void)state;
    sql("CREATE TABLE dyno_tpcc (name TEXT NOT NULL PRIMARY KEY, "
        "value TEXT NOT NULL)");
    call(inspect, NULL);
    assert_int_equal(info.status, DATA_PARTIAL);
    call(drop, NULL);
    call(inspect, NULL);
    assert_int_equal(info.status, DATA_ABSENT);
}

static void data_of_a_newer_program_is_refused(void **state)
{
    struct err err = {0};

    (void)state;
    sql("CREATE TABLE dyno_tpcc (name TEXT NOT NULL PRIMARY KEY, "
        "value TEXT NOT NULL);"
        "INSERT INTO dyno_tpcc VALUES ('format', '2');");
    assert_int_equal(call(inspect, &err), RC_UNSUPPORTED);
    assert_non_null(strstr(err.text, "newer dyno"));
}

static void constants_that_make_no_sense_are_refused(void **state)
{
    struct err err = {0};

    (void)state;
    sql("CREATE TABLE dyno_tpcc (name TEXT NOT NULL PRIMARY KEY, "
        "value TEXT NOT NULL);"
        "INSERT INTO dyno_tpcc VALUES ('warehouses', 'many');");
    assert_int_not_equal(call(inspect, &err), RC_OK);
    assert_non_null(strstr(err.text, "warehouses"));
}

static const struct audit_check *check(const char *name)
{
    for (size_t i = 0; i < fix.audit.n_checks; i++) {
        if (strcmp(fix.audit.checks[i].name, name) == 0)
            return &fix.audit.checks[i];
    }
    fail_msg("no check %s", name);
    return NULL;
}

static void expect_all_passed(void)
{
    for (size_t i = 0; i < fix.audit.n_checks; i++) {
        const struct audit_check *c = &fix.audit.checks[i];

        if (c->verdict == AUDIT_FAILED || c->verdict == AUDIT_NOT_ENOUGH_DATA)
            fail_msg("%s: %s", c->name, c->detail);
    }
    assert_true(audit_passed(&fix.audit));
}

static void what_was_loaded_is_found_again(void **state)
{
    (void)state;
    call(inspect, NULL);
    assert_int_equal(info.status, DATA_LOADED);
    assert_int_equal(info.scale, 1);
    assert_int_equal(info.seed, 42);
    assert_true(fix.tpcc.meta.complete);
    assert_int_equal(fix.tpcc.meta.runs, 0);
    assert_in_range(fix.tpcc.meta.c_load, 0, 255);
}

static void fresh_data_pass_every_check(void **state)
{
    size_t n_passed = 0;

    (void)state;
    call(audit_full, NULL);
    expect_all_passed();
    for (size_t i = 0; i < fix.audit.n_checks; i++) {
        const struct audit_check *c = &fix.audit.checks[i];

        n_passed += c->verdict == AUDIT_PASSED;
        if (c->verdict != AUDIT_PASSED && !strstr(c->detail, "nothing has run"))
            assert_string_equal(c->detail, "needs more warehouses");
    }
    assert_true(n_passed > 45);
}

static void a_quick_audit_samples_and_says_what_it_left_out(void **state)
{
    (void)state;
    call(audit_quick, NULL);
    expect_all_passed();
    assert_int_equal(check("condition_10")->verdict, AUDIT_NOT_APPLICABLE);
    assert_int_equal(check("condition_12")->n_checked, 4 * 3000);
    assert_int_equal(check("population_item")->n_checked, 100001);
}

/* Faults of different districts, all planted together: each is the first that
 * its check meets. */
static const struct {
    const char *plant, *repair;
    const char *check, *detail;
} faults[] = {
    {"UPDATE warehouse SET w_ytd = w_ytd + 1000",
     "UPDATE warehouse SET w_ytd = w_ytd - 1000", "condition_1",
     "warehouse 1: w_ytd 300010.00, sum of d_ytd 300000.00"},
    {"SELECT 1", "SELECT 1", "condition_8",
     "warehouse 1: w_ytd 300010.00, sum of h_amount 300000.00"},
    {"UPDATE district SET d_next_o_id = 3002 WHERE d_id = 2",
     "UPDATE district SET d_next_o_id = 3001 WHERE d_id = 2", "condition_2",
     "warehouse 1, district 2: d_next_o_id - 1 3001, max(o_id) 3000"},
    {"DELETE FROM new_order WHERE no_d_id = 3 AND no_o_id = 2500",
     "INSERT INTO new_order VALUES (2500, 3, 1)", "condition_3",
     "warehouse 1, district 3: max(no_o_id) - min(no_o_id) + 1 900, "
     "new orders 899"},
    {"SELECT 1", "SELECT 1", "condition_5",
     "warehouse 1, district 3, order 2500: o_carrier_id null, but not in "
     "new_order"},
    {"SELECT 1", "SELECT 1", "condition_11",
     "warehouse 1, district 3: orders - new orders 2101, delivered orders "
     "2100"},
    {"CREATE TABLE saved AS SELECT * FROM order_line "
     "WHERE ol_d_id = 4 AND ol_o_id = 7 AND ol_number = 5;"
     "DELETE FROM order_line "
     "WHERE ol_d_id = 4 AND ol_o_id = 7 AND ol_number = 5",
     "INSERT INTO order_line SELECT * FROM saved; DROP TABLE saved",
     "condition_6", "warehouse 1, district 4, order 7: o_ol_cnt *, lines *"},
    {"SELECT 1", "SELECT 1", "condition_4",
     "warehouse 1, district 4: sum of o_ol_cnt *, order lines *"},
    {"UPDATE order_line SET ol_delivery_d = NULL "
     "WHERE ol_d_id = 5 AND ol_o_id = 9 AND ol_number = 1",
     "UPDATE order_line SET ol_delivery_d = 1577836800000000 "
     "WHERE ol_d_id = 5 AND ol_o_id = 9 AND ol_number = 1",
     "condition_7",
     "warehouse 1, district 5, order 9: o_carrier_id is set, * lines have an "
     "ol_delivery_d"},
    {"UPDATE district SET d_ytd = d_ytd - 1 WHERE d_id = 6;"
     "UPDATE district SET d_ytd = d_ytd + 1 WHERE d_id = 7",
     "UPDATE district SET d_ytd = 3000000", "condition_9",
     "warehouse 1, district 6: d_ytd 29999.99, sum of h_amount 30000.00"},
    {"UPDATE customer SET c_balance = c_balance - 1 "
     "WHERE c_d_id = 8 AND c_id = 33",
     "UPDATE customer SET c_balance = c_balance + 1 "
     "WHERE c_d_id = 8 AND c_id = 33",
     "condition_10",
     "warehouse 1, district 8, customer 33: c_balance -10.01, delivered "
     "ol_amount less h_amount -10.00"},
    {"SELECT 1", "SELECT 1", "condition_12",
     "warehouse 1, district 8, customer 33: c_balance + c_ytd_payment -0.01, "
     "delivered ol_amount 0.00"},
    {"UPDATE stock SET s_quantity = s_quantity + 91 WHERE s_i_id = 77",
     "UPDATE stock SET s_quantity = s_quantity - 91 WHERE s_i_id = 77",
     "population_stock",
     "warehouse 1, item 77: s_quantity *, must be in 10..100"},
    {"CREATE TABLE saved_3 AS SELECT s_dist_03 FROM stock WHERE s_i_id = 79;"
     "UPDATE stock SET s_dist_03 = 'abcdefghijklmnopqrstuvwx' "
     "WHERE s_i_id = 79",
     "UPDATE stock SET s_dist_03 = (SELECT s_dist_03 FROM saved_3) "
     "WHERE s_i_id = 79; DROP TABLE saved_3",
     "unchanged_stock",
     "warehouse 1, item 79: s_dist_03 'abcdefghijklmnopqrstuvwx', loaded with "
     "'*'"},
    {"UPDATE stock SET s_quantity = 37 WHERE s_i_id = 76",
     "UPDATE stock SET s_quantity = 38 WHERE s_i_id = 76",
     "state_stock_quantity",
     "warehouse 1, item 76: s_quantity 37, after what was supplied 38"},
    {"UPDATE customer SET c_city = c_city || 'x' WHERE c_d_id = 7 AND c_id = 2",
     "UPDATE customer SET c_city = substr(c_city, 1, length(c_city) - 1) "
     "WHERE c_d_id = 7 AND c_id = 2",
     "unchanged_customer",
     "warehouse 1, district 7, customer 2: c_city '*', loaded with '*'"},
    {"CREATE TABLE saved_4 AS SELECT c_data FROM customer "
     "WHERE c_d_id = 7 AND c_id = 3;"
     "UPDATE customer SET c_data = '-' || substr(c_data, 2) "
     "WHERE c_d_id = 7 AND c_id = 3",
     "UPDATE customer SET c_data = (SELECT c_data FROM saved_4) "
     "WHERE c_d_id = 7 AND c_id = 3; DROP TABLE saved_4",
     "state_credit_notes", "warehouse 1, district 7, customer 3: c_credit '*"},
    {"UPDATE order_line SET ol_i_id = ol_i_id % 100000 + 1 "
     "WHERE ol_d_id = 2 AND ol_o_id = 5 AND ol_number = 3",
     "UPDATE order_line SET ol_i_id = (ol_i_id + 99998) % 100000 + 1 "
     "WHERE ol_d_id = 2 AND ol_o_id = 5 AND ol_number = 3",
     "unchanged_order_line",
     "warehouse 1, district 2, order 5: ol_i_id *, loaded with *"},
    {"UPDATE stock SET s_ytd = 5 WHERE s_i_id = 78",
     "UPDATE stock SET s_ytd = 0 WHERE s_i_id = 78", "state_stock",
     "warehouse 1, item 78: s_ytd 5, sum of ol_quantity supplied 0"},
    {"UPDATE item SET i_price = 10001 WHERE i_id = 100000",
     "UPDATE item SET i_price = 2476 WHERE i_id = 100000", "population_item",
     "item 100000: i_price 100.01, must be in "
     "1.00..100.00"},
    {"UPDATE customer SET c_last = 'BARBARBARB' "
     "WHERE c_d_id = 9 AND c_id = 1",
     "UPDATE customer SET c_last = 'BARBARBAR' "
     "WHERE c_d_id = 9 AND c_id = 1",
     "population_customer",
     "warehouse 1, district 9, customer 1: c_last 'BARBARBARB' (name -1)"},
    {"CREATE TABLE saved_2 AS SELECT o_c_id FROM orders "
     "WHERE o_d_id = 10 AND o_id = 2;"
     "UPDATE orders SET o_c_id = (SELECT o_c_id FROM orders WHERE o_id = 1 "
     "AND o_d_id = 10) WHERE o_d_id = 10 AND o_id = 2",
     "UPDATE orders SET o_c_id = (SELECT o_c_id FROM saved_2) "
     "WHERE o_d_id = 10 AND o_id = 2; DROP TABLE saved_2",
     "population_orders",
     "warehouse 1, district 10, order 2: o_c_id * has two of the loaded "
     "orders"},
    {"UPDATE orders SET o_all_local = 0 WHERE o_d_id = 10 AND o_id = 4",
     "UPDATE orders SET o_all_local = 1 WHERE o_d_id = 10 AND o_id = 4",
     "state_all_local",
     "warehouse 1, district 10, order 4: o_all_local 0, from its lines 1"},
    {"UPDATE customer SET c_payment_cnt = 2 WHERE c_d_id = 1 AND c_id = 5",
     "UPDATE customer SET c_payment_cnt = 1 WHERE c_d_id = 1 AND c_id = 5",
     "state_payments",
     "warehouse 1, district 1, customer 5: c_payment_cnt 2, rows of history "
     "1"},
    {"UPDATE customer SET c_delivery_cnt = 1 WHERE c_d_id = 1 AND c_id = 6",
     "UPDATE customer SET c_delivery_cnt = 0 WHERE c_d_id = 1 AND c_id = 6",
     "state_deliveries",
     "warehouse 1, district 1, customer 6: c_delivery_cnt 1, orders "
     "delivered since the load 0"},
};

/* '*' stands for any text. */
static bool matches(const char *text, const char *pattern)
{
    const char *star = strchr(pattern, '*');

    if (!star)
        return strcmp(text, pattern) == 0;
    if (strncmp(text, pattern, (size_t)(star - pattern)) != 0)
        return false;
    for (text += star - pattern;; text++) {
        if (matches(text, star + 1))
            return true;
        if (!*text)
            return false;
    }
}

static void every_fault_is_found_with_key_and_values(void **state)
{
    const struct audit_check *wrong = NULL;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(faults); i++)
        sql(faults[i].plant);
    call(audit_full, NULL);
    for (size_t i = 0; i < ARRAY_LEN(faults); i++)
        sql(faults[i].repair);
    for (size_t i = 0; !wrong && i < ARRAY_LEN(faults); i++) {
        const struct audit_check *c = check(faults[i].check);

        if (c->verdict != AUDIT_FAILED || !matches(c->detail, faults[i].detail))
            wrong = c;
    }
    if (wrong)
        fail_msg("%s: %s '%s'", wrong->name, audit_verdict_name(wrong->verdict),
                 wrong->detail);
}

static void a_query_that_fails_fails_its_checks_alone(void **state)
{
    (void)state;
    sql("ALTER TABLE stock RENAME COLUMN s_quantity TO s_other");
    call(audit_full, NULL);
    sql("ALTER TABLE stock RENAME COLUMN s_other TO s_quantity");
    assert_int_equal(check("population_stock")->verdict, AUDIT_FAILED);
    assert_non_null(strstr(check("population_stock")->detail, "s_quantity"));
    assert_int_equal(check("state_stock")->verdict, AUDIT_FAILED);
    assert_int_equal(check("condition_1")->verdict, AUDIT_PASSED);
    assert_int_equal(check("condition_12")->verdict, AUDIT_PASSED);
    assert_false(audit_passed(&fix.audit));
}

static void rows_without_their_parent_are_found(void **state)
{
    (void)state;
    sql("INSERT INTO new_order VALUES (4000, 1, 1);"
        "INSERT INTO order_line VALUES (5000, 2, 1, 1, 1, 1, NULL, 1, 100, "
        "'123456789012345678901234');"
        "INSERT INTO history VALUES (3001, 3, 1, 11, 1, 0, 500, "
        "'1234567890123456');"
        "INSERT INTO orders VALUES (1, 1, 7, 1, 0, NULL, 5, 1)");
    call(audit_full, NULL);
    sql("DELETE FROM new_order WHERE no_o_id = 4000;"
        "DELETE FROM order_line WHERE ol_o_id = 5000;"
        "DELETE FROM history WHERE h_c_id = 3001;"
        "DELETE FROM orders WHERE o_w_id = 7");
    assert_string_equal(check("condition_5")->detail,
                        "warehouse 1, district 1, order 4000: in new_order, "
                        "but there is no such order");
    assert_string_equal(check("condition_6")->detail,
                        "warehouse 1, district 2, order 5000: o_ol_cnt 0, "
                        "lines 1");
    assert_string_equal(check("condition_7")->detail,
                        "warehouse 1, district 2, order 5000: 1 lines, but "
                        "there is no such order");
    assert_string_equal(check("condition_9")->detail,
                        "warehouse 1, district 11: d_ytd 0.00, sum of "
                        "h_amount 5.00");
    assert_string_equal(check("population_history")->detail,
                        "warehouse 1, district 3, customer 3001: payments, "
                        "but there is no such customer");
    assert_string_equal(check("condition_2")->detail,
                        "warehouse 1, district 1: d_next_o_id - 1 3000, "
                        "max(no_o_id) 4000");
    assert_int_equal(check("condition_4")->n_failed, 2);
}

static void after_a_run_what_only_the_load_makes_is_not_checked(void **state)
{
    (void)state;
    call(count_run, NULL);
    sql("UPDATE warehouse SET w_ytd = w_ytd + 123;"
        "UPDATE district SET d_ytd = d_ytd + 123 WHERE d_id = 1;"
        "UPDATE customer SET c_balance = c_balance - 123, "
        "c_ytd_payment = c_ytd_payment + 123, c_payment_cnt = 2, "
        "c_data = substr('1 1 1 1 1 1.23|' || c_data, 1, 500) "
        "WHERE c_d_id = 1 AND c_id = 1;"
        "INSERT INTO history VALUES (1, 1, 1, 1, 1, 0, 123, "
        "'1234567890123456')");
    call(audit_full, NULL);
    /* There is no order of a run to look at. */
    for (size_t i = 0; i < fix.audit.n_checks; i++) {
        const struct audit_check *c = &fix.audit.checks[i];

        if (c->verdict == AUDIT_FAILED)
            fail_msg("%s: %s", c->name, c->detail);
    }
    assert_int_equal(check("state_amounts")->verdict, AUDIT_NOT_ENOUGH_DATA);
    assert_int_equal(check("population_initial_warehouse")->verdict,
                     AUDIT_NOT_APPLICABLE);
    call(inspect, NULL);
    assert_int_equal(fix.tpcc.meta.runs, 1);
}

static void dropped_data_leave_nothing(void **state)
{
    (void)state;
    call(drop, NULL);
    call(inspect, NULL);
    assert_int_equal(info.status, DATA_ABSENT);
}

static void a_target_that_discards_has_what_is_asked(void **state)
{
    struct err err = {0};

    (void)state;
    fix = (struct fixture){0};
    open_target(&fix, "noop:");
    fix.ds.scale = 3;
    call(load, NULL);
    call(inspect, NULL);
    assert_int_equal(info.status, DATA_LOADED);
    assert_int_equal(info.scale, 3);
    assert_int_equal(call(audit_full, &err), RC_UNSUPPORTED);
    close_target(&fix);
}

#define EMPTY(f) cmocka_unit_test_setup_teardown(f, setup_empty, teardown)

int main(void)
{
    const struct CMUnitTest without_data[] = {
        EMPTY(nothing_is_found_in_an_empty_database),
        EMPTY(tables_of_others_are_named_and_left_alone),
        EMPTY(a_load_that_was_stopped_is_partial_and_can_be_dropped),
        EMPTY(a_load_killed_before_its_constants_is_partial),
        EMPTY(data_of_a_newer_program_is_refused),
        EMPTY(constants_that_make_no_sense_are_refused),
        cmocka_unit_test(a_target_that_discards_has_what_is_asked),
    };
    const struct CMUnitTest with_data[] = {
        cmocka_unit_test(what_was_loaded_is_found_again),
        cmocka_unit_test(fresh_data_pass_every_check),
        cmocka_unit_test(a_quick_audit_samples_and_says_what_it_left_out),
        cmocka_unit_test(every_fault_is_found_with_key_and_values),
        cmocka_unit_test(a_query_that_fails_fails_its_checks_alone),
        cmocka_unit_test(rows_without_their_parent_are_found),
        cmocka_unit_test(after_a_run_what_only_the_load_makes_is_not_checked),
        cmocka_unit_test(dropped_data_leave_nothing),
    };

    return cmocka_run_group_tests(without_data, NULL, NULL) +
           cmocka_run_group_tests(with_data, setup_loaded, teardown);
}
