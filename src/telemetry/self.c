/* SPDX-License-Identifier: MIT */
#include "telemetry/self.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* The kB behind "VmRSS:" and the like. */
static uint64_t field_bytes(const char *line, const char *name)
{
    const size_t len = strlen(name);

    if (strncmp(line, name, len))
        return 0;
    return strtoull(line + len, NULL, 10) * 1024;
}

static int64_t timeval_ns(struct timeval t)
{
    return (int64_t)t.tv_sec * NS_PER_S + (int64_t)t.tv_usec * NS_PER_US;
}

static void read_rusage(struct self_usage *out)
{
    struct rusage u;

    if (getrusage(RUSAGE_SELF, &u))
        return;
    out->user_ns = timeval_ns(u.ru_utime);
    out->system_ns = timeval_ns(u.ru_stime);
    out->context_switches = (uint64_t)u.ru_nvcsw + (uint64_t)u.ru_nivcsw;
}

void self_usage_read(struct self_usage *out)
{
    FILE *f = fopen("/proc/self/status", "re");
    char line[256];

    *out = (struct self_usage){.cpu_ns = clock_process_cpu_ns()};
    read_rusage(out);
    if (!f)
        return;
    while (fgets(line, sizeof(line), f)) {
        out->rss_peak_bytes += field_bytes(line, "VmHWM:");
        out->rss_bytes += field_bytes(line, "VmRSS:");
    }
    fclose(f);
}

int64_t self_queued_ns(void)
{
    FILE *f = fopen("/proc/thread-self/schedstat", "re");
    char line[128] = "", *end;
    int64_t ns = 0;

    if (!f)
        return 0;
    /* "RAN QUEUED SLICES" */
    if (fgets(line, sizeof(line), f)) {
        (void)strtoull(line, &end, 10);
        ns = strtoll(end, NULL, 10);
    }
    fclose(f);
    return ns;
}
