/* SPDX-License-Identifier: MIT */
#include "support/driver_suite.h"

#include "support/bulk_once.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
    char dir[64];
    struct arena arena;
    struct target target;
    struct db *db;
    struct conn *c, *other;
    bool discards;
    struct err err;
    struct step read, write, count, both, bad_table, insert, wide;
};

/* Of the driver that is tested now. */
static const char *current_url, *current_schema;

static void check(struct fixture *f, enum rc rc)
{
    if (rc)
        fail_msg("%s: %s", rc_name(rc), f->err.text);
}

static CORO_FN void script(struct fixture *f, const char *text)
{
    check(f, conn_script(f->c, text, strlen(text), NULL, &f->err));
}

static void parse(struct fixture *f, struct step *out, const char *name,
                  const char *text)
{
    check(f, step_parse(&f->arena, name, text, f->target.driver->placeholder,
                        out, &f->err));
}

static void parse_steps(struct fixture *f)
{
    parse(f, &f->read, "read",
          "-- x\n-- (id int) -> (name text, balance money)\n"
          "SELECT name, balance FROM t WHERE id = :id");
    parse(f, &f->write, "write",
          "-- x\n-- (id int, add money) -> ()\n"
          "UPDATE t SET balance = balance + :add WHERE id >= :id");
    parse(f, &f->count, "count",
          "-- x\n-- () -> (n int)\nSELECT count(*) FROM t");
    parse(f, &f->both, "both",
          "-- x\n-- (id int, add money) -> (balance money)\n"
          "UPDATE t SET balance = balance + :add WHERE id = :id;\n"
          "SELECT balance FROM t WHERE id = :id");
    parse(f, &f->bad_table, "bad_table",
          "-- x\n-- () -> (n int)\nSELECT n FROM no_such_table");
    parse(f, &f->insert, "insert",
          "-- x\n-- (id int, name text) -> ()\n"
          "INSERT INTO t (id, name, balance) VALUES (:id, :name, 0)");
}

/* ---- the tests, in a coroutine ---- */

static CORO_FN int64_t count_rows(struct fixture *f)
{
    struct rowset rows;

    check(f, conn_query(f->c, &f->count, NULL, 0, &rows, &f->err));
    if (f->discards) {
        assert_int_equal(rows.n_rows, 0);
        return 0;
    }
    assert_int_equal(rows.n_rows, 1);
    assert_int_equal(rows.n_cols, 1);
    return rowset_at(&rows, 0, 0)->i;
}

static CORO_FN int64_t balance_of(struct fixture *f, struct conn *c, int64_t id)
{
    const struct value arg = v_int(id);
    struct rowset rows;

    check(f, conn_query(c, &f->read, &arg, 1, &rows, &f->err));
    return rows.n_rows > 0 ? rowset_at(&rows, 0, 1)->i : 0;
}

static CORO_FN void rows_have_the_types_of_the_signature(struct fixture *f)
{
    struct value arg = v_int(1);
    struct rowset rows;

    check(f, conn_query(f->c, &f->read, &arg, 1, &rows, &f->err));
    assert_int_equal(rows.n_cols, 2);
    if (f->discards) {
        assert_int_equal(rows.n_rows, 0);
        return;
    }
    assert_int_equal(rows.n_rows, 1);
    assert_int_equal(rowset_at(&rows, 0, 0)->type, VALUE_TEXT);
    assert_int_equal(rowset_at(&rows, 0, 0)->len, 3);
    assert_memory_equal(rowset_at(&rows, 0, 0)->s, "one", 3);
    assert_int_equal(rowset_at(&rows, 0, 1)->type, VALUE_MONEY);
    assert_int_equal(rowset_at(&rows, 0, 1)->i, 100);

    arg = v_int(2);
    check(f, conn_query(f->c, &f->read, &arg, 1, &rows, &f->err));
    assert_true(value_is_null(rowset_at(&rows, 0, 0)));
    assert_int_equal(rowset_at(&rows, 0, 1)->i, -5);

    arg = v_int(3);
    check(f, conn_query(f->c, &f->read, &arg, 1, &rows, &f->err));
    assert_int_equal(rows.n_rows, 0);
}

