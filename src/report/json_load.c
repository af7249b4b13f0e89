/* SPDX-License-Identifier: MIT */
/* The shape of the load in the summary. */
#include "report/json_int.h"

static void put_rate(struct json_out *o, json_t *root,
                     const struct rate_result *rate, const struct run_result *r)
{
    json_t *obj;

    if (!rate->planned) {
        json_put_null(o, root, "rate");
        return;
    }
    obj = json_put_object(o, root, "rate");
    json_put_real(o, obj, "target_per_s", rate->target_per_s);
    json_put_real(o, obj, "begun_per_s", result_per_second(r, rate->n_begun));
    json_put_u64(o, obj, "planned", rate->n_planned);
    json_put_u64(o, obj, "begun", rate->n_begun);
    json_put_u64(o, obj, "not_begun", rate->n_planned - rate->n_begun);
    if (rate->behind_from_ns >= 0)
        json_put_s(o, obj, "behind_from_s", rate->behind_from_ns);
    else
        json_put_null(o, obj, "behind_from_s");
}

static void put_pacing(struct json_out *o, json_t *root,
                       const struct run_result *r)
{
    const struct pacing_result *p = &r->pacing;
    const double nopm = result_nopm(r, true);
    json_t *obj;

    if (p->factor <= 0) {
        json_put_null(o, root, "pacing");
        return;
    }
    obj = json_put_object(o, root, "pacing");
    json_put_real(o, obj, "factor", p->factor);
    json_put_ratio(o, obj, "nopm_per_user", nopm > 0 ? nopm : 0, r->n_vus);
    json_put_real(o, obj, "nopm_per_user_bound", p->bound_per_user);
    json_put_real(o, obj, "nopm_expected", p->nopm_of_response);
}

void json_load_shape(struct json_out *o, json_t *root,
                     const struct run_result *r)
{
    put_rate(o, root, &r->rate, r);
    put_pacing(o, root, r);
}
