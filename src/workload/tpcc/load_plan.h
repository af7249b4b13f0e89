/* SPDX-License-Identifier: MIT */
/*
 * What a load consists of.  The rows are cut into pieces, each one transaction
 * that also says, in the table dyno_tpcc_load, that it is done:
 *
 *   by tables      a piece is a whole table, or a partition of one; it has one
 *                  stream, in the order of the key
 *   by warehouses  a piece is one table of one warehouse, or of a hundred when
 *                  they are small; all streams work on all tables
 *
 * The pieces follow from scale and layout alone, so that a later process can
 * go on where an earlier one was killed.
 */
#ifndef WORKLOAD_TPCC_LOAD_PLAN_H
#define WORKLOAD_TPCC_LOAD_PLAN_H

#include "workload/tpcc/tpcc.h"

enum load_phase_number {
    LOAD_ROWS,
    LOAD_KEYS,
    LOAD_CHECKS, /* statistics too */
    LOAD_FOREIGN_KEYS,
    LOAD_VERIFY, /* when asked for */
    LOAD_N_PHASES,
};

/* With this many warehouses --partitions auto makes partitions, of so many
 * warehouses each, and not more of them than that. */
enum {
    PARTITIONS_FROM_WAREHOUSES = 1000,
    PARTITION_WAREHOUSES = 100,
    PARTITIONS_AUTO_MAX = 128,
    PARTITIONS_MAX = 4096,
};

struct piece {
    enum tpcc_table table;
    uint64_t first_w_id, last_w_id; /* of item: 0 */
    size_t share, n_shares;         /* this share of the parts of the table */
    uint64_t leaf;                  /* partition, from 1; 0: the table itself */
    bool fresh;                     /* nobody else fills the table */
};

/* ds->state->load, from load_begin or load_resume to the end of the dataset;
 * lives in its arena. */
struct tpcc_load {
    bool whole; /* one transaction for everything: an embedded database */
    bool keeps; /* what is done is written down */
    bool there; /* all of it, before this process */
    uint32_t *leaf_of; /* by hash: partition of each warehouse, from 1 */
    /* Of the rows that are in, all streams together. */
    _Atomic int64_t n_rows[TPCC_N_TABLES], total[TPCC_N_TABLES];
    /* What was done before this process: bits, by phase and piece. */
    uint8_t *done[LOAD_N_PHASES];
    /* Made before the streams begin, since an arena is one thread's. */
    struct step write_done, sums[TPCC_N_TABLES];
};

/* From the options, for a new load on n_streams. */
enum rc layout_choose(const struct dataset *ds, size_t n_streams,
                      struct tpcc_layout *out, struct err *err);
/* Sets up tpcc_of(ds)->load for meta.layout. */
CORO_FN enum rc layout_begin(struct dataset *ds, struct conn *c,
                             struct err *err);
size_t layout_n_pieces(const struct dataset *ds);
struct piece layout_piece(const struct dataset *ds, size_t i);
/* Whether the rows of a warehouse are in the piece. */
bool layout_holds(const struct dataset *ds, const struct piece *p,
                  uint64_t w_id);

/* Whether a table is large enough to be cut into partitions. */
static inline bool layout_is_large(enum tpcc_table table)
{
    return table >= TPCC_STOCK;
}

/* partitions.c: makes the partitions of the tables there are. */
CORO_FN enum rc partitions_make(struct dataset *ds, struct conn *c,
                                const char *table_options, struct err *err);
/* Whether each partition is a table with a name, which is loaded; else the
 * server sends the rows of a table to its partitions. */
bool partitions_are_tables(const struct dataset *ds);
/* First warehouse of a range partition; of number n + 1: behind the last. */
uint64_t partition_first(uint64_t scale, uint64_t n, uint64_t number);
/* "stock_p0001", the name of a partition. */
void partition_name(enum tpcc_table table, uint64_t leaf, char *out,
                    size_t out_len);
/* The column by which large tables are cut: that of the warehouse. */
const char *partition_column(enum tpcc_table table);
/* Which partition each warehouse goes to, by the database's own hash. */
CORO_FN enum rc partitions_of_warehouses(struct dataset *ds, struct conn *c,
                                         uint32_t *out, struct err *err);

/* schema_make.c: what a load starts with.  In one transaction: a half-written
 * set of constants, or tables without them, are never seen. */
CORO_FN enum rc schema_make(struct dataset *ds, struct conn *c,
                            struct err *err);
/* --storage, for the tables made next; nothing without it. */
CORO_FN enum rc schema_use_storage(struct dataset *ds, struct conn *c,
                                   struct err *err);

/* sums.c: rows of each table and a sum over some of its columns, bits of
 * 1 << the column's index. */
uint32_t sums_columns(enum tpcc_table table);
/* Of a piece that is in. */
void sums_add(struct tpcc_load *load, enum tpcc_table table, int64_t n_rows,
              int64_t total);
enum rc sums_prepare(struct dataset *ds, struct tpcc_load *load,
                     struct err *err);
/* Compares them with what the database says. */
CORO_FN enum rc sums_check(struct dataset *ds, struct conn *c,
                           enum tpcc_table table, struct err *err);

/* verify.c: all values of a table; the checksum goes to the log. */
CORO_FN enum rc verify_table(struct dataset *ds, struct conn *c,
                             enum tpcc_table table, struct load_tally *tally,
                             struct err *err);

/* export.c: scripts that load what a csv target holds. */
CORO_FN enum rc export_scripts(struct conn *c, struct err *err);
/* The table of constants, where it is a file like the others. */
extern const struct table_def tpcc_meta_table;

#endif
