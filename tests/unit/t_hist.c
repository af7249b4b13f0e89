/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "base/mem.h"
#include "stats/hist.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define NS_PER_H (3600 * NS_PER_S)

static struct hist *new_hist(void)
{
    struct hist *h = hist_new();

    assert_non_null(h);
    return h;
}

static uint64_t count_at(const struct hist *h, size_t bucket)
{
    return atomic_load_explicit(&h->counts[bucket], memory_order_relaxed);
}

static uint64_t overflow_of(const struct hist *h)
{
    return atomic_load_explicit(&h->overflow, memory_order_relaxed);
}

/* Within 1/128 of what is expected. */
static void assert_close(int64_t got_ns, int64_t want_ns)
{
    int64_t off_ns = got_ns > want_ns ? got_ns - want_ns : want_ns - got_ns;

    if (off_ns > want_ns / 128)
        print_error("got %lld, want %lld\n", (long long)got_ns,
                    (long long)want_ns);
    assert_true(off_ns <= want_ns / 128);
}

static void buckets_tile_the_range_without_gaps(void **state)
{
    const size_t last = hist_bucket(HIST_MAX_NS);

    (void)state;
    assert_int_equal(hist_bucket_low(0), 0);
    for (size_t i = 0; i <= last; i++) {
        assert_int_equal(hist_bucket(hist_bucket_low(i)), i);
        assert_int_equal(hist_bucket(hist_bucket_high(i)), i);
        if (i < last)
            assert_int_equal(hist_bucket_high(i) + 1, hist_bucket_low(i + 1));
    }
    assert_int_equal(hist_bucket_high(last), HIST_MAX_NS);
}

static void figures_are_the_percentiles(void **state)
{
    struct hist *h = new_hist();
    struct hist_figures f;

    (void)state;
    hist_figures(h, &f);
    assert_int_equal(f.n, 0);
    assert_int_equal(f.p50_ns + f.p999_ns + f.max_ns, 0);
    for (int64_t i = 1; i <= 5000; i++)
        hist_record(h, i * i * 1000);
    hist_figures(h, &f);
    assert_int_equal(f.n, 5000);
    assert_int_equal(f.sum_ns, hist_sum(h));
    assert_int_equal(f.p50_ns, hist_percentile(h, 50));
    assert_int_equal(f.p90_ns, hist_percentile(h, 90));
    assert_int_equal(f.p95_ns, hist_percentile(h, 95));
    assert_int_equal(f.p99_ns, hist_percentile(h, 99));
    assert_int_equal(f.p999_ns, hist_percentile(h, 99.9));
    assert_int_equal(f.max_ns, 25000000000);
    hist_free(h);
}

static void zeros_count_as_values(void **state)
{
    struct hist *h = new_hist();

    (void)state;
    hist_record(h, 1000);
    hist_record_zeros(h, 9);
    assert_int_equal(hist_count(h), 10);
    assert_int_equal(hist_percentile(h, 90), 0);
    assert_int_equal(hist_percentile(h, 91), 1000);
    assert_true(hist_mean(h) > 99.0 && hist_mean(h) < 101.0);
    hist_free(h);
}

static void what_is_above_the_range_has_a_bucket_of_its_own(void **state)
{
    (void)state;
    assert_true(hist_bucket(HIST_MAX_NS) < HIST_BUCKETS - 1);
    assert_int_equal(hist_bucket(HIST_MAX_NS + 1), HIST_BUCKETS - 1);
    assert_int_equal(hist_bucket(INT64_MAX), HIST_BUCKETS - 1);
    assert_int_equal(hist_bucket_low(HIST_BUCKETS - 1), HIST_MAX_NS + 1);
    assert_int_equal(hist_bucket_high(HIST_BUCKETS - 1), INT64_MAX);
}

static void no_bucket_is_wider_than_a_128th_of_its_values(void **state)
{
    (void)state;
    for (size_t i = 1; i <= hist_bucket(HIST_MAX_NS); i++) {
        int64_t low = hist_bucket_low(i);

        assert_true((hist_bucket_high(i) - low) * 128 <= low);
    }
}

static void values_below_256_ns_are_exact(void **state)
{
    struct hist *h = new_hist();

    (void)state;
    for (int64_t ns = 0; ns < 256; ns++) {
        hist_reset(h);
        hist_record(h, ns);
        assert_int_equal(hist_percentile(h, 50), ns);
    }
    hist_free(h);
}

static void percentiles_of_known_spreads_are_within_a_128th(void **state)
{
    static const struct {
        int64_t low_ns, high_ns;
    } spreads[] = {
        {NS_PER_US, NS_PER_MS},
        {NS_PER_MS, NS_PER_S},
        {NS_PER_S, NS_PER_H},
        {NS_PER_US, NS_PER_H},
        {80 * NS_PER_US, 120 * NS_PER_US},
    };
    static const double pcts[] = {1, 10, 50, 90, 95, 99, 99.9, 100};
    /* The ranks of these among 10,000 values. */
    static const int64_t ranks[] = {100,  1000, 5000, 9000,
                                    9500, 9900, 9990, 10000};
    struct hist *h = new_hist();

    (void)state;
    for (size_t s = 0; s < ARRAY_LEN(spreads); s++) {
        int64_t step_ns = (spreads[s].high_ns - spreads[s].low_ns) / 10000;

        hist_reset(h);
        for (int64_t i = 1; i <= 10000; i++)
            hist_record(h, spreads[s].low_ns + i * step_ns);
        for (size_t p = 0; p < ARRAY_LEN(pcts); p++)
            assert_close(hist_percentile(h, pcts[p]),
                         spreads[s].low_ns + ranks[p] * step_ns);
    }
    hist_free(h);
}

