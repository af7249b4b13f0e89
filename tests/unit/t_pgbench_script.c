/* SPDX-License-Identifier: MIT */
#include "workload/pgbench/lang/script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct arena arena;
    struct var_table vars;
    struct pgb_dialect dialect;
    struct pgb_script script;
    struct pgb_totals totals;
    struct err err;
};

static int set_up(void **state)
{
    static struct fixture f;

    f = (struct fixture){.arena = ARENA_INIT(4U << 20)};
    f.dialect = (struct pgb_dialect){
        .placeholder = PLACEHOLDER_DOLLAR,
        .native_txns = true,
        .pipelines = true,
    };
    assert_int_equal(var_table_init(&f.vars, &f.arena, &f.err), RC_OK);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    arena_release(&f->arena);
    return 0;
}

static enum rc parse(struct fixture *f, const char *text)
{
    enum rc rc;

    f->script = (struct pgb_script){
        .name = "t.sql", .text = text, .len = strlen(text), .weight = 1};
    f->err = (struct err){0};
    rc = pgb_parse(&f->arena, &f->dialect, &f->vars, &f->script, &f->totals,
                   &f->err);
    return rc ? rc
              : pgb_check_vars(&f->script, 1, &f->dialect, &f->vars, &f->err);
}

static const struct step_statement *statement(const struct fixture *f, size_t i)
{
    assert_true(i < f->script.n_cmds);
    assert_int_equal(f->script.cmds[i].type, PGB_SQL);
    return f->script.cmds[i].sql->step.statements;
}

static void names_become_parameters_outside_quotes_and_comments(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(parse(f, "\\set a 1\n\\set b 2\n"
                              "SELECT :b, ':x', :a::int, E'\\':x' -- :c\n"
                              ", \":d\", $$:e$$, a[1:2], :b;"),
                     RC_OK);
    assert_int_equal(f->script.n_cmds, 3);
    assert_string_equal(statement(f, 2)->text,
                        "SELECT $1, ':x', $2::int, E'\\':x'  \n"
                        ", \":d\", $$:e$$, a[1:2], $1");
    assert_int_equal(statement(f, 2)->n_params, 2);
    f->dialect.placeholder = PLACEHOLDER_QUESTION;
    assert_int_equal(parse(f, "\\set a 1\nSELECT :a, :a"), RC_OK);
    assert_string_equal(statement(f, 1)->text, "SELECT ?, ?");
    assert_int_equal(statement(f, 1)->n_params, 2);
    assert_int_equal(f->script.cmds[1].sql->step.n_params, 1);
}

static void statements_end_where_psql_ends_them(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(
        parse(f, "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; "
                 "SELECT CASE WHEN true THEN 2 END; END;\n"
                 "CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2);\n"
                 ";; SELECT 'a;b'; SELECT 3 \\gset\nSELECT 4"),
        RC_OK);
    assert_int_equal(f->script.n_cmds, 5);
    assert_string_equal(statement(f, 2)->text, "SELECT 'a;b'");
    assert_int_equal(f->script.cmds[3].sql->into, PGB_INTO_ONE);
    assert_string_equal(statement(f, 4)->text, "SELECT 4");
}

static void several_statements_in_one_are_a_text(void **state)
{
    struct fixture *f = *state;

    f->dialect.as_text = true;
    assert_int_equal(parse(f, "\\set a 1\nSELECT :a \\; SELECT ':a';"), RC_OK);
    assert_int_equal(f->script.cmds[1].sql->step.n_statements, 2);
    assert_int_equal(f->script.cmds[1].sql->n_pieces, 3);
    f->dialect.as_text = false;
    assert_int_equal(parse(f, "SELECT 1 \\; SELECT 2;"), RC_USAGE);
    assert_non_null(strstr(f->err.text, "t.sql:1:10: several statements"));
}

static void branches_are_jumps(void **state)
{
    struct fixture *f = *state;
    const struct pgb_cmd *c;

    assert_int_equal(parse(f, "\\if 1\nA;\n\\elif 2\nB;\n\\else\nC;\n"
                              "\\if 3\nD;\n\\endif\n\\endif\nE;"),
                     RC_OK);
    c = f->script.cmds;
    /* unless 1 -> 3, A, jump, unless 2 -> 6, B, jump, C, unless 3, D, E */
    assert_int_equal(f->script.n_cmds, 10);
    assert_int_equal(c[0].target, 3);
    assert_int_equal(c[2].target, 9);
    assert_int_equal(c[3].target, 6);
    assert_int_equal(c[5].target, 9);
    assert_int_equal(c[7].target, 9);
}

