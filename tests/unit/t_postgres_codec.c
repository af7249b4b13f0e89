/* SPDX-License-Identifier: MIT */
/* The parts of the PostgreSQL driver that need no server. */
#include "driver/postgres/classify.h"
#include "driver/postgres/codec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define INT2_OID 21
#define INT4_OID 23
#define NUMERIC_OID 1700

static void every_sqlstate_has_its_class(void **state)
{
    static const struct {
        const char *sqlstate;
        enum rc rc;
    } want[] = {
        {"40001", RC_DB_RETRY},      {"40P01", RC_DB_RETRY},
        {"55P03", RC_DB_RETRY},      {"40003", RC_DB_UNKNOWN},
        {"40002", RC_DB_CONSTRAINT}, {"57P01", RC_DB_GONE},
        {"57P02", RC_DB_GONE},       {"57P04", RC_DB_GONE},
        {"57P05", RC_DB_GONE},       {"25P03", RC_DB_GONE},
        {"25P04", RC_DB_GONE},       {"57P03", RC_DB_GONE},
        {"53300", RC_DB_LIMIT},      {"53400", RC_DB_LIMIT},
        {"53200", RC_DB_LIMIT},      {"53100", RC_DB_NO_SPACE},
        {"57014", RC_DB_TIMEOUT},    {"42501", RC_DB_PERMISSION},
        {"3D000", RC_NOT_FOUND},     {"3F000", RC_NOT_FOUND},
        {"08000", RC_DB_GONE},       {"08P01", RC_DB_GONE},
        {"08006", RC_DB_GONE},       {"23000", RC_DB_CONSTRAINT},
        {"23503", RC_DB_CONSTRAINT}, {"23505", RC_DB_CONSTRAINT},
        {"28000", RC_DB_PERMISSION}, {"28P01", RC_DB_PERMISSION},
        {"42P01", RC_DB_ERROR},      {"25P02", RC_DB_ERROR},
        {"XX000", RC_DB_ERROR},      {"", RC_DB_ERROR},
        {NULL, RC_DB_GONE},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(want); i++)
        assert_int_equal(pg_classify(want[i].sqlstate), want[i].rc);
}

static void the_code_is_found_in_a_verbose_text(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"connection to server at \"h\", port 1 failed: FATAL:  28P01: "
         "password authentication failed\nLOCATION:  auth_failed, auth.c:1\n",
         "28P01"},
        {"a failed: FATAL:  3D000: x\nb failed: FATAL:  53300: y\n", "53300"},
        {"connection to server failed: Connection refused", ""},
        {"FATAL:  no code at all", ""},
        {"FATAL:  12345", ""},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char code[6] = "xxxxx";

        pg_find_sqlstate(cases[i].text, code);
        assert_string_equal(code, cases[i].want);
    }
}

static void numerics_are_written_as_the_server_writes_them(void **state)
{
    /* From SELECT numeric_send(…). */
    static const struct {
        struct value v;
        size_t len;
        const char *bytes;
    } cases[] = {
        {{.type = VALUE_INT, .i = 0}, 8, "\0\0\0\0\0\0\0\0"},
        {{.type = VALUE_INT, .i = 1}, 10, "\0\1\0\0\0\0\0\0\0\1"},
        {{.type = VALUE_INT, .i = 10000}, 10, "\0\1\0\1\0\0\0\0\0\1"},
        {{.type = VALUE_MONEY, .i = 0}, 8, "\0\0\0\0\0\0\0\2"},
        {{.type = VALUE_MONEY, .i = 1}, 10, "\0\1\377\377\0\0\0\2\0\144"},
        {{.type = VALUE_MONEY, .i = -1234567},
         14,
         "\0\3\0\1\100\0\0\2\0\1\011\051\032\054"},
        {{.type = VALUE_RATE, .i = 1250}, 10, "\0\1\377\377\0\0\0\4\004\342"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char out[PG_ENCODED_MAX];

        assert_int_equal(pg_encode(PG_NUMERIC, &cases[i].v, out), cases[i].len);
        assert_memory_equal(out, cases[i].bytes, cases[i].len);
    }
}

static void every_number_survives_as_numeric(void **state)
{
    static const int64_t numbers[] = {
        0,           1,         -1,
        99,          100,       9999,
        10000,       10001,     -99999999,
        100000000,   123456789, 1000000000000,
        INT64_MAX,   INT64_MIN, INT64_MAX / 7,
        -5000000000,
    };
    static const enum value_type types[] = {VALUE_INT, VALUE_MONEY, VALUE_RATE};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(numbers) * ARRAY_LEN(types); i++) {
        const struct value v = {.type = types[i % ARRAY_LEN(types)],
                                .i = numbers[i / ARRAY_LEN(types)]};
        char bytes[PG_ENCODED_MAX];
        struct value back;
        int len = pg_encode(PG_NUMERIC, &v, bytes);

        assert_in_range(len, 8, PG_ENCODED_MAX);
        assert_true(pg_decode(PG_NUMERIC, v.type, bytes, (size_t)len, &back));
        assert_int_equal(back.type, v.type);
        assert_int_equal(back.i, v.i);
    }
}

