/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/load_plan.h"

#include "base/parse.h"
#include "workload/tpcc/generate.h"
#include "workload/tpcc/scripts.h"

enum {
    BLOCK_WAREHOUSES = 100,
    ITEM_SHARES = 4,
    /* Below it a table of a warehouse is cut, so that all streams have work. */
    UNCUT_WAREHOUSES = 8,
    SHARES = 5,
    /* More streams than this are faster by warehouses. */
    TABLE_STREAMS_MAX = 2,
};

/* The largest first, so that streams end at about the same time. */
static const enum tpcc_table by_size[TPCC_N_TABLES] = {
    TPCC_ORDER_LINE, TPCC_STOCK,       TPCC_CUSTOMER,
    TPCC_HISTORY,    TPCC_ORDER_TABLE, TPCC_NEW_ORDER_TABLE,
    TPCC_ITEM,       TPCC_DISTRICT,    TPCC_WAREHOUSE,
};

enum { N_LARGE = 6 };

static const struct tpcc_layout *layout_of(const struct dataset *ds)
{
    return &tpcc_of(ds)->meta.layout;
}

/* ---- the layout ---- */

static enum rc parse_partitions(const struct dataset *ds, uint64_t *out,
                                struct err *err)
{
    const char *text = tpcc_cfg(ds)->partitions;
    enum rc rc;

    *out = 0;
    if (!text || strcmp(text, "off") == 0)
        return RC_OK;
    if (strcmp(text, "auto") == 0) {
        if (ds->scale >= PARTITIONS_FROM_WAREHOUSES)
            *out = ds->scale / PARTITION_WAREHOUSES;
        if (*out > PARTITIONS_AUTO_MAX)
            *out = PARTITIONS_AUTO_MAX;
        return RC_OK;
    }
    rc = parse_u64(text, out, err);
    if (rc) {
        err_prefix(err, "--partitions: a number, 'auto' or 'off' is wanted");
        return rc;
    }
    if (*out == 0 || *out > PARTITIONS_MAX)
        return err_set(err, RC_USAGE,
                       "--partitions: '%s' is not in 1..%d; 'off' means none",
                       text, PARTITIONS_MAX);
    if (ds->scale && *out > ds->scale)
        return err_set(err, RC_USAGE,
                       "--partitions: %s are more than the %llu warehouse%s",
                       text, (unsigned long long)ds->scale,
                       ds->scale == 1 ? "" : "s");
    return RC_OK;
}

static enum tpcc_load_by choose_load_by(const struct dataset *ds,
                                        size_t n_streams, uint64_t partitions)
{
    const enum tpcc_load_by wish = (enum tpcc_load_by)tpcc_cfg(ds)->load_by;

    if (db_can(ds->db, DRIVER_DISCARDS))
        return TPCC_LOAD_WAREHOUSES;
    if (partitions > 0 || db_can(ds->db, DRIVER_EMBEDDED) ||
        db_can(ds->db, DRIVER_FILES))
        return TPCC_LOAD_TABLES;
    if (wish != TPCC_LOAD_AUTO)
        return wish;
    return db_can(ds->db, DRIVER_BULK_FRESH) && n_streams <= TABLE_STREAMS_MAX
               ? TPCC_LOAD_TABLES
               : TPCC_LOAD_WAREHOUSES;
}

enum rc layout_choose(const struct dataset *ds, size_t n_streams,
                      struct tpcc_layout *out, struct err *err)
{
    const struct tpcc_cfg *cfg = tpcc_cfg(ds);
    enum rc rc;

    *out = (struct tpcc_layout){
        .partition_by = (uint64_t)cfg->partition_by,
        .foreign_keys = cfg->foreign_keys,
        .unlogged = cfg->unlogged,
    };
    rc = parse_partitions(ds, &out->partitions, err);
    out->load_by = choose_load_by(ds, n_streams, out->partitions);
    if (!rc && out->partitions > 0 && cfg->foreign_keys &&
        !partitions_are_tables(ds))
        return err_set(err, RC_USAGE,
                       "--foreign-keys and --partitions: the server has no "
                       "foreign keys on tables with partitions; leave one of "
                       "them out");
    return rc;
}

enum rc tpcc_load_check(const struct dataset *ds, struct err *err)
{
    struct tpcc_layout layout;

    return layout_choose(ds, 1, &layout, err);
}

/* ---- pieces ---- */

static size_t n_blocks(const struct dataset *ds)
{
    return (size_t)((ds->scale + BLOCK_WAREHOUSES - 1) / BLOCK_WAREHOUSES);
}

/* Of one large table of one warehouse. */
static size_t n_shares(const struct dataset *ds)
{
    return ds->scale < UNCUT_WAREHOUSES ? SHARES : 1;
}

