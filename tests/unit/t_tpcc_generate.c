/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "workload/tpcc/gen_batch.h"
#include "workload/tpcc/nurand.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SEED 42

typedef void row_seen_fn(void *arg, const struct value *row);

/* A part of a table, and how many rows are made at once. */
struct piece {
    uint64_t seed;
    enum tpcc_table table;
    uint64_t w_id, part;
    size_t max_rows;
};

static void see_rows(const struct piece *p, const struct gen_batch *b,
                     row_seen_fn *fn, void *arg)
{
    assert_true(b->n_rows <= p->max_rows);
    assert_true(b->text_len <= p->max_rows * GEN_ROW_TEXT_MAX);
    for (size_t i = 0; i < b->n_rows; i++)
        fn(arg, &b->cells[i * tpcc_tables[p->table].n_cols]);
}

static void each_row(const struct piece *p, row_seen_fn *fn, void *arg)
{
    struct gen *g = MEM_NEW(struct gen);
    struct gen_batch b;
    struct err err = {0};

    assert_non_null(g);
    assert_int_equal(gen_batch_init(&b, p->max_rows, &err), RC_OK);
    gen_init(g, p->seed, p->table, p->w_id, p->part);
    while (gen_batch_fill(&b, g))
        see_rows(p, &b, fn, arg);
    gen_batch_release(&b);
    mem_free(g);
}

static void each_row_of_part(enum tpcc_table table, uint64_t part,
                             row_seen_fn *fn, void *arg)
{
    const struct piece p = {SEED, table, 1, part, 100};

    each_row(&p, fn, arg);
}

static void each_row_of_warehouse(enum tpcc_table table, uint64_t w_id,
                                  row_seen_fn *fn, void *arg)
{
    for (uint64_t part = 0; part < gen_parts(table); part++) {
        const struct piece p = {SEED, table, w_id, part, 50};

        each_row(&p, fn, arg);
    }
}

struct hash {
    uint64_t h;
    uint64_t n_rows;
    size_t n_cols;
};

static void hash_byte(struct hash *hash, uint64_t byte)
{
    hash->h = (hash->h ^ byte) * UINT64_C(0x100000001b3);
}

static void hash_row(void *arg, const struct value *row)
{
    struct hash *hash = arg;

    hash->n_rows++;
    for (size_t i = 0; i < hash->n_cols; i++) {
        const struct value *v = &row[i];

        hash_byte(hash, (uint64_t)v->type);
        if (v->type == VALUE_TEXT) {
            for (size_t k = 0; k < v->len; k++)
                hash_byte(hash, (unsigned char)v->s[k]);
        } else if (v->type != VALUE_NULL) {
            hash_byte(hash, (uint64_t)v->i);
        }
    }
}

static struct hash hash_part(uint64_t seed, enum tpcc_table table,
                             uint64_t w_id, uint64_t part, size_t max_rows)
{
    const struct piece piece = {seed, table, w_id, part, max_rows};
    struct hash hash = {
        .h = UINT64_C(0xcbf29ce484222325),
        .n_cols = tpcc_tables[table].n_cols,
    };

    each_row(&piece, hash_row, &hash);
    return hash;
}

static void rows_do_not_depend_on_how_they_are_batched(void **state)
{
    (void)state;
    for (enum tpcc_table t = 0; t < TPCC_N_TABLES; t++) {
        const uint64_t part = gen_parts(t) - 1;
        const struct hash a = hash_part(SEED, t, 1, part, 7);
        const struct hash b = hash_part(SEED, t, 1, part, 10000);

        assert_int_equal(a.n_rows, b.n_rows);
        assert_int_equal(a.h, b.h);
    }
}

static void seeds_warehouses_and_parts_differ(void **state)
{
    (void)state;
    for (enum tpcc_table t = 0; t < TPCC_N_TABLES; t++) {
        const uint64_t h = hash_part(SEED, t, 1, 0, 100).h;

        assert_int_equal(hash_part(SEED, t, 1, 0, 100).h, h);
        assert_int_not_equal(hash_part(SEED, t, 2, 0, 100).h, h);
        if (t != TPCC_NEW_ORDER_TABLE)
            assert_int_not_equal(hash_part(SEED + 1, t, 1, 0, 100).h, h);
        if (gen_parts(t) > 1)
            assert_int_not_equal(hash_part(SEED, t, 1, 1, 100).h, h);
    }
}

/* What some thread makes of the tables: parts from..to, backwards or not. */
struct job {
    uint64_t first, step, n;
    uint64_t h[TPCC_N_TABLES][GEN_ITEM_PARTS];
};