static void percentiles_of_a_geometric_spread_are_within_a_128th(void **state)
{
    struct hist *h = new_hist();
    int64_t values[32];
    size_t n = 0;

    (void)state;
    for (int64_t ns = NS_PER_US; ns <= NS_PER_H; ns *= 2) {
        values[n++] = ns;
        hist_record(h, ns);
    }
    assert_int_equal(n, 32);
    for (size_t i = 0; i < n; i++)
        assert_close(hist_percentile(h, 100.0 * (double)(i + 1) / 32.0),
                     values[i]);
    hist_free(h);
}

static void nearest_rank_is_not_pushed_up_by_rounding(void **state)
{
    struct hist *h = new_hist();

    (void)state;
    for (int i = 0; i < 999; i++)
        hist_record(h, 100);
    hist_record(h, 200);
    assert_int_equal(hist_percentile(h, 0), 100);
    assert_int_equal(hist_percentile(h, 99.9), 100);
    assert_int_equal(hist_percentile(h, 99.91), 200);
    assert_int_equal(hist_percentile(h, 100), 200);
    hist_free(h);
}

static void percentiles_never_exceed_the_exact_maximum(void **state)
{
    struct hist *h = new_hist();
    /* The low end of a bucket, whose middle is above it. */
    int64_t ns = hist_bucket_low(hist_bucket(80 * NS_PER_MS));

    (void)state;
    hist_record(h, ns);
    assert_int_equal(hist_max(h), ns);
    assert_int_equal(hist_percentile(h, 50), ns);
    hist_free(h);
}

static void values_above_one_hour_are_counted_and_not_clipped(void **state)
{
    struct hist *h = new_hist();

    (void)state;
    hist_record(h, NS_PER_MS);
    hist_record(h, HIST_MAX_NS);
    assert_int_equal(overflow_of(h), 0);
    hist_record(h, HIST_MAX_NS + 1);
    hist_record(h, 5 * NS_PER_H);
    assert_int_equal(overflow_of(h), 2);
    assert_int_equal(hist_count(h), 4);
    assert_int_equal(hist_max(h), 5 * NS_PER_H);
    assert_int_equal(hist_percentile(h, 100), 5 * NS_PER_H);
    assert_close(hist_percentile(h, 50), HIST_MAX_NS);
    hist_free(h);
}

static void negative_durations_count_as_zero(void **state)
{
    struct hist *h = new_hist();

    (void)state;
    hist_record(h, -5);
    assert_int_equal(hist_count(h), 1);
    assert_int_equal(hist_percentile(h, 100), 0);
    assert_true(hist_mean(h) >= 0.0);
    hist_free(h);
}

static void an_empty_histogram_answers_zero(void **state)
{
    struct hist *h = new_hist();

    (void)state;
    assert_int_equal(hist_count(h), 0);
    assert_int_equal(hist_percentile(h, 99), 0);
    assert_int_equal(hist_max(h), 0);
    assert_true(!(hist_mean(h) > 0.0));
    hist_free(h);
}

static void the_mean_is_of_values_not_of_buckets(void **state)
{
    struct hist *h = new_hist();

    (void)state;
    hist_record(h, 1000003);
    hist_record(h, 1000006);
    assert_true(hist_mean(h) > 1000004.4 && hist_mean(h) < 1000004.6);
    hist_free(h);
}

static void merging_gives_what_recording_in_one_would(void **state)
{
    struct hist *a = new_hist(), *b = new_hist(), *all = new_hist();

    (void)state;
    for (int64_t i = 0; i < 5000; i++) {
        hist_record(i % 3 ? a : b, i * 7919);
        hist_record(all, i * 7919);
    }
    hist_record(b, 2 * NS_PER_H);
    hist_record(all, 2 * NS_PER_H);
    hist_add(a, b);
    assert_memory_equal(a, all, sizeof(*a));
    hist_free(a);
    hist_free(b);
    hist_free(all);
}

static void after_a_reset_it_is_as_new(void **state)
{
    struct hist *h = new_hist(), *fresh = new_hist(), *before = new_hist();

    (void)state;
    hist_record(h, 5);
    hist_record(h, NS_PER_S);
    hist_add(before, h);
    hist_subtract(h, before); /* nothing is left, and no range */
    hist_record(h, 2 * NS_PER_H);
    hist_record(h, NS_PER_MS);
    assert_int_equal(hist_percentile(h, 100), 2 * NS_PER_H);
    hist_reset(h);
    assert_memory_equal(h, fresh, sizeof(*h));
    hist_free(h);
    hist_free(fresh);
    hist_free(before);
}

