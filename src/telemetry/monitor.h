/* SPDX-License-Identifier: MIT */
/*
 * Asks the database server about itself, on a connection of its own and a
 * thread of its own (watch.h).  What is asked is in sql/telemetry/DIALECT/:
 *
 *   connection.sql  -> (id, age_us, tolerance_us): procs.h's hint
 *   foreground.sql  -> (id): processes or threads that work for connections
 *   waits.sql       -> (name, value): sessions by what they wait for
 *   lacks.sql       -> (name): the counters that it does not have
 *   counters_*.sql  -> (name, value): counters that grow; a parameter is the
 *                      number of statements that this connection has sent
 *
 * Each is optional, and one that the server does not know or that the user may
 * not ask is left out.
 */
#ifndef TELEMETRY_MONITOR_H
#define TELEMETRY_MONITOR_H

#include "driver/driver.h"
#include "telemetry/counters.h"
#include "telemetry/notes.h"
#include "telemetry/procs.h"

struct monitor;

struct monitor_args {
    struct db *db;
    ended_fn *ended;
    const void *ended_arg;
};

/* What the server said; the rest of telemetry takes it under no lock. */
struct monitor_result {
    struct counters counters;
    struct server_waits waits;
    struct notes notes;
    uint64_t n_outages; /* its connection was lost so often */
    /* It hung: its thread is left, and the process should end soon without
     * closing the database. */
    bool abandoned;
};

/* Whether there is a server, and anything to ask it. */
bool monitor_has_questions(const struct db *db);
MUST_USE enum rc monitor_start(const struct monitor_args *args,
                               struct monitor **out, struct err *err);

/* From the controlling thread. */
void monitor_open(struct monitor *m);
void monitor_close(struct monitor *m);
/* Now and then: one that has got no answer for long is given up. */
void monitor_check(struct monitor *m, struct mono now);
/* The server's process when it is on this machine; *out_number changes with
 * it, and is 0 while there is none. */
void monitor_server(struct monitor *m, struct procs_server *out,
                    uint64_t *out_number);
/* Copies the list, at most cap of it. */
void monitor_foreground(struct monitor *m, int *ids, size_t cap,
                        struct procs_list *out);
/* What it has counted so far. */
void monitor_sums(struct monitor *m, struct counters *counters,
                  struct server_waits *waits);
/* Waits for the last sample, within limits; frees it. */
void monitor_end(struct monitor *m, struct monitor_result *out);

/* Asks connection.sql and looks for the process: procs.h. */
MUST_USE CORO_FN enum rc monitor_find_server(struct conn *c,
                                             struct arena *arena,
                                             struct procs_server *out,
                                             struct err *err);

#endif