static CORO_FN void changed_rows_are_counted(struct fixture *f)
{
    const struct value all[] = {v_int(1), v_money(7)};
    const struct value none[] = {v_int(9), v_money(7)};
    struct rowset rows;

    check(f, conn_query(f->c, &f->write, all, 2, &rows, &f->err));
    assert_int_equal(rows.n_affected, f->discards ? 0 : 2);
    assert_int_equal(rows.n_rows, 0);
    check(f, conn_query(f->c, &f->write, none, 2, &rows, &f->err));
    assert_int_equal(rows.n_affected, 0);
}

static CORO_FN void a_step_returns_the_rows_of_its_last_query(struct fixture *f)
{
    const struct value args[] = {v_int(1), v_money(7)};
    struct rowset rows;

    check(f, conn_query(f->c, &f->both, args, 2, &rows, &f->err));
    assert_int_equal(rows.n_cols, 1);
    if (f->discards)
        return;
    assert_int_equal(rows.n_rows, 1);
    assert_int_equal(rowset_at(&rows, 0, 0)->i, 107);
    assert_int_equal(rows.n_affected, 1);
}

static CORO_FN void statements_are_counted(struct fixture *f)
{
    const struct value args[] = {v_int(1), v_money(7)};
    uint64_t before = f->c->usage.statements;
    uint64_t trips = f->c->usage.round_trips;
    struct stmt *s;

    check(f, conn_prepare(f->c, &f->both, &s, &f->err));
    assert_int_equal(f->c->usage.statements, before);
    check(f, conn_begin(f->c, TXN_WRITE));
    check(f, conn_exec(f->c, s, args, 2, NULL));
    check(f, conn_commit(f->c));
    assert_int_equal(f->c->usage.statements, before + 4);
    assert_int_equal(f->c->usage.round_trips,
                     trips + (db_can(f->db, DRIVER_EMBEDDED) ||
                                      db_can(f->db, DRIVER_STEPWISE)
                                  ? 4
                                  : 3));
}

static CORO_FN void a_commit_is_seen_by_others(struct fixture *f)
{
    const struct value args[] = {v_int(1), v_money(7)};

    check(f, conn_begin(f->c, TXN_WRITE));
    assert_true(f->c->in_txn);
    check(f, conn_query(f->c, &f->write, args, 2, NULL, &f->err));
    assert_int_equal(balance_of(f, f->other, 1), f->discards ? 0 : 100);
    check(f, conn_commit(f->c));
    assert_false(f->c->in_txn);
    assert_int_equal(balance_of(f, f->other, 1), f->discards ? 0 : 107);
}

static CORO_FN void a_rollback_leaves_nothing(struct fixture *f)
{
    const struct value args[] = {v_int(1), v_money(7)};

    check(f, conn_rollback(f->c)); /* outside: nothing happens */
    check(f, conn_begin(f->c, TXN_WRITE));
    check(f, conn_query(f->c, &f->write, args, 2, NULL, &f->err));
    check(f, conn_rollback(f->c));
    assert_false(f->c->in_txn);
    assert_int_equal(balance_of(f, f->c, 1), f->discards ? 0 : 100);
    check(f, conn_begin(f->c, TXN_READ));
    check(f, conn_commit(f->c));
}

static CORO_FN void a_broken_constraint_is_classified(struct fixture *f)
{
    const struct value args[] = {v_int(1), v_text("again")};
    const struct value fresh[] = {v_int(3), v_textn("", 0)};
    struct err err = {0};
    enum rc rc;

    check(f, conn_begin(f->c, TXN_WRITE));
    rc = conn_query(f->c, &f->insert, args, 2, NULL, &err);
    if (f->discards) {
        assert_int_equal(rc, RC_OK);
        check(f, conn_rollback(f->c));
        return;
    }
    assert_int_equal(rc, RC_DB_CONSTRAINT);
    assert_int_equal(err.rc, RC_DB_CONSTRAINT);
    assert_int_not_equal(err.native, 0);
    assert_int_not_equal(strlen(err.text), 0);
    assert_false(f->c->gone);
    assert_true(f->c->in_txn);
    check(f, conn_rollback(f->c));
    check(f, conn_query(f->c, &f->insert, fresh, 2, NULL, &f->err));
    assert_int_equal(count_rows(f), 3);
}

