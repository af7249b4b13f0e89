/* SPDX-License-Identifier: MIT */
/* The shape of the load: a rate that was planned, or users that think. */
#include "report/cell.h"
#include "report/text_int.h"

#include <inttypes.h>

static void planned_rate(struct doc *d, const struct run_result *r)
{
    const struct rate_result *rate = &r->rate;
    char target[CELL_BYTES], begun[CELL_BYTES], from[CELL_BYTES];

    if (!rate->planned)
        return;
    cell_rate(rate->target_per_s, target);
    cell_rate(result_per_second(r, rate->n_begun), begun);
    doc_heading(d, "Planned starts, in the interval");
    doc_pair(d, "planned", "%" PRIu64 ", %s a second", rate->n_planned, target);
    doc_pair(d, "begun", "%" PRIu64 ", %s a second", rate->n_begun, begun);
    if (rate->n_planned > rate->n_begun)
        doc_pair(d, "not begun", "%" PRIu64 " found nobody free",
                 rate->n_planned - rate->n_begun);
    cell_duration((double)rate->behind_from_ns, from);
    if (rate->behind_from_ns >= 0)
        doc_pair(d, "sustained", "NO: behind from %s on, until the end", from);
    else
        doc_pair(d, "sustained", "yes");
}

static void pacing(struct doc *d, const struct run_result *r)
{
    const struct pacing_result *p = &r->pacing;
    const double nopm = result_nopm(r, true);
    char of_user[CELL_BYTES], bound[CELL_BYTES], fits[CELL_BYTES];
    char all[CELL_BYTES];

    if (p->factor <= 0 || p->bound_per_user <= 0 || nopm < 0)
        return;
    cell_rate(nopm, all);
    cell_rate(nopm / (double)r->n_vus, of_user);
    cell_rate(p->bound_per_user, bound);
    cell_rate(p->nopm_of_response, fits);
    doc_heading(d, "Pacing, with the intended rollbacks");
    doc_pair(d, "factor of the times", "%g", p->factor);
    doc_pair(d, "NOPM of each user", "%s, at most %s", of_user, bound);
    doc_pair(d, "NOPM", "%s, %s expected with these response times", all, fits);
}

static void outage(struct doc *d, const struct run_result *r)
{
    const struct outage_result *o = &r->outage;
    char total[CELL_BYTES], longest[CELL_BYTES], from[CELL_BYTES];

    if (o->longest_ns <= 0)
        return;
    cell_duration((double)o->longest_ns, longest);
    cell_duration((double)o->longest_from_ns, from);
    doc_heading(d, "Outages in the interval");
    if (o->no_connection_ns > 0) {
        cell_duration((double)o->no_connection_ns, total);
        doc_pair(d, "no connection", "%s", total);
    }
    if (o->silent_ns > 0) {
        cell_duration((double)o->silent_ns, total);
        doc_pair(d, "nothing ended", "%s", total);
    }
    doc_pair(d, "the longest", "%s, from %s on", longest, from);
}

static void threshold_value(const struct threshold_result *t,
                            char out[CELL_BYTES])
{
    switch (t->kind) {
    case THRESHOLD_NUMBER:
        cell_rate(t->value, out);
        return;
    case THRESHOLD_SHARE:
        cell_share(t->value, out);
        return;
    case THRESHOLD_TIME:
        cell_duration(t->value, out);
        return;
    }
}

static void thresholds(struct doc *d, const struct run_result *r)
{
    if (r->n_thresholds > 0)
        doc_heading(d, "Thresholds");
    for (size_t i = 0; i < r->n_thresholds; i++) {
        const struct threshold_result *t = &r->thresholds[i];
        char value[CELL_BYTES] = "no data", from[CELL_BYTES];
        const char *verdict = t->passed ? "passed" : "FAILED";

        if (t->measured)
            threshold_value(t, value);
        cell_duration((double)t->worst_from_ns, from);
        if (t->window_ns > 0 && t->measured)
            doc_item(d, "%s: %s, %s at worst, from %s on", t->text, verdict,
                     value, from);
        else
            doc_item(d, "%s: %s, %s", t->text, verdict, value);
    }
}

void text_load_shape(struct doc *d, const struct run_result *r)
{
    planned_rate(d, r);
    pacing(d, r);
    outage(d, r);
    thresholds(d, r);
}
