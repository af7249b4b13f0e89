/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "report/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What was written so far; freed by close_out(). */
struct out {
    FILE *file;
    char *text;
    size_t len;
    struct rows *rows;
    struct result_sink sink;
};

static void open_out(struct out *o, enum rows_format format)
{
    struct err err = {0};

    *o = (struct out){0};
    o->file = open_memstream(&o->text, &o->len);
    assert_non_null(o->file);
    assert_int_equal(rows_new(format, o->file, &o->rows, &err), RC_OK);
    o->sink = rows_sink(o->rows);
}

static void close_out(struct out *o)
{
    rows_free(o->rows);
    fclose(o->file);
    /* Of open_memstream(), not of base/. */
    free(o->text);
}

static void expect_text(struct out *o, const char *want)
{
    rows_free(o->rows);
    o->rows = NULL;
    assert_int_equal(fflush(o->file), 0);
    assert_string_equal(o->text, want);
    close_out(o);
}

static void columns(struct out *o, const char *const *names, size_t n)
{
    assert_int_equal(o->sink.columns(o->sink.arg, names, n), RC_OK);
}

static void row(struct out *o, struct value a, struct value b)
{
    const struct value cells[] = {a, b};

    assert_int_equal(o->sink.row(o->sink.arg, cells, 2), RC_OK);
}

static void done(struct out *o, bool has_rows, int64_t n_rows)
{
    assert_int_equal(o->sink.done(o->sink.arg, has_rows, n_rows), RC_OK);
}

static const char *const two[] = {"id", "name"};

static void a_table_is_aligned_to_its_widest_cell(void **state)
{
    struct out o;

    (void)state;
    open_out(&o, ROWS_TABLE);
    columns(&o, two, 2);
    row(&o, v_int(1), v_text("a"));
    row(&o, v_int(-12345), v_null());
    row(&o, v_int(7), v_text("longer than its name"));
    done(&o, true, 3);
    expect_text(&o, "id      name\n"
                    "------  --------------------\n"
                    "1       a\n"
                    "-12345  NULL\n"
                    "7       longer than its name\n"
                    "(3 rows)\n");
}

static void letters_of_several_bytes_take_one_column(void **state)
{
    struct out o;

    (void)state;
    open_out(&o, ROWS_TABLE);
    columns(&o, two, 2);
    row(&o, v_text("Zürich"), v_int(1));
    row(&o, v_text("Berlin"), v_int(2));
    done(&o, true, 2);
    expect_text(&o, "id      name\n"
                    "------  ----\n"
                    "Zürich  1\n"
                    "Berlin  2\n"
                    "(2 rows)\n");
}

static void a_line_of_the_table_is_a_row_whatever_it_holds(void **state)
{
    struct out o;
    size_t lines = 0;

    (void)state;
    open_out(&o, ROWS_TABLE);
    columns(&o, two, 2);
    row(&o, v_text("a\nb"), v_text("c\td\r\x1b[2J"));
    done(&o, true, 1);
    fflush(o.file);
    for (const char *p = o.text; *p; p++) {
        lines += *p == '\n';
        assert_int_not_equal(*p, '\x1b');
        assert_int_not_equal(*p, '\r');
    }
    assert_int_equal(lines, 4);
    close_out(&o);
}

static void an_empty_answer_has_a_head(void **state)
{
    struct out o;

    (void)state;
    open_out(&o, ROWS_TABLE);
    columns(&o, two, 2);
    done(&o, true, 0);
    expect_text(&o, "id  name\n--  ----\n(0 rows)\n");
    open_out(&o, ROWS_CSV);
    columns(&o, two, 2);
    done(&o, true, 0);
    expect_text(&o, "id,name\r\n");
    open_out(&o, ROWS_JSON);
    columns(&o, two, 2);
    done(&o, true, 0);
    expect_text(&o, "[]\n");
}

static void one_row_is_one_row(void **state)
{
    struct out o;

    (void)state;
    open_out(&o, ROWS_TABLE);
    columns(&o, two, 2);
    row(&o, v_int(1), v_int(2));
    done(&o, true, 1);
    expect_text(&o, "id  name\n--  ----\n1   2\n(1 row)\n");
}

static void changes_are_told_to_people_only(void **state)
{
    struct out o;

    (void)state;
    open_out(&o, ROWS_TABLE);
    done(&o, false, 12);
    done(&o, false, -1);
    expect_text(&o, "(12 changed)\n");
    open_out(&o, ROWS_CSV);
    done(&o, false, 12);
    expect_text(&o, "");
    open_out(&o, ROWS_JSON);
    done(&o, false, 12);
    expect_text(&o, "");
}

static void csv_quotes_what_needs_quotes(void **state)
{
    struct out o;

    (void)state;
    open_out(&o, ROWS_CSV);
    columns(&o, (const char *const[]){"a,b", "c"}, 2);
    row(&o, v_text("plain"), v_int(-3));
    row(&o, v_text("a,b"), v_text("say \"hi\""));
    row(&o, v_text("two\nlines"), v_text("\r"));
    /* Nothing is NULL; "" is the empty text. */
    row(&o, v_null(), v_text(""));
    done(&o, true, 4);
    expect_text(&o, "\"a,b\",c\r\n"
                    "plain,-3\r\n"
                    "\"a,b\",\"say \"\"hi\"\"\"\r\n"
                    "\"two\nlines\",\"\r\"\r\n"
                    ",\"\"\r\n");
}