static CORO_FN void a_bad_step_is_refused_when_prepared(struct fixture *f)
{
    struct err err = {0};
    struct stmt *s = NULL;
    enum rc rc = conn_prepare(f->c, &f->bad_table, &s, &err);

    if (f->discards)
        return;
    assert_int_equal(rc, RC_DB_ERROR);
    assert_non_null(strstr(err.text, "bad_table"));
    assert_non_null(strstr(err.text, "no_such_table"));
    assert_false(f->c->gone);
}

static CORO_FN void a_wrong_number_of_columns_is_refused(struct fixture *f)
{
    struct err err = {0};
    struct stmt *s = NULL;
    enum rc rc;

    parse(f, &f->wide, "wide",
          "-- x\n-- () -> (a int, b int)\nSELECT id FROM t");
    rc = conn_prepare(f->c, &f->wide, &s, &err);
    if (!f->discards)
        assert_int_equal(rc, RC_INVALID);
}

static CORO_FN void scans_run_side_by_side(struct fixture *f)
{
    struct step by_id;
    struct scan *up = NULL, *from = NULL;
    const struct value *a, *b;
    char name[] = "one";
    const struct value args[] = {v_text(name)};
    struct step named;

    parse(f, &by_id, "by_id",
          "-- x\n-- () -> (id int, name text)\n"
          "SELECT id, name FROM t ORDER BY id");
    parse(f, &named, "named",
          "-- x\n-- (name text) -> (id int)\n"
          "SELECT id FROM t WHERE name = :name");
    check(f, scan_open(f->c, &by_id, NULL, 0, &up, &f->err));
    check(f, scan_open(f->c, &named, args, 1, &from, &f->err));
    name[0] = 'x'; /* the scan has its own copy */
    check(f, scan_next(up, &a, &f->err));
    check(f, scan_next(from, &b, &f->err));
    if (f->discards) {
        assert_null(a);
    } else {
        assert_int_equal(a[0].i, 1);
        assert_int_equal(b[0].i, 1);
        check(f, scan_next(up, &a, &f->err));
        assert_int_equal(a[0].i, 2);
        assert_true(value_is_null(&a[1]));
        check(f, scan_next(up, &a, &f->err));
    }
    /* The end is the end however often it is asked. */
    for (size_t i = 0; i < 2; i++) {
        check(f, scan_next(up, &a, &f->err));
        check(f, scan_next(from, &b, &f->err));
        assert_null(a);
        assert_null(b);
    }
    scan_close(up);
    scan_close(from);
    scan_close(NULL);
}

static CORO_FN void bulk_rows_are_appended_and_committed(struct fixture *f)
{
    static const struct column cols[] = {
        {"id", VALUE_INT}, {"name", VALUE_TEXT}, {"balance", VALUE_MONEY}};
    const struct table_def table = {.name = "t", .cols = cols, .n_cols = 3};
    struct value cells[3 * 100];
    struct err err = {0};
    enum rc rc;

    for (int64_t i = 0; i < 100; i++) {
        cells[3 * i] = v_int(10 + i);
        cells[3 * i + 1] = i % 2 ? v_text("x") : v_null();
        cells[3 * i + 2] = v_money(i);
    }
    check(f, bulk_once(f->c, &table, cells, 50, &f->err));
    check(f, bulk_once(f->c, &table, cells + 150, 50, &f->err));
    assert_false(f->c->in_txn);
    assert_int_equal(count_rows(f), f->discards ? 0 : 102);
    assert_int_equal(balance_of(f, f->other, 109), f->discards ? 0 : 99);
    check(f, conn_settle(f->c, &f->err));

    /* All of a call or nothing. */
    cells[0] = v_int(500);
    rc = bulk_once(f->c, &table, cells, 2, &err);
    if (!f->discards) {
        assert_int_equal(rc, RC_DB_CONSTRAINT);
        assert_non_null(strstr(err.text, "t: "));
    }
    assert_int_equal(count_rows(f), f->discards ? 0 : 102);
}

static CORO_FN void tables_are_found_by_name(struct fixture *f)
{
    bool has = true;

    check(f, conn_has_table(f->c, "t", &has, &f->err));
    assert_int_equal(has, !f->discards);
    has = true;
    check(f, conn_has_table(f->c, "nosuch", &has, &f->err));
    assert_false(has);
}

