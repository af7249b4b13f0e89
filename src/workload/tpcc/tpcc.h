/* SPDX-License-Identifier: MIT */
/*
 * TPC-C: what the files of this folder share.  Clause numbers are those of the
 * specification's revision 5.11.  Derived from TPC-C; numbers measured with it
 * are not audited TPC results.
 */
#ifndef WORKLOAD_TPCC_TPCC_H
#define WORKLOAD_TPCC_TPCC_H

#include "base/rng.h"
#include "workload/workload.h"

enum {
    TPCC_DISTRICTS = 10,   /* for each warehouse */
    TPCC_CUSTOMERS = 3000, /* for each district */
    TPCC_ORDERS = 3000,    /* loaded, for each district */
    TPCC_FIRST_NEW = 2101, /* first loaded order not yet delivered */
    TPCC_ITEMS = 100000,
    TPCC_NAMES = 1000, /* distinct last names */
    TPCC_LINES_MIN = 5,
    TPCC_LINES_MAX = 15,
    TPCC_C_DATA_MAX = 500,
    TPCC_UNUSED_ITEM = 100001, /* clause 2.4.1.5: an item that is not there */
};

enum tpcc_txn {
    TPCC_NEW_ORDER,
    TPCC_PAYMENT,
    TPCC_ORDER_STATUS,
    TPCC_DELIVERY,
    TPCC_STOCK_LEVEL,
    TPCC_LOOKUP_WAREHOUSE, /* the read-only look-up mix */
    TPCC_LOOKUP_DISTRICT,
    TPCC_LOOKUP_CUSTOMER,
    TPCC_LOOKUP_STOCK,
    TPCC_LOOKUP_ORDER_LINE,
    TPCC_LOOKUP_NEW_ORDER,
    TPCC_N_TXNS,
};

enum tpcc_home { TPCC_HOME_FIXED, TPCC_HOME_SPREAD };
enum tpcc_call { TPCC_CALL_FUNCTION, TPCC_CALL_PROCEDURE };
/* Who loads what: docs/design/loading.md. */
enum tpcc_load_by {
    TPCC_LOAD_AUTO,
    TPCC_LOAD_TABLES,     /* a table, or a partition, is one stream's */
    TPCC_LOAD_WAREHOUSES, /* all streams fill all tables */
};
enum tpcc_partition_by { TPCC_PARTITION_RANGE, TPCC_PARTITION_HASH };

struct tpcc_cfg {
    uint64_t warehouses; /* 0: what is loaded, or 1 */
    int home;            /* enum tpcc_home */
    int call;            /* enum tpcc_call */
    const char *mix;     /* "deck", "lookup" or "new_order=45,payment=43,…" */
    /* Of the schema, used when loading. */
    bool foreign_keys;
    const char *storage;       /* table access method or engine, or NULL */
    const char *table_options; /* put behind each CREATE TABLE, or NULL */
    bool unlogged;
    const char *partitions; /* "off", "auto" or a number */
    int partition_by;       /* enum tpcc_partition_by */
    int load_by;            /* enum tpcc_load_by */
};

/* The nine tables, in an order that satisfies the foreign keys. */
enum tpcc_table {
    TPCC_ITEM,
    TPCC_WAREHOUSE,
    TPCC_DISTRICT,
    TPCC_STOCK,
    TPCC_CUSTOMER,
    TPCC_HISTORY,
    TPCC_ORDER_TABLE, /* "orders" */
    TPCC_NEW_ORDER_TABLE,
    TPCC_ORDER_LINE,
    TPCC_N_TABLES,
};
extern const struct table_def tpcc_tables[TPCC_N_TABLES];

/* How the data is or was laid out, stored with it. */
struct tpcc_layout {
    uint64_t load_by;      /* enum tpcc_load_by, not AUTO */
    uint64_t partitions;   /* of each large table; 0: none */
    uint64_t partition_by; /* enum tpcc_partition_by */
    bool foreign_keys, unlogged;
};

/* Stored with the data, read back before each use. */
struct tpcc_meta {
    uint64_t warehouses;
    uint64_t seed;
    uint64_t c_load; /* NURand constant of C_LAST at load, clause 2.1.6.1 */
    int64_t load_time_us; /* the one timestamp of the load */
    uint64_t runs;        /* runs begun on the data since the load */
    bool complete;
    bool dropping;
    struct tpcc_layout layout;
};

/* ds->state */
struct tpcc {
    struct tpcc_meta meta;
    /* NURand constants of this run (nurand.h) */
    uint64_t c_last, c_id, c_item;
    uint64_t n_vus;
    struct step *steps;     /* TPCC_N_STEPS, see steps.h */
    void *mix;              /* parsed (mix.h) */
    struct tpcc_load *load; /* while a load goes on (load_plan.h) */
};

static inline struct tpcc *tpcc_of(const struct dataset *ds)
{
    return (struct tpcc *)ds->state;
}

static inline const struct tpcc_cfg *tpcc_cfg(const struct dataset *ds)
{
    return (const struct tpcc_cfg *)ds->cfg;
}

/* schema.c: tables, ownership, constants stored with the data */
/* Schema options that the target's dialect has no script for are refused,
 * before anything is made or dropped. */
enum rc tpcc_check_switches(const struct dataset *ds, struct err *err);
CORO_FN enum rc tpcc_inspect(struct dataset *ds, struct conn *c,
                             struct data_info *out, struct err *err);
CORO_FN enum rc tpcc_drop(struct dataset *ds, struct conn *c, struct err *err);
enum rc tpcc_load_check(const struct dataset *ds, struct err *err);
CORO_FN enum rc tpcc_load_probe(struct dataset *ds, struct conn *c,
                                struct err *err);
CORO_FN enum rc tpcc_load_begin(struct dataset *ds, struct conn *c,
                                size_t n_streams, struct err *err);
CORO_FN enum rc tpcc_load_end(struct dataset *ds, struct conn *c,
                              struct err *err);
/* Whether what is there can be gone on with; sets scale and seed. */
CORO_FN enum rc tpcc_check_resume(struct dataset *ds, struct conn *c,
                                  struct err *err);
CORO_FN enum rc tpcc_meta_read(struct dataset *ds, struct conn *c,
                               struct tpcc_meta *out, struct err *err);
/* Adds one to meta.runs, in the database. */
CORO_FN enum rc tpcc_meta_count_run(struct dataset *ds, struct conn *c,
                                    struct err *err);

/* size.c: what a load needs; false when that is not known */
bool tpcc_load_needs(const struct dataset *ds, struct load_needs *out);

/* switches.c: schema options given for data that was loaded otherwise are
 * RC_INVALID. */
CORO_FN enum rc tpcc_check_loaded(struct dataset *ds, struct conn *c,
                                  struct err *err);

/* load.c: the phases of a load, and its rows (clause 4.3.3.1) */
uint64_t tpcc_n_rows(const struct dataset *ds);
bool tpcc_load_phase(const struct dataset *ds, size_t phase,
                     struct load_phase *out);
CORO_FN enum rc tpcc_load_piece(struct dataset *ds, size_t phase, size_t piece,
                                struct conn *c, struct load_tally *tally,
                                struct err *err);
CORO_FN enum rc tpcc_verify_begin(struct dataset *ds, struct conn *c,
                                  struct err *err);
CORO_FN enum rc tpcc_load_resume(struct dataset *ds, struct conn *c,
                                 struct load_tally *tally, struct err *err);

/* audit.c: population and the twelve consistency conditions */
CORO_FN enum rc tpcc_audit(struct dataset *ds, struct conn *c,
                           struct audit *audit, struct err *err);

#endif
