/* SPDX-License-Identifier: MIT */
#include "telemetry/telemetry.h"

#include "base/log.h"
#include "base/mem.h"

#include <unistd.h>

#define EVERY_NS (1 * NS_PER_S)
/* Reading thousands of processes takes a while: at most so small a part of the
 * time is spent on it. */
#define PROCS_SHARE 500

enum rc telemetry_init(struct telemetry *t, const struct telemetry_args *args,
                       struct err *err)
{
    const struct probe_args probe = {
        .command = args->host_probe,
        .ended = args->ended,
        .ended_arg = args->ended_arg,
    };

    *t = (struct telemetry){.args = *args};
    t->result.on = true;
    if (!args->host_probe)
        return RC_OK;
    return probe_start(&probe, &t->probe, err);
}

static struct moment now_of(const struct telemetry *t)
{
    return (struct moment){
        .at = clock_now(),
        .txns = t->args.ended(t->args.ended_arg),
    };
}

/* ---- the server ---- */

void telemetry_connect(struct telemetry *t)
{
    const struct monitor_args args = {
        .db = t->args.db,
        .ended = t->args.ended,
        .ended_arg = t->args.ended_arg,
    };
    struct err err = {0};

    if (t->monitor || t->is_closed || !monitor_has_questions(t->args.db))
        return;
    t->ids = MEM_ARRAY(int, PROCS_MAX);
    if (t->ids && !monitor_start(&args, &t->monitor, &err))
        return;
    notes_add(&t->result.notes, "nothing is known of the server: %s",
              err.text[0] ? err.text : "out of memory");
}

static void sum_procs(struct procs_sum *sum, const struct procs_sum *more)
{
    for (size_t i = 0; i < N_PROCS_PARTS; i++) {
        sum->user_us[i] += more->user_us[i];
        sum->system_us[i] += more->system_us[i];
    }
    if (more->private_peak_bytes > sum->private_peak_bytes)
        sum->private_peak_bytes = more->private_peak_bytes;
    if (more->shared_peak_bytes > sum->shared_peak_bytes)
        sum->shared_peak_bytes = more->shared_peak_bytes;
    if (more->n_peak > sum->n_peak)
        sum->n_peak = more->n_peak;
    sum->span.ns += more->span.ns;
    sum->span.txns += more->span.txns;
}

static void leave_procs(struct telemetry *t)
{
    struct procs_sum sum;

    if (!t->procs)
        return;
    procs_collect(t->procs, &sum);
    sum_procs(&t->result.procs, &sum);
    procs_free(t->procs);
    t->procs = NULL;
}

/* Another server process after a restart is another start from nothing. */
static void follow_server(struct telemetry *t)
{
    struct procs_server server;
    struct err err = {0};
    uint64_t number;

    monitor_server(t->monitor, &server, &number);
    if (number == t->server_number)
        return;
    leave_procs(t);
    t->server_number = number;
    if (number == 0)
        return;
    if (procs_new(&server, &t->procs, &err)) {
        notes_add(&t->result.notes, "%s", err.text);
        return;
    }
    t->result.has_procs = true;
    t->result.threads = server.threads;
    memcpy(t->result.server_name, server.name, sizeof(server.name));
}

/* Of this thread: on a busy machine time passes without it. */
static int64_t own_cpu_ns(void)
{
    struct timespec ts;

    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts))
        return 0;
    return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static void sample_procs(struct telemetry *t, struct mono now)
{
    struct procs_list list;
    struct moment at;
    int64_t cpu_ns;

    if (!t->monitor)
        return;
    follow_server(t);
    if (!t->procs || (now.ns < t->procs_next.ns && !t->is_closed))
        return;
    cpu_ns = own_cpu_ns();
    monitor_foreground(t->monitor, t->ids, PROCS_MAX, &list);
    at = now_of(t);
    procs_sample(t->procs, &at, &list);
    t->procs_next = mono_add(now, (own_cpu_ns() - cpu_ns) * PROCS_SHARE);
}

/* ---- the machine and dyno ---- */

static void sample_host(struct telemetry *t)
{
    struct host_usage now = {.at = now_of(t)};

    if (t->probe)
        return;
    host_usage_read(&now);
    host_sum_add(&t->result.host, &t->host, &now);
    t->host = now;
}

static void open_workers(struct telemetry *t, const struct crew *crew, size_t n)
{
    t->crew = crew;
    t->workers_ns = MEM_ARRAY(int64_t, n);
    t->n_workers = t->workers_ns ? n : 0;
    for (size_t i = 0; i < t->n_workers; i++)
        t->workers_ns[i] = crew_cpu_ns(crew, i);
}

