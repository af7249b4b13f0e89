/* SPDX-License-Identifier: MIT */
/* Going on with a load that was killed: what of it is done. */
#include "base/log.h"
#include "driver/bulk.h"
#include "workload/tpcc/load_plan.h"
#include "workload/tpcc/scripts.h"

#include <inttypes.h>

/* ---- the old load's connections ---- */

/* RC_DB_RETRY: something still runs. */
static CORO_FN enum rc lock_tables(struct dataset *ds, struct conn *c,
                                   struct err *err)
{
    enum rc rc = conn_begin(c, TXN_WRITE);

    if (rc) {
        conn_error(c, err);
        return rc;
    }
    rc = script_run_marks(ds, c, "load_wait", NULL, 0, err);
    if (conn_rollback(c)) {
        conn_error(c, err);
        return RC_DB_GONE;
    }
    return rc;
}

/*
 * The server may not have noticed yet that the old process is dead: a
 * transaction that it has been told to commit would be missing from what is
 * read now, and its rows would be loaded twice.  A lock on the tables comes
 * after all that.
 */
static CORO_FN enum rc wait_for_old(struct dataset *ds, struct conn *c,
                                    struct err *err)
{
    bool said = false;
    enum rc rc;

    if (!script_find(ds, "load_wait"))
        return RC_OK;
    while ((rc = lock_tables(ds, c, err)) == RC_DB_RETRY) {
        if (!said)
            log_info("the server still does what the load that was killed "
                     "began; waiting for its end");
        said = true;
    }
    /* Servers that have no such lock, and users who may not take it. */
    if (rc == RC_DB_ERROR || rc == RC_DB_PERMISSION)
        return RC_OK;
    return rc;
}

/* ---- what it has done ---- */

static enum rc read_done(struct dataset *ds, const struct value *row,
                         struct load_tally *tally, struct err *err)
{
    struct tpcc_load *load = tpcc_of(ds)->load;
    const uint64_t phase = (uint64_t)row[0].i, piece = (uint64_t)row[1].i;
    const uint64_t table = (uint64_t)row[2].i;
    struct load_phase p = {0};

    if (phase >= LOAD_N_PHASES || !tpcc_load_phase(ds, phase, &p) ||
        piece >= p.n_pieces || table > TPCC_N_TABLES)
        return err_set(err, RC_INVALID,
                       "dyno_tpcc_load does not fit this load (phase %" PRIu64
                       ", piece %" PRIu64 ")",
                       phase, piece);
    if (!load->done[phase])
        load->done[phase] = arena_alloc(&ds->arena, p.n_pieces / 8 + 1);
    if (!load->done[phase])
        return err_set(err, RC_NOMEM, "no memory for what is done");
    load->done[phase][piece / 8] |= (uint8_t)(1U << piece % 8);
    tally->n_kept++;
    tally->n_rows += (uint64_t)row[3].i;
    if (table < TPCC_N_TABLES)
        sums_add(load, (enum tpcc_table)table, row[3].i, row[4].i);
    return RC_OK;
}

CORO_FN enum rc tpcc_load_resume(struct dataset *ds, struct conn *c,
                                 struct load_tally *tally, struct err *err)
{
    struct step *step = ARENA_NEW(&ds->arena, struct step);
    const struct value *row = NULL;
    struct scan *scan = NULL;
    enum rc rc;

    if (!step)
        return err_set(err, RC_NOMEM, "no memory for what is done");
    rc = tpcc_check_resume(ds, c, err);
    if (!rc)
        rc = wait_for_old(ds, c, err);
    if (!rc)
        rc = layout_begin(ds, c, err);
    if (!rc)
        rc = step_load(&ds->arena, "tpcc", ds->db->driver, "load_read", step,
                       err);
    if (!rc)
        rc = scan_open(c, step, NULL, 0, &scan, err);
    while (!rc && !(rc = scan_next(scan, &row, err)) && row)
        rc = read_done(ds, row, tally, err);
    scan_close(scan);
    return rc;
}
