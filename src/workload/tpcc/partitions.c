/* SPDX-License-Identifier: MIT */
/* The large tables cut by warehouse. */
#include "workload/tpcc/load_plan.h"
#include "workload/tpcc/scripts.h"

#include <inttypes.h>
#include <stdio.h>

const char *partition_column(enum tpcc_table table)
{
    static const char *const columns[TPCC_N_TABLES] = {
        [TPCC_STOCK] = "s_w_id",
        [TPCC_CUSTOMER] = "c_w_id",
        [TPCC_HISTORY] = "h_w_id",
        [TPCC_ORDER_TABLE] = "o_w_id",
        [TPCC_NEW_ORDER_TABLE] = "no_w_id",
        [TPCC_ORDER_LINE] = "ol_w_id",
    };

    return columns[table];
}

uint64_t partition_first(uint64_t scale, uint64_t n, uint64_t number)
{
    const uint64_t each = scale / n, more = scale % n, before = number - 1;

    /* The first ones have one more. */
    return 1 + before * each + (before < more ? before : more);
}

void partition_name(enum tpcc_table table, uint64_t leaf, char *out,
                    size_t out_len)
{
    snprintf(out, out_len, "%s_p%04" PRIu64, tpcc_tables[table].name, leaf);
}

struct bounds {
    char from[24], to[24];
};

/* Warehouses of any number go somewhere. */
static struct bounds bounds_of(const struct dataset *ds, uint64_t leaf)
{
    const struct tpcc_layout *l = &tpcc_of(ds)->meta.layout;
    const uint64_t n = l->partitions;
    struct bounds b;

    if (l->partition_by == TPCC_PARTITION_HASH) {
        snprintf(b.from, sizeof(b.from), "%" PRIu64, n);
        snprintf(b.to, sizeof(b.to), "%" PRIu64, leaf - 1);
        return b;
    }
    snprintf(b.from, sizeof(b.from), "%" PRIu64,
             partition_first(ds->scale, n, leaf));
    snprintf(b.to, sizeof(b.to), "%" PRIu64,
             partition_first(ds->scale, n, leaf + 1));
    if (leaf == 1)
        snprintf(b.from, sizeof(b.from), "MINVALUE");
    if (leaf == n)
        snprintf(b.to, sizeof(b.to), "MAXVALUE");
    return b;
}

static CORO_FN enum rc make_one(struct dataset *ds, struct conn *c,
                                enum tpcc_table table, uint64_t leaf,
                                const char *table_options, struct err *err)
{
    const struct tpcc_layout *l = &tpcc_of(ds)->meta.layout;
    const struct bounds b = bounds_of(ds, leaf);
    char name[64];
    const struct script_mark marks[] = {
        {"/* unlogged */", l->unlogged ? "UNLOGGED" : ""},
        {"/* partition */", name},
        {"/* table */", tpcc_tables[table].name},
        {"/* from */", b.from},
        {"/* to */", b.to},
        {"/* table options */", table_options},
    };

    partition_name(table, leaf, name, sizeof(name));
    return script_run_marks(ds, c,
                            l->partition_by == TPCC_PARTITION_HASH
                                ? "partition_hash"
                                : "partition_range",
                            marks, ARRAY_LEN(marks), err);
}

/* "PARTITION p0001 VALUES LESS THAN (4), …" */
static void put_ranges(const struct dataset *ds, struct buf *out)
{
    const uint64_t n = tpcc_of(ds)->meta.layout.partitions;

    for (uint64_t leaf = 1; leaf <= n; leaf++)
        buf_printf(out, "%sPARTITION p%04" PRIu64 " VALUES LESS THAN (%s)",
                   leaf > 1 ? ", " : "", leaf, bounds_of(ds, leaf).to);
}

/* A table that is there and empty gets all of its partitions. */
static CORO_FN enum rc cut_one(struct dataset *ds, struct conn *c,
                               enum tpcc_table table, const char *ranges,
                               struct err *err)
{
    const struct tpcc_layout *l = &tpcc_of(ds)->meta.layout;
    const bool by_hash = l->partition_by == TPCC_PARTITION_HASH;
    char n[24];
    const struct script_mark marks[] = {
        {"/* table */", tpcc_tables[table].name},
        {"/* column */", partition_column(table)},
        {"/* partitions */", n},
        {"/* ranges */", ranges},
    };

    snprintf(n, sizeof(n), "%" PRIu64, l->partitions);
    return script_run_marks(ds, c, by_hash ? "cut_hash" : "cut_range", marks,
                            ARRAY_LEN(marks), err);
}

static CORO_FN enum rc cut_all(struct dataset *ds, struct conn *c,
                               struct err *err)
{
    struct buf ranges = BUF_INIT(SCRIPT_MAX_BYTES);
    enum rc rc;

    put_ranges(ds, &ranges);
    rc = buf_rc(&ranges);
    if (rc)
        err_set(err, rc, "no memory for the partitions");
    for (enum tpcc_table t = 0; !rc && t < TPCC_N_TABLES; t++) {
        if (layout_is_large(t))
            rc = cut_one(ds, c, t, buf_str(&ranges), err);
    }
    buf_release(&ranges);
    return rc;
}

bool partitions_are_tables(const struct dataset *ds)
{
    return script_find(ds, "partition_range") != NULL;
}

CORO_FN enum rc partitions_make(struct dataset *ds, struct conn *c,
                                const char *table_options, struct err *err)
{
    const uint64_t n = tpcc_of(ds)->meta.layout.partitions;
    enum rc rc = RC_OK;

    if (n > 0 && !partitions_are_tables(ds))
        return cut_all(ds, c, err);
    for (enum tpcc_table t = 0; t < TPCC_N_TABLES; t++) {
        for (uint64_t leaf = 1; !rc && layout_is_large(t) && leaf <= n; leaf++)
            rc = make_one(ds, c, t, leaf, table_options, err);
    }
    return rc;
}

CORO_FN enum rc partitions_of_warehouses(struct dataset *ds, struct conn *c,
                                         uint32_t *out, struct err *err)
{
    const uint64_t n = tpcc_of(ds)->meta.layout.partitions;
    const struct value args[] = {v_int((int64_t)n), v_int((int64_t)ds->scale)};
    struct step *step = ARENA_NEW(&ds->arena, struct step);
    const struct value *row = NULL;
    struct scan *scan = NULL;
    enum rc rc;

    if (!partitions_are_tables(ds)) {
        /* The server sends each row to its partition by the remainder; this
         * gives each stream the warehouses of one partition. */
        for (uint64_t w_id = 1; w_id <= ds->scale; w_id++)
            out[w_id - 1] = (uint32_t)(w_id % n) + 1;
        return RC_OK;
    }
    if (!step)
        return err_set(err, RC_NOMEM, "no memory for the partitions");
    rc = step_load(&ds->arena, "tpcc", ds->db->driver, "partition_of", step,
                   err);
    if (!rc)
        rc = scan_open(c, step, args, ARRAY_LEN(args), &scan, err);
    while (!rc && !(rc = scan_next(scan, &row, err)) && row) {
        if (row[0].i >= 1 && (uint64_t)row[0].i <= ds->scale)
            out[row[0].i - 1] = (uint32_t)row[1].i + 1;
    }
    scan_close(scan);
    return rc;
}
