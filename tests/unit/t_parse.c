/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "base/parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Texts that are right have no error, those that are wrong have no value. */
struct unsigned_case {
    const char *text;
    uint64_t value;
    const char *error;
};

static void whole_numbers_are_strict(void **state)
{
    static const struct unsigned_case cases[] = {
        {"0", 0, NULL},
        {"007", 7, NULL},
        {"18446744073709551615", UINT64_MAX, NULL},
        {"18446744073709551616", 0, "'18446744073709551616' is too large"},
        {"-1", 0, "'-1' is negative"},
        {"abc", 0, "'abc' is not a whole number"},
        {"", 0, "'' is not a whole number"},
        {"1.5", 0, "'1.5' is not a whole number"},
        {" 1", 0, "' 1' is not a whole number"},
        {"1 ", 0, "'1 ' is not a whole number"},
        {"+1", 0, "'+1' is not a whole number"},
        {"0x10", 0, "'0x10' is not a whole number"},
        {"-", 0, "'-' is not a whole number"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct unsigned_case *c = &cases[i];
        struct err err = {0};
        uint64_t out = 99;

        assert_int_equal(parse_u64(c->text, &out, &err),
                         c->error ? RC_USAGE : RC_OK);
        assert_int_equal(out, c->error ? 99 : c->value);
        assert_string_equal(err.text, c->error ? c->error : "");
    }
}

static void signed_numbers_reach_both_ends(void **state)
{
    int64_t out = 0;

    (void)state;
    assert_int_equal(parse_i64("-9223372036854775808", &out, NULL), RC_OK);
    assert_true(out == INT64_MIN);
    assert_int_equal(parse_i64("9223372036854775807", &out, NULL), RC_OK);
    assert_true(out == INT64_MAX);
    assert_int_equal(parse_i64("-12", &out, NULL), RC_OK);
    assert_true(out == -12);
    assert_int_equal(parse_i64("9223372036854775808", &out, NULL), RC_USAGE);
    assert_int_equal(parse_i64("-9223372036854775809", &out, NULL), RC_USAGE);
    assert_int_equal(parse_i64("--1", &out, NULL), RC_USAGE);
    assert_int_equal(parse_i64("-", &out, NULL), RC_USAGE);
    assert_true(out == -12);
}

#define NOT_TIME(text) \
    "'" text "' is not a time such as 90, 1.5s, 200ms or 1h30m"

static void durations_are_strict(void **state)
{
    static const struct unsigned_case cases[] = {
        {"0", 0, NULL},
        {"90", 90 * (uint64_t)NS_PER_S, NULL},
        {"1.5s", 1500 * (uint64_t)NS_PER_MS, NULL},
        {"0.25", 250 * (uint64_t)NS_PER_MS, NULL},
        {"200ms", 200 * (uint64_t)NS_PER_MS, NULL},
        {"50us", 50 * (uint64_t)NS_PER_US, NULL},
        {"7ns", 7, NULL},
        {"0.3us", 300, NULL},
        {"5m", 300 * (uint64_t)NS_PER_S, NULL},
        {"2h", 7200 * (uint64_t)NS_PER_S, NULL},
        {"1h30m", 5400 * (uint64_t)NS_PER_S, NULL},
        {"1d1h1m1s1ms", 90061001 * (uint64_t)NS_PER_MS, NULL},
        {"1.1m", 66 * (uint64_t)NS_PER_S, NULL},
        {"", 0, NOT_TIME("")},
        {"s", 0, NOT_TIME("s")},
        {"-1s", 0, NOT_TIME("-1s")},
        {"1.", 0, NOT_TIME("1.")},
        {".5s", 0, NOT_TIME(".5s")},
        {"5 s", 0, NOT_TIME("5 s")},
        {"5w", 0, NOT_TIME("5w")},
        {"1h30", 0, NOT_TIME("1h30")},
        {"30m1h", 0, NOT_TIME("30m1h")},
        {"1s1s", 0, NOT_TIME("1s1s")},
        {"1e3", 0, NOT_TIME("1e3")},
        {"9223372037s", 0, "'9223372037s' is too large"},
        {"99999999999999999999", 0, "'99999999999999999999' is too large"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct unsigned_case *c = &cases[i];
        struct err err = {0};
        int64_t out = 99;

        assert_int_equal(parse_duration(c->text, &out, &err),
                         c->error ? RC_USAGE : RC_OK);
        assert_int_equal(out, c->error ? 99 : c->value);
        assert_string_equal(err.text, c->error ? c->error : "");
    }
}

#define NOT_SIZE(text) "'" text "' is not a size such as 64, 64KiB or 512MB"

static void sizes_are_strict(void **state)
{
    static const struct unsigned_case cases[] = {
        {"64", 64, NULL},
        {"64B", 64, NULL},
        {"64k", 65536, NULL},
        {"64KiB", 65536, NULL},
        {"512MB", UINT64_C(512) << 20, NULL},
        {"1.5G", UINT64_C(1536) << 20, NULL},
        {"2tb", UINT64_C(2) << 40, NULL},
        {"16777215T", UINT64_C(16777215) << 40, NULL},
        {"16777216T", 0, "'16777216T' is too large"},
        {"1.5", 0, NOT_SIZE("1.5")},
        {"", 0, NOT_SIZE("")},
        {"MB", 0, NOT_SIZE("MB")},
        {"1MBB", 0, NOT_SIZE("1MBB")},
        {"1 MB", 0, NOT_SIZE("1 MB")},
        {"-1", 0, NOT_SIZE("-1")},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct unsigned_case *c = &cases[i];
        struct err err = {0};
        uint64_t out = 99;

        assert_int_equal(parse_bytes(c->text, &out, &err),
                         c->error ? RC_USAGE : RC_OK);
        assert_int_equal(out, c->error ? 99 : c->value);
        assert_string_equal(err.text, c->error ? c->error : "");
    }
}

static void shares_are_the_nearest_double(void **state)
{
    static const struct {
        const char *text;
        double value; /* negative: refused */
    } cases[] = {
        {"0", 0},        {"1", 1},         {"0.5", 0.5},
        {"0.1", 0.1},    {"50%", 0.5},     {"100%", 1},
        {"0.1%", 0.001}, {"4.3%", 0.043},  {"1.01", -1},
        {"101%", -1},    {"100.001%", -1}, {"-0.1", -1},
        {"", -1},        {"nan", -1},      {"inf", -1},
        {"0x1p-1", -1},  {"0,5", -1},      {"50%%", -1},
        {".5", -1},      {"%", -1},        {"18446744074", -1},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const bool good = cases[i].value >= 0;
        double out = 99;

        assert_int_equal(parse_share(cases[i].text, &out, NULL),
                         good ? RC_OK : RC_USAGE);
        assert_true(out == (good ? cases[i].value : 99));
    }
}

static void switches_have_four_spellings(void **state)
{
    static const char *const texts[] = {"off",   "on",   "no", "yes",
                                        "false", "TRUE", "0",  "1"};
    struct err err = {0};
    bool out = false;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        out = i % 2 == 0;
        assert_int_equal(parse_bool(texts[i], &out, &err), RC_OK);
        assert_int_equal(out, i % 2);
    }
    assert_int_equal(parse_bool("maybe", &out, &err), RC_USAGE);
    assert_string_equal(err.text, "'maybe' is neither on nor off");
}

static void durations_read_well(void **state)
{
    static const struct {
        int64_t ns;
        const char *text;
    } cases[] = {
        {0, "0s"},
        {999, "999ns"},
        {1001, "1.001us"},
        {1010, "1.01us"},
        {100 * NS_PER_US, "100us"},
        {1500, "1.5us"},
        {250 * NS_PER_MS, "250ms"},
        {1234567, "1.235ms"},
        {999999700, "1s"},
        {1500 * NS_PER_MS, "1.5s"},
        {10 * NS_PER_S, "10s"},
        {-10 * NS_PER_S, "-10s"},
        {90 * NS_PER_S, "1m30s"},
        {300 * NS_PER_S, "5m"},
        {7200 * NS_PER_S, "2h"},
        {5400 * NS_PER_S, "1h30m"},
        {3601 * NS_PER_S, "1h0m1s"},
        {INT64_MAX, "2562047h47m17s"},
        {INT64_MIN, "-2562047h47m17s"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char out[32];

        format_duration(cases[i].ns, out, sizeof(out));
        assert_string_equal(out, cases[i].text);
    }
}

static void counts_and_sizes_read_well(void **state)
{
    static const struct {
        uint64_t n;
        const char *count, *bytes;
    } cases[] = {
        {0, "0", "0 B"},
        {999, "999", "999 B"},
        {1023, "1,023", "1023 B"},
        {1024, "1,024", "1.0 KB"},
        {1234567, "1,234,567", "1.2 MB"},
        {12897485, "12,897,485", "12.3 MB"},
        {1048575, "1,048,575", "1.0 MB"},
        {UINT64_MAX, "18,446,744,073,709,551,615", "16777216.0 TB"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char out[32];

        format_count(cases[i].n, out, sizeof(out));
        assert_string_equal(out, cases[i].count);
        format_bytes(cases[i].n, out, sizeof(out));
        assert_string_equal(out, cases[i].bytes);
    }
}

static void short_room_cuts_and_ends(void **state)
{
    char out[4] = "xxx";

    (void)state;
    format_count(1234567, out, sizeof(out));
    assert_true(strlen(out) < sizeof(out));
    format_count(1, out, 0);
}

static void slips_of_the_finger_are_recognised(void **state)
{
    static const char *const names[] = {
        "warehouses", "vus", "duration", "db", "ramp-up", "fixed", "spread",
    };
    static const struct {
        const char *text, *nearest;
    } cases[] = {
        {"warehuses", "warehouses"},
        {"warehouse", "warehouses"},
        {"vsu", "vus"},
        {"vu", "vus"},
        {"spred", "spread"},
        {"duratoin", "duration"},
        {"ramp_up", "ramp-up"},
        {"db", "db"},
        {"bd", "db"},
        {"xy", NULL},
        {"", NULL},
        {"completely-else", NULL},
        {"fx", NULL},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *got = nearest_name(cases[i].text, names, ARRAY_LEN(names));

        if (cases[i].nearest) {
            assert_non_null(got);
            assert_string_equal(got, cases[i].nearest);
        } else {
            assert_null(got);
        }
    }
}

static void very_long_names_have_no_neighbour(void **state)
{
    char text[200];
    const char *const names[] = {text, "vus"};

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    assert_null(nearest_name(text, names, 2));
    assert_ptr_equal(nearest_name("vus", names, 2), names[1]);
    assert_null(nearest_name("vus", NULL, 0));
}

static void wall_time_is_written_in_utc(void **state)
{
    static const struct {
        int64_t us;
        const char *text;
    } cases[] = {
        {0, "1970-01-01T00:00:00Z"},
        {-1, "1969-12-31T23:59:59Z"},
        {INT64_C(1796029500999999), "2026-11-30T09:05:00Z"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char out[21];

        clock_format_utc(cases[i].us, out, sizeof(out));
        assert_string_equal(out, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_are_strict),
        cmocka_unit_test(signed_numbers_reach_both_ends),
        cmocka_unit_test(durations_are_strict),
        cmocka_unit_test(sizes_are_strict),
        cmocka_unit_test(shares_are_the_nearest_double),
        cmocka_unit_test(switches_have_four_spellings),
        cmocka_unit_test(durations_read_well),
        cmocka_unit_test(counts_and_sizes_read_well),
        cmocka_unit_test(short_room_cuts_and_ends),
        cmocka_unit_test(slips_of_the_finger_are_recognised),
        cmocka_unit_test(very_long_names_have_no_neighbour),
        cmocka_unit_test(wall_time_is_written_in_utc),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
