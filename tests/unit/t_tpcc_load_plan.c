/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "workload/tpcc/generate.h"
#include "workload/tpcc/load_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A dataset of which only the plan is asked. */
static struct tpcc_load load;
static struct tpcc tpcc = {.load = &load};
static struct dataset ds = {.state = &tpcc};

static void lay_out(uint64_t warehouses, enum tpcc_load_by by,
                    uint64_t partitions, uint64_t partition_by)
{
    ds.scale = warehouses;
    memset(&load, 0, sizeof(load));
    tpcc.meta.layout = (struct tpcc_layout){
        .load_by = by, .partitions = partitions, .partition_by = partition_by};
}

/* Parts of each table and warehouse that the pieces make, each once. */
static void assert_all_parts_once(void)
{
    uint8_t *seen = mem_calloc((ds.scale + 1) * TPCC_N_TABLES, 32);

    assert_non_null(seen);
    for (size_t i = 0; i < layout_n_pieces(&ds); i++) {
        const struct piece p = layout_piece(&ds, i);
        const size_t n = gen_parts(p.table) / p.n_shares;

        assert_int_equal(gen_parts(p.table) % p.n_shares, 0);
        for (uint64_t w = p.first_w_id; w <= p.last_w_id; w++) {
            for (size_t k = 0; layout_holds(&ds, &p, w) && k < n; k++)
                seen[(w * TPCC_N_TABLES + p.table) * 32 + p.share * n + k]++;
        }
    }
    for (enum tpcc_table t = 0; t < TPCC_N_TABLES; t++) {
        const uint64_t first = t == TPCC_ITEM ? 0 : 1;
        const uint64_t last = t == TPCC_ITEM ? 0 : ds.scale;

        for (uint64_t w = first; w <= last; w++)
            for (size_t k = 0; k < gen_parts(t); k++)
                assert_int_equal(seen[(w * TPCC_N_TABLES + t) * 32 + k], 1);
    }
    mem_free(seen);
}

static void every_way_makes_every_part_once(void **state)
{
    static const uint64_t scales[] = {1, 2, 7, 8, 100, 101, 250};
    uint32_t leaf_of[250];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(leaf_of); i++)
        leaf_of[i] = (uint32_t)(i * 7 % 5 + 1);
    for (size_t i = 0; i < ARRAY_LEN(scales); i++) {
        lay_out(scales[i], TPCC_LOAD_TABLES, 0, 0);
        assert_all_parts_once();
        lay_out(scales[i], TPCC_LOAD_WAREHOUSES, 0, 0);
        assert_all_parts_once();
        lay_out(scales[i], TPCC_LOAD_TABLES, (scales[i] + 2) / 3,
                TPCC_PARTITION_RANGE);
        assert_all_parts_once();
        lay_out(scales[i], TPCC_LOAD_TABLES, 5, TPCC_PARTITION_HASH);
        load.leaf_of = leaf_of;
        assert_all_parts_once();
    }
}

static void range_partitions_differ_by_one_warehouse_at_most(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 10; n++) {
        uint64_t next = 1;

        for (uint64_t i = 1; i <= n; i++) {
            const uint64_t first = partition_first(10, n, i);
            const uint64_t len = partition_first(10, n, i + 1) - first;

            assert_int_equal(first, next);
            assert_in_range(len, 10 / n, 10 / n + 1);
            next = first + len;
        }
        assert_int_equal(next, 11);
    }
}

static void rows_and_pieces_of_a_million_warehouses_are_counted(void **state)
{
    (void)state;
    lay_out(1000000, TPCC_LOAD_WAREHOUSES, 0, 0);
    /* 100,000 items; 499,011 rows and 300,000 lines a warehouse less 100,000:
     * 1 + 10 + 100,000 + 3 * 30,000 + 9,000 + 300,000. */
    assert_int_equal(tpcc_n_rows(&ds),
                     UINT64_C(100000) + UINT64_C(1000000) * 499011);
    assert_int_equal(layout_n_pieces(&ds), 4 + 2 * 10000 + 6 * 1000000);
    assert_int_equal(layout_piece(&ds, layout_n_pieces(&ds) - 1).last_w_id,
                     1000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_makes_every_part_once),
        cmocka_unit_test(range_partitions_differ_by_one_warehouse_at_most),
        cmocka_unit_test(rows_and_pieces_of_a_million_warehouses_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
