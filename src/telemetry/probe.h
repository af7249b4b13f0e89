/* SPDX-License-Identifier: MIT */
/*
 * --host-probe: a command that prints the figures of another machine, such as
 * "ssh db1 cat /proc/stat /proc/diskstats /proc/vmstat", run by the shell when
 * the interval opens, now and then, and when it closes (watch.h).
 */
#ifndef TELEMETRY_PROBE_H
#define TELEMETRY_PROBE_H

#include "engine/loop.h"
#include "telemetry/host.h"
#include "telemetry/notes.h"

struct probe;

struct probe_args {
    const char *command;
    ended_fn *ended;
    const void *ended_arg;
};

/* Runs it once and reads what it prints, within limit_ns; the process and what
 * it started are gone afterwards.  RC_TIMEOUT; RC_INVALID when it failed or
 * printed no figure that is known. */
MUST_USE CORO_FN enum rc probe_run(const char *command, int64_t limit_ns,
                                   struct host_usage *out, struct err *err);

MUST_USE enum rc probe_start(const struct probe_args *args, struct probe **out,
                             struct err *err);
/* From the controlling thread. */
void probe_open(struct probe *p);
void probe_close(struct probe *p);
/* Waits for the last one, within limits; frees it.  Why there are no figures
 * is in the notes. */
void probe_end(struct probe *p, struct host_sum *out, struct notes *notes);

#endif
