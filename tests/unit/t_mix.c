/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/mix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DEFAULT_MIX \
    "new_order=45,payment=43,order_status=4,delivery=4,stock_level=4"

struct draws {
    uint64_t n[TPCC_N_TXNS];
};

static struct mix parse_ok(const char *text)
{
    struct err err = {0};
    struct mix mix;

    if (mix_parse(text, &mix, &err))
        fail_msg("'%s': %s", text, err.text);
    return mix;
}

static struct draws draw_many(const struct mix *mix, uint64_t seed, uint64_t n)
{
    struct draws d = {{0}};
    struct mix_state cards;
    struct rng rng;

    rng_init(&rng, seed, 0, RNG_CHOICE);
    mix_state_init(&cards);
    for (uint64_t i = 0; i < n; i++)
        d.n[mix_next(mix, &cards, &rng)]++;
    return d;
}

/* The share is parts of 1000; five standard deviations of 100,000 draws are at
 * most 7.9 thousandths. */
static void assert_share(uint64_t n, int64_t want_per_mille)
{
    const int64_t got = (int64_t)(n / 100);

    if (llabs(got - want_per_mille) > 8)
        fail_msg("share %lld of 1000, want %lld", (long long)got,
                 (long long)want_per_mille);
}

static void weights_give_their_shares(void **state)
{
    const struct mix mix = parse_ok(DEFAULT_MIX);
    const struct draws d = draw_many(&mix, 1, 100000);

    (void)state;
    assert_share(d.n[TPCC_NEW_ORDER], 450);
    assert_share(d.n[TPCC_PAYMENT], 430);
    assert_share(d.n[TPCC_ORDER_STATUS], 40);
    assert_share(d.n[TPCC_DELIVERY], 40);
    assert_share(d.n[TPCC_STOCK_LEVEL], 40);
}

static void shares_need_not_sum_to_100_and_may_have_decimals(void **state)
{
    const struct mix mix = parse_ok("payment=0.125,new_order=.375");
    const struct draws d = draw_many(&mix, 2, 100000);

    (void)state;
    assert_share(d.n[TPCC_PAYMENT], 250);
    assert_share(d.n[TPCC_NEW_ORDER], 750);
}

static void a_share_of_0_is_never_drawn(void **state)
{
    const struct mix mix = parse_ok("new_order=0,payment=1,delivery=0.000");
    const struct draws d = draw_many(&mix, 3, 1000);

    (void)state;
    assert_int_equal(d.n[TPCC_PAYMENT], 1000);
}

static void the_deck_is_exact_after_each_23_cards(void **state)
{
    const struct mix mix = parse_ok("deck");
    struct mix_state cards;
    struct rng rng;

    (void)state;
    rng_init(&rng, 4, 0, RNG_CHOICE);
    mix_state_init(&cards);
    for (size_t i = 0; i < 1000; i++) {
        struct draws d = {{0}};

        for (size_t k = 0; k < MIX_DECK_CARDS; k++)
            d.n[mix_next(&mix, &cards, &rng)]++;
        assert_int_equal(d.n[TPCC_NEW_ORDER], 10);
        assert_int_equal(d.n[TPCC_PAYMENT], 10);
        assert_int_equal(d.n[TPCC_ORDER_STATUS], 1);
        assert_int_equal(d.n[TPCC_DELIVERY], 1);
        assert_int_equal(d.n[TPCC_STOCK_LEVEL], 1);
    }
}

/* Each of 23 places holds the Delivery of 1/23 of the decks: of 23,000 decks
 * 1000, and five standard deviations are 155. */
static void the_deck_is_shuffled_evenly(void **state)
{
    const struct mix mix = parse_ok("deck");
    uint64_t at[MIX_DECK_CARDS] = {0};
    struct mix_state cards;
    struct rng rng;

    (void)state;
    rng_init(&rng, 5, 0, RNG_CHOICE);
    mix_state_init(&cards);
    for (size_t i = 0; i < 23000; i++) {
        for (size_t k = 0; k < MIX_DECK_CARDS; k++)
            at[k] += mix_next(&mix, &cards, &rng) == TPCC_DELIVERY;
    }
    for (size_t k = 0; k < MIX_DECK_CARDS; k++)
        assert_in_range(at[k], 845, 1155);
}

