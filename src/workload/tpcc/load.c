/* SPDX-License-Identifier: MIT */
/* Does what load_plan.h says: rows, keys, checks, foreign keys. */
#include "base/mem.h"
#include "driver/bulk.h"
#include "workload/tpcc/generate.h"
#include "workload/tpcc/load_plan.h"
#include "workload/tpcc/scripts.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    /* Rows between two looks at whether to go on. */
    STRIDE_ROWS = 200,
    /* Above it the order lines are not counted but estimated. */
    COUNTED_WAREHOUSES = 1000,
};

/* What is the same for all rows of a piece. */
struct load {
    struct dataset *ds;
    struct conn *conn;
    struct load_tally *tally;
    struct gen *gen;
    uint32_t summed, column; /* columns of the sums; that of the next cell */
    uint64_t w_id;           /* of the rows made last, for errors */
    int64_t n_rows, total;   /* of the piece */
    uint64_t bytes_reported; /* of the connection's */
};

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
        n += gen_order_lines(ds->data_seed, w_id);
    return n;
}

/* ---- rows ---- */

/* From the generator into the driver's own format. */
static void load_cell(void *arg, const struct value *v)
{
    struct load *l = arg;

    if (l->summed >> l->column & 1 && v->type != VALUE_NULL)
        l->total += v->i;
    l->column++;
    conn_bulk_cell(l->conn, v);
}

static void count_rows(struct load *l, uint64_t n)
{
    const uint64_t bytes = l->conn->usage.bytes_sent;

    l->n_rows += (int64_t)n;
    atomic_fetch_add_explicit(&l->tally->n_rows, n, memory_order_relaxed);
    atomic_fetch_add_explicit(&l->tally->n_bytes, bytes - l->bytes_reported,
                              memory_order_relaxed);
    l->bytes_reported = bytes;
}

/* Sets *out_more when the part has more of them. */
static CORO_FN enum rc load_stride(struct load *l, bool *out_more,
                                   struct err *err)
{
    const struct gen_sink to = {.cell = load_cell, .arg = l};
    uint64_t n = 0;
    enum rc rc = RC_OK;

    if (load_stopped(l->tally))
        return err_set(err, RC_CANCELLED, "interrupted");
    *out_more = true;
    while (!rc && n < STRIDE_ROWS) {
        l->column = 0;
        *out_more = gen_row(l->gen, &to);
        if (!*out_more)
            break;
        rc = conn_bulk_row(l->conn, err);
        n++;
    }
    count_rows(l, n);
    return rc;
}

static CORO_FN enum rc load_part(struct load *l, enum tpcc_table table,
                                 uint64_t part, struct err *err)
{
    bool more = true;
    enum rc rc = RC_OK;

    gen_init(l->gen, l->ds->data_seed, table, l->w_id, part);
    while (!rc && more)
        rc = load_stride(l, &more, err);
    return rc;
}

static CORO_FN enum rc load_rows(struct load *l, const struct piece *p,
                                 struct err *err)
{
    const size_t n_parts = gen_parts(p->table) / p->n_shares;
    const size_t first = n_parts * p->share;
    enum rc rc = RC_OK;

    for (uint64_t w_id = p->first_w_id; !rc && w_id <= p->last_w_id; w_id++) {
        if (!layout_holds(l->ds, p, w_id))
            continue;
        l->w_id = w_id;
        for (size_t i = 0; !rc && i < n_parts; i++)
            rc = load_part(l, p->table, first + i, err);
    }
    return rc;
}

static void say_where(const struct load *l, enum tpcc_table table, enum rc rc,
                      struct err *err)
{
    if (rc == RC_CANCELLED)
        return;
    if (table == TPCC_ITEM)
        err_prefix(err, "load of table item");
    else
        err_prefix(err, "load of table %s, warehouse %" PRIu64,
                   tpcc_tables[table].name, l->w_id);
}

/* The rows of one piece, in the transaction that is open. */
static CORO_FN enum rc write_rows(struct load *l, const struct piece *p,
                                  struct err *err)
{
    struct table_def table = tpcc_tables[p->table];
    char name[64];
    enum rc rc;

