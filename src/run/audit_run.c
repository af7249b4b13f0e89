/* SPDX-License-Identifier: MIT */
#include "run/audit_run.h"

#include "base/log.h"
#include "base/stop.h"

#include <inttypes.h>
#include <stdio.h>

static enum rc audit_on(struct session *s, struct conn *c, void *arg,
                        struct err *err)
{
    coro_assert_inside();
    return s->ds.workload->audit(&s->ds, c, arg, err);
}

enum rc run_audit(struct session *s, struct audit *audit, struct err *err)
{
    return session_call(s, audit_on, audit, err);
}

/* Also the verdict's business, but a check like the others here. */
static void audit_accounting(struct run_result *r)
{
    const struct accounting *a = &r->accounting;

    if (!a->done)
        return;
    audit_expect(audit_add(&r->audit, AUDIT_ACCOUNTING, AUDIT_ACCOUNTING_TITLE),
                 a->difference >= 0 && a->difference <= a->unknown,
                 "%s: the database counts %" PRId64 ", the client saw %" PRId64
                 " commits and %" PRId64 " unknown outcomes",
                 r->workload->txns[r->workload->counted_txn].name, a->db,
                 a->client, a->unknown);
}

struct outputs_call {
    const struct audit_args *args;
    struct audit *audit;
};

static enum rc outputs_on(struct session *s, struct conn *c, void *arg,
                          struct err *err)
{
    const struct outputs_call *call = arg;

    coro_assert_inside();
    return s->ds.workload->audit_outputs(&s->ds, c, call->args->vus,
                                         call->args->n_vus, call->audit, err);
}

/* The data; how it was in the way, in err. */
static enum rc audit_data(struct session *s, const struct audit_args *args,
                          struct run_result *r, struct err *err)
{
    if (args->why_not) {
        *err = *args->why_not;
        return err->rc;
    }
    if (!args->quiet)
        log_info("checking the data");
    if (args->vus && s->ds.workload->audit_outputs) {
        struct outputs_call call = {args, &r->audit};
        const enum rc rc = session_call(s, outputs_on, &call, err);

        if (rc)
            return rc;
    }
    return run_audit(s, &r->audit, err);
}

static void audit_impossible(struct audit *audit, const struct err *err)
{
    audit->only = NULL; /* whatever was asked for */
    audit_error(audit_add(audit, "audit", "the audit can be made"), err);
}

/* A server that is gone says nothing about the data. */
static void note_lost(struct run_result *r)
{
    const char *why = audit_lost(&r->audit);

    if (!why)
        return;
    r->audited = false;
    if (!r->complete)
        return;
    r->complete = false;
    snprintf(r->partial_reason, sizeof(r->partial_reason),
             "the audit could not be made; %.200s", why);
}

void audit_run(struct session *s, const struct audit_args *args,
               struct run_result *result)
{
    const struct workload *wl = s->ds.workload;
    const struct mono start = clock_now();
    struct err err = {0};

    audit_init(&result->audit, (enum audit_level)args->cfg->audit);
    result->audit.only = &args->cfg->checks;
    if (result->audit.level == AUDIT_OFF || !wl->audit || stop_requested())
        return;
    result->audited = true;
    if (args->vus && wl->audit_inputs)
        wl->audit_inputs(&s->ds, args->vus, args->n_vus, &result->audit);
    audit_accounting(result);
    if (!db_can(s->db, DRIVER_DISCARDS) && audit_data(s, args, result, &err))
        audit_impossible(&result->audit, &err);
    result->audit_ns = mono_since(clock_now(), start);
    if (!stop_requested()) {
        note_lost(result);
        return;
    }
    /* Broken off: no verdict on the data. */
    result->audited = false;
    result->complete = false;
    snprintf(result->partial_reason, sizeof(result->partial_reason),
             "the audit was ended by signal %d", stop_signal());
}
