/* SPDX-License-Identifier: MIT */
#include "workload/kv/kv.h"

#include "base/asset.h"
#include "base/mem.h"
#include "stats/draw.h"
#include "workload/marker.h"

#include <stdio.h>

/* YCSB's skew. */
#define SKEW 0.99
/* Which permutation spreads the popular keys over the table. */
#define SPREAD 42
#define UPDATE_MAX 512

/* Numbers of prepared statements; one UPDATE for each field. */
enum {
    STMT_READ,
    STMT_INSERT,
    STMT_SCAN,
    STMT_UPDATE,
};

static const struct txn_type txns[KV_N_TXNS] = {
    [KV_READ] = {"read", "read"},
    [KV_UPDATE] = {"update", "update"},
    [KV_INSERT] = {"insert", "insert"},
    [KV_SCAN] = {"scan", "scan"},
    [KV_READ_MODIFY_WRITE] = {"read_modify_write", "read-modify-write"},
};

static const struct mix {
    unsigned shares[KV_N_TXNS];
    enum kv_pick pick;
} mixes[] = {
    {{[KV_READ] = 50, [KV_UPDATE] = 50}, KV_ZIPFIAN},            /* A */
    {{[KV_READ] = 95, [KV_UPDATE] = 5}, KV_ZIPFIAN},             /* B */
    {{[KV_READ] = 100}, KV_ZIPFIAN},                             /* C */
    {{[KV_READ] = 95, [KV_INSERT] = 5}, KV_LATEST},              /* D */
    {{[KV_SCAN] = 95, [KV_INSERT] = 5}, KV_ZIPFIAN},             /* E */
    {{[KV_READ] = 50, [KV_READ_MODIFY_WRITE] = 50}, KV_ZIPFIAN}, /* F */
};

static const char *const mix_names[] = {"A", "B", "C", "D", "E", "F", NULL};
static const char *const pick_names[] = {
    [KV_BY_MIX] = "mix",
    [KV_ZIPFIAN] = "zipfian",
    [KV_LATEST] = "latest",
    [KV_UNIFORM] = "uniform",
    NULL,
};

static const struct opt kv_opts[] = {
    OPT_CHOICE(struct kv_cfg, mix, "mix", 0, "A", mix_names, "A|B|C|D|E|F",
               "of reads, updates, inserts, scans, as YCSB's"),
    OPT_CHOICE(struct kv_cfg, pick, "keys", 0, "mix", pick_names, "NAME",
               "which are popular; mix: as the mix has it"),
    OPT_U64(struct kv_cfg, records, "records", 0, NULL, 1,
            UINT64_C(1000000000000), "N",
            "rows; left out: what is loaded, or 100,000"),
    OPT_U64(struct kv_cfg, field_bytes, "field-bytes", 0, "100", 1,
            KV_FIELD_MAX, "N", "of each of the ten fields"),
    OPT_END,
};

void kv_fill(struct rng *r, char *out, size_t len)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopq"
                                  "rstuvwxyz0123456789-_";
    uint64_t bits = 0;

    _Static_assert(sizeof(letters) == 65, "six bits each");
    for (size_t i = 0; i < len; i++) {
        if (i % 10 == 0)
            bits = rng_next(r);
        out[i] = letters[bits & 63];
        bits >>= 6;
    }
}

/* ---- opening ---- */

/* A field has a statement of its own, as its name is no parameter. */
static enum rc load_update(struct dataset *ds, size_t field, struct err *err)
{
    const char *dialect = ds->db->driver->dialect;
    struct kv_state *st = kv_of(ds);
    const struct asset *asset;
    char path[80], text[UPDATE_MAX], name[16];
    const char *mark;

