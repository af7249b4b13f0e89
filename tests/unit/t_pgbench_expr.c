/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "workload/pgbench/lang/expr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct arena arena;
    struct var_table vars;
    struct var values[VARS_MAX];
    struct rng rng;
    struct expr_env env;
};

static int set_up(void **state)
{
    static struct fixture f;
    struct err err = {0};

    f = (struct fixture){.arena = ARENA_INIT(1U << 20)};
    assert_int_equal(var_table_init(&f.vars, &f.arena, &err), RC_OK);
    rng_init(&f.rng, 1, 1, RNG_INPUT);
    f.env = (struct expr_env){.vars = f.values, .rng = &f.rng};
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < f->vars.n; i++)
        mem_free(f->values[i].text);
    arena_release(&f->arena);
    return 0;
}

/* The value as text, or "! " and the error. */
static const char *value_of(struct fixture *f, const char *text)
{
    static char out[ERR_TEXT_MAX + 32];
    struct err err = {0};
    struct expr e;
    struct scalar s;
    struct expr_text parsed = {.s = text, .len = strlen(text)};

    if (expr_parse(&f->arena, &f->vars, &parsed, &e, &err))
        snprintf(out, sizeof(out), "! %zu: %s", (size_t)(parsed.where - text),
                 err.text);
    else if (!expr_eval(&e, &f->env, &s))
        snprintf(out, sizeof(out), "! %u: %s", f->env.fault_at, f->env.fault);
    else
        scalar_print(&s, out);
    return out;
}

static struct var *variable(struct fixture *f, const char *name)
{
    struct err err = {0};
    size_t i;

    assert_int_equal(var_number(&f->vars, name, strlen(name), &i, &err), RC_OK);
    return &f->values[i];
}