static bool decode_numeric(enum value_type type, const char *bytes, size_t len,
                           int64_t *out)
{
    struct value v;
    /* Exactly as long as it says, so that reading beyond it is caught. */
    char *copy = malloc(len);
    bool ok;

    assert_non_null(copy);
    memcpy(copy, bytes, len);
    ok = pg_decode(PG_NUMERIC, type, copy, len, &v);
    free(copy);
    *out = v.i;
    return ok;
}

static void a_numeric_that_does_not_fit_is_refused(void **state)
{
    static const struct {
        enum value_type type;
        size_t len;
        const char *bytes;
    } bad[] = {
        /* 0.001 as money, 1.5 as int, 0.00005 as rate */
        {VALUE_MONEY, 10, "\0\1\377\377\0\0\0\3\0\012"},
        {VALUE_INT, 12, "\0\2\0\0\0\0\0\1\0\1\023\210"},
        {VALUE_RATE, 10, "\0\1\377\376\0\0\0\5\023\210"},
        /* NaN, infinity */
        {VALUE_INT, 8, "\0\0\0\0\300\0\0\0"},
        {VALUE_INT, 8, "\0\0\0\0\320\0\0\0"},
        /* 10^20; cut short; a length that lies */
        {VALUE_INT, 10, "\0\1\0\5\0\0\0\0\0\1"},
        {VALUE_INT, 7, "\0\0\0\0\0\0\0"},
        {VALUE_INT, 10, "\0\2\0\0\0\0\0\0\0\1"},
        {VALUE_INT, 8, "\177\377\0\0\0\0\0\0"},
    };
    int64_t n;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_false(decode_numeric(bad[i].type, bad[i].bytes, bad[i].len, &n));
    /* 1.50 in four digits behind the point is exact as money. */
    assert_true(
        decode_numeric(VALUE_MONEY, "\0\2\0\0\0\0\0\4\0\1\023\210", 12, &n));
    assert_int_equal(n, 150);
}

static void integers_keep_to_the_range_of_their_type(void **state)
{
    static const struct {
        enum pg_coding coding;
        int64_t i;
        int len;
    } cases[] = {
        {PG_INT2, 32767, 2},     {PG_INT2, -32768, 2},
        {PG_INT2, 32768, -1},    {PG_INT4, INT32_MAX, 4},
        {PG_INT4, INT32_MIN, 4}, {PG_INT4, INT64_C(1) << 31, -1},
        {PG_INT8, INT64_MAX, 8}, {PG_INT8, INT64_MIN, 8},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct value v = v_int(cases[i].i);
        char out[PG_ENCODED_MAX];
        struct value back;

        assert_int_equal(pg_encode(cases[i].coding, &v, out), cases[i].len);
        if (cases[i].len < 0)
            continue;
        assert_true(pg_decode(cases[i].coding, VALUE_INT, out,
                              (size_t)cases[i].len, &back));
        assert_int_equal(back.i, v.i);
    }
}

