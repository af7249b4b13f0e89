/* SPDX-License-Identifier: MIT */
#include "run/schedule.h"

#include <math.h>

__extension__ typedef unsigned __int128 u128;

void schedule_init(struct schedule *s, const struct plan *plan, uint64_t seed,
                   uint64_t worker, uint64_t n_workers)
{
    *s = (struct schedule){
        .plan = plan,
        .seed = seed,
        .worker = worker,
        .n_workers = n_workers,
        .next = MONO_NEVER,
    };
}

static struct mono stage_end(const struct schedule *s)
{
    return mono_add(s->stage_begin, s->plan->stages[s->stage].length_ns);
}

/* Start k of a stage, exactly: no error adds up. */
static struct mono even_start(const struct schedule *s)
{
    const struct rate *rate = &s->plan->stages[s->stage].rate;
    const u128 ns = (u128)s->in_stage * (u128)rate->period_ns / rate->n;

    return ns > INT64_MAX ? MONO_NEVER : mono_add(s->stage_begin, (int64_t)ns);
}

static struct mono random_start(struct schedule *s)
{
    const struct rate *rate = &s->plan->stages[s->stage].rate;
    const double mean_ns = (double)rate->period_ns / (double)rate->n;
    const double gap_ns = -log(rng_unit(&s->rng)) * mean_ns;

    return mono_add(s->at, llround(gap_ns));
}

/* The start after the last one, of whichever worker.  What falls behind a
 * stage's end is drawn anew from there: such gaps have no memory. */
static void walk(struct schedule *s)
{
    struct mono at;

    for (;;) {
        at = s->plan->even ? even_start(s) : random_start(s);
        if (at.ns < stage_end(s).ns || at.ns == MONO_NEVER.ns)
            break;
        if (s->stage + 1 == s->plan->n_stages) {
            at = MONO_NEVER;
            break;
        }
        s->stage_begin = stage_end(s);
        s->stage++;
        s->in_stage = 0;
        s->at = s->stage_begin;
    }
    s->at = at;
    s->in_stage++;
    s->index++;
}

static void walk_to_own(struct schedule *s)
{
    do {
        walk(s);
    } while (s->at.ns != MONO_NEVER.ns &&
             (s->index - 1) % s->n_workers != s->worker);
    s->next = s->at;
}

void schedule_begin(struct schedule *s, struct mono begin, uint64_t epoch)
{
    s->index = 0;
    s->at = begin;
    s->stage = 0;
    s->stage_begin = begin;
    s->in_stage = 0;
    rng_init(&s->rng, s->seed, epoch, RNG_PACING);
    walk_to_own(s);
}

struct mono schedule_take(struct schedule *s)
{
    const struct mono taken = s->next;

    if (taken.ns != MONO_NEVER.ns)
        walk_to_own(s);
    return taken;
}
