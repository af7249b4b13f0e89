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

void text_load_shape(struct doc *d, const struct run_result *r)
{
    planned_rate(d, r);
    pacing(d, r);
}
