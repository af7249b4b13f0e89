/* SPDX-License-Identifier: MIT */
#include "lab/guard.h"

#include "base/log.h"
#include "base/parse.h"
#include "driver/bulk.h"
#include "run/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/statvfs.h>

#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)
/* PostgreSQL makes WAL in files of 16 MiB; two of them and what the audit
 * sorts must find room when the run has ended. */
#define SPARE_MIN (48 * MIB)
#define SPARE_MAX GIB
#define SPARE_PART 50 /* of the file system */
/* A closed loop makes as many transactions as it can, which nobody knows
 * before. A modest pace, so that what is refused would not fit; a faster one is
 * ended on its way. */
#define TXNS_PER_CORE_S 500
/* Keying and think time of a transaction by the specification, about. */
#define PACED_S 20
/* How long the run may take to end, in intervals of the latest pace. */
#define INTERVALS_LEFT 3
#define SIZE_BYTES 32

/* ---- before ---- */

static double txns_of(const struct plan *plan, const struct run_cfg *cfg,
                      bool *assumed)
{
    const double s =
        (double)(plan->duration_ns + cfg->ramp_up_ns) / (double)NS_PER_S;
    const uint64_t users = cfg->vus ? cfg->vus : default_vus();

    if (plan->open_loop)
        return plan_starts(plan) * s * (double)NS_PER_S /
               (double)(plan->duration_ns ? plan->duration_ns : 1);
    *assumed = true;
    if (plan->pacing > 0)
        return (double)users * s / (PACED_S * plan->pacing);
    return (double)cores_available() * TXNS_PER_CORE_S * s;
}

void guard_estimate(const struct dataset *ds, const struct run_cfg *cfg,
                    uint64_t log_bytes, struct guard_needs *out)
{
    struct load_needs needs = {0};
    struct plan plan;

    *out =
        (struct guard_needs){.log_bytes = log_bytes, .n_txns = cfg->iterations};
    if (!ds->workload->load_needs || !ds->workload->load_needs(ds, &needs))
        return;
    if (!cfg->iterations && !plan_make(cfg, &plan, NULL))
        out->n_txns = (uint64_t)txns_of(&plan, cfg, &out->assumed);
    out->growth_bytes = out->n_txns * needs.txn_bytes;
}

static enum rc look(struct session *s, struct conn *c, void *arg,
                    struct err *err)
{
    struct db_space *space = arg;
    enum rc rc;

    (void)s;
    coro_assert_inside();
    rc = conn_free_space(c, space, err);
    if (rc == RC_UNSUPPORTED)
        space->where[0] = '\0';
    return rc == RC_UNSUPPORTED ? RC_OK : rc;
}

static uint64_t spare_of(const char *path)
{
    struct statvfs fs;
    uint64_t spare = SPARE_MIN;

    if (statvfs(path, &fs) == 0)
        spare = (uint64_t)fs.f_blocks * fs.f_frsize / SPARE_PART;
    if (spare < SPARE_MIN)
        return SPARE_MIN;
    return spare > SPARE_MAX ? SPARE_MAX : spare;
}

static enum rc refuse(const struct guard *g, const struct guard_needs *n,
                      struct err *err)
{
    char total[SIZE_BYTES], growth[SIZE_BYTES], log[SIZE_BYTES];
    char spare[SIZE_BYTES], left[SIZE_BYTES], txns[SIZE_BYTES];

    format_bytes(guard_total(n), total, sizeof(total));
    format_bytes(n->growth_bytes, growth, sizeof(growth));
    format_bytes(n->log_bytes, log, sizeof(log));
    format_bytes(n->spare_bytes, spare, sizeof(spare));
    format_bytes(g->free_bytes, left, sizeof(left));
    format_count(n->n_txns, txns, sizeof(txns));
    return err_set(err, RC_DB_NO_SPACE,
                   "the disk is too small for this run: it may take about %s "
                   "(%s of data by %s transactions%s, %s of the server's logs, "
                   "%s to spare), but '%s' has %s free; make it shorter, or "
                   "try it with --no-disk-check",
                   total, growth, txns, n->assumed ? " at a modest pace" : "",
                   log, spare, g->where, left);
}

enum rc guard_begin(struct guard *g, struct session *s,
                    struct guard_needs *needs, struct err *err)
{
    struct db_space space = {.n_bytes = 0};
    enum rc rc;

    *g = (struct guard){.n_looks = 0};
    rc = session_call(s, look, &space, err);
    if (rc || !space.where[0])
        return rc;
    snprintf(g->where, sizeof(g->where), "%s", space.where);
    snprintf(g->path, sizeof(g->path), "%s", space.path);
    g->free_bytes = space.n_bytes;
    g->spare_bytes = needs->spare_bytes = spare_of(g->path);
    return guard_total(needs) > g->free_bytes ? refuse(g, needs, err) : RC_OK;
}

/* ---- during ---- */

/* The most that went in one of the latest intervals. */
static uint64_t worst(const struct guard *g)
{
    uint64_t most = 0;

    for (size_t i = 0; i < ARRAY_LEN(g->lost); i++) {
        if (g->lost[i] > most)
            most = g->lost[i];
    }
    return most;
}

static void end_run(struct guard *g, uint64_t left_bytes)
{
    char left[SIZE_BYTES];

    format_bytes(left_bytes, left, sizeof(left));
    snprintf(g->brake.text, sizeof(g->brake.text),
             "ended by the disk guard: '%.100s' has only %s free", g->where,
             left);
    g->brake.rc = RC_DB_NO_SPACE;
    log_warn("%s", g->brake.text);
}

static void watch(void *arg, struct interval *interval)
{
    struct guard *g = arg;
    struct statvfs fs;
    uint64_t left;

    (void)interval;
    if (!g->where[0] || g->brake.rc || statvfs(g->path, &fs))
        return;
    left = (uint64_t)fs.f_bavail * fs.f_frsize;
    g->lost[g->n_looks++ % ARRAY_LEN(g->lost)] =
        left < g->free_bytes ? g->free_bytes - left : 0;
    g->free_bytes = left;
    if (left < g->spare_bytes + INTERVALS_LEFT * worst(g))
        end_run(g, left);
}

struct series_listener guard_listener(struct guard *g)
{
    return (struct series_listener){.interval = watch, .arg = g};
}
