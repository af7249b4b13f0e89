/* SPDX-License-Identifier: MIT */
#include "base/rng.h"
#include "stats/steady.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SIMULATIONS 2000
/* Of 2,000: 3 % false alarms, 90 % of what is not steady. */
#define FALSE_MOST 60
#define FOUND_LEAST 1800

static double normal(struct rng *r)
{
    return sqrt(-2 * log(rng_unit(r))) * cos(2 * M_PI * rng_unit(r));
}

/* What a run's seconds look like. */
struct course {
    const char *name;
    size_t n;
    double noise;                  /* of one value, as a share */
    double neighbours;             /* correlation of one with the next */
    double outliers;               /* share of values that are 20 to 60 % low */
    size_t stall_every, stall_for; /* a checkpoint: 30 % lower */
    double drift;                  /* over all of it */
    double cold, warm_share;       /* lower by so much at first, e-fold time */
};

static void fill(struct rng *r, const struct course *c, double *x)
{
    const double fresh = sqrt(1 - c->neighbours * c->neighbours);
    const size_t phase =
        c->stall_every ? (size_t)rng_below(r, c->stall_every) : 0;
    double e = normal(r);

    for (size_t i = 0; i < c->n; i++) {
        const double at = (double)i / (double)c->n;

        e = c->neighbours * e + fresh * normal(r);
        x[i] = 1000 * (1 + c->noise * e) * (1 + c->drift * (at - 0.5));
        if (c->warm_share > 0)
            x[i] *= 1 - c->cold * exp(-at / c->warm_share);
        if (c->stall_every && (i + phase) % c->stall_every < c->stall_for)
            x[i] *= 0.7;
        if (rng_unit(r) < c->outliers)
            x[i] *= 0.4 + 0.4 * rng_unit(r);
    }
}

static int count_alarms(const struct course *c, double *warm_from)
{
    double x[STEADY_POINTS_MAX];
    struct rng r;
    int n = 0;

    rng_init(&r, 2026, 9, RNG_DATA);
    *warm_from = 0;
    for (int i = 0; i < SIMULATIONS; i++) {
        struct steady out;

        fill(&r, c, x);
        steady_test(x, c->n, &out);
        assert_true(out.tested);
        n += !steady_holds(&out);
        *warm_from += out.warm_from / SIMULATIONS;
    }
    return n;
}

static void a_steady_run_is_rarely_called_unsteady(void **state)
{
    static const struct course rows[] = {
        {.name = "60 s, 5 % noise", .n = 60, .noise = 0.05},
        {.name = "240 s, 5 % noise", .n = 240, .noise = 0.05},
        {.name = "20 s, 20 % noise", .n = 20, .noise = 0.2},
        {.name = "60 s, 20 % noise", .n = 60, .noise = 0.2},
        {.name = "60 s, like the second before",
         .n = 60,
         .noise = 0.1,
         .neighbours = 0.5},
        {.name = "240 s, much like the second before",
         .n = 240,
         .noise = 0.1,
         .neighbours = 0.8},
        {.name = "60 s, outliers", .n = 60, .noise = 0.05, .outliers = 0.05},
        {.name = "240 s, a checkpoint every 30 s",
         .n = 240,
         .noise = 0.05,
         .stall_every = 30,
         .stall_for = 4},
        {.name = "60 s, a checkpoint every 10 s",
         .n = 60,
         .noise = 0.05,
         .stall_every = 10,
         .stall_for = 2},
    };
    double unused;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const int n = count_alarms(&rows[i], &unused);

        print_message("%s: %d of %d false\n", rows[i].name, n, SIMULATIONS);
        assert_in_range(n, 0, FALSE_MOST);
    }
}

static void what_is_not_steady_is_found(void **state)
{
    static const struct course rows[] = {
        {.name = "a drift of 15 % in 60 s",
         .n = 60,
         .noise = 0.05,
         .drift = 0.15},
        {.name = "a fall of 10 % in 240 s",
         .n = 240,
         .noise = 0.05,
         .drift = -0.1},
        {.name = "a drift of 40 %, like the second before",
         .n = 120,
         .noise = 0.08,
         .neighbours = 0.5,
         .drift = 0.4},
        {.name = "half as fast at first",
         .n = 60,
         .noise = 0.05,
         .cold = 0.5,
         .warm_share = 0.1},
        {.name = "faster at first",
         .n = 120,
         .noise = 0.05,
         .cold = -0.3,
         .warm_share = 0.1},
    };
    double unused;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const int n = count_alarms(&rows[i], &unused);

        print_message("%s: %d of %d found\n", rows[i].name, n, SIMULATIONS);
        assert_in_range(n, FOUND_LEAST, SIMULATIONS);
    }
}

static void the_end_of_a_warm_up_is_about_where_it_is(void **state)
{
    static const struct course cold = {
        .n = 120, .noise = 0.05, .cold = 0.6, .warm_share = 0.08};
    double warm_from;

    (void)state;
    count_alarms(&cold, &warm_from);
    print_message("warm after %.3f of the run\n", warm_from);
    /* After three e-fold times 3 % are missing. */
    assert_true(warm_from > 0.1 && warm_from < 0.3);
}

static void a_drift_has_an_interval_that_holds_it(void **state)
{
    static const struct course drifting = {
        .n = 120, .noise = 0.05, .neighbours = 0.3, .drift = 0.08};
    double x[STEADY_POINTS_MAX];
    struct rng r;
    int held = 0;

    (void)state;
    rng_init(&r, 5, 9, RNG_DATA);
    for (int i = 0; i < SIMULATIONS; i++) {
        struct steady out;

        fill(&r, &drifting, x);
        steady_test(x, drifting.n, &out);
        held += out.drift_low <= 0.08 && 0.08 <= out.drift_high;
    }
    assert_in_range(held, SIMULATIONS * 93 / 100, SIMULATIONS);
}

static void too_little_is_not_tested(void **state)
{
    double x[STEADY_POINTS_MAX] = {0};
    struct steady out;

    (void)state;
    steady_test(x, STEADY_POINTS_MIN, &out);
    assert_false(out.tested); /* nothing happened */
    for (size_t i = 0; i < ARRAY_LEN(x); i++)
        x[i] = 100;
    steady_test(x, STEADY_POINTS_MIN - 1, &out);
    assert_false(out.tested);
    steady_test(x, STEADY_POINTS_MAX, &out);
    assert_true(out.tested && steady_holds(&out));
    assert_true(out.drift_p >= 0 && out.drift_p <= 1);
    assert_true(isfinite(out.drift_low) && isfinite(out.drift_high));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_run_is_rarely_called_unsteady),
        cmocka_unit_test(what_is_not_steady_is_found),
        cmocka_unit_test(the_end_of_a_warm_up_is_about_where_it_is),
        cmocka_unit_test(a_drift_has_an_interval_that_holds_it),
        cmocka_unit_test(too_little_is_not_tested),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
