/* SPDX-License-Identifier: MIT */
#include "run/schedule.h"

#include <math.h>

/* Within a block random gaps are random, its number of starts is not.  So long
 * that both can be seen: a minute, and as many starts on average. */
#define BLOCK_NS (60 * INT64_C(1000000000))
#define BLOCK_STARTS 60

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

/* How many even starts there are in the first ns of a stage. */
static uint64_t starts_within(const struct schedule *s, int64_t ns)
{
    const struct rate *rate = &s->plan->stages[s->stage].rate;
    const u128 period = (u128)rate->period_ns;

    return (uint64_t)(((u128)ns * rate->n + period - 1) / period);
}

static struct mono end_of_block(const struct schedule *s, struct mono begin)
{
    const struct rate *rate = &s->plan->stages[s->stage].rate;
    const int64_t ns = rate->period_ns / (int64_t)rate->n * BLOCK_STARTS;
    struct mono end = mono_add(begin, ns > BLOCK_NS ? ns : BLOCK_NS);

    end = mono_min(end, stage_end(s));
    if (begin.ns < s->interval_end.ns)
        end = mono_min(end, s->interval_end);
    return end;
}

/* A block with starts in it; false at the end of the stage. */
static bool open_block(struct schedule *s)
{
    while (s->block_left == 0) {
        const struct mono begin = s->block_end;

        if (begin.ns >= stage_end(s).ns)
            return false;
        s->block_end = end_of_block(s, begin);
        s->block_left = starts_within(s, s->block_end.ns - s->stage_begin.ns) -
                        starts_within(s, begin.ns - s->stage_begin.ns);
        s->at = begin;
    }
    return true;
}

/* The next of the starts of a block: the least of so many times, each drawn
 * uniformly from what is left of it.  That is a Poisson process of which the
 * number of events is known. */
static struct mono random_start(struct schedule *s)
{
    double left_ns, gap_ns;

    if (!open_block(s))
        return stage_end(s);
    left_ns = (double)(s->block_end.ns - s->at.ns);
    gap_ns = -expm1(log(rng_unit(&s->rng)) / (double)s->block_left) * left_ns;
    s->block_left--;
    return mono_min(mono_add(s->at, llround(gap_ns)),
                    mono_add(s->block_end, -1));
}

/* The start after the last one, of whichever worker. */
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
        s->block_end = s->stage_begin;
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
    s->block_end = begin;
    s->interval_end = mono_add(begin, s->plan->duration_ns);
    s->block_left = 0;
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
