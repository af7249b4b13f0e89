/* SPDX-License-Identifier: MIT */
/* The shape of the load in the summary, and what was demanded of it. */
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

static void put_outage(struct json_out *o, json_t *root,
                       const struct outage_result *outage)
{
    json_t *obj = json_put_object(o, root, "outage");

    json_put_s(o, obj, "no_connection_s", outage->no_connection_ns);
    json_put_s(o, obj, "nothing_ended_s", outage->silent_ns);
    json_put_s(o, obj, "longest_s", outage->longest_ns);
    if (outage->longest_ns > 0)
        json_put_s(o, obj, "longest_from_s", outage->longest_from_ns);
    else
        json_put_null(o, obj, "longest_from_s");
}

static void put_threshold(struct json_out *o, json_t *list,
                          const struct threshold_result *t)
{
    static const char *const units[] = {
        [THRESHOLD_NUMBER] = "number",
        [THRESHOLD_SHARE] = "share",
        [THRESHOLD_TIME] = "us",
    };
    json_t *obj = json_add_object(o, list);

    json_put_text(o, obj, "text", t->text);
    json_put_bool(o, obj, "passed", t->passed);
    json_put_text(o, obj, "unit", units[t->kind]);
    if (!t->measured)
        json_put_null(o, obj, "value");
    else if (t->kind == THRESHOLD_TIME)
        json_put_us(o, obj, "value", t->value);
    else
        json_put_real(o, obj, "value", t->value);
    if (t->window_ns > 0)
        json_put_s(o, obj, "window_s", t->window_ns);
    else
        json_put_null(o, obj, "window_s");
    if (t->window_ns > 0 && t->measured)
        json_put_s(o, obj, "worst_from_s", t->worst_from_ns);
    else
        json_put_null(o, obj, "worst_from_s");
}

static void put_steady(struct json_out *o, json_t *root, const struct steady *s,
                       int64_t interval_ns)
{
    json_t *obj = json_put_object(o, root, "steady"), *drift;

    json_put_bool(o, obj, "tested", s->tested);
    if (!s->tested) {
        json_put_null(o, obj, "steady");
        json_put_null(o, obj, "warm_up_over");
        json_put_null(o, obj, "warm_from_s");
        json_put_null(o, obj, "first_tenth");
        json_put_null(o, obj, "drift");
        return;
    }
    json_put_bool(o, obj, "steady", steady_holds(s));
    json_put_bool(o, obj, "warm_up_over", !s->warming);
    json_put_real(o, obj, "warm_from_s",
                  s->warm_from * (double)interval_ns / (double)NS_PER_S);
    json_put_real(o, obj, "first_tenth", s->first);
    drift = json_put_object(o, obj, "drift");
    json_put_real(o, drift, "share", s->drift);
    json_put_real(o, drift, "low", s->drift_low);
    json_put_real(o, drift, "high", s->drift_high);
    json_put_real(o, drift, "p", s->drift_p);
}

void json_load_shape(struct json_out *o, json_t *root,
                     const struct run_result *r)
{
    json_t *list;

    put_rate(o, root, &r->rate, r);
    put_pacing(o, root, r);
    put_outage(o, root, &r->outage);
    put_steady(o, root, &r->steady, r->interval_ns);
    list = json_put_array(o, root, "thresholds");
    for (size_t i = 0; i < r->n_thresholds; i++)
        put_threshold(o, list, &r->thresholds[i]);
}