static void *run_job(void *arg)
{
    struct job *job = arg;

    for (enum tpcc_table t = 0; t < TPCC_N_TABLES; t++) {
        for (uint64_t i = 0; i < job->n; i++) {
            const uint64_t part = job->first + i * job->step;

            if (part < gen_parts(t))
                job->h[t][part] = hash_part(SEED, t, 1, part, 500).h;
        }
    }
    return NULL;
}

static void rows_do_not_depend_on_threads_or_order(void **state)
{
    static struct job alone = {.first = 0, .step = 1, .n = 4};
    static struct job even = {.first = 2, .step = (uint64_t)-2, .n = 2};
    static struct job odd = {.first = 3, .step = (uint64_t)-2, .n = 2};
    pthread_t thread;

    (void)state;
    run_job(&alone);
    assert_int_equal(pthread_create(&thread, NULL, run_job, &even), 0);
    run_job(&odd);
    assert_int_equal(pthread_join(thread, NULL), 0);
    for (enum tpcc_table t = 0; t < TPCC_N_TABLES; t++) {
        for (size_t part = 0; part < 4; part++)
            assert_int_equal(alone.h[t][part],
                             part % 2 ? odd.h[t][part] : even.h[t][part]);
    }
}

/* What was once loaded stays what a seed means: stored data and published
 * results refer to it. */
static void content_of_a_seed_is_fixed(void **state)
{
    static const uint64_t want[TPCC_N_TABLES] = {
        [TPCC_ITEM] = UINT64_C(0x349e655d78466fde),
        [TPCC_WAREHOUSE] = UINT64_C(0xf1ebeb0755acf7c2),
        [TPCC_DISTRICT] = UINT64_C(0x6b05968cc537dbb6),
        [TPCC_STOCK] = UINT64_C(0xe014980bee4c7c92),
        [TPCC_CUSTOMER] = UINT64_C(0x627aa15128a9bedc),
        [TPCC_HISTORY] = UINT64_C(0x0e64a524d3d22eac),
        [TPCC_ORDER_TABLE] = UINT64_C(0xa8f04c2e5ef46f36),
        [TPCC_NEW_ORDER_TABLE] = UINT64_C(0x182ae4f582c069cd),
        [TPCC_ORDER_LINE] = UINT64_C(0x5570654fdcc4d536),
    };

    (void)state;
    for (enum tpcc_table t = 0; t < TPCC_N_TABLES; t++)
        assert_int_equal(hash_part(SEED, t, 1, 0, 1000).h, want[t]);
}

static void tables_have_their_rows(void **state)
{
    static const struct {
        enum tpcc_table table;
        uint64_t n;
    } want[] = {
        {TPCC_ITEM, 100000},       {TPCC_WAREHOUSE, 1},
        {TPCC_DISTRICT, 10},       {TPCC_STOCK, 100000},
        {TPCC_CUSTOMER, 30000},    {TPCC_HISTORY, 30000},
        {TPCC_ORDER_TABLE, 30000}, {TPCC_NEW_ORDER_TABLE, 9000},
    };
    uint64_t lines = 0;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(want); i++) {
        uint64_t n = 0;

        for (uint64_t p = 0; p < gen_parts(want[i].table); p++)
            n += hash_part(SEED, want[i].table, 1, p, 1000).n_rows;
        assert_int_equal(n, want[i].n);
    }
    for (uint64_t p = 0; p < TPCC_DISTRICTS; p++)
        lines += hash_part(SEED, TPCC_ORDER_LINE, 1, p, 1000).n_rows;
    assert_in_range(lines, 297260, 302740); /* five sigma */
    assert_int_equal(lines, gen_order_lines(SEED, 1));
}

/* Least and most of each column: numbers, or lengths of text. */
struct extent {
    size_t n_cols;
    int64_t min[GEN_COLS_MAX], max[GEN_COLS_MAX];
    uint64_t n_null[GEN_COLS_MAX];
};

static void measure_row(void *arg, const struct value *row)
{
    struct extent *e = arg;

    for (size_t i = 0; i < e->n_cols; i++) {
        const int64_t x =
            row[i].type == VALUE_TEXT ? (int64_t)row[i].len : row[i].i;

        if (value_is_null(&row[i])) {
            e->n_null[i]++;
            continue;
        }
        e->min[i] = x < e->min[i] ? x : e->min[i];
        e->max[i] = x > e->max[i] ? x : e->max[i];
    }
}

