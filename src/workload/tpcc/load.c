/* SPDX-License-Identifier: MIT */
/*
 * The population in chunks, for several threads:
 *
 *     items | warehouses and districts, 100 warehouses each |
 *     for each warehouse: stock, customers and history, orders
 *
 * Chunks of one warehouse are small enough that all threads have work at one
 * warehouse, and stand in an order in which a single thread appends to each
 * table by its key.
 */
#include "base/mem.h"
#include "workload/tpcc/generate.h"
#include "workload/tpcc/tpcc.h"

#include <inttypes.h>
#include <stdatomic.h>

enum {
    ITEM_CHUNKS = 4,
    BLOCK_WAREHOUSES = 100,
    STOCK_CHUNKS = 4,
    CUSTOMER_CHUNKS = 5,
    ORDER_CHUNKS = 5,
    WAREHOUSE_CHUNKS = STOCK_CHUNKS + CUSTOMER_CHUNKS + ORDER_CHUNKS,
    /* Rows of one call to the driver, which commits them: 2.8 MB at most. */
    BATCH_ROWS = 3000,
    /* Above it the order lines are not counted but estimated. */
    COUNTED_WAREHOUSES = 1000,
};

/* A range of the parts of some tables of some warehouses. */
struct chunk {
    const enum tpcc_table *tables;
    size_t n_tables;
    uint64_t first_w_id, last_w_id;
    size_t share, n_shares; /* this share of the parts of each table */
};

/* What is the same for a whole chunk. */
struct load {
    struct conn *conn;
    uint64_t seed;
    struct gen *gen;
    uint64_t w_id; /* of the rows made last, for errors */
    struct gen_batch batch;
    _Atomic uint64_t *n_rows;
    const _Atomic bool *stop;
};

static size_t n_blocks(const struct dataset *ds)
{
    return (size_t)((ds->scale + BLOCK_WAREHOUSES - 1) / BLOCK_WAREHOUSES);
}

size_t tpcc_n_chunks(const struct dataset *ds)
{
    return ITEM_CHUNKS + n_blocks(ds) + (size_t)ds->scale * WAREHOUSE_CHUNKS;
}

uint64_t tpcc_n_rows(const struct dataset *ds)
{
    const uint64_t per_warehouse =
        1 + TPCC_DISTRICTS + TPCC_ITEMS +
        TPCC_DISTRICTS * (2 * TPCC_CUSTOMERS + TPCC_ORDERS + TPCC_ORDERS -
                          TPCC_FIRST_NEW + 1);
    const uint64_t mean_lines =
        TPCC_DISTRICTS * TPCC_ORDERS * (TPCC_LINES_MIN + TPCC_LINES_MAX) / 2;
    uint64_t n = TPCC_ITEMS + ds->scale * per_warehouse;

    if (ds->scale > COUNTED_WAREHOUSES)
        return n + ds->scale * mean_lines;
    for (uint64_t w_id = 1; w_id <= ds->scale; w_id++)
        n += gen_order_lines(ds->seed, w_id);
    return n;
}

static const enum tpcc_table item_tables[] = {TPCC_ITEM};
static const enum tpcc_table block_tables[] = {TPCC_WAREHOUSE, TPCC_DISTRICT};
static const enum tpcc_table stock_tables[] = {TPCC_STOCK};
static const enum tpcc_table customer_tables[] = {TPCC_CUSTOMER, TPCC_HISTORY};
static const enum tpcc_table order_tables[] = {
    TPCC_ORDER_TABLE, TPCC_NEW_ORDER_TABLE, TPCC_ORDER_LINE};

static struct chunk warehouse_chunk(uint64_t w_id, size_t i)
{
    static const struct {
        const enum tpcc_table *tables;
        size_t n_tables, n_chunks;
    } groups[] = {
        {stock_tables, ARRAY_LEN(stock_tables), STOCK_CHUNKS},
        {customer_tables, ARRAY_LEN(customer_tables), CUSTOMER_CHUNKS},
        {order_tables, ARRAY_LEN(order_tables), ORDER_CHUNKS},
    };
    size_t group = 0;