static void what_a_statement_does_is_known(void **state)
{
    static const struct {
        const char *text;
        enum pgb_kind kind;
    } cases[] = {
        {"BEGIN", PGB_BEGIN},
        {"start transaction", PGB_BEGIN},
        {"BEGIN ISOLATION LEVEL SERIALIZABLE", PGB_BEGIN},
        {"/* x */ COMMIT work", PGB_COMMIT},
        {"END", PGB_COMMIT},
        {"COMMIT PREPARED 'a'", PGB_OTHER},
        {"ROLLBACK", PGB_ROLLBACK},
        {"ROLLBACK TO s", PGB_OTHER},
        {"SELECT 1", PGB_READ},
        {"SELECT 1 FOR UPDATE", PGB_OTHER},
        {"SELECT 1 INTO t", PGB_OTHER},
        {"WITH x AS (DELETE FROM t RETURNING 1) SELECT 1", PGB_OTHER},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_int_equal(parse(f, cases[i].text), RC_OK);
        assert_int_equal(f->script.cmds[0].sql->kind, cases[i].kind);
    }
    assert_int_equal(parse(f, "BEGIN; SELECT 1; END; BEGIN; DELETE FROM t; "
                              "END"),
                     RC_OK);
    assert_true(f->script.cmds[0].sql->only_reads);
    assert_false(f->script.cmds[3].sql->only_reads);
}

static void an_error_shows_its_place(void **state)
{
    static const char *const cases[][2] = {
        {"SELECT 1;\n\\set é 1 +\n",
         "t.sql:2:11: the expression ends too early\n"
         "  \\set é 1 +\n            ^"},
        {"\\st a 1", "t.sql:1:1: there is no command '\\st'; did you mean "
                     "'\\set'?\n  \\st a 1\n  ^"},
        {"SELECT :nobody",
         "t.sql:1:9: nothing sets the variable 'nobody'; set it in the "
         "script or with -D nobody=VALUE\n  SELECT :nobody\n          ^"},
        {"SELECT 'x", "t.sql:1:8: a quote or comment has no end"},
        {"\\gset", "t.sql:1:1: it must stand behind the statement"},
        {"SELECT 1 \\gset\n\\gset", "t.sql:2:1: it must stand behind"},
        {"\\if 1\nA;", "t.sql:1:1: there is no \\endif for it"},
        {"\\endif", "t.sql:1:1: there is no \\if before it"},
        {"\\else", "t.sql:1:1: there is no \\if before it"},
        {"\\if 1\n\\else\n\\else\n", "t.sql:3:1: it stands behind \\else"},
        {"\\if 1\n\\else 2\n", "t.sql:2:7: one argument too many"},
        {"\\set", "t.sql:1:5: the name of a variable is missing"},
        {"\\set a-b 1", "t.sql:1:6: a variable's name has only"},
        {"\\sleep", "t.sql:1:7: expected a number or :name"},
        {"\\sleep 1 min", "t.sql:1:10: the unit of time must be"},
        {"\\shell ls", "t.sql:1:1: programs are run only with"},
        {"\\set a 1\nSELECT ':a'",
         "t.sql:2:9: a variable between quotes needs -M simple"},
        {" -- nothing\n", "t.sql: the script is empty"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct fixture *f = *state;

        tear_down(state);
        set_up(state);
        assert_int_equal(parse(f, cases[i][0]), RC_USAGE);
        f->err.text[strnlen(cases[i][1], sizeof(f->err.text) - 1)] = '\0';
        assert_string_equal(f->err.text, cases[i][1]);
    }
}

static void times_to_sleep_are_read(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(parse(f, "\\set n 1\n\\sleep 5 ms\n\\sleep 7us\n"
                              "\\sleep 2\n\\sleep :n us\n"),
                     RC_OK);
    assert_int_equal(f->script.cmds[1].amount, 5);
    assert_int_equal(f->script.cmds[1].unit_ns, 1000000);
    assert_int_equal(f->script.cmds[2].amount, 7);
    assert_int_equal(f->script.cmds[2].unit_ns, 1000);
    assert_int_equal(f->script.cmds[3].unit_ns, 1000000000);
    assert_int_not_equal(f->script.cmds[4].var, PGB_NO_VAR);
}

static void other_databases_have_no_options_of_begin(void **state)
{
    struct fixture *f = *state;

    f->dialect.native_txns = false;
    assert_int_equal(parse(f, "BEGIN; END"), RC_OK);
    assert_int_equal(parse(f, "BEGIN READ ONLY; END"), RC_USAGE);
    assert_non_null(strstr(f->err.text, "t.sql:1:7: on this database"));
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(names_become_parameters_outside_quotes_and_comments),
        TEST(statements_end_where_psql_ends_them),
        TEST(several_statements_in_one_are_a_text),
        TEST(branches_are_jumps),
        TEST(what_a_statement_does_is_known),
        TEST(an_error_shows_its_place),
        TEST(times_to_sleep_are_read),
        TEST(other_databases_have_no_options_of_begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
