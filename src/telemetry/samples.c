/* SPDX-License-Identifier: MIT */
#include "telemetry/samples.h"

#include <stdio.h>

static const char *const host_names[N_HOST_COUNTERS] = {
    [HOST_CPU_USER_US] = "host.cpu_user_us",
    [HOST_CPU_SYSTEM_US] = "host.cpu_system_us",
    [HOST_CPU_IDLE_US] = "host.cpu_idle_us",
    [HOST_CPU_IOWAIT_US] = "host.cpu_iowait_us",
    [HOST_CPU_STEAL_US] = "host.cpu_steal_us",
    [HOST_CONTEXT_SWITCHES] = "host.context_switches",
    [HOST_DISK_READS] = "host.disk_reads",
    [HOST_DISK_READ_BYTES] = "host.disk_read_bytes",
    [HOST_DISK_WRITES] = "host.disk_writes",
    [HOST_DISK_WRITTEN_BYTES] = "host.disk_written_bytes",
    [HOST_MAJOR_FAULTS] = "host.major_faults",
    [HOST_SWAPPED_IN_PAGES] = "host.swapped_in_pages",
    [HOST_SWAPPED_OUT_PAGES] = "host.swapped_out_pages",
};

static const char *const procs_names[N_PROCS_PARTS] = {
    [PROCS_FOREGROUND] = "server.cpu_foreground_us",
    [PROCS_BACKGROUND] = "server.cpu_background_us",
    [PROCS_OTHER] = "server.cpu_other_us",
};

static void add_host(const struct host_sum *last, const struct host_sum *now,
                     struct interval *out)
{
    for (size_t i = 0; i < N_HOST_COUNTERS; i++) {
        if (host_knows(now, (enum host_counter)i))
            interval_sample(out, host_names[i],
                            (int64_t)(now->v[i] - last->v[i]));
    }
}

/* The parts are estimates until a process has ended or been named, so one may
 * shrink. */
static void add_procs(const struct procs_sum *last, const struct procs_sum *now,
                      struct interval *out)
{
    for (size_t i = 0; i < N_PROCS_PARTS && now->span.ns > 0; i++) {
        const int64_t grown = (int64_t)(now->user_us[i] + now->system_us[i] -
                                        last->user_us[i] - last->system_us[i]);

        interval_sample(out, procs_names[i], grown > 0 ? grown : 0);
    }
}

static void add_counters(struct samples *s, const struct counters *now,
                         struct interval *out)
{
    for (size_t i = 0; i < now->n; i++) {
        const uint64_t before =
            i < s->last.counters.n ? s->last.counters.all[i].sum : 0;
        char *name = s->counter_names[i];

        if (!name[0])
            snprintf(name, SAMPLE_NAME_BYTES, "server.%s", now->all[i].name);
        interval_sample(out, name, (int64_t)(now->all[i].sum - before));
    }
}

/* Sessions seen in the looks of this interval. */
static void add_waits(struct samples *s, const struct server_waits *now,
                      struct interval *out)
{
    if (now->n_samples == s->last.waits.n_samples)
        return;
    interval_sample(out, "server.wait_samples",
                    (int64_t)(now->n_samples - s->last.waits.n_samples));
    for (size_t i = 0; i < now->n; i++) {
        const uint64_t before =
            i < s->last.waits.n ? s->last.waits.all[i].sessions : 0;
        char *name = s->wait_names[i];

        if (!name[0])
            snprintf(name, SAMPLE_NAME_BYTES, "server.waits.%s",
                     now->all[i].name);
        if (now->all[i].sessions > before)
            interval_sample(out, name,
                            (int64_t)(now->all[i].sessions - before));
    }
}

static void add_self(const struct self_usage *last,
                     const struct self_usage *now, struct interval *out)
{
    interval_sample(out, "client.cpu_us",
                    (now->cpu_ns - last->cpu_ns) / NS_PER_US);
    interval_sample(out, "client.context_switches",
                    (int64_t)(now->context_switches - last->context_switches));
    interval_sample(out, "client.rss_bytes", (int64_t)now->rss_bytes);
}

void samples_add(struct samples *s, const struct samples_now *now,
                 struct interval *interval)
{
    if (s->has_last) {
        add_host(&s->last.host, &now->host, interval);
        add_procs(&s->last.procs, &now->procs, interval);
        add_counters(s, &now->counters, interval);
        add_waits(s, &now->waits, interval);
        add_self(&s->last.self, &now->self, interval);
    }
    s->last = *now;
    s->has_last = true;
}
