/* SPDX-License-Identifier: MIT */
/*
 * Key and value, after the core workloads A to F of YCSB: one table, a number
 * as its key, ten fields of text.  Keys 1 to `records` are loaded; users add
 * keys of their own behind them, so that nobody asks for a row that is not
 * there yet.
 */
#ifndef WORKLOAD_KV_KV_H
#define WORKLOAD_KV_KV_H

#include "base/rng.h"
#include "stats/zipf.h"
#include "workload/workload.h"

#define KV_FIELDS 10
#define KV_SCAN_MAX 100
#define KV_FIELD_MAX 4096

enum kv_txn {
    KV_READ,
    KV_UPDATE,
    KV_INSERT,
    KV_SCAN,
    KV_READ_MODIFY_WRITE,
    KV_N_TXNS,
};

enum kv_pick { KV_BY_MIX, KV_ZIPFIAN, KV_LATEST, KV_UNIFORM };

struct kv_cfg {
    uint64_t records;
    uint64_t field_bytes;
    int mix;  /* index of kv_mixes[] */
    int pick; /* enum kv_pick */
};

struct kv_state {
    unsigned shares[KV_N_TXNS]; /* of 100 */
    enum kv_pick pick;
    struct step read, insert, scan, update[KV_FIELDS];
    uint64_t n_vus;
    uint64_t first_new; /* the first key that this run inserts */
};

struct kv_vu {
    struct vu base; /* first member */
    struct rng choice, input;
    struct zipf zipf;
    uint64_t n_inserted;  /* keys of its own that are there for sure, … */
    uint64_t n_forgotten; /* … and that stand before them */
    /* Drawn: */
    enum kv_txn txn;
    uint64_t key;
    size_t field;
    int64_t n_scan;
    bool missing; /* the record was, in the last try */
    char *text;   /* values: field_bytes for each field */
};

static inline struct kv_state *kv_of(const struct dataset *ds)
{
    return ds->state;
}

static inline const struct kv_cfg *kv_cfg(const struct dataset *ds)
{
    return ds->cfg;
}

static inline struct kv_vu *kv_vu(struct vu *vu)
{
    return CONTAINER_OF(vu, struct kv_vu, base);
}

extern const struct workload kv_workload;

/* Random letters and digits. */
void kv_fill(struct rng *r, char *out, size_t len);

/* ---- data.c ---- */

CORO_FN enum rc kv_inspect(struct dataset *ds, struct conn *c,
                           struct data_info *out, struct err *err);
uint64_t kv_n_rows(const struct dataset *ds);
bool kv_load_phase(const struct dataset *ds, size_t phase,
                   struct load_phase *out);
CORO_FN enum rc kv_load_begin(struct dataset *ds, struct conn *c,
                              size_t n_streams, struct err *err);
CORO_FN enum rc kv_load_piece(struct dataset *ds, size_t phase, size_t piece,
                              struct conn *c, struct load_tally *tally,
                              struct err *err);
CORO_FN enum rc kv_load_end(struct dataset *ds, struct conn *c,
                            struct err *err);
CORO_FN enum rc kv_drop(struct dataset *ds, struct conn *c, struct err *err);
CORO_FN enum rc kv_audit(struct dataset *ds, struct conn *c,
                         struct audit *audit, struct err *err);
/* One number that a step of sql/kv returns; args for all its parameters. */
CORO_FN enum rc kv_ask(struct dataset *ds, struct conn *c, const char *name,
                       const struct value *args, int64_t *out, struct err *err);

#endif
