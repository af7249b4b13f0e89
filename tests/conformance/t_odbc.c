/* SPDX-License-Identifier: MIT */
/* What is ODBC's own: support/driver_suite.h has the contract. */
#include "base/mem.h"
#include "support/odbc_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static enum rc try_open(const char *url, struct db **out, struct err *err)
{
    static struct target target;
    static struct arena arena;
    enum rc rc;

    arena_release(&arena);
    arena_init(&arena, 1 << 20);
    rc = target_parse(&arena, url, &target, err);
    return rc ? rc : db_open(&target, out, err);
}

static struct db *opened(const char *url)
{
    struct err err = {0};
    struct db *db = NULL;

    if (try_open(url, &db, &err) || !db)
        fail_msg("%s", err.text);
    return db;
}

static void a_driver_without_transactions_is_refused(void **state)
{
    struct err err = {0};
    struct db *db = NULL;

    (void)state;
    assert_int_equal(try_open("odbc:Driver=" DYNO_ODBC_BARE, &db, &err),
                     RC_UNSUPPORTED);
    assert_null(db);
    assert_non_null(strstr(err.text, "'Bare' has no transactions"));
}

static void a_name_alone_is_a_data_source(void **state)
{
    struct err err = {0};
    struct db *db = NULL;

    (void)state;
    assert_int_equal(try_open("odbc:nosuch;UID=u;PWD=sesame", &db, &err),
                     RC_NOT_FOUND);
    assert_non_null(strstr(err.text, "PWD=***"));
    assert_null(strstr(err.text, "sesame"));
    assert_non_null(strstr(err.text, "odbc.ini"));
}

/* The dialect decides what the opened db is: SQL, isolation, round trips. */
static void the_database_s_name_chooses_the_dialect(void **state)
{
    char dir[] = "/tmp/t_odbc.XXXXXX", url[512], named[600];
    struct pg_fixture none = {0};
    struct db *db;

    (void)state;
    if (!odbc_sqlite_url(&none, url, sizeof(url))) {
        print_message("libsqliteodbc is not installed\n");
        skip();
    }
    assert_non_null(mkdtemp(dir));
    assert_int_equal(chdir(dir), 0);
    db = opened(url);
    assert_string_equal(db->driver->dialect, "sqlite");
    assert_true(db_can(db, DRIVER_EMBEDDED));
    db_close(db);
    snprintf(named, sizeof(named), "%s;DynoDialect=postgres", url);
    db = opened(named);
    assert_string_equal(db->driver->dialect, "postgres");
    db_close(db);
    unlink("conformance.db");
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_driver_without_transactions_is_refused),
        cmocka_unit_test(a_name_alone_is_a_data_source),
        cmocka_unit_test(the_database_s_name_chooses_the_dialect),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