static void times_count_from_1970(void **state)
{
    static const int64_t times[] = {0, -1, 946684800000000, 1700000000123456};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(times); i++) {
        const struct value v = v_time(times[i]);
        char out[PG_ENCODED_MAX];
        struct value back;

        assert_int_equal(pg_encode(PG_TIMESTAMP, &v, out), 8);
        assert_true(pg_decode(PG_TIMESTAMP, VALUE_TIME, out, 8, &back));
        assert_int_equal(back.i, v.i);
    }
}

static void an_infinite_time_is_refused(void **state)
{
    struct value v;

    (void)state;
    assert_false(pg_decode(PG_TIMESTAMP, VALUE_TIME,
                           "\177\377\377\377\377\377\377\377", 8, &v));
    assert_false(
        pg_decode(PG_TIMESTAMP, VALUE_TIME, "\200\0\0\0\0\0\0\0", 8, &v));
}

static void lists_are_arrays_of_one_dimension(void **state)
{
    static const int64_t items[] = {7, -1};
    const struct value some = v_ints(items, 2), none = v_ints(NULL, 0);
    char out[PG_ENCODED_MAX + 2 * PG_ITEM_MAX];

    (void)state;
    assert_int_equal(pg_encode(PG_INT4S, &some, out), 36);
    assert_memory_equal(out,
                        "\0\0\0\1\0\0\0\0\0\0\0\27\0\0\0\2\0\0\0\1"
                        "\0\0\0\4\0\0\0\7\0\0\0\4\377\377\377\377",
                        36);
    assert_int_equal(pg_encode(PG_INT4S, &none, out), 12);
    assert_memory_equal(out, "\0\0\0\0\0\0\0\0\0\0\0\27", 12);
}

static void values_print_as_the_server_reads_them(void **state)
{
    static const int64_t items[] = {1, -20, INT64_MIN};
    const struct {
        struct value v;
        const char *want;
    } cases[] = {
        {v_int(-7), "-7"},
        {v_int(INT64_MIN), "-9223372036854775808"},
        {v_money(-5), "-0.05"},
        {v_money(123456), "1234.56"},
        {v_rate(1), "0.0001"},
        {v_time(0), "1970-01-01T00:00:00.000000Z"},
        {v_time(-1), "1969-12-31T23:59:59.999999Z"},
        {v_time(1700000000123456), "2023-11-14T22:13:20.123456Z"},
        {v_ints(items, 3), "{1,-20,-9223372036854775808}"},
        {v_ints(items, 0), "{}"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char out[PG_PRINTED_MAX + 3 * PG_ITEM_MAX];

        assert_int_equal(pg_print(&cases[i].v, out), strlen(cases[i].want));
        assert_string_equal(out, cases[i].want);
    }
}

static void a_type_that_is_not_known_takes_text(void **state)
{
    (void)state;
    assert_int_equal(pg_coding_of(INT4_OID), PG_INT4);
    assert_int_equal(pg_coding_of(701), PG_UNKNOWN); /* float8 */
    assert_true(pg_can_encode(pg_coding_of(INT2_OID), VALUE_INT));
    assert_true(pg_can_encode(pg_coding_of(NUMERIC_OID), VALUE_MONEY));
    assert_false(pg_can_encode(pg_coding_of(INT4_OID), VALUE_MONEY));
    assert_false(pg_can_encode(PG_UNKNOWN, VALUE_TEXT));
    assert_false(pg_can_decode(PG_UNKNOWN, VALUE_TEXT));
    assert_false(pg_can_decode(PG_TEXT, VALUE_INT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sqlstate_has_its_class),
        cmocka_unit_test(the_code_is_found_in_a_verbose_text),
        cmocka_unit_test(numerics_are_written_as_the_server_writes_them),
        cmocka_unit_test(every_number_survives_as_numeric),
        cmocka_unit_test(a_numeric_that_does_not_fit_is_refused),
        cmocka_unit_test(integers_keep_to_the_range_of_their_type),
        cmocka_unit_test(times_count_from_1970),
        cmocka_unit_test(an_infinite_time_is_refused),
        cmocka_unit_test(lists_are_arrays_of_one_dimension),
        cmocka_unit_test(values_print_as_the_server_reads_them),
        cmocka_unit_test(a_type_that_is_not_known_takes_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