    snprintf(path, sizeof(path), "sql/kv/%s/update.sql", dialect);
    asset = asset_find(path);
    mark = asset ? strstr(asset->data, "f0") : NULL;
    if (!mark)
        return err_set(err, RC_NOT_FOUND, "there is no %s", path);
    snprintf(text, sizeof(text), "%.*sf%zu%s", (int)(mark - asset->data),
             asset->data, field, mark + 2);
    snprintf(name, sizeof(name), "kv_update_f%zu", field);
    return step_parse(&ds->arena, name, text, ds->db->driver->placeholder,
                      &st->update[field], err);
}

static enum rc kv_open(struct dataset *ds, struct err *err)
{
    const struct kv_cfg *cfg = kv_cfg(ds);
    struct kv_state *st = ARENA_NEW(&ds->arena, struct kv_state);
    const struct {
        const char *name;
        struct step *step;
    } steps[] = {
        {"read", &st->read}, {"insert", &st->insert}, {"scan", &st->scan}};
    enum rc rc = RC_OK;

    if (!st)
        return err_set(err, RC_NOMEM, "no memory for the workload");
    ds->state = st;
    ds->scale = cfg->records;
    memcpy(st->shares, mixes[cfg->mix].shares, sizeof(st->shares));
    st->pick =
        cfg->pick == KV_BY_MIX ? mixes[cfg->mix].pick : (enum kv_pick)cfg->pick;
    /* Most are one statement outside BEGIN and COMMIT. */
    ds->db->autocommit = true;
    if (db_can(ds->db, DRIVER_DISCARDS))
        return RC_OK;
    for (size_t i = 0; i < ARRAY_LEN(steps) && !rc; i++)
        rc = step_load(&ds->arena, "kv", ds->db->driver, steps[i].name,
                       steps[i].step, err);
    for (size_t i = 0; i < KV_FIELDS && !rc; i++)
        rc = load_update(ds, i, err);
    return rc;
}

static void kv_close(struct dataset *ds)
{
    ds->state = NULL;
}

static CORO_FN enum rc kv_run_begin(struct dataset *ds, struct conn *c,
                                    uint64_t n_vus, struct err *err)
{
    struct kv_state *st = kv_of(ds);
    int64_t last = (int64_t)ds->scale;
    enum rc rc = RC_OK;

    st->n_vus = n_vus;
    if (!db_can(ds->db, DRIVER_DISCARDS))
        rc = kv_ask(ds, c, "max_key", NULL, &last, err);
    st->first_new = (uint64_t)last + 1;
    return rc;
}

/* ---- users ---- */

static void kv_vu_free(struct vu *vu)
{
    if (!vu)
        return;
    mem_free(kv_vu(vu)->text);
    mem_free(kv_vu(vu));
}

static enum rc kv_vu_new(struct dataset *ds, uint64_t number, struct vu **out,
                         struct err *err)
{
    struct kv_vu *u = mem_calloc_aligned(1, sizeof(*u));

    if (u)
        u->text = mem_calloc(KV_FIELDS, (size_t)kv_cfg(ds)->field_bytes);
    if (!u || !u->text) {
        mem_free(u);
        return err_set(err, RC_NOMEM, "no memory for user %llu",
                       (unsigned long long)number);
    }
    u->base = (struct vu){.ds = ds, .number = number};
    rng_init(&u->choice, ds->seed, number, RNG_CHOICE);
    rng_init(&u->input, ds->seed, number, RNG_INPUT);
    zipf_init(&u->zipf, ds->scale, SKEW);
    *out = &u->base;
    return RC_OK;
}

static CORO_FN enum rc kv_vu_prepare(struct vu *vu, struct conn *c,
                                     struct err *err)
{
    const struct kv_state *st = kv_of(vu->ds);
    enum rc rc;

    if (db_can(vu->ds->db, DRIVER_DISCARDS))
        return RC_OK;
    rc = conn_prepare_as(c, STMT_READ, &st->read, err);
    if (!rc)
        rc = conn_prepare_as(c, STMT_INSERT, &st->insert, err);
    if (!rc)
        rc = conn_prepare_as(c, STMT_SCAN, &st->scan, err);
    for (size_t i = 0; i < KV_FIELDS && !rc; i++)
        rc = conn_prepare_as(c, STMT_UPDATE + i, &st->update[i], err);
    return rc;
}