static void subtracting_an_older_copy_leaves_the_interval(void **state)
{
    struct hist *h = new_hist(), *before = new_hist(), *after = new_hist();
    int64_t high = hist_bucket_high(hist_bucket(3 * NS_PER_MS));

    (void)state;
    for (int i = 0; i < 100; i++)
        hist_record(h, 50 * NS_PER_MS);
    hist_record(h, 2 * NS_PER_H);
    hist_add(before, h);
    for (int i = 0; i < 10; i++)
        hist_record(h, NS_PER_MS);
    hist_record(h, 3 * NS_PER_MS);
    hist_add(after, h);
    hist_subtract(after, before);

    assert_int_equal(hist_count(after), 11);
    assert_int_equal(overflow_of(after), 0);
    assert_int_equal(count_at(after, hist_bucket(NS_PER_MS)), 10);
    assert_int_equal(count_at(after, hist_bucket(50 * NS_PER_MS)), 0);
    assert_close(hist_percentile(after, 50), NS_PER_MS);
    assert_int_equal(hist_max(after), high);
    assert_true(hist_mean(after) * 11 > 13e6 - 1.0 &&
                hist_mean(after) * 11 < 13e6 + 1.0);
    hist_free(h);
    hist_free(before);
    hist_free(after);
}

static void the_interval_with_the_maximum_keeps_it_exact(void **state)
{
    struct hist *h = new_hist(), *before = new_hist(), *after = new_hist();

    (void)state;
    hist_record(h, NS_PER_MS);
    hist_add(before, h);
    hist_record(h, 2 * NS_PER_MS + 1);
    hist_add(after, h);
    hist_subtract(after, before);
    assert_int_equal(hist_max(after), 2 * NS_PER_MS + 1);

    hist_reset(after);
    hist_add(after, h);
    hist_subtract(after, h);
    assert_int_equal(hist_count(after), 0);
    assert_int_equal(hist_max(after), 0);
    hist_free(h);
    hist_free(before);
    hist_free(after);
}

#define N_WRITTEN 200000

static void *write_values(void *arg)
{
    struct hist *h = (struct hist *)arg;

    for (int64_t i = 0; i < N_WRITTEN; i++)
        hist_record(h, i * 1000);
    return NULL;
}

static void copies_taken_while_another_thread_writes_add_up(void **state)
{
    struct hist *h = new_hist(), *now = new_hist(), *old = new_hist();
    struct hist *sum = new_hist();
    uint64_t n = 0;
    pthread_t writer;

    (void)state;
    assert_int_equal(pthread_create(&writer, NULL, write_values, h), 0);
    while (n < N_WRITTEN) {
        hist_reset(now);
        hist_add(now, h);
        n = hist_count(now);
        hist_subtract(now, old);
        hist_add(sum, now);
        hist_reset(old);
        hist_add(old, sum);
        assert_true(hist_percentile(now, 100) <= hist_max(now));
    }
    pthread_join(writer, NULL);
    assert_int_equal(hist_count(sum), N_WRITTEN);
    for (size_t i = 0; i < HIST_BUCKETS; i++)
        assert_int_equal(count_at(sum, i), count_at(h, i));
    hist_free(h);
    hist_free(now);
    hist_free(old);
    hist_free(sum);
}

static void no_memory_gives_null(void **state)
{
    (void)state;
    mem_fail_nth(1);
    assert_null(hist_new());
    mem_fail_nth(0);
    hist_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_tile_the_range_without_gaps),
        cmocka_unit_test(what_is_above_the_range_has_a_bucket_of_its_own),
        cmocka_unit_test(no_bucket_is_wider_than_a_128th_of_its_values),
        cmocka_unit_test(values_below_256_ns_are_exact),
        cmocka_unit_test(percentiles_of_known_spreads_are_within_a_128th),
        cmocka_unit_test(percentiles_of_a_geometric_spread_are_within_a_128th),
        cmocka_unit_test(nearest_rank_is_not_pushed_up_by_rounding),
        cmocka_unit_test(percentiles_never_exceed_the_exact_maximum),
        cmocka_unit_test(values_above_one_hour_are_counted_and_not_clipped),
        cmocka_unit_test(negative_durations_count_as_zero),
        cmocka_unit_test(figures_are_the_percentiles),
        cmocka_unit_test(zeros_count_as_values),
        cmocka_unit_test(an_empty_histogram_answers_zero),
        cmocka_unit_test(the_mean_is_of_values_not_of_buckets),
        cmocka_unit_test(merging_gives_what_recording_in_one_would),
        cmocka_unit_test(after_a_reset_it_is_as_new),
        cmocka_unit_test(subtracting_an_older_copy_leaves_the_interval),
        cmocka_unit_test(the_interval_with_the_maximum_keeps_it_exact),
        cmocka_unit_test(copies_taken_while_another_thread_writes_add_up),
        cmocka_unit_test(no_memory_gives_null),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