static void operators_bind_as_in_pgbench(void **state)
{
    static const char *const cases[][2] = {
        {"1 + 2 * 3", "7"},
        {"(1 + 2) * 3", "9"},
        {"5 # 3 & 2 | 8", "10"},
        {"1 << 2 + 1", "8"},
        {"~ -1 + 1", "-1"},
        {"not 1 = 2", "true"},
        {"1 = 1 is true", "true"},
        {"true or false and false", "true"},
        {"10 - 2 - 3", "5"},
        {"-9223372036854775808", "-9223372036854775808"},
        {"2 * -3", "-6"},
        {"1 + \\\n 1", "2"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(value_of(*state, cases[i][0]), cases[i][1]);
}

static void null_goes_through_everything_but_is_and_case(void **state)
{
    static const char *const cases[][2] = {
        {"null + 1", "NULL"},
        {"null is null", "true"},
        {"null and false", "NULL"},
        {"false and null", "false"},
        {"null or true", "NULL"},
        {"case when null then 1 else 2 end", "2"},
        {"case when 0 then 1 end", "NULL"},
        {"greatest(1, null)", "NULL"},
        {"random(null, 2)", "NULL"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(value_of(*state, cases[i][0]), cases[i][1]);
}

static void what_does_not_fit_is_a_fault_at_its_place(void **state)
{
    static const char *const cases[][2] = {
        {"1 / 0", "! 2: division by zero"},
        {"9223372036854775807 + 1", "! 20: bigint add out of range"},
        {"- -9223372036854775808", "! 0: bigint sub out of range"},
        {"(-9223372036854775807 - 1) / -1", "! 27: bigint div out of range"},
        {"int(1e300)", "! 0: double to int overflow"},
        {"true + 1", "! 5: cannot coerce boolean to int"},
        {"random(2, 1)", "! 0: empty range given to random"},
        {"permute(1, 0, 5)",
         "! 0: permute size parameter must be greater than zero"},
        {":nobody", "! 0: the variable has no value"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(value_of(*state, cases[i][0]), cases[i][1]);
}

static void an_error_in_the_text_names_its_place(void **state)
{
    static const char *const cases[][2] = {
        {"1 +", "! 3: the expression ends too early"},
        {"1 2", "! 2: expected an operator or the end here"},
        {"(1", "! 2: expected ')'"},
        {"1 < 2 < 3", "! 6: comparisons do not chain: use AND"},
        {"randon(1, 2)",
         "! 0: there is no function 'randon'; did you mean 'random'?"},
        {"random(1)", "! 0: random() takes 2 arguments, not 1"},
        {"hash()", "! 0: hash() takes 1 to 2 arguments, not 0"},
        {"9223372036854775808", "! 0: the integer is out of range"},
        {"99999999999999999999",
         "! 0: the integer is out of range: '99999999999999999999'"},
        {"1e999", "! 0: the number is out of range: '1e999'"},
        {"1 ; 2", "! 2: unexpected character ';'"},
        {"case 1 end", "! 5: expected WHEN"},
        {"case when 1 then 2", "! 18: expected WHEN, ELSE or END"},
        {"1 is 2", "! 5: expected NULL, TRUE or FALSE behind IS"},
        {": + 1", "! 0: a name is missing behind ':'"},
        {"", "! 0: the expression ends too early"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(value_of(*state, cases[i][0]), cases[i][1]);
}

static void deep_nesting_is_refused(void **state)
{
    char text[1024];

    memset(text, '(', 500);
    snprintf(text + 500, sizeof(text) - 500, "1");
    assert_non_null(strstr(value_of(*state, text), "nested too deeply"));
}

static void text_of_a_variable_is_read_as_pgbench_reads_it(void **state)
{
    static const char *const cases[][2] = {
        {"41", "42"},
        {"1.5", "2.5"},
        {"-1e2", "-99"},
        {"NULL", "NULL"},
        {"", "! 0: the variable's text is no number"},
        {"12x", "! 0: the variable's text is no number"},
        {"99999999999999999999", "! 0: the variable's text is no number"},
        {"yes", "! 3: cannot coerce boolean to int"},
    };
    struct fixture *f = *state;
    struct var *v = variable(f, "v");

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_true(var_set_text(v, cases[i][0], strlen(cases[i][0])));
        assert_string_equal(value_of(f, ":v + 1"), cases[i][1]);
    }
    assert_true(var_set_text(v, "t", 1));
    assert_string_equal(value_of(f, "not :v"), "false");
    assert_true(var_set_text(v, "off", 3));
    assert_string_equal(value_of(f, "not :v"), "true");
}

/* Values of pgbench 15. */
static void hashes_and_permutations_are_those_of_pgbench(void **state)
{
    static const char *const cases[][2] = {
        {"hash(1, 2)", "-3827666828038376880"},
        {"hash_fnv1a(-17, 42)", "-4593495651349042825"},
        {"permute(5, 1000, 3)", "98"},
        {"permute(0, 2, 1)", "1"},
        {"permute(-1, 7, 5)", "0"},
        {"permute(9, 16, 1)", "14"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(value_of(*state, cases[i][0]), cases[i][1]);
}

static void a_permutation_hits_each_number_once(void **state)
{
    struct fixture *f = *state;
    uint64_t seen = 0;
    char text[64];

    for (int i = 0; i < 37; i++) {
        snprintf(text, sizeof(text), "1 << permute(%d, 37, 9)", i);
        seen |= strtoull(value_of(f, text), NULL, 10);
    }
    assert_true(seen == (UINT64_C(1) << 37) - 1);
}

static void one_seed_gives_one_sequence(void **state)
{
    struct fixture *f = *state;
    char first[64];

    snprintf(first, sizeof(first), "%s",
             value_of(f, "random_zipfian(1, 1000000, 1.1)"));
    rng_init(&f->rng, 1, 1, RNG_INPUT);
    assert_string_equal(value_of(f, "random_zipfian(1, 1000000, 1.1)"), first);
    assert_string_not_equal(value_of(f, "random_zipfian(1, 1000000, 1.1)"),
                            first);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(operators_bind_as_in_pgbench),
        TEST(null_goes_through_everything_but_is_and_case),
        TEST(what_does_not_fit_is_a_fault_at_its_place),
        TEST(an_error_in_the_text_names_its_place),
        TEST(deep_nesting_is_refused),
        TEST(text_of_a_variable_is_read_as_pgbench_reads_it),
        TEST(hashes_and_permutations_are_those_of_pgbench),
        TEST(a_permutation_hits_each_number_once),
        TEST(one_seed_gives_one_sequence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