    if (p->leaf > 0 && partitions_are_tables(l->ds)) {
        partition_name(p->table, p->leaf, name, sizeof(name));
        table.name = name;
    }
    l->w_id = p->first_w_id;
    l->n_rows = 0;
    l->total = 0;
    l->summed = sums_columns(p->table);
    rc =
        conn_bulk_begin(l->conn, &table, p->fresh ? BULK_FRESH : BULK_ANY, err);
    if (!rc)
        rc = load_rows(l, p, err);
    if (!rc)
        rc = conn_bulk_end(l->conn, err);
    if (rc)
        say_where(l, p->table, rc, err);
    return rc;
}

/* ---- what is done ---- */

static bool is_done(const struct tpcc_load *load, size_t phase, size_t piece)
{
    const uint8_t *bits = load->done[phase];

    return bits && (bits[piece / 8] >> piece % 8 & 1);
}

/* In the transaction of what was done. */
static CORO_FN enum rc write_done(struct load *l, size_t phase, size_t piece,
                                  enum tpcc_table table, struct err *err)
{
    const struct value args[] = {
        v_int((int64_t)phase), v_int((int64_t)piece), v_int((int64_t)table),
        v_int(l->n_rows),      v_int(l->total),
    };

    const struct tpcc_load *load = tpcc_of(l->ds)->load;

    if (!load->keeps)
        return RC_OK;
    return conn_query(l->conn, &load->write_done, args, ARRAY_LEN(args), NULL,
                      err);
}

static CORO_FN enum rc commit(struct load *l, struct err *err)
{
    const enum rc rc = conn_commit(l->conn);

    if (rc) {
        conn_error(l->conn, err);
        err_prefix(err, "commit");
        return rc;
    }
    if (tpcc_of(l->ds)->load->keeps)
        atomic_fetch_add_explicit(&l->tally->n_kept, 1, memory_order_relaxed);
    return RC_OK;
}

static CORO_FN enum rc begin(struct load *l, struct err *err)
{
    const enum rc rc = conn_begin(l->conn, TXN_BULK);

    if (rc)
        conn_error(l->conn, err);
    return rc;
}

/* What was in the way stays the error. */
static CORO_FN enum rc roll_back(struct load *l, enum rc rc)
{
    if (conn_rollback(l->conn))
        l->conn->gone = true;
    return rc;
}

/* ---- the phases ---- */

static CORO_FN enum rc rows_piece(struct load *l, size_t i, struct err *err)
{
    const struct piece p = layout_piece(l->ds, i);
    enum rc rc = begin(l, err);

    if (rc)
        return rc;
    rc = write_rows(l, &p, err);
    if (!rc)
        rc = write_done(l, LOAD_ROWS, i, p.table, err);
    if (!rc) {
        rc = commit(l, err);
        if (rc)
            say_where(l, p.table, rc, err);
    }
    if (rc)
        return roll_back(l, rc);
    sums_add(tpcc_of(l->ds)->load, p.table, l->n_rows, l->total);
    return RC_OK;
}

static CORO_FN enum rc statement(struct load *l, const char *script, size_t i,
                                 struct err *err)
{
    return script_run_one(l->ds, l->conn, script, i, err);
}

/* A statement and that it is done; where DDL is not of a transaction, the
 * script has IF NOT EXISTS. */
static CORO_FN enum rc ddl_piece(struct load *l, size_t phase,
                                 const char *script, size_t i, struct err *err)
{
    enum rc rc = begin(l, err);

    if (rc)
        return rc;
    rc = statement(l, script, i, err);
    if (!rc)
        rc = write_done(l, phase, i, TPCC_N_TABLES, err);
    if (!rc)
        rc = commit(l, err);
    return rc ? roll_back(l, rc) : RC_OK;
}

static CORO_FN enum rc checks_piece(struct load *l, size_t i, struct err *err)
{
    const size_t n = script_count(l->ds, "statistics");

    if (i < n)
        return statement(l, "statistics", i, err);
    return sums_check(l->ds, l->conn, (enum tpcc_table)(i - n), err);
}

/* All tables in the order of their keys, indexes, checks: one transaction,
 * written to its place once. */
static CORO_FN enum rc whole_piece(struct load *l, struct err *err)
{
    struct tpcc_load *load = tpcc_of(l->ds)->load;
    enum rc rc = begin(l, err);

    if (rc)
        return rc;
    for (size_t i = 0; !rc && i < layout_n_pieces(l->ds); i++) {
        const struct piece p = layout_piece(l->ds, i);

        rc = write_rows(l, &p, err);
        if (!rc)
            sums_add(load, p.table, l->n_rows, l->total);
    }
    for (size_t i = 0; !rc && i < script_count(l->ds, "indexes"); i++)
        rc = statement(l, "indexes", i, err);
    for (enum tpcc_table t = 0; !rc && t < TPCC_N_TABLES; t++)
        rc = sums_check(l->ds, l->conn, t, err);
    if (!rc)
        rc = write_done(l, LOAD_ROWS, 0, TPCC_N_TABLES, err);
    if (!rc)
        rc = commit(l, err);
    return rc ? roll_back(l, rc) : RC_OK;
}

