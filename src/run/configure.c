/* SPDX-License-Identifier: MIT */
/* What the options wish, checked before anything is loaded. */
#include "run/follow.h"
#include "run/run.h"
#include "run/sizes.h"

/* All that the server is not needed for. */
static enum rc check(struct session *s, const struct run_cfg *cfg,
                     struct plan *plan, struct err *err)
{
    const struct db_wishes wishes = {
        .isolation = (enum isolation)cfg->isolation,
        .unprepared = !cfg->prepare,
        .statement_timeout_ns = cfg->statement_timeout_ns,
    };
    struct threshold thresholds[RESULT_THRESHOLDS_MAX];
    const struct sizes_args args = {.cfg = cfg, .plan = plan};
    enum rc rc = db_configure(s->db, &wishes, err);

    if (!rc)
        rc = audit_check_names(&cfg->checks, s->ds.workload->checks,
                               s->ds.workload->n_checks, err);
    /* Here too, before a long load is made for nothing. */
    if (!rc)
        rc = plan_make(cfg, plan, err);
    if (!rc)
        rc = thresholds_parse(&cfg->thresholds, s->ds.workload,
                              follow_every_ns(cfg), thresholds, err);
    /* How long a counted run takes, nobody knows. */
    for (size_t i = 0; !rc && !cfg->iterations && i < cfg->thresholds.n; i++)
        rc = threshold_check_length(&thresholds[i], plan->duration_ns, err);
    return rc ? rc : sizes_check(s, &args, err);
}

enum rc run_check(struct session *s, const struct run_cfg *cfg, struct err *err)
{
    struct plan plan = {0};

    return check(s, cfg, &plan, err);
}

enum rc run_configure(struct session *s, const struct run_cfg *cfg,
                      struct err *err)
{
    struct plan plan = {0};
    const struct sizes_args args = {.cfg = cfg, .plan = &plan};
    struct sizes sizes;
    const enum rc rc = check(s, cfg, &plan, err);

    return rc ? rc : sizes_find(s, &args, &sizes, err);
}