static struct extent measure(enum tpcc_table table)
{
    /* A warehouse has one row of some tables: many are needed to meet the
     * ends. */
    const uint64_t n = table == TPCC_WAREHOUSE  ? 20000
                       : table == TPCC_DISTRICT ? 2000
                                                : 1;
    struct extent e = {.n_cols = tpcc_tables[table].n_cols};

    for (size_t i = 0; i < e.n_cols; i++) {
        e.min[i] = INT64_MAX;
        e.max[i] = INT64_MIN;
    }
    for (uint64_t w_id = 1; w_id <= n; w_id++)
        each_row_of_warehouse(table, w_id, measure_row, &e);
    return e;
}

struct limits {
    enum tpcc_table table;
    const char *column;
    int64_t min, max;
};

static size_t column_index(enum tpcc_table table, const char *name)
{
    for (size_t i = 0; i < tpcc_tables[table].n_cols; i++) {
        if (strcmp(tpcc_tables[table].cols[i].name, name) == 0)
            return i;
    }
    fail_msg("no column %s", name);
    return 0;
}

static const struct limits limits[] = {
    {TPCC_ITEM, "i_id", 1, 100000},
    {TPCC_ITEM, "i_im_id", 1, 10000},
    {TPCC_ITEM, "i_name", 14, 24},
    {TPCC_ITEM, "i_price", 100, 10000},
    {TPCC_ITEM, "i_data", 26, 50},
    {TPCC_WAREHOUSE, "w_name", 6, 10},
    {TPCC_WAREHOUSE, "w_street_1", 10, 20},
    {TPCC_WAREHOUSE, "w_street_2", 10, 20},
    {TPCC_WAREHOUSE, "w_city", 10, 20},
    {TPCC_WAREHOUSE, "w_state", 2, 2},
    {TPCC_WAREHOUSE, "w_zip", 9, 9},
    {TPCC_WAREHOUSE, "w_tax", 0, 2000},
    {TPCC_WAREHOUSE, "w_ytd", 30000000, 30000000},
    {TPCC_DISTRICT, "d_id", 1, 10},
    {TPCC_DISTRICT, "d_name", 6, 10},
    {TPCC_DISTRICT, "d_street_1", 10, 20},
    {TPCC_DISTRICT, "d_street_2", 10, 20},
    {TPCC_DISTRICT, "d_city", 10, 20},
    {TPCC_DISTRICT, "d_state", 2, 2},
    {TPCC_DISTRICT, "d_zip", 9, 9},
    {TPCC_DISTRICT, "d_tax", 0, 2000},
    {TPCC_DISTRICT, "d_ytd", 3000000, 3000000},
    {TPCC_DISTRICT, "d_next_o_id", 3001, 3001},
    {TPCC_STOCK, "s_i_id", 1, 100000},
    {TPCC_STOCK, "s_w_id", 1, 1},
    {TPCC_STOCK, "s_quantity", 10, 100},
    {TPCC_STOCK, "s_dist_01", 24, 24},
    {TPCC_STOCK, "s_dist_10", 24, 24},
    {TPCC_STOCK, "s_ytd", 0, 0},
    {TPCC_STOCK, "s_order_cnt", 0, 0},
    {TPCC_STOCK, "s_remote_cnt", 0, 0},
    {TPCC_STOCK, "s_data", 26, 50},
    {TPCC_CUSTOMER, "c_id", 1, 3000},
    {TPCC_CUSTOMER, "c_d_id", 1, 10},
    {TPCC_CUSTOMER, "c_first", 8, 16},
    {TPCC_CUSTOMER, "c_middle", 2, 2},
    {TPCC_CUSTOMER, "c_last", 9, 15},
    {TPCC_CUSTOMER, "c_street_1", 10, 20},
    {TPCC_CUSTOMER, "c_street_2", 10, 20},
    {TPCC_CUSTOMER, "c_city", 10, 20},
    {TPCC_CUSTOMER, "c_state", 2, 2},
    {TPCC_CUSTOMER, "c_zip", 9, 9},
    {TPCC_CUSTOMER, "c_phone", 16, 16},
    {TPCC_CUSTOMER, "c_since", GEN_LOAD_TIME_US, GEN_LOAD_TIME_US},
    {TPCC_CUSTOMER, "c_credit", 2, 2},
    {TPCC_CUSTOMER, "c_credit_lim", 5000000, 5000000},
    {TPCC_CUSTOMER, "c_discount", 0, 5000},
    {TPCC_CUSTOMER, "c_balance", -1000, -1000},
    {TPCC_CUSTOMER, "c_ytd_payment", 1000, 1000},
    {TPCC_CUSTOMER, "c_payment_cnt", 1, 1},
    {TPCC_CUSTOMER, "c_delivery_cnt", 0, 0},
    {TPCC_CUSTOMER, "c_data", 300, 500},
    {TPCC_HISTORY, "h_c_id", 1, 3000},
    {TPCC_HISTORY, "h_c_d_id", 1, 10},
    {TPCC_HISTORY, "h_d_id", 1, 10},
    {TPCC_HISTORY, "h_w_id", 1, 1},
    {TPCC_HISTORY, "h_date", GEN_LOAD_TIME_US, GEN_LOAD_TIME_US},
    {TPCC_HISTORY, "h_amount", 1000, 1000},
    {TPCC_HISTORY, "h_data", 12, 24},
    {TPCC_ORDER_TABLE, "o_id", 1, 3000},
    {TPCC_ORDER_TABLE, "o_c_id", 1, 3000},
    {TPCC_ORDER_TABLE, "o_entry_d", GEN_LOAD_TIME_US, GEN_LOAD_TIME_US},
    {TPCC_ORDER_TABLE, "o_carrier_id", 1, 10},
    {TPCC_ORDER_TABLE, "o_ol_cnt", 5, 15},
    {TPCC_ORDER_TABLE, "o_all_local", 1, 1},
    {TPCC_NEW_ORDER_TABLE, "no_o_id", 2101, 3000},
    {TPCC_NEW_ORDER_TABLE, "no_d_id", 1, 10},
    {TPCC_ORDER_LINE, "ol_o_id", 1, 3000},
    {TPCC_ORDER_LINE, "ol_number", 1, 15},
    {TPCC_ORDER_LINE, "ol_supply_w_id", 1, 1},
    {TPCC_ORDER_LINE, "ol_quantity", 5, 5},
    {TPCC_ORDER_LINE, "ol_dist_info", 24, 24},
};