/* What a script has given, as text. */
struct transcript {
    char text[512];
};

static void put(struct transcript *t, const char *s, size_t len)
{
    size_t used = strlen(t->text);

    snprintf(t->text + used, sizeof(t->text) - used, "%.*s", (int)len, s);
}

static enum rc on_columns(void *arg, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        put(arg, names[i], strlen(names[i]));
        put(arg, ",", 1);
    }
    put(arg, "\n", 1);
    return RC_OK;
}

static enum rc on_row(void *arg, const struct value *cells, size_t n)
{
    char number[32];

    for (size_t i = 0; i < n; i++) {
        if (cells[i].type == VALUE_TEXT) {
            put(arg, cells[i].s, cells[i].len);
        } else if (cells[i].type == VALUE_INT) {
            snprintf(number, sizeof(number), "%jd", (intmax_t)cells[i].i);
            put(arg, number, strlen(number));
        } else {
            put(arg, "-", 1);
        }
        put(arg, ",", 1);
    }
    put(arg, "\n", 1);
    return RC_OK;
}

static enum rc on_done(void *arg, bool has_rows, int64_t n_rows)
{
    char text[48];

    snprintf(text, sizeof(text), "%s %jd\n", has_rows ? "rows" : "changed",
             (intmax_t)n_rows);
    put(arg, text, strlen(text));
    return RC_OK;
}

static CORO_FN void scripts_give_their_results(struct fixture *f)
{
    static const char text[] = "-- three statements; the first gives rows\n"
                               "SELECT id, name FROM t ORDER BY id;"
                               "UPDATE t SET balance = 0;"
                               "CREATE TABLE u (x int);";
    struct transcript t = {""};
    const struct result_sink sink = {
        .arg = &t, .columns = on_columns, .row = on_row, .done = on_done};
    uint64_t before = f->c->usage.statements;

    check(f, conn_script(f->c, text, strlen(text), &sink, &f->err));
    assert_string_equal(t.text, f->discards
                                    ? "changed -1\nchanged -1\nchanged -1\n"
                                    : "id,name,\n1,one,\n2,-,\n"
                                      "rows 2\nchanged 2\nchanged -1\n");
    assert_int_equal(f->c->usage.statements, before + 3);
}

static enum rc refuse_row(void *arg, const struct value *cells, size_t n)
{
    (void)arg;
    (void)cells;
    (void)n;
    return RC_IO;
}

static CORO_FN void a_failing_script_stops_and_is_undone(struct fixture *f)
{
    static const char wrong[] = "BEGIN; DELETE FROM t; SELECT * FROM nosuch;"
                                "COMMIT";
    static const char open[] = "BEGIN; DELETE FROM t";
    static const char rows[] = "SELECT id FROM t";
    const struct result_sink sink = {.row = refuse_row};
    struct err err = {0};

    if (f->discards)
        return;
    assert_int_equal(conn_script(f->c, wrong, strlen(wrong), NULL, &err),
                     RC_DB_ERROR);
    assert_non_null(strstr(err.text, "statement 3: "));
    assert_int_equal(count_rows(f), 2);
    assert_int_equal(conn_script(f->c, open, strlen(open), NULL, &err),
                     RC_INVALID);
    assert_int_equal(count_rows(f), 2);
    assert_int_equal(conn_script(f->c, rows, strlen(rows), &sink, &err), RC_IO);
    script(f, "DELETE FROM t");
    assert_int_equal(count_rows(f), 0);
}

static void note_product(void *arg, const char *name, const char *value)
{
    bool *found = arg;

    if (strcmp(name, "product") == 0 && *value)
        *found = true;
}

static CORO_FN void facts_name_the_product(struct fixture *f)
{
    bool found = false;

    check(f, conn_facts(f->c, note_product, &found, &f->err));
    assert_true(found);
}

static CORO_FN void an_idle_connection_can_be_cancelled(struct fixture *f)
{
    conn_cancel(f->c);
    count_rows(f);
}

/* ---- running them ---- */

struct run {
    struct fixture *f;
    void (*fn)(struct fixture *f);
};