/* ---- drawing ---- */

/* The nth key that a user inserts: theirs lie between those of the others. */
static uint64_t new_key(const struct kv_vu *u, uint64_t nth)
{
    const struct kv_state *st = kv_of(u->base.ds);

    return st->first_new + (u->n_forgotten + nth) * st->n_vus + u->base.number;
}

/* A key that is there: one of those loaded or, with "latest", of the user's
 * own. */
static uint64_t draw_key(struct kv_vu *u)
{
    const struct kv_state *st = kv_of(u->base.ds);
    const uint64_t records = u->base.ds->scale;
    uint64_t back;

    switch (st->pick) {
    case KV_UNIFORM:
        return 1 + rng_below(&u->input, records);
    case KV_LATEST:
        if (u->zipf.n != records + u->n_inserted)
            zipf_init(&u->zipf, records + u->n_inserted, SKEW);
        back = zipf_draw(&u->zipf, &u->input); /* 1: the newest */
        return back <= u->n_inserted ? new_key(u, u->n_inserted - back)
                                     : records - (back - u->n_inserted) + 1;
    case KV_BY_MIX:
    case KV_ZIPFIAN:
        break;
    }
    back = zipf_draw(&u->zipf, &u->input);
    return 1 +
           (uint64_t)draw_permute((int64_t)back - 1, (int64_t)records, SPREAD);
}

static size_t kv_draw(struct vu *vu)
{
    const struct kv_state *st = kv_of(vu->ds);
    const size_t field_bytes = (size_t)kv_cfg(vu->ds)->field_bytes;
    struct kv_vu *u = kv_vu(vu);
    uint64_t left = rng_below(&u->choice, 100);
    size_t txn = 0;

    while (left >= st->shares[txn])
        left -= st->shares[txn++];
    u->txn = (enum kv_txn)txn;
    if (txn == KV_INSERT) {
        u->key = new_key(u, u->n_inserted);
        kv_fill(&u->input, u->text, KV_FIELDS * field_bytes);
        return txn;
    }
    u->key = draw_key(u);
    if (txn == KV_SCAN)
        u->n_scan = rng_range(&u->input, 1, KV_SCAN_MAX);
    if (txn == KV_UPDATE || txn == KV_READ_MODIFY_WRITE) {
        u->field = (size_t)rng_below(&u->input, KV_FIELDS);
        kv_fill(&u->input, u->text, field_bytes);
    }
    return txn;
}

static void kv_finished(struct vu *vu, bool committed)
{
    struct kv_vu *u = kv_vu(vu);

    if (u->txn != KV_INSERT)
        return;
    u->n_inserted++;
    if (committed)
        return;
    /* The key may be there or not: neither it nor those before are read. */
    u->n_forgotten += u->n_inserted;
    u->n_inserted = 0;
}

/* ---- executing ---- */

/* A record that must be there is not. */
static enum rc missing(struct kv_vu *u)
{
    u->missing = true;
    return RC_INVALID;
}

static bool kv_error(const struct vu *vu, struct err *err)
{
    const struct kv_vu *u =
        (const struct kv_vu *)(const void *)vu; /* the first member */

    if (u->missing)
        err_set(err, RC_INVALID, "record %llu is missing",
                (unsigned long long)u->key);
    return u->missing;
}

static CORO_FN enum rc read_row(struct kv_vu *u, struct conn *c)
{
    const struct value key = v_int((int64_t)u->key);
    struct rowset rows;
    const enum rc rc = conn_exec(c, conn_stmt(c, STMT_READ), &key, 1, &rows);

    return rc || rows.n_rows == 1 ? rc : missing(u);
}

