/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/generate.h"

#include "workload/tpcc/nurand.h"
#include "workload/tpcc/text.h"

/* Streams that are of no table. */
enum { STREAM_C_LOAD = TPCC_N_TABLES, STREAM_LINE_COUNTS };

static void stream_init(struct rng *r, uint64_t seed, unsigned kind,
                        uint64_t w_id, uint64_t part)
{
    /* Distinct for up to 2^40 warehouses; rng_init() mixes it. */
    rng_init(r, seed, (uint64_t)kind << 56 | w_id << 16 | part, RNG_DATA);
}

/* What makes one row: where its cells go, and room for its text, of which
 * what is before text is gone. */
struct pen {
    struct rng *rng;
    const struct gen_sink *to;
    char *text;
    char room[GEN_ROW_TEXT_MAX + TEXT_SLACK];
};

static inline void put(struct pen *p, struct value v)
{
    p->to->cell(p->to->arg, &v);
}

/* The text that ends at end, as made by text.h. */
static inline void put_text(struct pen *p, char *end)
{
    put(p, v_textn(p->text, (size_t)(end - p->text)));
    p->text = end;
}

static inline void put_alnum(struct pen *p, size_t min, size_t max)
{
    put_text(p, text_alnum_range(p->rng, p->text, min, max));
}

/* A number uniform in lo..hi. */
static inline int64_t draw(struct pen *p, int64_t lo, int64_t hi)
{
    return rng_range(p->rng, lo, hi);
}

/* street_1, street_2, city, state, zip */
static void put_address(struct pen *p)
{
    put_alnum(p, 10, 20);
    put_alnum(p, 10, 20);
    put_alnum(p, 10, 20);
    put_text(p, text_state(p->rng, p->text));
    put_text(p, text_zip(p->rng, p->text));
}

static void item_row(struct gen *g, struct pen *p)
{
    put(p, v_int((int64_t)(g->part * GEN_PART_ITEMS + g->row + 1)));
    put(p, v_int(draw(p, 1, 10000)));
    put_alnum(p, 14, 24);
    put(p, v_money(draw(p, 100, 10000)));
    put_text(p, text_data(p->rng, p->text, 26, 50));
}

static void warehouse_row(struct gen *g, struct pen *p)
{
    put(p, v_int((int64_t)g->w_id));
    put_alnum(p, 6, 10);
    put_address(p);
    put(p, v_rate(draw(p, 0, 2000)));
    put(p, v_money(30000000));
}

static void district_row(struct gen *g, struct pen *p)
{
    put(p, v_int((int64_t)g->row + 1));
    put(p, v_int((int64_t)g->w_id));
    put_alnum(p, 6, 10);
    put_address(p);
    put(p, v_rate(draw(p, 0, 2000)));
    put(p, v_money(3000000));
    put(p, v_int(TPCC_ORDERS + 1));
}

static void stock_row(struct gen *g, struct pen *p)
{
    char *end;

    put(p, v_int((int64_t)(g->part * GEN_PART_ITEMS + g->row + 1)));
    put(p, v_int((int64_t)g->w_id));
    put(p, v_int(draw(p, 10, 100)));
    end = text_alnum(p->rng, p->text, (size_t)TPCC_DISTRICTS * 24);
    while (p->text < end)
        put_text(p, p->text + 24);
    put(p, v_int(0));
    put(p, v_int(0));
    put(p, v_int(0));
    put_text(p, text_data(p->rng, p->text, 26, 50));
}

static void customer_row(struct gen *g, struct pen *p)
{
    const uint64_t name =
        g->row < TPCC_NAMES
            ? g->row
            : nurand(p->rng, NURAND_A_LAST, 0, TPCC_NAMES - 1, g->c_load);

    put(p, v_int((int64_t)g->row + 1));
    put(p, v_int((int64_t)g->part + 1));
    put(p, v_int((int64_t)g->w_id));
    put_alnum(p, 8, 16);
    put(p, v_textn("OE", 2));
    put_text(p, p->text + last_name(name, p->text));
    put_address(p);
    put_text(p, text_digits(p->rng, p->text, 16));
    put(p, v_time(GEN_LOAD_TIME_US));
    put(p, v_textn(rng_below(p->rng, 10) == 0 ? "BC" : "GC", 2));
    put(p, v_money(5000000));
    put(p, v_rate(draw(p, 0, 5000)));
    put(p, v_money(-1000));
    put(p, v_money(1000));
    put(p, v_int(1));
    put(p, v_int(0));
    put_alnum(p, 300, TPCC_C_DATA_MAX);
}

static void history_row(struct gen *g, struct pen *p)
{
    const struct value d_id = v_int((int64_t)g->part + 1);
    const struct value w_id = v_int((int64_t)g->w_id);

    put(p, v_int((int64_t)g->row + 1));
    put(p, d_id);
    put(p, w_id);
    put(p, d_id);
    put(p, w_id);
    put(p, v_time(GEN_LOAD_TIME_US));
    put(p, v_money(1000));
    put_alnum(p, 12, 24);
}

static uint64_t draw_line_count(struct gen *g)
{
    return (uint64_t)rng_range(&g->counts, TPCC_LINES_MIN, TPCC_LINES_MAX);
}

