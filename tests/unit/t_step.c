/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "driver/driver.h"
#include "driver/step.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "-- TPC-C 2.4: a step\n"

struct fixture {
    struct arena arena;
    struct step step;
    struct err err;
};

static int setup(void **state)
{
    static struct fixture f;

    f = (struct fixture){0};
    arena_init(&f.arena, 1 << 20);
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    arena_release(&f->arena);
    return 0;
}

static enum rc parse(struct fixture *f, const char *text,
                     enum placeholder style)
{
    f->err = (struct err){0};
    return step_parse(&f->arena, "pay", text, style, &f->step, &f->err);
}

static void parse_ok(struct fixture *f, const char *text,
                     enum placeholder style)
{
    if (parse(f, text, style))
        fail_msg("%s", f->err.text);
}

static void the_signature_gives_parameters_and_columns(void **state)
{
    struct fixture *f = *state;
    static const struct column want_params[] = {
        {"w_id", VALUE_INT}, {"amount", VALUE_MONEY}, {"at", VALUE_TIME}};
    static const struct column want_cols[] = {{"d_tax", VALUE_RATE},
                                              {"name", VALUE_TEXT}};

    parse_ok(f,
             HEAD "-- (w_id int, amount money, at time)\n"
                  "--   -> (d_tax rate,\n"
                  "--       name text)\n"
                  "-- prose (not a signature)\n"
                  "SELECT d_tax, name FROM t\n"
                  "WHERE a = :w_id AND b = :amount AND c = :at;\n",
             PLACEHOLDER_QUESTION);
    assert_string_equal(f->step.name, "pay");
    assert_int_equal(f->step.n_params, ARRAY_LEN(want_params));
    for (size_t i = 0; i < ARRAY_LEN(want_params); i++) {
        assert_string_equal(f->step.params[i].name, want_params[i].name);
        assert_int_equal(f->step.params[i].type, want_params[i].type);
    }
    assert_int_equal(f->step.n_cols, ARRAY_LEN(want_cols));
    for (size_t i = 0; i < ARRAY_LEN(want_cols); i++) {
        assert_string_equal(f->step.cols[i].name, want_cols[i].name);
        assert_int_equal(f->step.cols[i].type, want_cols[i].type);
    }
    assert_int_equal(f->step.n_statements, 1);
}

/* Bodies below a signature "(a int, b int)"; want_params as digits. */
static void placeholders_are_rewritten_and_quotes_are_not(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *body;
        enum placeholder style;
        const char *want, *want_params;
    } cases[] = {
        {"SELECT :b, :a", PLACEHOLDER_QUESTION, "SELECT ?, ?", "10"},
        {"SELECT :b, :a", PLACEHOLDER_DOLLAR, "SELECT $1, $2", "10"},
        {"SELECT :a + :b + :a", PLACEHOLDER_QUESTION, "SELECT ? + ? + ?",
         "010"},
        {"SELECT :a + :b + :a", PLACEHOLDER_DOLLAR, "SELECT $1 + $2 + $1",
         "01"},
        {"SELECT ':a''s :b', :a,:b", PLACEHOLDER_QUESTION,
         "SELECT ':a''s :b', ?,?", "01"},
        {"SELECT \"x:a\"\":b\", `:b`, :a, :b", PLACEHOLDER_QUESTION,
         "SELECT \"x:a\"\":b\", `:b`, ?, ?", "01"},
        {"SELECT :a::int, :b", PLACEHOLDER_DOLLAR, "SELECT $1::int, $2", "01"},
        {"SELECT x:=:a, y := :b", PLACEHOLDER_DOLLAR, "SELECT x:=$1, y := $2",
         "01"},
        {"SELECT $$ :x ; $$, $q$ $$ :y $r$ ; $q$, :a, :b", PLACEHOLDER_DOLLAR,
         "SELECT $$ :x ; $$, $q$ $$ :y $r$ ; $q$, $1, $2", "01"},
        {"SELECT a$b$, :a, :b", PLACEHOLDER_DOLLAR, "SELECT a$b$, $1, $2",
         "01"},
        {"SELECT :a /* :x ; ' */, :b -- :y '\n", PLACEHOLDER_QUESTION,
         "SELECT ?  , ?", "01"},
        {"SELECT /*+ index(:x) */ :a, :b", PLACEHOLDER_QUESTION,
         "SELECT /*+ index(:x) */ ?, ?", "01"},
        {"SELECT :a - -1, 5 / :b", PLACEHOLDER_QUESTION, "SELECT ? - -1, 5 / ?",
         "01"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct step_statement *s;
        char text[200];

        snprintf(text, sizeof(text), HEAD "-- (a int, b int) -> ()\n%s;",
                 cases[i].body);
        parse_ok(f, text, cases[i].style);
        s = &f->step.statements[0];
        assert_int_equal(f->step.n_statements, 1);
        assert_string_equal(s->text, cases[i].want);
        assert_int_equal(s->n_params, strlen(cases[i].want_params));
        for (size_t k = 0; k < s->n_params; k++)
            assert_int_equal(s->params[k], cases[i].want_params[k] - '0');
    }
}

static void each_statement_has_its_own_parameters(void **state)
{
    struct fixture *f = *state;

    parse_ok(f,
             HEAD "-- (a int, b int) -> (n int)\n"
                  "UPDATE t SET x = x + :b WHERE k = :a;\n"
                  "-- a comment between; with a semicolon\n"
                  "SELECT x FROM t WHERE k = :a",
             PLACEHOLDER_DOLLAR);
    assert_int_equal(f->step.n_statements, 2);
    assert_string_equal(f->step.statements[0].text,
                        "UPDATE t SET x = x + $1 WHERE k = $2");
    assert_int_equal(f->step.statements[0].params[0], 1);
    assert_int_equal(f->step.statements[0].params[1], 0);
    assert_string_equal(f->step.statements[1].text,
                        "SELECT x FROM t WHERE k = $1");
    assert_int_equal(f->step.statements[1].n_params, 1);
    assert_int_equal(f->step.statements[1].params[0], 0);
}