static CORO_FN enum rc update_row(struct kv_vu *u, struct conn *c)
{
    const size_t field_bytes = (size_t)kv_cfg(u->base.ds)->field_bytes;
    const struct value args[] = {v_int((int64_t)u->key),
                                 v_textn(u->text, field_bytes)};
    struct rowset rows;
    const enum rc rc =
        conn_exec(c, conn_stmt(c, STMT_UPDATE + u->field), args, 2, &rows);

    return rc || rows.n_affected == 1 ? rc : missing(u);
}

static CORO_FN enum rc insert_row(struct kv_vu *u, struct conn *c)
{
    const size_t field_bytes = (size_t)kv_cfg(u->base.ds)->field_bytes;
    struct value args[KV_FIELDS + 1] = {v_int((int64_t)u->key)};

    for (size_t i = 0; i < KV_FIELDS; i++)
        args[i + 1] = v_textn(u->text + i * field_bytes, field_bytes);
    return conn_exec(c, conn_stmt(c, STMT_INSERT), args, KV_FIELDS + 1, NULL);
}

static CORO_FN enum rc scan_rows(struct kv_vu *u, struct conn *c)
{
    const struct value args[] = {v_int((int64_t)u->key), v_int(u->n_scan)};
    struct rowset rows;
    const enum rc rc = conn_exec(c, conn_stmt(c, STMT_SCAN), args, 2, &rows);

    return rc || rows.n_rows > 0 ? rc : missing(u);
}

static CORO_FN enum rc read_modify_write(struct kv_vu *u, struct conn *c)
{
    enum rc rc = conn_begin(c, TXN_WRITE);

    if (!rc)
        rc = read_row(u, c);
    if (!rc)
        rc = update_row(u, c);
    return rc ? rc : conn_commit(c);
}

static CORO_FN enum rc kv_execute(struct vu *vu, struct conn *c,
                                  bool *rolled_back)
{
    struct kv_vu *u = kv_vu(vu);
    enum rc rc = RC_OK;

    (void)rolled_back;
    u->missing = false;
    if (db_can(c->db, DRIVER_DISCARDS))
        return RC_OK;
    switch (u->txn) {
    case KV_READ:
        return read_row(u, c);
    case KV_SCAN:
        return scan_rows(u, c);
    case KV_READ_MODIFY_WRITE:
        return read_modify_write(u, c);
    case KV_UPDATE:
        rc = update_row(u, c);
        break;
    case KV_INSERT:
        rc = insert_row(u, c);
        break;
    case KV_N_TXNS:
        break;
    }
    /* It commits by itself. */
    return rc == RC_DB_GONE && c->gone ? RC_DB_UNKNOWN : rc;
}

static const struct audit_def checks[] = {
    {.name = "records", .title = "the records loaded are all there"},
};

static const char *const schema[] = {"field-bytes", NULL};

const struct workload kv_workload = {
    .name = "kv",
    .summary = "key and value, after YCSB's core workloads A to F",
    .scale_name = "records",
    .default_scale = 100000,
    .txns = txns,
    .n_txns = KV_N_TXNS,
    .counted_txn = KV_N_TXNS,
    .shares_conns = true,
    .opts = kv_opts,
    .cfg_bytes = sizeof(struct kv_cfg),
    .schema = schema,
    .open = kv_open,
    .close = kv_close,
    .inspect = kv_inspect,
    .n_rows = kv_n_rows,
    .load_begin = kv_load_begin,
    .verify_begin = marker_no_verify,
    .load_resume = marker_no_resume,
    .load_phase = kv_load_phase,
    .load_piece = kv_load_piece,
    .load_end = kv_load_end,
    .drop = kv_drop,
    .run_begin = kv_run_begin,
    .vu_new = kv_vu_new,
    .vu_free = kv_vu_free,
    .vu_prepare = kv_vu_prepare,
    .draw = kv_draw,
    .execute = kv_execute,
    .finished = kv_finished,
    .error = kv_error,
    .checks = checks,
    .n_checks = ARRAY_LEN(checks),
    .audit = kv_audit,
};
