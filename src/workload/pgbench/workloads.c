/* SPDX-License-Identifier: MIT */
/* The workloads of this folder, and what differs between them. */
#include "workload/marker.h"
#include "workload/pgbench/data.h"
#include "workload/pgbench/pgbench.h"

#include <inttypes.h>

static const struct txn_type tpcb_like_txns[] = {{"tpcb_like", "tpcb-like"}};
static const struct txn_type simple_update_txns[] = {
    {"simple_update", "simple-update"}};
static const struct txn_type select_only_txns[] = {
    {"select_only", "select-only"}};
static const struct txn_type tpcb_txns[] = {{"tpcb", "TPC-B"}};

static const struct audit_def checks[] = {
    {.name = "accounts", .title = "accounts agree with history"},
    {.name = "tellers", .title = "tellers agree with history"},
    {.name = "branches", .title = "branches agree with history"},
};

/* ---- around a run ---- */

/* Each user's connections do without the server's memory of statements. */
static void set_protocol(const struct dataset *ds)
{
    if (pgb_of(ds)->protocol == PGB_EXTENDED)
        ds->db->unprepared = true;
}

static CORO_FN enum rc run_begin_scripts(struct dataset *ds, struct conn *c,
                                         uint64_t n_vus, struct err *err)
{
    (void)c;
    (void)n_vus;
    (void)err;
    set_protocol(ds);
    return RC_OK;
}

static CORO_FN enum rc run_begin(struct dataset *ds, struct conn *c,
                                 uint64_t n_vus, struct err *err)
{
    (void)n_vus;
    set_protocol(ds);
    if (pgb_of(ds)->discards || !ds->workload->audit)
        return RC_OK;
    pgb_of(ds)->has_sums = true;
    return pgb_read_sums(ds, c, &pgb_of(ds)->sums, err);
}

/* A run moves all sums by the same amount. */
static void expect_same(struct audit *audit, bool around_run, const char *name,
                        const char *title, int64_t is, int64_t wanted)
{
    struct audit_check *check = audit_add(audit, name, title);

    audit_expect(check, is == wanted,
                 "the sum has changed by %" PRId64
                 ", that of the history by %" PRId64,
                 is, wanted);
    /* pgbench empties the history before each run. */
    if (check && !around_run && is != wanted)
        audit_skip(check, "without a run there is nothing to compare with");
}

static CORO_FN enum rc audit(struct dataset *ds, struct conn *c,
                             struct audit *audit, struct err *err)
{
    const struct pgb_sums *before = &pgb_of(ds)->sums;
    const bool around_run = pgb_of(ds)->has_sums;
    struct pgb_sums after;
    int64_t moved;
    enum rc rc;

    rc = pgb_read_sums(ds, c, &after, err);
    if (rc)
        return rc;
    moved = after.history - before->history;
    expect_same(audit, around_run, "accounts", "accounts agree with history",
                after.accounts - before->accounts, moved);
    if (ds->workload == &pgbench_simple_update_workload)
        return RC_OK;
    expect_same(audit, around_run, "tellers", "tellers agree with history",
                after.tellers - before->tellers, moved);
    expect_same(audit, around_run, "branches", "branches agree with history",
                after.branches - before->branches, moved);
    return RC_OK;
}

/* ---- the tables ---- */

#define RUNS_SCRIPTS                                                        \
    .shares_conns = true, .cfg_bytes = sizeof(struct pgb_cfg),              \
    .open = pgb_open, .close = pgb_close, .vu_new = pgb_vu_new,             \
    .vu_free = pgb_vu_free, .vu_prepare = pgb_vu_prepare, .draw = pgb_draw, \
    .execute = pgb_execute, .error = pgb_error

#define HAS_TABLES                                                            \
    .scale_name = "branches", .opts = pgb_builtin_opts,                       \
    .inspect = pgb_inspect, .n_rows = pgb_n_rows,                             \
    .load_begin = pgb_load_begin, .verify_begin = marker_no_verify,           \
    .load_resume = marker_no_resume, .load_phase = pgb_load_phase,            \
    .load_piece = pgb_load_piece, .load_end = pgb_load_end, .drop = pgb_drop, \
    .run_begin = run_begin

const struct workload pgbench_workload = {
    .name = "pgbench",
    .summary = "scripts in pgbench's language: dyno run -f FILE",
    .opts = pgb_script_opts,
    .run_begin = run_begin_scripts,
    RUNS_SCRIPTS,
};

const struct workload pgbench_tpcb_like_workload = {
    .name = "pgbench:tpcb-like",
    .summary = "pgbench's default script, loosely after TPC-B",
    .txns = tpcb_like_txns,
    .n_txns = ARRAY_LEN(tpcb_like_txns),
    .counted_txn = ARRAY_LEN(tpcb_like_txns),
    .checks = checks,
    .n_checks = ARRAY_LEN(checks),
    .audit = audit,
    HAS_TABLES,
    RUNS_SCRIPTS,
};

const struct workload pgbench_simple_update_workload = {
    .name = "pgbench:simple-update",
    .summary = "the same without tellers and branches",
    .txns = simple_update_txns,
    .n_txns = ARRAY_LEN(simple_update_txns),
    .counted_txn = ARRAY_LEN(simple_update_txns),
    .checks = checks,
    .n_checks = ARRAY_LEN(checks),
    .audit = audit,
    HAS_TABLES,
    RUNS_SCRIPTS,
};

const struct workload pgbench_select_only_workload = {
    .name = "pgbench:select-only",
    .summary = "one account read by its key",
    .txns = select_only_txns,
    .n_txns = ARRAY_LEN(select_only_txns),
    .counted_txn = ARRAY_LEN(select_only_txns),
    HAS_TABLES,
    RUNS_SCRIPTS,
};

const struct workload tpcb_workload = {
    .name = "tpcb",
    .summary = "TPC-B's transaction as a script: examples/tpcb.sql",
    .txns = tpcb_txns,
    .n_txns = ARRAY_LEN(tpcb_txns),
    .counted_txn = ARRAY_LEN(tpcb_txns),
    .checks = checks,
    .n_checks = ARRAY_LEN(checks),
    .audit = audit,
    HAS_TABLES,
    RUNS_SCRIPTS,
};