static void json_escapes_what_json_must(void **state)
{
    struct out o;

    (void)state;
    open_out(&o, ROWS_JSON);
    columns(&o, (const char *const[]){"a\"b", "c"}, 2);
    row(&o, v_text("\\ \" \n \x01 é"), v_null());
    row(&o, v_int(INT64_MIN), v_text(""));
    done(&o, true, 2);
    expect_text(&o, "[{\"a\\\"b\":\"\\\\ \\\" \\u000a \\u0001 é\",\"c\":null},"
                    "{\"a\\\"b\":-9223372036854775808,\"c\":\"\"}]\n");
}

static void bytes_that_are_no_text_are_replaced_in_json(void **state)
{
    struct out o;

    (void)state;
    open_out(&o, ROWS_JSON);
    columns(&o, two, 2);
    row(&o, v_text("a\xffz"), v_textn("cut \xc3\xa9", 5));
    done(&o, true, 1);
    expect_text(&o, "[{\"id\":\"a\\ufffdz\",\"name\":\"cut \\ufffd\"}]\n");
}

static void each_statement_has_its_own_answer(void **state)
{
    struct out o;

    (void)state;
    open_out(&o, ROWS_JSON);
    columns(&o, two, 2);
    row(&o, v_int(1), v_int(2));
    done(&o, true, 1);
    columns(&o, (const char *const[]){"n"}, 1);
    assert_int_equal(
        o.sink.row(o.sink.arg, (const struct value[]){v_int(3)}, 1), RC_OK);
    done(&o, true, 1);
    expect_text(&o, "[{\"id\":1,\"name\":2}]\n[{\"n\":3}]\n");
}

/* 1,400,000 cells of 16 bytes and more: all of them held at once would
 * not fit into what a table may hold. */
static void a_long_table_takes_constant_memory(void **state)
{
    struct out o = {0};
    struct err err = {0};

    (void)state;
    o.file = fopen("/dev/null", "w");
    assert_non_null(o.file);
    assert_int_equal(rows_new(ROWS_TABLE, o.file, &o.rows, &err), RC_OK);
    o.sink = rows_sink(o.rows);
    columns(&o, two, 2);
    for (int64_t i = 0; i < 700000; i++)
        row(&o, v_int(i), v_text("a text of more than sixteen bytes"));
    done(&o, true, 700000);
    close_out(&o);
}

static void a_long_table_keeps_the_widths_of_its_first_rows(void **state)
{
    struct out o;
    const char *last;

    (void)state;
    open_out(&o, ROWS_TABLE);
    columns(&o, two, 2);
    for (int64_t i = 0; i < 2500; i++)
        row(&o, v_int(i), v_text("x"));
    done(&o, true, 2500);
    fflush(o.file);
    assert_non_null(strstr(o.text, "\n999  x\n1000 x\n"));
    last = strstr(o.text, "\n2499 x\n(2500 rows)\n");
    assert_non_null(last);
    /* One head only. */
    assert_null(strstr(o.text + 4, "id "));
    close_out(&o);
}

static void a_full_disk_is_reported(void **state)
{
    struct out o = {0};
    struct err err = {0};
    enum rc rc = RC_OK;

    (void)state;
    o.file = fopen("/dev/full", "w");
    if (!o.file)
        skip();
    assert_int_equal(rows_new(ROWS_CSV, o.file, &o.rows, &err), RC_OK);
    o.sink = rows_sink(o.rows);
    columns(&o, two, 2);
    for (size_t i = 0; !rc && i < 100000; i++)
        rc = o.sink.row(o.sink.arg, (const struct value[]){v_int(1), v_int(2)},
                        2);
    assert_int_equal(rc, RC_IO);
    close_out(&o);
}

static void too_many_columns_are_refused(void **state)
{
    static const char *names[4096];
    struct out o;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        names[i] = "c";
    open_out(&o, ROWS_TABLE);
    assert_int_equal(o.sink.columns(o.sink.arg, names, ARRAY_LEN(names)),
                     RC_UNSUPPORTED);
    close_out(&o);
}

static void no_memory_is_reported(void **state)
{
    struct rows *rows = NULL;
    struct err err = {0};

    (void)state;
    mem_fail_nth(1);
    assert_int_equal(rows_new(ROWS_TABLE, stdout, &rows, &err), RC_NOMEM);
    mem_fail_nth(0);
    assert_null(rows);
    rows_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_is_aligned_to_its_widest_cell),
        cmocka_unit_test(letters_of_several_bytes_take_one_column),
        cmocka_unit_test(a_line_of_the_table_is_a_row_whatever_it_holds),
        cmocka_unit_test(an_empty_answer_has_a_head),
        cmocka_unit_test(one_row_is_one_row),
        cmocka_unit_test(changes_are_told_to_people_only),
        cmocka_unit_test(csv_quotes_what_needs_quotes),
        cmocka_unit_test(json_escapes_what_json_must),
        cmocka_unit_test(bytes_that_are_no_text_are_replaced_in_json),
        cmocka_unit_test(each_statement_has_its_own_answer),
        cmocka_unit_test(a_long_table_takes_constant_memory),
        cmocka_unit_test(a_long_table_keeps_the_widths_of_its_first_rows),
        cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(too_many_columns_are_refused),
        cmocka_unit_test(no_memory_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
