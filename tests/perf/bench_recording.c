/* SPDX-License-Identifier: MIT */
/*
 * dyno, whose telemetry and recording pause and go on while it runs: a second
 * with, two without, one with, and again.  What ended in each second goes, a
 * line each, into the file that BENCH_RECORDING names: "on|off N NS".  The
 * linker puts the functions below before those of the same name (--wrap); the
 * rest is dyno as it is.
 */
#include "run/series.h"
#include "telemetry/telemetry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define PHASE_NS NS_PER_S
#define NEVER_NS (3600 * NS_PER_S)

/* The linker's names for dyno's own and for what stands before them. */
#define OWN(function) __asm__("__real_" #function)
#define BEFORE(function) __asm__("__wrap_" #function)

void own_tick(struct telemetry *t, struct mono now) OWN(telemetry_tick);
void tick(struct telemetry *t, struct mono now) BEFORE(telemetry_tick);
struct mono own_next(const struct series *s) OWN(series_next);
struct mono next(const struct series *s) BEFORE(series_next);
void own_cut(struct series *s, struct mono end, uint64_t users,
             enum interval_phase at) OWN(series_cut);
void cut(struct series *s, struct mono end, uint64_t users,
         enum interval_phase at) BEFORE(series_cut);

/* All calls are on the controlling thread. */
static struct {
    FILE *out;
    struct mono since;
    uint64_t n, ended;
    bool off, cut;
} phase;

static void begin_phases(void)
{
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets the environment */
    const char *path = getenv("BENCH_RECORDING");

    phase.out = path ? fopen(path, "w") : NULL;
    if (!phase.out)
        BUG("BENCH_RECORDING must name a file to write");
}

static void next_phase(uint64_t ended, struct mono now)
{
    if (phase.n > 0)
        fprintf(phase.out, "%s %" PRIu64 " %" PRId64 "\n",
                phase.off ? "off" : "on", ended - phase.ended,
                mono_since(now, phase.since));
    fflush(phase.out);
    phase.ended = ended;
    phase.since = now;
    /* on, off, off, on */
    phase.off = phase.n % 4 == 1 || phase.n % 4 == 2;
    phase.cut = false;
    phase.n++;
}

void tick(struct telemetry *t, struct mono now)
{
    if (t->is_open && !phase.out)
        begin_phases();
    if (phase.out && (phase.n == 0 || mono_since(now, phase.since) >= PHASE_NS))
        next_phase(t->args.ended(t->args.ended_arg), now);
    if (!phase.off)
        own_tick(t, now);
}

/* One interval in each second with recording, in its middle, so that what it
 * makes the store do is over when the second is. */
struct mono next(const struct series *s)
{
    if (!phase.n)
        return own_next(s);
    return mono_add(phase.since,
                    phase.off || phase.cut ? NEVER_NS : PHASE_NS / 2);
}

void cut(struct series *s, struct mono end, uint64_t users,
         enum interval_phase at)
{
    phase.cut = true;
    own_cut(s, end, users, at);
}