static void what_is_wrong_is_named_with_step_and_line(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"", "step pay, line 1: no signature"},
        {"SELECT 1", "step pay, line 1: no signature"},
        {HEAD "SELECT 1", "step pay, line 2: no signature"},
        {HEAD "-- only prose", "no signature"},
        {HEAD "-- (a int) -> ()\nSELECT\n :a + :c",
         "step pay, line 4: the signature has no parameter ':c'"},
        {HEAD "-- (a int, b int) -> ()\nSELECT :a",
         "step pay: parameter 'b' of the signature is not used"},
        {HEAD "-- (a float) -> ()\nSELECT :a",
         "line 2: expected a type: int, money"},
        {HEAD "-- (a) -> ()\nSELECT :a", "expected a type"},
        {HEAD "-- (a int b int) -> ()\nSELECT :a", "expected ',' or ')'"},
        {HEAD "-- (a int\nSELECT :a", "expected ',' or ')'"},
        {HEAD "-- (a int,) -> ()\nSELECT :a", "lacks a name here"},
        {HEAD "-- (a int, a int) -> ()\nSELECT :a", "twice 'a'"},
        {HEAD "-- (a int) = ()\nSELECT :a", "expected '->'"},
        {HEAD "-- (a int) -> x\nSELECT :a", "expected '('"},
        {HEAD "-- () -> ()\n-- nothing\n;;", "no statement"},
        {HEAD "-- () -> ()\nSELECT 1,\n 'x", "line 4: a quote or comment"},
        {HEAD "-- () -> ()\nSELECT 1 /* x", "line 3: a quote or comment"},
        {HEAD "-- () -> ()\nSELECT $a$ $b$", "line 3: a quote or comment"},
        {HEAD "-- () -> ()\n1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1",
         "more than 16 statements"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_int_equal(parse(f, cases[i].text, PLACEHOLDER_QUESTION),
                         RC_INVALID);
        if (!strstr(f->err.text, cases[i].want))
            fail_msg("%s, want %s", f->err.text, cases[i].want);
    }
}

static void a_full_arena_is_reported(void **state)
{
    struct fixture *f = *state;
    struct arena small;

    arena_init(&small, 64);
    assert_int_equal(step_parse(&small, "pay", HEAD "-- () -> ()\nSELECT 1",
                                PLACEHOLDER_QUESTION, &f->step, &f->err),
                     RC_NOMEM);
    arena_release(&small);
}

static void an_unknown_step_is_not_found(void **state)
{
    static const struct driver none = {.name = "none", .dialect = "none"};
    struct fixture *f = *state;

    assert_int_equal(
        step_load(&f->arena, "tpcc", &none, "x", &f->step, &f->err),
        RC_NOT_FOUND);
    assert_string_equal(f->err.text, "there is no sql/tpcc/none/x.sql");
}

/* ---- scripts ---- */

static void scripts_are_cut_at_semicolons_outside_quotes(void **state)
{
    static const struct {
        const char *text;
        const char *want[5];
    } cases[] = {
        {"", {NULL}},
        {" ;; -- x\n /* y */ ;", {NULL}},
        {"a; b ;c", {"a", "b", "c"}},
        {"a ';' b; \";\" ; `;`", {"a ';' b", "\";\"", "`;`"}},
        {"a -- ; \n ; b /* ; */ c;", {"a", "b /* ; */ c"}},
        {"$$ ; $$; $x$ ; $$ ; $x$;1", {"$$ ; $$", "$x$ ; $$ ; $x$", "1"}},
        {"'open ; ", {"'open ; "}},
        {"CREATE TRIGGER t AFTER INSERT ON a WHEN CASE 1 WHEN 1 THEN 1 END"
         " BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; DELETE FROM b; END; x",
         {"CREATE TRIGGER t AFTER INSERT ON a WHEN CASE 1 WHEN 1 THEN 1 END"
          " BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; DELETE FROM b; END",
          "x"}},
        {"create temp trigger t after delete on a begin delete from b; end;x",
         {"create temp trigger t after delete on a begin delete from b; end",
          "x"}},
        {"CREATE TRIGGER t BEFORE INSERT ON a EXECUTE FUNCTION f(); x",
         {"CREATE TRIGGER t BEFORE INSERT ON a EXECUTE FUNCTION f()", "x"}},
        {"BEGIN; UPDATE a; END; CREATE TABLE begin (x); y",
         {"BEGIN", "UPDATE a", "END", "CREATE TABLE begin (x)", "y"}},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *text = cases[i].text;
        size_t len = strlen(text), n = 0;
        const char *s;
        size_t s_len;

        while (script_next(&text, &len, &s, &s_len)) {
            assert_true(n < 5 && cases[i].want[n]);
            assert_int_equal(s_len, strlen(cases[i].want[n]));
            assert_memory_equal(s, cases[i].want[n], s_len);
            n++;
        }
        assert_true(n == 5 || !cases[i].want[n]);
        assert_int_equal(len, 0);
    }
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(the_signature_gives_parameters_and_columns),
        T(placeholders_are_rewritten_and_quotes_are_not),
        T(each_statement_has_its_own_parameters),
        T(what_is_wrong_is_named_with_step_and_line),
        T(a_full_arena_is_reported),
        T(an_unknown_step_is_not_found),
        T(scripts_are_cut_at_semicolons_outside_quotes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
