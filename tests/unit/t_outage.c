/* SPDX-License-Identifier: MIT */
#include "run/outage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct outage_look at(int64_t ms, uint64_t n_open, uint64_t n_begun,
                             uint64_t n_ended)
{
    return (struct outage_look){{ms * NS_PER_MS}, n_open, n_begun, n_ended};
}

static struct outage_result of(const struct outage_look *looks, size_t n,
                               int64_t closed_ms)
{
    struct outage o = {0};

    outage_begin(&o, &looks[0]);
    for (size_t i = 1; i < n; i++)
        outage_see(&o, &looks[i]);
    outage_end(&o, (struct mono){closed_ms * NS_PER_MS});
    return o.result;
}

static void a_server_that_restarts_is_one_outage(void **state)
{
    const struct outage_look looks[] = {
        at(1000, 4, 10, 8),  at(1020, 4, 12, 10), at(1040, 0, 12, 12),
        at(2000, 0, 12, 12), at(3000, 0, 12, 12), at(3020, 2, 14, 12),
        at(3040, 4, 16, 14), at(3060, 4, 18, 16),
    };
    const struct outage_result r = of(looks, ARRAY_LEN(looks), 3080);

    (void)state;
    assert_int_equal(r.no_connection_ns, 1980 * NS_PER_MS);
    assert_int_equal(r.silent_ns, 2000 * NS_PER_MS);
    assert_int_equal(r.longest_ns, 2000 * NS_PER_MS);
    assert_int_equal(r.longest_from_ns, 20 * NS_PER_MS);
}

static void users_that_still_come_in_are_no_outage(void **state)
{
    const struct outage_look looks[] = {at(0, 0, 0, 0), at(20, 0, 0, 0),
                                        at(40, 2, 1, 0), at(60, 4, 9, 5)};
    const struct outage_result r = of(looks, ARRAY_LEN(looks), 80);
    const struct outage_result none = of(looks, 2, 40);

    (void)state;
    assert_int_equal(r.no_connection_ns, 0);
    assert_int_equal(r.longest_ns, 0);
    assert_int_equal(none.longest_ns, 0);
}

static void nothing_to_do_is_no_outage(void **state)
{
    const struct outage_look looks[] = {
        at(0, 4, 5, 5),    at(5000, 4, 5, 5), at(9000, 4, 6, 6),
        at(9900, 4, 7, 6), at(9990, 4, 7, 7),
    };
    const struct outage_result r = of(looks, ARRAY_LEN(looks), 10000);

    (void)state;
    assert_int_equal(r.silent_ns, 0);
    assert_int_equal(r.longest_ns, 0);
}

static void an_outage_lasts_to_the_end_of_the_interval(void **state)
{
    const struct outage_look looks[] = {at(0, 4, 5, 1), at(20, 4, 5, 1),
                                        at(2000, 4, 5, 1)};
    const struct outage_result r = of(looks, ARRAY_LEN(looks), 2500);

    (void)state;
    assert_int_equal(r.silent_ns, 2500 * NS_PER_MS);
    assert_int_equal(r.no_connection_ns, 0);
    assert_int_equal(r.longest_from_ns, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_server_that_restarts_is_one_outage),
        cmocka_unit_test(users_that_still_come_in_are_no_outage),
        cmocka_unit_test(nothing_to_do_is_no_outage),
        cmocka_unit_test(an_outage_lasts_to_the_end_of_the_interval),
    };

    return cmocka_run_group_tests_name("outage", tests, NULL, NULL);
}
