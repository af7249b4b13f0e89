/* SPDX-License-Identifier: MIT */
/* Scripts and questions about a database, on a PostgreSQL server. */
#include "support/pg_fixture.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- scripts ---- */

struct transcript {
    char text[512];
    size_t len, n_rows;
};

static void note(struct transcript *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void note(struct transcript *t, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    if (t->len < sizeof(t->text))
        t->len += (size_t)vsnprintf(t->text + t->len, sizeof(t->text) - t->len,
                                    fmt, ap);
    va_end(ap);
}

static enum rc note_columns(void *arg, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        note(arg, "%s%s", i > 0 ? " " : "", names[i]);
    note(arg, ":");
    return RC_OK;
}

static enum rc note_row(void *arg, const struct value *cells, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct value *v = &cells[i];

        if (v->type == VALUE_NULL)
            note(arg, "NULL,");
        else if (v->type == VALUE_INT)
            note(arg, "%" PRId64 ",", v->i);
        else
            note(arg, "'%.*s',", (int)v->len, v->s);
    }
    return RC_OK;
}

static enum rc note_done(void *arg, bool has_rows, int64_t n_rows)
{
    note(arg, "%s%" PRId64 "\n", has_rows ? "rows " : "changed ", n_rows);
    return RC_OK;
}

static CORO_FN void run_script(struct pg_fixture *f)
{
    static const char text[] =
        "CREATE TABLE s (i int, v text);\n"
        "INSERT INTO s VALUES (1, 'a;b'), (2, NULL);\n"
        "SELECT i, v, 1.5 AS n, i = 1 AS b FROM s ORDER BY i; -- end\n"
        "SELECT * FROM s WHERE false;\n"
        "UPDATE s SET i = 3 RETURNING i;\n"
        "BEGIN; DELETE FROM s; COMMIT;\n"
        "DROP TABLE s; SELECT 9 AS i";
    struct transcript t = {.len = 0};
    const struct result_sink sink = {
        .arg = &t, .columns = note_columns, .row = note_row, .done = note_done};
    uint64_t before = f->a->usage.statements;

    pg_check(f, conn_script(f->a, text, strlen(text), &sink, &f->err));
    assert_string_equal(t.text,
                        "changed -1\n"
                        "changed 2\n"
                        "i v n b:1,'a;b','1.5','t',2,NULL,'1.5','f',rows 2\n"
                        "i v:rows 0\n"
                        "i:3,3,rows 2\n"
                        "changed -1\nchanged 2\nchanged -1\n"
                        "changed -1\n"
                        "i:9,rows 1\n");
    assert_int_equal(f->a->usage.statements, before + 10);
}

static void a_script_tells_its_results(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, run_script);
}

static CORO_FN void run_outside_transactions(struct pg_fixture *f)
{
    pg_run(f, f->a,
           "CREATE DATABASE extra; DROP DATABASE extra; VACUUM; "
           "ALTER SYSTEM SET work_mem = '5MB'; "
           "ALTER SYSTEM RESET work_mem");
}

static void statements_that_refuse_transactions_run(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, run_outside_transactions);
}

static CORO_FN void run_bad_scripts(struct pg_fixture *f)
{
    assert_int_equal(pg_try_run(f, f->a, "SELECT 1; SELEC 2; SELECT 3"),
                     RC_DB_ERROR);
    assert_non_null(strstr(f->err.text, "statement 2"));
    assert_string_equal(f->err.sqlstate, "42601");
    assert_int_equal(pg_try_run(f, f->a, "BEGIN; CREATE TABLE left_open ()"),
                     RC_INVALID);
    assert_int_equal(pg_try_run(f, f->a, "BEGIN; SELECT 1 / 0; COMMIT"),
                     RC_DB_ERROR);
    assert_int_equal(pg_int(f, f->a,
                            "SELECT count(*) FROM pg_class "
                            "WHERE relname = 'left_open'"),
                     0);
}

static void a_bad_script_leaves_the_connection_usable(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, run_bad_scripts);
}

static enum rc count_row(void *arg, const struct value *cells, size_t n)
{
    struct transcript *t = arg;

