/* SPDX-License-Identifier: MIT */
/* The machine that dyno runs on. */
#include "base/clock.h"
#include "base/parse.h"
#include "run/config.h"
#include "run/preflight_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define CLOCK_READS 2000
/* A good clock takes 20 to 50 ns; some transactions read it dozens of times. */
#define CLOCK_SLOW_NS 250
#define SLEEPS 20
#define SLEEP_NS (1 * NS_PER_MS)
#define SLEEP_LATE_NS (1 * NS_PER_MS)
#define DISK_LEAST_BYTES ((uint64_t)1 << 30)
#define MEMORY_LEAST_BYTES ((uint64_t)512 << 20)
/* Descriptors beside those of the connections. */
#define FILES_SPARE 64

/* The first line without its end; false when there is none. */
static bool first_line(const char *path, char *out, size_t out_len)
{
    FILE *f = fopen(path, "re");
    bool done;

    if (!f)
        return false;
    done = fgets(out, (int)out_len, f) != NULL;
    fclose(f);
    if (done)
        out[strcspn(out, "\n")] = '\0';
    return done && out[0];
}

static void check_clock(struct preflight *out)
{
    const struct mono begun = clock_now();
    char source[32], cost[32];
    struct finding *f;
    int64_t each_ns;

    for (int i = 0; i < CLOCK_READS; i++)
        (void)clock_now();
    each_ns = mono_since(clock_now(), begun) / CLOCK_READS;
    format_duration(each_ns, cost, sizeof(cost));
    if (!first_line("/sys/devices/system/clocksource/clocksource0/"
                    "current_clocksource",
                    source, sizeof(source)))
        snprintf(source, sizeof(source), "unknown");
    f = preflight_add(out, "clock", "%s, %s a reading", source, cost);
    if (each_ns > CLOCK_SLOW_NS)
        preflight_warn(f, "each transaction reads the clock several times",
                       "choose a faster clock source, such as tsc, or compare "
                       "only runs of this machine");
}

static int by_size(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* How late a thread wakes that asked for a millisecond. */
static void check_timers(struct preflight *out)
{
    int64_t late_ns[SLEEPS];
    char p50[32], max[32];
    struct finding *f;

    for (size_t i = 0; i < SLEEPS; i++) {
        const struct mono due = mono_add(clock_now(), SLEEP_NS);

        clock_sleep_until(due);
        late_ns[i] = mono_since(clock_now(), due);
    }
    qsort(late_ns, SLEEPS, sizeof(late_ns[0]), by_size);
    format_duration(late_ns[SLEEPS / 2], p50, sizeof(p50));
    format_duration(late_ns[SLEEPS - 1], max, sizeof(max));
    f = preflight_add(out, "timers", "%s late (p50), %s at most", p50, max);
    if (late_ns[SLEEPS / 2] > SLEEP_LATE_NS)
        preflight_warn(f, "planned starts and think times will be late",
                       "free some CPU, or do not trust small response times "
                       "at a --rate");
}

static void check_cores(struct preflight *out)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    struct finding *f = preflight_add(out, "cores", "%" PRIu64 " of %ld",
                                      cores_available(), online);

    if (cores_available() < 2)
        preflight_warn(f,
                       "dyno's workers, its control and the rest of the "
                       "machine share one core",
                       "run it where it has two cores or more");
}

static void check_governor(struct preflight *out)
{
    char governor[32];
    struct finding *f;

    if (!first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
                    governor, sizeof(governor)))
        return;
    f = preflight_add(out, "cpu_governor", "%s", governor);
    if (strcmp(governor, "performance") != 0)
        preflight_warn(f,
                       "the clock rate follows the load, so a light load "
                       "looks slower than it is",
                       "set the governor to performance while measuring");
}

/* In hundredths, as /proc/loadavg gives it. */
static void check_load(struct preflight *out)
{
    unsigned long whole, part;
    char line[64], *end;
    struct finding *f;

    if (!first_line("/proc/loadavg", line, sizeof(line)))
        return;
    whole = strtoul(line, &end, 10);
    part = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
    f = preflight_add(out, "load", "%lu.%02lu runnable, mean of a minute",
                      whole, part);
    if (whole * 100 + part > cores_available() * 50)
        preflight_warn(f, "something else uses this machine",
                       "wait until it has ended, or end it");
}

static uint64_t memory_available(void)
{
    FILE *f = fopen("/proc/meminfo", "re");
    uint64_t kib = 0;
    char line[128];

    if (!f)
        return 0;
    while (kib == 0 && fgets(line, sizeof(line), f)) {
        if (strncmp(line, "MemAvailable:", 13) == 0)
            kib = strtoull(line + 13, NULL, 10);
    }
    fclose(f);
    return kib * 1024;
}

static void check_memory(struct preflight *out)
{
    const uint64_t bytes = memory_available();
    char text[32];
    struct finding *f;

    if (bytes == 0)
        return;
    format_bytes(bytes, text, sizeof(text));
    f = preflight_add(out, "memory", "%s available", text);
    if (bytes < MEMORY_LEAST_BYTES)
        preflight_warn(f, "a machine that swaps measures its swap",
                       "free memory, or use fewer users");
}

static void check_files(const struct preflight_args *args,
                        struct preflight *out)
{
    struct rlimit limit;
    struct finding *f;

    if (getrlimit(RLIMIT_NOFILE, &limit))
        return;
    f = preflight_add(out, "open_files", "%" PRIu64 " allowed",
                      (uint64_t)limit.rlim_cur);
    if (limit.rlim_cur < args->n_conns + FILES_SPARE)
        preflight_warn(f, "each connection needs one",
                       "raise it with 'ulimit -n', or use fewer connections");
}

/* The path with its last part cut off; false at the end. */
static bool cut_last(char *path)
{
    char *slash = strrchr(path, '/');

    if (!slash) {
        const bool more = strcmp(path, ".") != 0;

        memcpy(path, ".", 2);
        return more;
    }
    if (slash == path)
        return false;
    *slash = '\0';
    return true;
}

void preflight_disk(struct preflight *out, const char *name, const char *path)
{
    char where[1024], text[32];
    struct statvfs fs;
    uint64_t bytes;
    struct finding *f;

    if (snprintf(where, sizeof(where), "%s", path) >= (int)sizeof(where))
        return;
    while (statvfs(where, &fs)) {
        if (!cut_last(where))
            return;
    }
    bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
    format_bytes(bytes, text, sizeof(text));
    f = preflight_add(out, name, "%s free at %s", text, path);
    if (bytes < DISK_LEAST_BYTES)
        preflight_warn(f,
                       "a full disk ends a run, and one that is nearly "
                       "full is slow",
                       "free some space, or use another disk");
}

void preflight_machine(const struct preflight_args *args, struct preflight *out)
{
    check_cores(out);
    check_clock(out);
    if (args->full) {
        /* Before a run it is that of dyno's own loading. */
        check_load(out);
        check_timers(out);
    }
    check_governor(out);
    check_memory(out);
    check_files(args, out);
    if (args->results)
        preflight_disk(out, "results_disk", args->results);
}