static void look_ups_come_up_evenly_and_nothing_else_does(void **state)
{
    const struct mix mix = parse_ok("lookup");
    const struct draws d = draw_many(&mix, 6, 100000);

    (void)state;
    for (int i = TPCC_NEW_ORDER; i <= TPCC_STOCK_LEVEL; i++)
        assert_int_equal(d.n[i], 0);
    for (int i = TPCC_LOOKUP_WAREHOUSE; i < TPCC_N_TXNS; i++)
        assert_share(d.n[i], 167);
}

static void the_same_stream_draws_the_same_transactions(void **state)
{
    static const char *const mixes[] = {DEFAULT_MIX, "deck", "lookup"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(mixes); i++) {
        const struct mix mix = parse_ok(mixes[i]);
        struct mix_state cards[2];
        struct rng rng[2];

        for (size_t k = 0; k < 2; k++) {
            rng_init(&rng[k], 7, 3, RNG_CHOICE);
            mix_state_init(&cards[k]);
        }
        for (size_t n = 0; n < 1000; n++)
            assert_int_equal(mix_next(&mix, &cards[0], &rng[0]),
                             mix_next(&mix, &cards[1], &rng[1]));
    }
}

static void what_is_wrong_with_a_mix_is_named(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"", "'' is no transaction"},
        {"new_oder=45", "'new_oder' is no transaction; did you mean "
                        "'new_order'"},
        {"quick", "write 'deck', 'lookup' or NAME=SHARE"},
        {"new_order", "'new_order' has no share; write new_order=45"},
        {"new_order=", "'new_order=' has no share"},
        {"new_order=x", "'new_order=x' has no share"},
        {"new_order=-1", "'new_order=-1' has no share"},
        {"new_order=1.2345", "'new_order=1.2345' has no share"},
        {"new_order=1.2.3", "'new_order=1.2.3' has no share"},
        {"new_order=1234567890123", "has no share"},
        {"new_order=1,", "'' is no transaction"},
        {"new_order=1,payment=1,new_order=2", "'new_order' is named twice"},
        {"new_order=0,payment=0", "all shares are 0"},
        {"deck,new_order=1", "'deck' is no transaction"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err err = {0};
        struct mix mix;

        assert_int_equal(mix_parse(cases[i].text, &mix, &err), RC_USAGE);
        assert_int_equal(strncmp(err.text, "--mix: ", 7), 0);
        if (!strstr(err.text, cases[i].want))
            fail_msg("'%s' gives: %s", cases[i].text, err.text);
    }
}

static void only_mixes_with_a_writing_transaction_write(void **state)
{
    static const struct {
        const char *text;
        bool want;
    } cases[] = {
        {DEFAULT_MIX, true},
        {"deck", true},
        {"lookup", false},
        {"delivery=1", true},
        {"payment=1,order_status=9", true},
        {"order_status=1,stock_level=1", false},
        {"new_order=0,order_status=1", false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct mix mix = parse_ok(cases[i].text);

        assert_int_equal(mix_writes(&mix), cases[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_give_their_shares),
        cmocka_unit_test(shares_need_not_sum_to_100_and_may_have_decimals),
        cmocka_unit_test(a_share_of_0_is_never_drawn),
        cmocka_unit_test(the_deck_is_exact_after_each_23_cards),
        cmocka_unit_test(the_deck_is_shuffled_evenly),
        cmocka_unit_test(look_ups_come_up_evenly_and_nothing_else_does),
        cmocka_unit_test(the_same_stream_draws_the_same_transactions),
        cmocka_unit_test(what_is_wrong_with_a_mix_is_named),
        cmocka_unit_test(only_mixes_with_a_writing_transaction_write),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
