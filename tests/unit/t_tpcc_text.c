/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define LEN_MAX 512

static struct rng stream(uint64_t seed)
{
    struct rng r;

    rng_init(&r, seed, 0, RNG_DATA);
    return r;
}

static bool is_alnum(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z');
}

static void strings_have_the_length_asked_and_stay_in_their_slack(void **state)
{
    char area[LEN_MAX + TEXT_SLACK + 1];
    struct rng r = stream(1);

    (void)state;
    for (size_t len = 0; len <= LEN_MAX; len++) {
        memset(area, '#', sizeof(area));
        assert_ptr_equal(text_alnum(&r, area, len), area + len);
        for (size_t i = 0; i < len; i++)
            assert_true(is_alnum(area[i]));
        assert_int_equal(area[len + TEXT_SLACK], '#');
    }
}

/* Sixty-two symbols, each position of a draw on its own: chi-square with 61
 * degrees of freedom is below 130 but for one time in a million. */
static void every_position_is_uniform_over_62_symbols(void **state)
{
    enum { N = 62000, LEN = 10 };
    static unsigned counts[LEN][128];
    struct rng r = stream(2);

    (void)state;
    for (size_t k = 0; k < N; k++) {
        char s[LEN + TEXT_SLACK];

        text_alnum(&r, s, LEN);
        for (size_t i = 0; i < LEN; i++)
            counts[i][(unsigned char)s[i]]++;
    }
    for (size_t i = 0; i < LEN; i++) {
        uint64_t squares = 0;
        size_t symbols = 0;

        for (size_t c = 0; c < 128; c++) {
            const int64_t off = (int64_t)counts[i][c] - N / 62;

            symbols += counts[i][c] > 0;
            if (counts[i][c] > 0)
                squares += (uint64_t)(off * off);
        }
        assert_int_equal(symbols, 62);
        assert_true(squares / (N / 62) < 130);
    }
}

static void lengths_are_uniform_with_both_ends(void **state)
{
    unsigned counts[32] = {0};
    struct rng r = stream(3);

    (void)state;
    for (size_t k = 0; k < 11000; k++) {
        char s[32 + TEXT_SLACK];
        const size_t len = (size_t)(text_alnum_range(&r, s, 10, 20) - s);

        assert_in_range(len, 10, 20);
        counts[len]++;
    }
    for (size_t len = 10; len <= 20; len++)
        assert_in_range(counts[len], 850, 1150); /* 1000, five sigma */
}

static void number_strings_are_digits(void **state)
{
    struct rng r = stream(4);
    bool seen[10] = {false};

    (void)state;
    for (size_t k = 0; k < 1000; k++) {
        char s[16 + TEXT_SLACK];

        assert_ptr_equal(text_digits(&r, s, 16), s + 16);
        for (size_t i = 0; i < 16; i++) {
            assert_in_range(s[i], '0', '9');
            seen[s[i] - '0'] = true;
        }
    }
    for (size_t i = 0; i < 10; i++)
        assert_true(seen[i]);
}

static void a_zip_is_four_digits_and_11111(void **state)
{
    struct rng r = stream(5);

    (void)state;
    for (size_t k = 0; k < 100; k++) {
        char s[9 + TEXT_SLACK];

        assert_ptr_equal(text_zip(&r, s), s + 9);
        for (size_t i = 0; i < 4; i++)
            assert_in_range(s[i], '0', '9');
        assert_memory_equal(s + 4, "11111", 5);
    }
}

static void a_state_is_two_capitals_of_all_26(void **state)
{
    struct rng r = stream(6);
    bool seen[2][26] = {{false}};

    (void)state;
    for (size_t k = 0; k < 2000; k++) {
        char s[2 + TEXT_SLACK];

        assert_ptr_equal(text_state(&r, s), s + 2);
        for (size_t i = 0; i < 2; i++) {
            assert_in_range(s[i], 'A', 'Z');
            seen[i][s[i] - 'A'] = true;
        }
    }
    for (size_t i = 0; i < 26; i++)
        assert_true(seen[0][i] && seen[1][i]);
}

static void a_tenth_of_the_data_is_original_at_any_place(void **state)
{
    enum { N = 100000 };
    struct rng r = stream(7);
    size_t n = 0;
    bool first = false, last = false;

    (void)state;
    for (size_t k = 0; k < N; k++) {
        char s[50 + TEXT_SLACK];
        const size_t len = (size_t)(text_data(&r, s, 26, 50) - s);
        const char *at = memmem(s, len, "ORIGINAL", 8);

        assert_in_range(len, 26, 50);
        if (!at)
            continue;
        n++;
        first = first || at == s;
        last = last || at + 8 == s + len;
    }
    assert_in_range(n, 9526, 10474); /* five sigma */
    assert_true(first);
    assert_true(last);
}

static void the_same_stream_makes_the_same_text(void **state)
{
    struct rng a = stream(8), b = stream(8), other = stream(9);
    char s[3][64 + TEXT_SLACK];

    (void)state;
    text_alnum(&a, s[0], 64);
    text_alnum(&b, s[1], 64);
    text_alnum(&other, s[2], 64);
    assert_memory_equal(s[0], s[1], 64);
    assert_memory_not_equal(s[0], s[2], 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_have_the_length_asked_and_stay_in_their_slack),
        cmocka_unit_test(every_position_is_uniform_over_62_symbols),
        cmocka_unit_test(lengths_are_uniform_with_both_ends),
        cmocka_unit_test(number_strings_are_digits),
        cmocka_unit_test(a_zip_is_four_digits_and_11111),
        cmocka_unit_test(a_state_is_two_capitals_of_all_26),
        cmocka_unit_test(a_tenth_of_the_data_is_original_at_any_place),
        cmocka_unit_test(the_same_stream_makes_the_same_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
