/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include <errno.h>
#include <stdio.h>

#define US_PER_S INT64_C(1000000)

static int64_t read_clock_ns(clockid_t id)
{
    struct timespec ts;

    clock_gettime(id, &ts);
    return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

int64_t clock_wall_us(void)
{
    return read_clock_ns(CLOCK_REALTIME) / NS_PER_US;
}

int64_t clock_process_cpu_ns(void)
{
    return read_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

void clock_format_utc(int64_t wall_us, char *out, size_t out_len)
{
    /* Towards the past, also before 1970. */
    const time_t s = (time_t)(wall_us / US_PER_S - (wall_us % US_PER_S < 0));
    struct tm tm;

    if (!gmtime_r(&s, &tm) ||
        strftime(out, out_len, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
        snprintf(out, out_len, "?");
}

void clock_sleep_until(struct mono due)
{
    const struct timespec ts = {
        .tv_sec = due.ns / NS_PER_S,
        .tv_nsec = due.ns % NS_PER_S,
    };

    if (due.ns > 0)
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}
