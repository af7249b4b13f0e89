/* SPDX-License-Identifier: MIT */
#include "driver/mysql/codec.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define DAY_US INT64_C(86400000000)

static void values_are_printed_as_a_server_reads_them(void **state)
{
    const struct {
        struct value v;
        const char *text;
    } want[] = {
        {v_int(0), "0"},
        {v_int(-7), "-7"},
        {v_int(INT64_MAX), "9223372036854775807"},
        {v_int(INT64_MIN), "-9223372036854775808"},
        {v_money(0), "0.00"},
        {v_money(5), "0.05"},
        {v_money(-5), "-0.05"},
        {v_money(123456), "1234.56"},
        {v_money(INT64_MIN), "-92233720368547758.08"},
        {v_rate(1), "0.0001"},
        {v_rate(-12345), "-1.2345"},
        {v_time(0), "1970-01-01 00:00:00.000000"},
        {v_time(-1), "1969-12-31 23:59:59.999999"},
        {v_time(1700000000123456), "2023-11-14 22:13:20.123456"},
        {v_time(951782400000000), "2000-02-29 00:00:00.000000"},
        {v_time(4107542400000000), "2100-03-01 00:00:00.000000"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(want); i++) {
        char text[VALUE_PRINTED_MAX + 1];
        const size_t len = value_print(&want[i].v, text);

        assert_true(len <= VALUE_PRINTED_MAX);
        text[len] = '\0';
        assert_string_equal(text, want[i].text);
    }
}

static void items_of_a_list_have_one_width(void **state)
{
    const int64_t ints[] = {1, -20, INT64_MIN};
    const struct value v = v_ints(ints, 3);
    char text[3 * VALUE_PADDED_BYTES];

    (void)state;
    assert_int_equal(value_print_list(&v, VALUE_LIST_PADDED, text),
                     sizeof(text));
    assert_memory_equal(text,
                        "                   1"
                        "                 -20"
                        "-9223372036854775808",
                        sizeof(text));
}

static void every_day_comes_back(void **state)
{
    (void)state;
    /* From year 1 to 9999 by steps that meet all months. */
    for (int64_t day = -719162; day < 2932896; day += 17) {
        const struct value v = v_time(day * DAY_US + 86399999999);
        char text[VALUE_PRINTED_MAX];
        struct value back;

        assert_true(
            value_parse(VALUE_TIME, text, value_print(&v, text), &back));
        assert_int_equal(back.i, v.i);
    }
}

static void text_is_read_exactly(void **state)
{
    static const struct {
        enum value_type type;
        const char *text;
        int64_t i;
    } want[] = {
        {VALUE_INT, "0", 0},
        {VALUE_INT, "-42", -42},
        {VALUE_INT, "42.000", 42},
        {VALUE_INT, "9223372036854775807", INT64_MAX},
        {VALUE_INT, "-9223372036854775808", INT64_MIN},
        {VALUE_MONEY, "-92233720368547758.08", INT64_MIN},
        {VALUE_MONEY, "12.34", 1234},
        {VALUE_MONEY, "-0.05", -5},
        {VALUE_MONEY, "12", 1200},
        {VALUE_MONEY, "12.5", 1250},
        {VALUE_MONEY, "12.3400", 1234},
        {VALUE_RATE, "0.1234", 1234},
        {VALUE_TIME, "2023-11-14", 1699920000000000},
        {VALUE_TIME, "2023-11-14 22:13:20", 1700000000000000},
        {VALUE_TIME, "2023-11-14 22:13:20.5", 1700000000500000},
        {VALUE_TIME, "2023-11-14T22:13:20.123456", 1700000000123456},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(want); i++) {
        struct value v;

        if (!value_parse(want[i].type, want[i].text, strlen(want[i].text), &v))
            fail_msg("%s is not read", want[i].text);
        assert_int_equal(v.type, want[i].type);
        assert_int_equal(v.i, want[i].i);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    static const struct {
        enum value_type type;
        const char *text;
    } bad[] = {
        {VALUE_INT, ""},
        {VALUE_INT, "-"},
        {VALUE_INT, "x"},
        {VALUE_INT, "1.5"},
        {VALUE_INT, "1e3"},
        {VALUE_INT, "9223372036854775808"},
        {VALUE_INT, "99999999999999999999"},
        {VALUE_MONEY, "1.234"},
        {VALUE_MONEY, "100000000000000000"},
        {VALUE_MONEY, ".5"},
        {VALUE_RATE, "0.12345"},
        {VALUE_TIME, ""},
        {VALUE_TIME, "0000-00-00 00:00:00"},
        {VALUE_TIME, "2023-13-01"},
        {VALUE_TIME, "2023-11-14 24:00:00"},
        {VALUE_TIME, "2023-11-14 22:13"},
        {VALUE_TIME, "2023-11-14 22:13:20.1234567"},
        {VALUE_TIME, "2023-11-14x"},
        {VALUE_NULL, "1"},
        {VALUE_INTS, "1"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct value v;

        if (value_parse(bad[i].type, bad[i].text, strlen(bad[i].text), &v))
            fail_msg("'%s' is read as %" PRId64, bad[i].text, v.i);
    }
}

/* ---- rows of the binary protocol ---- */

static const struct column cols[] = {
    {"a", VALUE_INT},  {"b", VALUE_TEXT}, {"c", VALUE_MONEY},
    {"d", VALUE_TIME}, {"e", VALUE_INT},  {"f", VALUE_INT},
};
static const enum maria_coding codings[] = {
    MARIA_I4, MARIA_TEXT, MARIA_TEXT, MARIA_DATETIME, MARIA_I1, MARIA_I8,
};
/* -2, "ab", 1.50, 2023-11-14 22:13:20.5, NULL, 3 */
static const unsigned char row[] = {
    0,    0x40, 0xfe, 0xff, 0xff, 0xff, 2,  'a', 'b', 4,  '1',  '.',
    '5',  '0',  11,   0xe7, 0x07, 11,   14, 22,  13,  20, 0x20, 0xa1,
    0x07, 0,    3,    0,    0,    0,    0,  0,   0,   0,
};

static void a_row_is_read(void **state)
{
    struct value v[6];

    (void)state;
    assert_true(maria_read_row(row, sizeof(row), codings, cols, 6, v));
    assert_int_equal(v[0].i, -2);
    assert_int_equal(v[1].type, VALUE_TEXT);
    assert_int_equal(v[1].len, 2);
    assert_memory_equal(v[1].s, "ab", 2);
    assert_int_equal(v[2].type, VALUE_MONEY);
    assert_int_equal(v[2].i, 150);
    assert_int_equal(v[3].i, 1700000000500000);
    assert_true(value_is_null(&v[4]));
    assert_int_equal(v[5].i, 3);
}

static void a_row_that_is_cut_is_refused(void **state)
{
    struct value v[6];
    unsigned char copy[sizeof(row) + 1] = {0};

    (void)state;
    memcpy(copy, row, sizeof(row));
    for (size_t len = 0; len < sizeof(row); len++)
        assert_false(maria_read_row(copy, len, codings, cols, 6, v));
    assert_false(maria_read_row(copy, sizeof(copy), codings, cols, 6, v));
}

static void integers_keep_their_sign(void **state)
{
    static const struct column col = {"a", VALUE_INT};
    static const unsigned char ff[] = {0,    0,    0xff, 0xff, 0xff,
                                       0xff, 0xff, 0xff, 0xff, 0xff};
    static const struct {
        enum maria_coding coding;
        size_t bytes;
        int64_t i;
    } want[] = {
        {MARIA_I1, 1, -1},    {MARIA_U1, 1, 255}, {MARIA_I2, 2, -1},
        {MARIA_U2, 2, 65535}, {MARIA_I4, 4, -1},  {MARIA_U4, 4, 4294967295},
        {MARIA_I8, 8, -1},
    };
    const enum maria_coding big = MARIA_U8;
    struct value v;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(want); i++) {
        assert_true(maria_read_row(ff, 2 + want[i].bytes, &want[i].coding, &col,
                                   1, &v));
        assert_int_equal(v.i, want[i].i);
    }
    assert_false(maria_read_row(ff, sizeof(ff), &big, &col, 1, &v));
}

static void types_are_known_by_their_numbers(void **state)
{
    (void)state;
    assert_int_equal(maria_coding_of(3, false), MARIA_I4);
    assert_int_equal(maria_coding_of(3, true), MARIA_U4);
    assert_int_equal(maria_coding_of(246, false), MARIA_TEXT);
    assert_int_equal(maria_coding_of(12, false), MARIA_DATETIME);
    assert_int_equal(maria_coding_of(5, false), MARIA_UNKNOWN);  /* DOUBLE */
    assert_int_equal(maria_coding_of(11, false), MARIA_UNKNOWN); /* TIME */
    assert_false(maria_can_decode(MARIA_UNKNOWN, VALUE_TEXT));
    assert_true(maria_can_decode(MARIA_TEXT, VALUE_MONEY));
    assert_false(maria_can_decode(MARIA_I4, VALUE_TEXT));
    assert_false(maria_can_decode(MARIA_DATETIME, VALUE_INT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_printed_as_a_server_reads_them),
        cmocka_unit_test(items_of_a_list_have_one_width),
        cmocka_unit_test(every_day_comes_back),
        cmocka_unit_test(text_is_read_exactly),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(a_row_is_read),
        cmocka_unit_test(a_row_that_is_cut_is_refused),
        cmocka_unit_test(integers_keep_their_sign),
        cmocka_unit_test(types_are_known_by_their_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