    while (i >= groups[group].n_chunks)
        i -= groups[group++].n_chunks;
    return (struct chunk){
        .tables = groups[group].tables,
        .n_tables = groups[group].n_tables,
        .first_w_id = w_id,
        .last_w_id = w_id,
        .share = i,
        .n_shares = groups[group].n_chunks,
    };
}

static struct chunk chunk_at(const struct dataset *ds, size_t i)
{
    if (i < ITEM_CHUNKS) {
        return (struct chunk){
            .tables = item_tables,
            .n_tables = ARRAY_LEN(item_tables),
            .share = i,
            .n_shares = ITEM_CHUNKS,
        };
    }
    i -= ITEM_CHUNKS;
    if (i < n_blocks(ds)) {
        const uint64_t last = ((uint64_t)i + 1) * BLOCK_WAREHOUSES;

        return (struct chunk){
            .tables = block_tables,
            .n_tables = ARRAY_LEN(block_tables),
            .first_w_id = (uint64_t)i * BLOCK_WAREHOUSES + 1,
            .last_w_id = last < ds->scale ? last : ds->scale,
            .n_shares = 1,
        };
    }
    i -= n_blocks(ds);
    return warehouse_chunk(i / WAREHOUSE_CHUNKS + 1, i % WAREHOUSE_CHUNKS);
}

static CORO_FN enum rc flush(struct load *l, enum tpcc_table table,
                             struct err *err)
{
    const size_t n = l->batch.n_rows;
    enum rc rc;

    if (n == 0)
        return RC_OK;
    /* A flag alone, no data behind it. */
    if (atomic_load_explicit(l->stop, memory_order_relaxed))
        return err_set(err, RC_CANCELLED, "interrupted");
    rc = conn_bulk_rows(l->conn, &tpcc_tables[table], l->batch.cells, n, err);
    if (rc)
        return rc;
    gen_batch_reset(&l->batch);
    /* Read for progress only. */
    atomic_fetch_add_explicit(l->n_rows, n, memory_order_relaxed);
    return RC_OK;
}

static CORO_FN enum rc load_part(struct load *l, enum tpcc_table table,
                                 uint64_t w_id, uint64_t part, struct err *err)
{
    enum rc rc = RC_OK;

    l->w_id = w_id;
    gen_init(l->gen, l->seed, table, w_id, part);
    while (!rc && gen_rows(l->gen, &l->batch))
        rc = flush(l, table, err);
    return rc;
}

static CORO_FN enum rc load_table(struct load *l, const struct chunk *chunk,
                                  enum tpcc_table table, struct err *err)
{
    const size_t n_parts = gen_parts(table) / chunk->n_shares;
    const size_t first = n_parts * chunk->share;
    enum rc rc = RC_OK;

    for (uint64_t w_id = chunk->first_w_id; !rc && w_id <= chunk->last_w_id;
         w_id++) {
        for (size_t i = 0; !rc && i < n_parts; i++)
            rc = load_part(l, table, w_id, first + i, err);
    }
    if (!rc)
        rc = flush(l, table, err);
    if (rc && rc != RC_CANCELLED && table == TPCC_ITEM)
        err_prefix(err, "load of table item");
    else if (rc && rc != RC_CANCELLED)
        err_prefix(err, "load of table %s, warehouse %" PRIu64,
                   tpcc_tables[table].name, l->w_id);
    return rc;
}

CORO_FN enum rc tpcc_load_chunk(struct dataset *ds, size_t chunk,
                                struct conn *c, _Atomic uint64_t *n_rows,
                                const _Atomic bool *stop, struct err *err)
{
    const struct chunk work = chunk_at(ds, chunk);
    struct load l = {
        .conn = c,
        .seed = ds->seed,
        .n_rows = n_rows,
        .stop = stop,
    };
    enum rc rc;

    l.gen = MEM_NEW(struct gen);
    if (!l.gen)
        return err_set(err, RC_NOMEM, "no memory to generate rows");
    rc = gen_batch_init(&l.batch, BATCH_ROWS, err);
    for (size_t i = 0; !rc && i < work.n_tables; i++)
        rc = load_table(&l, &work, work.tables[i], err);
    gen_batch_release(&l.batch);
    mem_free(l.gen);
    return rc;
}