static struct piece whole_table(const struct dataset *ds, enum tpcc_table table,
                                uint64_t leaf)
{
    return (struct piece){
        .table = table,
        .first_w_id = table == TPCC_ITEM ? 0 : 1,
        .last_w_id = table == TPCC_ITEM ? 0 : ds->scale,
        .n_shares = 1,
        .leaf = leaf,
        .fresh = true,
    };
}

/* By partitions: those of one number of all tables, then of the next. */
static struct piece table_piece(const struct dataset *ds, size_t i)
{
    const struct tpcc_layout *l = layout_of(ds);
    const uint64_t n = l->partitions;
    struct piece p;
    uint64_t leaf;

    if (n == 0)
        return whole_table(ds, by_size[i], 0);
    if (i >= N_LARGE * n)
        return whole_table(ds, by_size[N_LARGE + i - N_LARGE * n], 0);
    leaf = i / N_LARGE + 1;
    p = whole_table(ds, by_size[i % N_LARGE], leaf);
    if (l->partition_by == TPCC_PARTITION_RANGE) {
        p.first_w_id = partition_first(ds->scale, n, leaf);
        p.last_w_id = partition_first(ds->scale, n, leaf + 1) - 1;
    }
    return p;
}

static struct piece block_piece(const struct dataset *ds, size_t i)
{
    const uint64_t last = ((uint64_t)i / 2 + 1) * BLOCK_WAREHOUSES;

    return (struct piece){
        .table = i % 2 ? TPCC_DISTRICT : TPCC_WAREHOUSE,
        .first_w_id = (uint64_t)i / 2 * BLOCK_WAREHOUSES + 1,
        .last_w_id = last < ds->scale ? last : ds->scale,
        .n_shares = 1,
    };
}

static struct piece warehouse_piece(const struct dataset *ds, size_t i)
{
    const size_t shares = n_shares(ds);
    const uint64_t w_id = i / (N_LARGE * shares) + 1;

    i %= N_LARGE * shares;
    return (struct piece){
        .table = by_size[i / shares],
        .first_w_id = w_id,
        .last_w_id = w_id,
        .share = i % shares,
        .n_shares = shares,
    };
}

size_t layout_n_pieces(const struct dataset *ds)
{
    const struct tpcc_layout *l = layout_of(ds);

    if (l->load_by == TPCC_LOAD_WAREHOUSES)
        return ITEM_SHARES + 2 * n_blocks(ds) +
               (size_t)ds->scale * N_LARGE * n_shares(ds);
    if (l->partitions > 0)
        return TPCC_N_TABLES - N_LARGE + N_LARGE * (size_t)l->partitions;
    return TPCC_N_TABLES;
}

struct piece layout_piece(const struct dataset *ds, size_t i)
{
    if (layout_of(ds)->load_by != TPCC_LOAD_WAREHOUSES)
        return table_piece(ds, i);
    if (i < ITEM_SHARES)
        return (struct piece){
            .table = TPCC_ITEM, .share = i, .n_shares = ITEM_SHARES};
    i -= ITEM_SHARES;
    if (i < 2 * n_blocks(ds))
        return block_piece(ds, i);
    return warehouse_piece(ds, i - 2 * n_blocks(ds));
}

bool layout_holds(const struct dataset *ds, const struct piece *p,
                  uint64_t w_id)
{
    const uint32_t *leaf_of = tpcc_of(ds)->load->leaf_of;

    return p->leaf == 0 || !leaf_of || leaf_of[w_id - 1] == p->leaf;
}

CORO_FN enum rc layout_begin(struct dataset *ds, struct conn *c,
                             struct err *err)
{
    const struct tpcc_layout *l = layout_of(ds);
    struct tpcc_load *load = ARENA_NEW(&ds->arena, struct tpcc_load);
    enum rc rc;

    if (!load)
        return err_set(err, RC_NOMEM, "no memory for the load");
    tpcc_of(ds)->load = load;
    load->whole = db_can(ds->db, DRIVER_EMBEDDED);
    load->keeps = script_find(ds, "load_done") != NULL &&
                  !db_can(ds->db, DRIVER_DISCARDS);
    rc = sums_prepare(ds, load, err);
    if (!rc && load->keeps)
        rc = step_load(&ds->arena, "tpcc", ds->db->driver, "load_done",
                       &load->write_done, err);
    if (rc)
        return rc;
    if (l->partitions == 0 || l->partition_by != TPCC_PARTITION_HASH)
        return RC_OK;
    load->leaf_of = ARENA_ARRAY(&ds->arena, uint32_t, (size_t)ds->scale);
    if (!load->leaf_of)
        return err_set(err, RC_NOMEM, "no memory for the partitions");
    return partitions_of_warehouses(ds, c, load->leaf_of, err);
}