static void columns_reach_both_ends_of_their_ranges(void **state)
{
    struct extent e = {0};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
        const size_t col = column_index(limits[i].table, limits[i].column);

        if (i == 0 || limits[i].table != limits[i - 1].table)
            e = measure(limits[i].table);
        if (e.min[col] != limits[i].min || e.max[col] != limits[i].max)
            fail_msg("%s in %lld..%lld", limits[i].column,
                     (long long)e.min[col], (long long)e.max[col]);
    }
}

static bool may_be_null(const char *column)
{
    return strcmp(column, "o_carrier_id") == 0 ||
           strcmp(column, "ol_delivery_d") == 0;
}

static void only_undelivered_orders_have_nulls(void **state)
{
    (void)state;
    for (enum tpcc_table t = 0; t < TPCC_N_TABLES; t++) {
        const struct extent e = measure(t);

        for (size_t i = 0; i < e.n_cols; i++) {
            if (may_be_null(tpcc_tables[t].cols[i].name))
                assert_true(e.n_null[i] >= 9000);
            else
                assert_int_equal(e.n_null[i], 0);
        }
    }
}

static void check_types(void *arg, const struct value *row)
{
    const struct table_def *table = arg;

    for (size_t i = 0; i < table->n_cols; i++) {
        if (!value_is_null(&row[i]))
            assert_int_equal(row[i].type, table->cols[i].type);
    }
}

static void cells_have_the_types_of_their_columns(void **state)
{
    (void)state;
    for (enum tpcc_table t = 0; t < TPCC_N_TABLES; t++) {
        struct table_def table = tpcc_tables[t];

        each_row_of_part(t, 0, check_types, &table);
    }
}

struct lines {
    uint64_t n_orders, n_lines;
    int64_t o_id, number, said[TPCC_ORDERS + 1];
};

static void note_said(void *arg, const struct value *row)
{
    struct lines *l = arg;

    l->said[row[0].i] = row[6].i;
}

static void follow_line(void *arg, const struct value *row)
{
    struct lines *l = arg;
    const bool delivered = row[0].i < TPCC_FIRST_NEW;

    if (row[0].i != l->o_id) {
        assert_int_equal(row[0].i, l->o_id + 1);
        assert_int_equal(l->number, l->said[l->o_id]);
        l->o_id = row[0].i;
        l->number = 0;
    }
    assert_int_equal(row[3].i, ++l->number);
    assert_in_range(row[4].i, 1, TPCC_ITEMS);
    assert_int_equal(value_is_null(&row[6]), !delivered);
    if (delivered)
        assert_int_equal(row[8].i, 0);
    else
        assert_in_range(row[8].i, 1, 999999);
}