static void close_workers(struct telemetry *t)
{
    int64_t *busiest = &t->result.client.busiest_ns;

    for (size_t i = 0; i < t->n_workers; i++) {
        const int64_t ns = crew_cpu_ns(t->crew, i) - t->workers_ns[i];

        if (ns > *busiest)
            *busiest = ns;
    }
}

static void close_client(struct telemetry *t)
{
    struct client_sum *sum = &t->result.client;
    struct self_usage now;

    self_usage_read(&now);
    sum->user_ns = now.user_ns - t->self.user_ns;
    sum->system_ns = now.system_ns - t->self.system_ns;
    sum->context_switches = now.context_switches - t->self.context_switches;
    close_workers(t);
    span_add(&sum->span, &t->opened, &t->closed);
}

/* ---- the interval ---- */

void telemetry_open(struct telemetry *t, const struct crew *crew,
                    size_t n_workers)
{
    t->opened = now_of(t);
    t->is_open = true;
    t->next = mono_add(t->opened.at, EVERY_NS);
    self_usage_read(&t->self);
    t->samples.last.self = t->self;
    t->samples.has_last = true;
    open_workers(t, crew, n_workers);
    if (t->probe) {
        probe_open(t->probe);
    } else {
        t->host.at = t->opened;
        host_usage_read(&t->host);
    }
    telemetry_connect(t);
    if (t->monitor)
        monitor_open(t->monitor);
    sample_procs(t, t->opened.at);
}

void telemetry_tick(struct telemetry *t, struct mono now)
{
    if (t->monitor)
        monitor_check(t->monitor, now);
    if (!t->is_open || t->is_closed || now.ns < t->next.ns)
        return;
    while (t->next.ns <= now.ns)
        t->next = mono_add(t->next, EVERY_NS);
    sample_host(t);
    sample_procs(t, now);
}

void telemetry_close(struct telemetry *t)
{
    if (t->is_closed)
        return;
    t->is_closed = true;
    if (t->is_open) {
        t->closed = now_of(t);
        sample_host(t);
        close_client(t);
        sample_procs(t, t->closed.at);
    }
    if (t->monitor)
        monitor_close(t->monitor);
    if (t->probe)
        probe_close(t->probe);
}

void telemetry_interval(void *arg, struct interval *interval)
{
    struct telemetry *t = arg;
    struct samples_now *now = &t->now;

    if (!t->is_open || interval->phase != PHASE_MEASURE)
        return;
    if (!t->is_closed) {
        sample_host(t);
        sample_procs(t, clock_now());
    }
    now->host = t->result.host;
    now->procs = t->result.procs;
    if (t->procs) {
        struct procs_sum running;

        procs_collect(t->procs, &running);
        sum_procs(&now->procs, &running);
    }
    if (t->monitor)
        monitor_sums(t->monitor, &now->counters, &now->waits);
    self_usage_read(&now->self);
    samples_add(&t->samples, now, interval);
}

static void end_monitor(struct telemetry *t)
{
    struct telemetry_result *r = &t->result;
    struct monitor_result *m;

    if (!t->monitor)
        return;
    m = MEM_NEW(struct monitor_result);
    if (!m) {
        /* Without room for the answer it is as if it hung. */
        r->abandoned = true;
        return;
    }
    monitor_end(t->monitor, m);
    r->counters = m->counters;
    r->waits = m->waits;
    r->n_outages = m->n_outages;
    r->abandoned = m->abandoned;
    notes_merge(&r->notes, &m->notes);
    mem_free(m);
}

static void find_source(struct telemetry *t)
{
    struct telemetry_result *r = &t->result;
    const bool here = db_can(t->args.db, DRIVER_EMBEDDED) ||
                      db_can(t->args.db, DRIVER_DISCARDS) || r->has_procs;

    if (t->probe)
        r->host_source = HOST_OF_PROBE;
    else
        r->host_source = here ? HOST_OF_BOTH : HOST_OF_CLIENT;
    if (!t->probe)
        r->n_cores = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
}

void telemetry_end(struct telemetry *t, struct telemetry_result *out)
{
    telemetry_close(t);
    /* Also when it was found too late to be looked at. */
    if (t->monitor)
        follow_server(t);
    leave_procs(t);
    find_source(t);
    end_monitor(t);
    if (t->probe)
        probe_end(t->probe, &t->result.host, &t->result.notes);
    for (size_t i = 0; i < t->result.notes.n; i++)
        log_debug("telemetry: %s", t->result.notes.text[i]);
    mem_free(t->workers_ns);
    mem_free(t->ids);
    *out = t->result;
}
