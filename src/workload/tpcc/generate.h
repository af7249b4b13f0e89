/* SPDX-License-Identifier: MIT */
/*
 * The rows of the population, clause 4.3.3.1.  A table is made in parts, each
 * with random streams of its own from (seed, table, warehouse, part): a row
 * depends on nothing else, so any split into chunks, in any order and on any
 * number of threads, makes the same rows.
 */
#ifndef WORKLOAD_TPCC_GENERATE_H
#define WORKLOAD_TPCC_GENERATE_H

#include "workload/tpcc/tpcc.h"

enum {
    /* Items and stock of one part; of the other tables a part is a district,
     * of the warehouse and district tables a warehouse. */
    GEN_PART_ITEMS = 5000,
    GEN_ITEM_PARTS = TPCC_ITEMS / GEN_PART_ITEMS,
    GEN_COLS_MAX = 21, /* of customer */
    /* Bytes of text in one row of any table, at most. */
    GEN_ROW_TEXT_MAX = 640,
};

/* 2020-01-01T00:00:00Z, the time of every load: the clock would make two loads
 * of one seed differ. */
#define GEN_LOAD_TIME_US INT64_C(1577836800000000)

/* Takes the cells of a row, in the order of the table's columns; the text of
 * one is borrowed for the call. */
struct gen_sink {
    void (*cell)(void *arg, const struct value *v);
    void *arg;
};

/* One part of a table being made. */
struct gen {
    enum tpcc_table table;
    uint64_t w_id, part; /* w_id 0: item */
    uint64_t c_load;
    uint64_t row, n_rows;   /* made, in all; of order lines: orders */
    uint64_t line, n_lines; /* of the order being made */
    struct rng rng;
    struct rng counts; /* lines of each order, the same for both tables */
    uint16_t customers[TPCC_CUSTOMERS]; /* of orders: the permutation */
};

/* How many parts a warehouse has of this table; of item: in all. */
size_t gen_parts(enum tpcc_table table);
/* part counts from 0. */
void gen_init(struct gen *g, uint64_t seed, enum tpcc_table table,
              uint64_t w_id, uint64_t part);
/* Makes the next row; false when the part is made. */
bool gen_row(struct gen *g, const struct gen_sink *to);

/* C-Load of this seed, 0..255, clause 2.1.6.1. */
uint64_t gen_c_load(uint64_t seed);
/* Rows of the order-line table of a warehouse, exactly. */
uint64_t gen_order_lines(uint64_t seed, uint64_t w_id);

#endif