static void order_row(struct gen *g, struct pen *p)
{
    const int64_t carrier = draw(p, 1, 10);
    const bool delivered = g->row + 1 < TPCC_FIRST_NEW;

    put(p, v_int((int64_t)g->row + 1));
    put(p, v_int((int64_t)g->part + 1));
    put(p, v_int((int64_t)g->w_id));
    put(p, v_int(g->customers[g->row]));
    put(p, v_time(GEN_LOAD_TIME_US));
    put(p, delivered ? v_int(carrier) : v_null());
    put(p, v_int((int64_t)draw_line_count(g)));
    put(p, v_int(1));
}

static void new_order_row(struct gen *g, struct pen *p)
{
    put(p, v_int((int64_t)g->row + TPCC_FIRST_NEW));
    put(p, v_int((int64_t)g->part + 1));
    put(p, v_int((int64_t)g->w_id));
}

static void order_line_row(struct gen *g, struct pen *p)
{
    const int64_t amount = draw(p, 1, 999999);
    const bool delivered = g->row + 1 < TPCC_FIRST_NEW;

    put(p, v_int((int64_t)g->row + 1));
    put(p, v_int((int64_t)g->part + 1));
    put(p, v_int((int64_t)g->w_id));
    put(p, v_int((int64_t)g->line + 1));
    put(p, v_int(draw(p, 1, TPCC_ITEMS)));
    put(p, v_int((int64_t)g->w_id));
    put(p, delivered ? v_time(GEN_LOAD_TIME_US) : v_null());
    put(p, v_int(5));
    put(p, v_money(delivered ? 0 : amount));
    put_text(p, text_alnum(p->rng, p->text, 24));
}

typedef void row_fn(struct gen *g, struct pen *p);

static const struct {
    row_fn *row;
    size_t parts, rows; /* rows: of one part */
} kinds[TPCC_N_TABLES] = {
    [TPCC_ITEM] = {item_row, GEN_ITEM_PARTS, GEN_PART_ITEMS},
    [TPCC_WAREHOUSE] = {warehouse_row, 1, 1},
    [TPCC_DISTRICT] = {district_row, 1, TPCC_DISTRICTS},
    [TPCC_STOCK] = {stock_row, GEN_ITEM_PARTS, GEN_PART_ITEMS},
    [TPCC_CUSTOMER] = {customer_row, TPCC_DISTRICTS, TPCC_CUSTOMERS},
    [TPCC_HISTORY] = {history_row, TPCC_DISTRICTS, TPCC_CUSTOMERS},
    [TPCC_ORDER_TABLE] = {order_row, TPCC_DISTRICTS, TPCC_ORDERS},
    [TPCC_NEW_ORDER_TABLE] = {new_order_row, TPCC_DISTRICTS,
                              TPCC_ORDERS - TPCC_FIRST_NEW + 1},
    [TPCC_ORDER_LINE] = {order_line_row, TPCC_DISTRICTS, TPCC_ORDERS},
};

size_t gen_parts(enum tpcc_table table)
{
    return kinds[table].parts;
}

/* Fisher and Yates, inside out. */
static void draw_permutation(struct rng *r, uint16_t *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const size_t j = (size_t)rng_below(r, i + 1);

        out[i] = out[j];
        out[j] = (uint16_t)(i + 1);
    }
}

void gen_init(struct gen *g, uint64_t seed, enum tpcc_table table,
              uint64_t w_id, uint64_t part)
{
    g->table = table;
    g->w_id = w_id;
    g->part = part;
    g->c_load = gen_c_load(seed);
    g->row = 0;
    g->n_rows = kinds[table].rows;
    g->line = 0;
    g->n_lines = 0;
    stream_init(&g->rng, seed, table, w_id, part);
    stream_init(&g->counts, seed, STREAM_LINE_COUNTS, w_id, part);
    if (table == TPCC_ORDER_TABLE)
        draw_permutation(&g->rng, g->customers, TPCC_CUSTOMERS);
    if (table == TPCC_ORDER_LINE)
        g->n_lines = draw_line_count(g);
}

/* To the next row; a row of order lines is one line of an order. */
static void advance(struct gen *g)
{
    if (g->table == TPCC_ORDER_LINE) {
        if (++g->line < g->n_lines)
            return;
        g->line = 0;
        g->n_lines = draw_line_count(g);
    }
    g->row++;
}

bool gen_row(struct gen *g, const struct gen_sink *to)
{
    struct pen p;

    if (g->row >= g->n_rows)
        return false;
    p.rng = &g->rng;
    p.to = to;
    p.text = p.room;
    kinds[g->table].row(g, &p);
    advance(g);
    return true;
}

uint64_t gen_c_load(uint64_t seed)
{
    struct rng r;

    stream_init(&r, seed, STREAM_C_LOAD, 0, 0);
    return rng_below(&r, NURAND_A_LAST + 1);
}

uint64_t gen_order_lines(uint64_t seed, uint64_t w_id)
{
    uint64_t n = 0;

    for (uint64_t part = 0; part < TPCC_DISTRICTS; part++) {
        struct rng counts;

        stream_init(&counts, seed, STREAM_LINE_COUNTS, w_id, part);
        for (size_t i = 0; i < TPCC_ORDERS; i++)
            n += (uint64_t)rng_range(&counts, TPCC_LINES_MIN, TPCC_LINES_MAX);
    }
    return n;
}
