/* SPDX-License-Identifier: MIT */
#include "run/script_report.h"

#include "base/log.h"
#include "base/mem.h"

static void show(struct script_report *r, const char *name,
                 const struct interval *interval)
{
    struct err err = {0};

    (void)r->ds->workload->report(r->ds, name, interval, r->vus, r->n_vus,
                                  &err);
    if (err.rc)
        log_warn("%s: %s", name, err.text);
}

static void add(struct script_report *r, const struct interval *in)
{
    struct interval_txn *sum = &r->sum->txns[0];
    const struct interval_txn *t = &in->txns[0];

    if (r->sum->length_ns == 0)
        r->sum->begin_ns = in->begin_ns;
    r->sum->length_ns += in->length_ns;
    r->sum->users_active = in->users_active;
    r->sum->n_txns = 1;
    sum->committed += t->committed;
    sum->rolled_back += t->rolled_back;
    sum->failed += t->failed;
    sum->retries += t->retries;
    if (t->response_hist)
        hist_add(r->response, t->response_hist);
}

static void see(void *arg, struct interval *interval)
{
    struct script_report *r = arg;

    if (interval->phase != PHASE_MEASURE || interval->n_txns == 0)
        return;
    add(r, interval);
    show(r, "report_intermediate", interval);
}

enum rc script_report_init(struct script_report *r, struct dataset *ds,
                           const struct crowd *crowd,
                           struct series_listeners *listeners, struct err *err)
{
    const struct series_listener listener = {.interval = see, .arg = r};

    *r = (struct script_report){0};
    if (!ds->workload->report || !listeners)
        return RC_OK;
    r->ds = ds;
    r->n_vus = crowd->n_users;
    r->vus = MEM_ARRAY(struct vu *, r->n_vus);
    r->sum = MEM_NEW(struct interval);
    r->response = hist_new();
    if (!r->vus || !r->sum || !r->response)
        return err_set(err, RC_NOMEM, "no memory for reports");
    for (size_t i = 0; i < r->n_vus; i++)
        r->vus[i] = crowd->users[i].vu;
    series_listen(listeners, listener);
    return RC_OK;
}

void script_report_end(struct script_report *r)
{
    if (!r->ds || r->sum->length_ns == 0)
        return;
    hist_figures(r->response, &r->sum->txns[0].response);
    show(r, "report_cumulative", r->sum);
}

void script_report_release(struct script_report *r)
{
    mem_free(r->vus);
    mem_free(r->sum);
    hist_free(r->response);
    *r = (struct script_report){0};
}
