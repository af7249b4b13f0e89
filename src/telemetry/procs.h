/* SPDX-License-Identifier: MIT */
/*
 * CPU and memory of a server's processes (or, where one process serves all,
 * of its threads) on this machine, from /proc.  The database says which of
 * them work for connections; the rest is in the background.
 *
 * Nothing is lost when one ends: the kernel adds its CPU to that of its parent
 * (or its process), and what this has more than the living is "other".
 */
#ifndef TELEMETRY_PROCS_H
#define TELEMETRY_PROCS_H

#include "base/err.h"
#include "telemetry/span.h"

/* The most that are looked at; a server with more is not measured. */
#define PROCS_MAX 16384
#define PROCS_NAME_BYTES 17

enum procs_part {
    PROCS_FOREGROUND, /* work for a connection */
    PROCS_BACKGROUND,
    PROCS_OTHER, /* ended before the database named them, or in between */
    N_PROCS_PARTS,
};

struct procs_sum {
    uint64_t user_us[N_PROCS_PARTS], system_us[N_PROCS_PARTS];
    /* Highest of the samples: without what processes share, and the largest
     * shared part of one of them. */
    uint64_t private_peak_bytes, shared_peak_bytes;
    uint64_t n_peak; /* processes or threads */
    struct span span;
};

/*
 * What the database says of the process or thread that serves a connection:
 * the operating system's number for it, and how long its process has been
 * running, give or take the tolerance.
 */
struct procs_hint {
    int64_t id;
    int64_t age_us;
    int64_t tolerance_us;
};

struct procs_server {
    int root;     /* the process that is the parent of all, or the only one */
    bool threads; /* one process, a thread for each connection */
    char name[PROCS_NAME_BYTES];
};

/* RC_NOT_FOUND when no such process is here: the server is on another machine,
 * or in a container with numbers of its own. */
MUST_USE enum rc procs_find(const struct procs_hint *hint,
                            struct procs_server *out, struct err *err);

struct procs;
MUST_USE enum rc procs_new(const struct procs_server *server,
                           struct procs **out, struct err *err);
void procs_free(struct procs *p); /* NULL is fine */

/* What the database says works for connections. */
struct procs_list {
    const int *ids; /* ascending; borrowed */
    size_t n;
    struct mono at; /* when it was asked */
};

void procs_sample(struct procs *p, const struct moment *at,
                  const struct procs_list *foreground);
/* What was used between the first sample and the last. */
void procs_collect(const struct procs *p, struct procs_sum *out);

/* The parts of a line of /proc/PID/stat, for procs.c and its test. */
struct procs_stat {
    int pid, parent;
    char name[PROCS_NAME_BYTES];
    uint64_t user, system;             /* ticks */
    uint64_t child_user, child_system; /* of children that were waited for */
    uint64_t start;                    /* ticks since the machine started */
};
MUST_USE bool procs_parse_stat(const char *line, struct procs_stat *out);

#endif