static void run_main(void *arg)
{
    struct run *run = arg;
    struct fixture *f = run->f;

    coro_assert_inside();
    check(f, conn_open(f->db, loop_current(), &f->c, &f->err));
    check(f, conn_open(f->db, loop_current(), &f->other, &f->err));
    script(f, current_schema);
    run->fn(f);
    conn_close(f->c);
    conn_close(f->other);
    conn_close(NULL);
}

static int setup(void **state)
{
    struct run *run = *state;
    struct fixture *f = calloc(1, sizeof(*f));

    if (!f)
        return -1;
    run->f = f;
    snprintf(f->dir, sizeof(f->dir), "/tmp/t_driver.XXXXXX");
    if (!mkdtemp(f->dir) || chdir(f->dir))
        return -1;
    arena_init(&f->arena, 1 << 20);
    if (target_parse(&f->arena, current_url, &f->target, &f->err) ||
        db_open(&f->target, &f->db, &f->err) || db_claim(f->db, &f->err))
        return -1;
    f->discards = db_can(f->db, DRIVER_DISCARDS);
    parse_steps(f);
    return 0;
}

static int teardown(void **state)
{
    struct run *run = *state;
    struct fixture *f = run->f;
    bool removed;
    enum rc rc = db_discard(f->db, &removed, &f->err);

    db_close(f->db);
    /* Whoever cannot discard does not promise to leave nothing. */
    if (!f->target.driver->discard) {
        unlink("conformance.db");
        unlink("conformance.db-wal");
        unlink("conformance.db-shm");
    }
    if (chdir("/") || rmdir(f->dir))
        rc = RC_IO; /* discard has left something */
    arena_release(&f->arena);
    free(f);
    return rc ? -1 : 0;
}

static void run_case(void **state)
{
    struct err err = {0};

    if (loop_call(run_main, *state, &err))
        fail_msg("%s", err.text);
}

#define T(fn_)                              \
    {                                       \
        .name = #fn_, .run = {.fn = (fn_) } \
    }

static int test_driver(const char *name)
{
    static struct {
        const char *name;
        struct run run;
    } cases[] = {
        T(rows_have_the_types_of_the_signature),
        T(changed_rows_are_counted),
        T(a_step_returns_the_rows_of_its_last_query),
        T(statements_are_counted),
        T(a_commit_is_seen_by_others),
        T(a_rollback_leaves_nothing),
        T(a_broken_constraint_is_classified),
        T(a_bad_step_is_refused_when_prepared),
        T(a_wrong_number_of_columns_is_refused),
        T(scans_run_side_by_side),
        T(bulk_rows_are_appended_and_committed),
        T(tables_are_found_by_name),
        T(scripts_give_their_results),
        T(a_failing_script_stops_and_is_undone),
        T(facts_name_the_product),
        T(an_idle_connection_can_be_cancelled),
    };
    static char names[ARRAY_LEN(cases)][96];
    struct CMUnitTest tests[ARRAY_LEN(cases)];

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        snprintf(names[i], sizeof(names[i]), "%s: %s", name, cases[i].name);
        tests[i] = (struct CMUnitTest){.name = names[i],
                                       .test_func = run_case,
                                       .setup_func = setup,
                                       .teardown_func = teardown,
                                       .initial_state = &cases[i].run};
    }
    return cmocka_run_group_tests_name(name, tests, NULL, NULL);
}

static int test_place(const struct driver_place *p)
{
    struct pg_fixture none = {0}, *server = &none;
    void *state = NULL;
    int n_failed = 0;
    char url[512];

    if (p->server) {
        if (server_group_setup(&state, p->server))
            return 1;
        server = state;
    }
    current_url = url;
    current_schema = p->schema;
    if (*server->unavailable)
        printf("%s: %s\n", p->name, server->unavailable);
    else if (!p->url(server, url, sizeof(url)))
        printf("%s: what it needs is not installed\n", p->name);
    else
        n_failed = test_driver(p->name);
    current_url = NULL;
    if (p->server)
        pg_group_teardown(&state);
    return n_failed;
}

int driver_suite_run(const struct driver_place *places, size_t n)
{
    int n_failed = 0;

    for (size_t i = 0; i < n; i++)
        n_failed += test_place(&places[i]);
    return n_failed;
}
