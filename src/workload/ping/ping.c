/* SPDX-License-Identifier: MIT */
#include "workload/ping/ping.h"

#include "base/mem.h"

static const struct txn_type ping_txns[] = {{"ping", "ping"}};

static const struct opt ping_opts[] = {OPT_END};

struct ping_vu {
    struct vu base; /* first member */
    int32_t n;      /* asked last */
};

static struct ping_vu *ping_vu(struct vu *vu)
{
    return CONTAINER_OF(vu, struct ping_vu, base);
}

static enum rc ping_open(struct dataset *ds, struct err *err)
{
    struct step *step = ARENA_NEW(&ds->arena, struct step);

    if (!step)
        return err_set(err, RC_NOMEM, "no memory for the workload");
    ds->state = step;
    if (!ds->scale)
        ds->scale = 1;
    if (db_can(ds->db, DRIVER_DISCARDS))
        return RC_OK;
    return step_load(&ds->arena, "ping", ds->db->driver, "ping", step, err);
}

static void ping_close(struct dataset *ds)
{
    ds->state = NULL;
}

static enum rc ping_vu_new(struct dataset *ds, uint64_t number, struct vu **out,
                           struct err *err)
{
    struct ping_vu *vu = mem_calloc_aligned(1, sizeof(*vu));

    if (!vu)
        return err_set(err, RC_NOMEM, "no memory for user %llu",
                       (unsigned long long)number);
    vu->base = (struct vu){.ds = ds, .number = number};
    *out = &vu->base;
    return RC_OK;
}

static void ping_vu_free(struct vu *vu)
{
    if (vu)
        mem_free(ping_vu(vu));
}

static CORO_FN enum rc ping_vu_prepare(struct vu *vu, struct conn *c,
                                       struct err *err)
{
    if (db_can(vu->ds->db, DRIVER_DISCARDS))
        return RC_OK;
    return conn_prepare_as(c, 0, vu->ds->state, err);
}

static size_t ping_draw(struct vu *vu)
{
    struct ping_vu *ping = ping_vu(vu);

    ping->n = ping->n == INT32_MAX ? 1 : ping->n + 1;
    return 0;
}

static CORO_FN enum rc ping_execute(struct vu *vu, struct conn *c,
                                    bool *rolled_back)
{
    struct ping_vu *ping = ping_vu(vu);
    const struct value n = v_int(ping->n);
    struct rowset rs;
    enum rc rc;

    (void)rolled_back;
    if (db_can(c->db, DRIVER_DISCARDS))
        return RC_OK;
    rc = conn_exec(c, conn_stmt(c, 0), &n, 1, &rs);
    if (rc)
        return rc;
    /* An answer to another question would go unnoticed otherwise. */
    if (rs.n_rows != 1 || rowset_at(&rs, 0, 0)->i != ping->n)
        return RC_INVALID;
    return RC_OK;
}

const struct workload ping_workload = {
    .name = "ping",
    .summary = "one trivial statement: measures the client and the way",
    .txns = ping_txns,
    .n_txns = ARRAY_LEN(ping_txns),
    .counted_txn = ARRAY_LEN(ping_txns),
    .shares_conns = true,
    .opts = ping_opts,
    .open = ping_open,
    .close = ping_close,
    .vu_new = ping_vu_new,
    .vu_free = ping_vu_free,
    .vu_prepare = ping_vu_prepare,
    .draw = ping_draw,
    .execute = ping_execute,
};
