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

void __real_telemetry_tick(struct telemetry *t, struct mono now);
void __real_series_cut(struct series *s, struct mono end, uint64_t users,
                       enum interval_phase phase);
struct mono __real_series_next(const struct series *s);
void __wrap_telemetry_tick(struct telemetry *t, struct mono now);
struct mono __wrap_series_next(const struct series *s);
void __wrap_series_cut(struct series *s, struct mono end, uint64_t users,
                       enum interval_phase phase);

/* All calls are on the controlling thread. */
static struct {
    FILE *out;
    struct mono since;
    uint64_t n, ended;
    bool off, cut;
} phase;

static void begin_phases(void)
{
    const char *path = getenv("BENCH_RECORDING");

    phase.out = path ? fopen(path, "w") : NULL;
    if (!phase.out) {
        fprintf(stderr, "BENCH_RECORDING must name a file to write\n");
        exit(1);
    }
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

void __wrap_telemetry_tick(struct telemetry *t, struct mono now)
{
    if (t->is_open && !phase.out)
        begin_phases();
    if (phase.out && (phase.n == 0 ||
                      mono_since(now, phase.since) >= PHASE_NS))
        next_phase(t->args.ended(t->args.ended_arg), now);
    if (!phase.off)
        __real_telemetry_tick(t, now);
}

/* One interval in each second with recording, in its middle, so that what it
 * makes the store do is over when the second is. */
struct mono __wrap_series_next(const struct series *s)
{
    if (!phase.n)
        return __real_series_next(s);
    return mono_add(phase.since,
                    phase.off || phase.cut ? NEVER_NS : PHASE_NS / 2);
}

void __wrap_series_cut(struct series *s, struct mono end, uint64_t users,
                       enum interval_phase at)
{
    phase.cut = true;
    __real_series_cut(s, end, users, at);
}
