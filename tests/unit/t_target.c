/* SPDX-License-Identifier: MIT */
#include "driver/driver.h"
#include "driver/target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct arena arena;
    struct target target;
    struct err err;
};

static int setup(void **state)
{
    static struct fixture f;

    f = (struct fixture){0};
    arena_init(&f.arena, 1 << 16);
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    arena_release(&f->arena);
    return 0;
}

static void parse_ok(struct fixture *f, const char *url)
{
    if (target_parse(&f->arena, url, &f->target, &f->err))
        fail_msg("%s", f->err.text);
}

static void a_url_names_driver_and_rest(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *url, *driver, *rest;
    } cases[] = {
        {"noop:", "noop", ""},
        {"sqlite:a.db", "sqlite", "a.db"},
        {"sqlite:/a b/c?cache=1MB&x=?", "sqlite", "/a b/c"},
        {"sqlite:", "sqlite", ""},
        {"bench.db", "sqlite", "bench.db"},
        {"./x:y.sqlite?cache=1MB", "sqlite", "./x:y.sqlite"},
        {"x:y.sqlite3", "sqlite", "x:y.sqlite3"},
        {"/dev/null", "sqlite", "/dev/null"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        parse_ok(f, cases[i].url);
        assert_string_equal(f->target.driver->name, cases[i].driver);
        assert_string_equal(f->target.rest, cases[i].rest);
        assert_string_equal(f->target.url, cases[i].url);
    }
}

static void an_unknown_scheme_names_the_nearest(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *url, *want;
    } cases[] = {
        {"sqlit:x", "did you mean 'sqlite:'?"},
        {"noop", "did you mean 'noop:'?"},
        {"oracle://h/x", "'oracle://h/x' names no database known here"},
        {"nope-not-a-file", "a target reads like 'sqlite:FILE'"},
        {"", "'' names no database known here"},
        {"ora://me:secret@h/x", "'ora://me:***@h/x'"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        f->err = (struct err){0};
        assert_int_equal(
            target_parse(&f->arena, cases[i].url, &f->target, &f->err),
            RC_USAGE);
        if (!strstr(f->err.text, cases[i].want))
            fail_msg("%s, want %s", f->err.text, cases[i].want);
    }
}

static void passwords_are_not_shown(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *url, *want;
    } cases[] = {
        {"noop:", "noop:"},
        {"noop://me@h/x", "noop://me@h/x"},
        {"noop://me:pw@h:1/x", "noop://me:***@h:1/x"},
        {"noop://me:p@w/:@h/x?a=b", "noop://me:***@h/x?a=b"},
        {"noop://h:1/x?a=b@c", "noop://h:1/x?a=b@c"},
        {"noop:x?password=pw", "noop:x?password=***"},
        {"noop:x?a=1&Password=pw&b=2", "noop:x?a=1&Password=***&b=2"},
        {"noop:x?a&&pwd=&", "noop:x?a&&pwd=***&"},
        {"noop:host=h password=p?a=b u=v", "noop:host=h password=*** u=v"},
        {"noop:password = 'a\\' b' host=h", "noop:password = *** host=h"},
        {"noop:password='open", "noop:password=***"},
        {"postgres:u:PW@h/d", "postgres:u:***@h/d"},
        {"postgres://u:PW", "postgres://u:***"},
        {"mysql://me@h/x?socket=/s", "mysql://me@h/x?socket=/s"},
        {"postgres://h:5432/d", "postgres://h:5432/d"},
        {"postgres://[::1]:5432/d", "postgres://[::1]:5432/d"},
        {"postgres://h:1,i:2/d", "postgres://h:1,i:2/d"},
        {"sqlite:a:b@c.db", "sqlite:a:b@c.db"},
        {"odbc:x", "odbc:x"},
        {"odbc:x;UID=u;PWD=p", "odbc:x;UID=u;PWD=***"},
        {"odbc:DSN=x; pwd = {a;}}b} ;UID=u", "odbc:DSN=x; pwd = *** ;UID=u"},
        {"odbc:DSN=x;PWD=a;b;UID=u", "odbc:DSN=x;PWD=***;***;UID=u"},
        {"odbc:Password={open;UID=u", "odbc:Password=***"},
        {"odbc:SSLPassphrase=a b;TOKEN=c?d",
         "odbc:SSLPassphrase=***;TOKEN=***"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        parse_ok(f, cases[i].url);
        assert_string_equal(f->target.shown, cases[i].want);
    }
}

static void suggested_commands_can_be_copied(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *url, *want;
    } cases[] = {
        {"noop://me:pw@h:1/x", "\"noop://me:***@h:1/x\""},
        {"noop:a/b.db", "noop:a/b.db"},
        {"noop:host=/tmp user=me", "\"noop:host=/tmp user=me\""},
        {"noop:a?b=c&d=e", "\"noop:a?b=c&d=e\""},
        {"noop:a'b\"$c`\\", "\"noop:a'b\\\"\\$c\\`\\\\\""},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        parse_ok(f, cases[i].url);
        assert_string_equal(f->target.word, cases[i].want);
    }
}

static void parameters_are_found_and_decoded(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *name, *want;
    } cases[] = {
        {"a", "1"},      {"b", "x y%"}, {"c", ""},   {"d", ""},
        {"e", "%4%zz%"}, {"f", "%00A"}, {"x", NULL}, {"", NULL},
    };

    parse_ok(f, "sqlite:f?a=1&b=x%20y%25&c=&d&e=%4%zz%&f=%00%41&a=2");
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *got = target_param(&f->target, &f->arena, cases[i].name);

        if (!cases[i].want)
            assert_null(got);
        else
            assert_string_equal(got, cases[i].want);
    }
    parse_ok(f, "sqlite:f");
    assert_null(target_param(&f->target, &f->arena, "a"));
}

static void unknown_parameters_are_refused(void **state)
{
    struct fixture *f = *state;
    static const char *const names[] = {"cache", "checkpoint"};

    parse_ok(f, "sqlite:f?cache=1&checkpoint=2");
    assert_int_equal(target_check_params(&f->target, names, 2, &f->err), RC_OK);
    parse_ok(f, "sqlite:f?cache=1&chekpoint=2");
    assert_int_equal(target_check_params(&f->target, names, 2, &f->err),
                     RC_USAGE);
    assert_string_equal(f->err.text,
                        "sqlite: targets take no parameter 'chekpoint'; did "
                        "you mean 'checkpoint'?");
    assert_int_equal(target_check_params(&f->target, names, 0, &f->err),
                     RC_USAGE);
}

static void every_driver_is_found_by_its_name(void **state)
{
    (void)state;
    assert_true(driver_count >= 2);
    for (size_t i = 0; i < driver_count; i++)
        assert_ptr_equal(driver_find(driver_table[i]->name), driver_table[i]);
    assert_null(driver_find("nosuch"));
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(a_url_names_driver_and_rest),
        T(an_unknown_scheme_names_the_nearest),
        T(passwords_are_not_shown),
        T(suggested_commands_can_be_copied),
        T(parameters_are_found_and_decoded),
        T(unknown_parameters_are_refused),
        T(every_driver_is_found_by_its_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
