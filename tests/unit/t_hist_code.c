/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "stats/hist_code.h"
#include "stats/hist_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BYTES_MAX (1 << 20)

struct fixture {
    struct hist *in, *out;
    struct buf bytes;
};

static int setup(void **state)
{
    struct fixture *f = MEM_NEW(struct fixture);

    assert_non_null(f);
    f->in = hist_new();
    f->out = hist_new();
    assert_non_null(f->in);
    assert_non_null(f->out);
    buf_init(&f->bytes, BYTES_MAX);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    hist_free(f->in);
    hist_free(f->out);
    buf_release(&f->bytes);
    mem_free(f);
    return 0;
}

static enum rc decode(struct fixture *f, unsigned drop_bits)
{
    return hist_decode((const uint8_t *)f->bytes.data, f->bytes.len, drop_bits,
                       f->out);
}

static void record_widely(struct hist *h)
{
    for (int64_t ns = 1; ns < 2 * HIST_MAX_NS; ns += 1 + ns / 3)
        hist_record(h, ns);
    hist_record(h, 0);
    for (int i = 0; i < 100000; i++)
        hist_record(h, 12345678);
}

static void nothing_is_lost_on_the_way(void **state)
{
    struct fixture *f = *state;

    record_widely(f->in);
    hist_encode(f->in, 0, &f->bytes);
    assert_int_equal(buf_rc(&f->bytes), RC_OK);
    assert_int_equal(decode(f, 0), RC_OK);
    assert_memory_equal(f->in, f->out, sizeof(*f->in));
}

static void an_empty_histogram_is_two_bytes(void **state)
{
    struct fixture *f = *state;

    hist_encode(f->in, 0, &f->bytes);
    assert_int_equal(f->bytes.len, 2);
    assert_int_equal(decode(f, 0), RC_OK);
    assert_int_equal(hist_count(f->out), 0);
}

static void dropped_bits_cost_precision_and_nothing_else(void **state)
{
    struct fixture *f = *state;

    for (int64_t i = 1; i <= 100000; i++)
        hist_record(f->in, i * 1000);
    hist_record(f->in, HIST_MAX_NS + 1);
    for (unsigned drop = 1; drop <= HIST_DROP_BITS_MAX; drop++) {
        const int64_t p50 = hist_percentile(f->in, 50);
        int64_t got, off;

        buf_reset(&f->bytes);
        hist_reset(f->out);
        hist_encode(f->in, drop, &f->bytes);
        assert_int_equal(decode(f, drop), RC_OK);
        assert_int_equal(hist_count(f->out), hist_count(f->in));
        assert_int_equal(hist_sum(f->out), hist_sum(f->in));
        assert_int_equal(hist_max(f->out), HIST_MAX_NS + 1);
        assert_int_equal(atomic_load(&f->out->overflow), 1);
        got = hist_percentile(f->out, 50);
        off = got > p50 ? got - p50 : p50 - got;
        assert_true(off <= (p50 << drop) / 128);
    }
}

static void broken_bytes_are_refused(void **state)
{
    static const struct {
        const char *bytes;
        size_t len;
    } broken[] = {
        {"", 0},
        {"\x80", 1},
        {"\x01", 1},
        {"\x01\x01\x80", 3},
        {"\x01\x01\x00", 3},                     /* a run of no zeros */
        {"\x01\x01\xff\xff\xff\xff\x0f\x02", 8}, /* beyond the buckets */
        {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01", 11},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < ARRAY_LEN(broken); i++)
        assert_int_equal(hist_decode((const uint8_t *)broken[i].bytes,
                                     broken[i].len, 0, f->out),
                         RC_INVALID);
}

static void each_shorter_text_is_refused_or_a_part(void **state)
{
    struct fixture *f = *state;

    record_widely(f->in);
    hist_encode(f->in, 0, &f->bytes);
    while (f->bytes.len-- > 0) {
        hist_reset(f->out);
        if (!decode(f, 0))
            assert_true(hist_count(f->out) < hist_count(f->in));
    }
    f->bytes.len = 0;
}

/* ---- HdrHistogram ---- */

/* The published start of every compressed histogram of version 2. */
static void a_line_of_the_log_begins_as_published(void **state)
{
    struct fixture *f = *state;

    hist_record(f->in, 2500000);
    assert_int_equal(hist_log_line(&f->bytes, "new_order.response",
                                   1500 * INT64_C(1000000),
                                   1000 * INT64_C(1000000), f->in),
                     RC_OK);
    assert_memory_equal(buf_str(&f->bytes),
                        "Tag=new_order.response,1.500,1.000,2.500000,HISTFAAA",
                        52);
    assert_int_equal(f->bytes.data[f->bytes.len - 1], '\n');
}

static void the_head_names_the_start(void **state)
{
    struct fixture *f = *state;

    hist_log_head(&f->bytes, INT64_C(1441812279474000), "dyno");
    assert_string_equal(
        buf_str(&f->bytes),
        "#[dyno]\n"
        "#[Histogram log format version 1.3]\n"
        "#[StartTime: 1441812279.474 (seconds since epoch), "
        "2015-09-09T15:24:39Z]\n"
        "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
        "\"Interval_Compressed_Histogram\"\n");
}

/* Counts of 1 and 300, after three and 252 empty buckets: by hand from the
 * published encoding. */
static void counts_are_zigzag_leb128(void **state)
{
    struct fixture *f = *state;

    hist_record(f->in, 3);
    for (int i = 0; i < 300; i++)
        hist_record(f->in, 256);
    hist_encode_counts(f->in, &f->bytes);
    assert_int_equal(f->bytes.len, 6);
    assert_memory_equal(f->bytes.data, "\x05\x02\xf7\x03\xd8\x04", 6);
}

static void what_is_above_the_range_counts_as_its_end(void **state)
{
    struct fixture *f = *state;

    hist_record(f->in, HIST_MAX_NS);
    hist_record(f->in, HIST_MAX_NS + 1);
    hist_encode_counts(f->in, &f->bytes);
    /* -4561 empty buckets, then 2. */
    assert_int_equal(f->bytes.len, 3);
    assert_int_equal((uint8_t)f->bytes.data[2], 4);
}

static void alone_above_the_range_it_is_the_end_too(void **state)
{
    struct fixture *f = *state;

    hist_record(f->in, HIST_MAX_NS + 1);
    hist_encode_counts(f->in, &f->bytes);
    assert_int_equal(f->bytes.len, 3);
    assert_int_equal((uint8_t)f->bytes.data[2], 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nothing_is_lost_on_the_way),
        TEST(an_empty_histogram_is_two_bytes),
        TEST(dropped_bits_cost_precision_and_nothing_else),
        TEST(broken_bytes_are_refused),
        TEST(each_shorter_text_is_refused_or_a_part),
        TEST(a_line_of_the_log_begins_as_published),
        TEST(the_head_names_the_start),
        TEST(counts_are_zigzag_leb128),
        TEST(what_is_above_the_range_counts_as_its_end),
        TEST(alone_above_the_range_it_is_the_end_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
