/* SPDX-License-Identifier: MIT */
/*
 * What a run costs: the machine, the server's processes and counters, dyno
 * itself, over the measurement interval.  One structure for the controlling
 * thread, which opens, ticks and closes; what may wait (the server, a command)
 * has a thread of its own.  Nothing here can fail a run: what is missing is in
 * the notes.
 */
#ifndef TELEMETRY_TELEMETRY_H
#define TELEMETRY_TELEMETRY_H

#include "engine/crew.h"
#include "telemetry/monitor.h"
#include "telemetry/probe.h"
#include "telemetry/samples.h"

enum host_source {
    HOST_UNKNOWN,
    HOST_OF_BOTH,   /* client and server share this machine */
    HOST_OF_CLIENT, /* this machine; the server is elsewhere */
    HOST_OF_PROBE,  /* what --host-probe looks at */
};

struct client_sum {
    int64_t user_ns, system_ns;
    uint64_t context_switches;
    /* The busiest worker's CPU; its thread can have no more than span.ns. */
    int64_t busiest_ns;
    struct span span;
};

struct telemetry_result {
    bool on;
    enum host_source host_source;
    struct host_sum host;
    uint64_t n_cores; /* of this machine; of a probe's: 0, not known */
    struct client_sum client;
    bool has_procs; /* the server's processes are on this machine */
    bool threads;   /* and are threads of one */
    char server_name[PROCS_NAME_BYTES];
    struct procs_sum procs;
    struct counters counters;
    struct server_waits waits;
    uint64_t n_outages; /* of telemetry's own connection */
    struct notes notes;
    bool abandoned; /* see struct monitor_result */
};

struct telemetry_args {
    struct db *db;
    const char *host_probe; /* NULL: none */
    ended_fn *ended;
    const void *ended_arg;
};

struct telemetry {
    struct telemetry_args args;
    const struct crew *crew;
    struct telemetry_result result;
    struct monitor *monitor; /* NULL: no server to ask */
    struct probe *probe;
    struct procs *procs; /* of server_number */
    uint64_t server_number;
    int *ids; /* room for the list of what works for connections */
    struct host_usage host;
    struct self_usage self;
    struct samples samples;
    struct samples_now now; /* being put together */
    struct moment opened, closed;
    int64_t *workers_ns; /* at the opening */
    size_t n_workers;
    struct mono next, procs_next;
    bool is_open, is_closed;
};

MUST_USE enum rc telemetry_init(struct telemetry *t,
                                const struct telemetry_args *args,
                                struct err *err);
/* The users have their connections: it may take one too. */
void telemetry_connect(struct telemetry *t);
/* The interval opens; the crew is that of the n workers of the run. */
void telemetry_open(struct telemetry *t, const struct crew *crew,
                    size_t n_workers);
/* Often; looks once a second. */
void telemetry_tick(struct telemetry *t, struct mono now);
void telemetry_close(struct telemetry *t);
/* A listener of the series; arg is the struct telemetry. */
void telemetry_interval(void *arg, struct interval *interval);
/* Waits, within limits, for what is still to come; frees all but *out. */
void telemetry_end(struct telemetry *t, struct telemetry_result *out);

#endif
