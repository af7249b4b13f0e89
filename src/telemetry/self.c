/* SPDX-License-Identifier: MIT */
#include "telemetry/self.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kB behind "VmRSS:" and the like. */
static uint64_t field_bytes(const char *line, const char *name)
{
    const size_t len = strlen(name);

    if (strncmp(line, name, len))
        return 0;
    return strtoull(line + len, NULL, 10) * 1024;
}

void self_usage_read(struct self_usage *out)
{
    FILE *f = fopen("/proc/self/status", "re");
    char line[256];

    *out = (struct self_usage){.cpu_ns = clock_process_cpu_ns()};
    if (!f)
        return;
    while (fgets(line, sizeof(line), f)) {
        out->rss_peak_bytes += field_bytes(line, "VmHWM:");
        out->rss_bytes += field_bytes(line, "VmRSS:");
    }
    fclose(f);
}