    (void)n;
    return cells[0].i == (int64_t)++t->n_rows ? RC_OK : RC_INVALID;
}

static CORO_FN void run_many_rows(struct pg_fixture *f)
{
    static const char text[] =
        "SELECT i, repeat('x', 1000) FROM generate_series(1, 20000) AS i";
    struct transcript t = {.len = 0};
    const struct result_sink sink = {.arg = &t, .row = count_row};

    pg_check(f, conn_script(f->a, text, strlen(text), &sink, &f->err));
    assert_int_equal(t.n_rows, 20000);
}

static void a_script_gives_rows_one_by_one(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, run_many_rows);
}

/* ---- questions ---- */

static CORO_FN void ask_for_tables(struct pg_fixture *f)
{
    static const struct {
        const char *name;
        bool want;
    } cases[] = {{"t", true},          {"T", false},  {"t_pkey", false},
                 {"Odd \"name", true}, {"no", false}, {"pg_class", true}};
    int64_t commits = -1;

    pg_run(f, f->a,
           "DROP TABLE IF EXISTS t; CREATE TABLE t (id int PRIMARY KEY); "
           "DROP TABLE IF EXISTS \"Odd \"\"name\"; "
           "CREATE TABLE \"Odd \"\"name\" ()");
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        bool found;

        pg_check(f, conn_has_table(f->a, cases[i].name, &found, &f->err));
        assert_int_equal(found, cases[i].want);
    }
    pg_check(f, conn_settle(f->a, &f->err));
    pg_check(f, conn_commits(f->a, &commits, &f->err));
    assert_in_range(commits, 1, 1000000);
}

static void tables_are_found_by_their_exact_names(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, ask_for_tables);
}

static void note_fact(void *arg, const char *name, const char *value)
{
    if (strcmp(name, "product") == 0 || strcmp(name, "connection") == 0 ||
        strcmp(name, "pooler") == 0 || strcmp(name, "fsync") == 0)
        note(arg, "%s=%s\n", name, value);
}

static CORO_FN void ask_for_facts(struct pg_fixture *f)
{
    struct transcript t = {.len = 0};

    pg_check(f, conn_facts(f->a, note_fact, &t, &f->err));
    assert_string_equal(t.text, "product=PostgreSQL\nconnection=unix socket\n"
                                "pooler=none\nfsync=off\n");
}

static void the_facts_name_product_and_settings(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, ask_for_facts);
}

static void a_claim_keeps_others_out_until_it_is_closed(void **state)
{
    struct pg_fixture *f = pg_fixture(state);
    struct db *other = NULL;

    pg_open_default(f);
    pg_check(f, db_claim(f->db, &f->err));
    pg_check(f, pg_try_open(f, f->db->target->url, &other));
    assert_int_equal(db_claim(other, &f->err), RC_BUSY);
    assert_non_null(strstr(f->err.text, "in use by another dyno"));
    db_close(f->db);
    f->db = other;
    pg_check(f, db_claim(f->db, &f->err));
}

static void a_missing_database_is_made(void **state)
{
    struct pg_fixture *f = pg_fixture(state);
    bool created = false;

    pg_open(f, pg_url(f, "dyno", "new%20%22db", ""));
    assert_int_equal(pg_try_connect(f), RC_NOT_FOUND);
    assert_non_null(strstr(f->err.text, "--create-database"));
    pg_check(f, db_create(f->db, &created, &f->err));
    assert_true(created);
    pg_check(f, db_create(f->db, &created, &f->err));
    assert_false(created);
    assert_int_equal(pg_try_connect(f), RC_OK);
}

int main(void)
{
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, pg_setup, pg_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_script_tells_its_results),
        TEST(statements_that_refuse_transactions_run),
        TEST(a_bad_script_leaves_the_connection_usable),
        TEST(a_script_gives_rows_one_by_one),
        TEST(tables_are_found_by_their_exact_names),
        TEST(the_facts_name_product_and_settings),
        TEST(a_claim_keeps_others_out_until_it_is_closed),
        TEST(a_missing_database_is_made),
    };

    return cmocka_run_group_tests(tests, pg_group_setup, pg_group_teardown);
}