/* How many pieces of each phase there are for this load. */
static size_t count_pieces(const struct dataset *ds,
                           enum load_phase_number phase)
{
    const struct tpcc_load *load = tpcc_of(ds)->load;
    const bool rows_only = load->whole || db_can(ds->db, DRIVER_DISCARDS) ||
                           db_can(ds->db, DRIVER_FILES);

    if (phase == LOAD_VERIFY)
        return ds->verify && !db_can(ds->db, DRIVER_DISCARDS) ? TPCC_N_TABLES
                                                              : 0;
    if (load->there || (rows_only && phase != LOAD_ROWS))
        return 0;
    if (phase == LOAD_ROWS)
        return load->whole ? 1 : layout_n_pieces(ds);
    if (phase == LOAD_KEYS)
        return script_count(ds, "indexes");
    if (phase == LOAD_CHECKS)
        return script_count(ds, "statistics") + TPCC_N_TABLES;
    return tpcc_of(ds)->meta.layout.foreign_keys
               ? script_count(ds, "foreign_keys")
               : 0;
}

bool tpcc_load_phase(const struct dataset *ds, size_t phase,
                     struct load_phase *out)
{
    static const char *const names[LOAD_N_PHASES] = {
        [LOAD_ROWS] = "rows",
        [LOAD_KEYS] = "keys and indexes",
        [LOAD_CHECKS] = "statistics and checks",
        [LOAD_FOREIGN_KEYS] = "foreign keys",
        [LOAD_VERIFY] = "tables verified",
    };

    if (phase >= LOAD_N_PHASES)
        return false;
    *out = (struct load_phase){
        .name = names[phase],
        .n_pieces = count_pieces(ds, (enum load_phase_number)phase),
        .makes_rows = phase == LOAD_ROWS,
    };
    return true;
}

CORO_FN enum rc tpcc_verify_begin(struct dataset *ds, struct conn *c,
                                  struct err *err)
{
    enum rc rc;

    if (tpcc_of(ds)->meta.runs > 0)
        return err_set(err, RC_INVALID,
                       "--verify: %" PRIu64 " runs have changed the data since "
                       "it was loaded; 'dyno audit' checks it",
                       tpcc_of(ds)->meta.runs);
    rc = layout_begin(ds, c, err);
    if (!rc)
        tpcc_of(ds)->load->there = true;
    return rc;
}

static CORO_FN enum rc do_piece(struct load *l, size_t phase, size_t piece,
                                struct err *err)
{
    switch ((enum load_phase_number)phase) {
    case LOAD_ROWS:
        if (tpcc_of(l->ds)->load->whole)
            return whole_piece(l, err);
        return rows_piece(l, piece, err);
    case LOAD_KEYS:
        return ddl_piece(l, phase, "indexes", piece, err);
    case LOAD_CHECKS:
        return checks_piece(l, piece, err);
    case LOAD_FOREIGN_KEYS:
        return ddl_piece(l, phase, "foreign_keys", piece, err);
    case LOAD_VERIFY:
        return verify_table(l->ds, l->conn, (enum tpcc_table)piece, l->tally,
                            err);
    case LOAD_N_PHASES:
        break;
    }
    BUG("load has no phase %zu", phase);
}

CORO_FN enum rc tpcc_load_piece(struct dataset *ds, size_t phase, size_t piece,
                                struct conn *c, struct load_tally *tally,
                                struct err *err)
{
    struct load l = {
        .ds = ds,
        .conn = c,
        .tally = tally,
        .bytes_reported = c->usage.bytes_sent,
    };
    enum rc rc;

    if (is_done(tpcc_of(ds)->load, phase, piece))
        return RC_OK;
    l.gen = MEM_NEW(struct gen);
    if (!l.gen)
        return err_set(err, RC_NOMEM, "no memory to generate rows");
    rc = do_piece(&l, phase, piece, err);
    mem_free(l.gen);
    return rc;
}