static void orders_and_their_lines_agree(void **state)
{
    static struct lines l;

    (void)state;
    for (uint64_t part = 0; part < 2; part++) {
        l = (struct lines){0};
        each_row_of_part(TPCC_ORDER_TABLE, part, note_said, &l);
        each_row_of_part(TPCC_ORDER_LINE, part, follow_line, &l);
        assert_int_equal(l.o_id, TPCC_ORDERS);
        assert_int_equal(l.number, l.said[TPCC_ORDERS]);
    }
}

static void note_customer(void *arg, const struct value *row)
{
    bool *seen = arg;

    assert_false(seen[row[3].i]);
    seen[row[3].i] = true;
}

static void customers_of_orders_are_a_permutation_in_each_district(void **state)
{
    (void)state;
    for (uint64_t part = 0; part < TPCC_DISTRICTS; part++) {
        bool seen[TPCC_CUSTOMERS + 1] = {false};

        each_row_of_part(TPCC_ORDER_TABLE, part, note_customer, seen);
        for (size_t i = 1; i <= TPCC_CUSTOMERS; i++)
            assert_true(seen[i]);
    }
}

struct shares {
    uint64_t n, bad_credit, original;
};

static void note_customer_shares(void *arg, const struct value *row)
{
    struct shares *s = arg;

    s->n++;
    s->bad_credit += memcmp(row[13].s, "BC", 2) == 0;
    if (row[0].i <= TPCC_NAMES) {
        char name[TPCC_LAST_MAX];

        assert_int_equal(last_name((uint64_t)row[0].i - 1, name), row[5].len);
        assert_memory_equal(row[5].s, name, row[5].len);
    }
}

static void note_item_shares(void *arg, const struct value *row)
{
    struct shares *s = arg;

    s->n++;
    s->original += memmem(row[4].s, row[4].len, "ORIGINAL", 8) != NULL;
}

static void note_stock_shares(void *arg, const struct value *row)
{
    struct shares *s = arg;

    s->n++;
    s->original += memmem(row[16].s, row[16].len, "ORIGINAL", 8) != NULL;
}

/* Bounds of five standard deviations. */
static void a_tenth_is_original_and_a_tenth_has_bad_credit(void **state)
{
    struct shares customers = {0}, items = {0}, stock = {0};

    (void)state;
    each_row_of_warehouse(TPCC_CUSTOMER, 1, note_customer_shares, &customers);
    each_row_of_warehouse(TPCC_ITEM, 0, note_item_shares, &items);
    each_row_of_warehouse(TPCC_STOCK, 1, note_stock_shares, &stock);
    assert_in_range(customers.bad_credit, 2741, 3259);
    assert_in_range(items.original, 9526, 10474);
    assert_in_range(stock.original, 9526, 10474);
}

static void c_load_is_a_byte_that_follows_from_the_seed(void **state)
{
    bool seen[256] = {false};
    size_t n = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 5000; seed++) {
        assert_in_range(gen_c_load(seed), 0, 255);
        assert_int_equal(gen_c_load(seed), gen_c_load(seed));
        seen[gen_c_load(seed)] = true;
    }
    for (size_t i = 0; i < 256; i++)
        n += seen[i];
    assert_int_equal(n, 256);
}

static void no_memory_for_a_batch_is_reported(void **state)
{
    (void)state;
    for (uint64_t nth = 1; nth <= 2; nth++) {
        struct gen_batch b;
        struct err err = {0};

        mem_fail_nth(nth);
        assert_int_equal(gen_batch_init(&b, 10, &err), RC_NOMEM);
        mem_fail_nth(0);
        assert_null(b.cells);
        assert_null(b.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_do_not_depend_on_how_they_are_batched),
        cmocka_unit_test(seeds_warehouses_and_parts_differ),
        cmocka_unit_test(rows_do_not_depend_on_threads_or_order),
        cmocka_unit_test(content_of_a_seed_is_fixed),
        cmocka_unit_test(tables_have_their_rows),
        cmocka_unit_test(columns_reach_both_ends_of_their_ranges),
        cmocka_unit_test(only_undelivered_orders_have_nulls),
        cmocka_unit_test(cells_have_the_types_of_their_columns),
        cmocka_unit_test(orders_and_their_lines_agree),
        cmocka_unit_test(
            customers_of_orders_are_a_permutation_in_each_district),
        cmocka_unit_test(a_tenth_is_original_and_a_tenth_has_bad_credit),
        cmocka_unit_test(c_load_is_a_byte_that_follows_from_the_seed),
        cmocka_unit_test(no_memory_for_a_batch_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
