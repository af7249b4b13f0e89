/* SPDX-License-Identifier: MIT */
/*
 * Where the runs of an experiment take place: for each run a database in a
 * known state.  A server of dyno's own is started, loaded once for each kind
 * of data, restored from a snapshot before each run, and removed at the end;
 * one that is there already is only loaded.
 */
#ifndef LAB_VENUE_H
#define LAB_VENUE_H

#include "lab/matrix_file.h"

struct venue;

struct venue_args {
    const char *name; /* of the experiment; servers are named after it */
    const char *workload;
    const char *log;   /* file to which loads say what they say */
    int keep_fd;       /* see job.h; -1: none */
    job_poll_fn *poll; /* called about once a second in loads; or NULL */
    void *arg;
};

/* What a run needs. */
struct venue_want {
    const struct matrix_server *server;
    const char *preset;                  /* NULL: the server's */
    const struct variant_text *settings; /* beyond the server's own */
    size_t n_settings;
    const struct variant_text *load; /* options that shape the data */
    size_t n_load;
    bool fresh; /* as loaded; else as the run before left it */
};

/* Borrows the texts of args, and the servers that are wanted. */
MUST_USE enum rc venue_new(const struct venue_args *args, struct venue **out,
                           struct err *err);
/* Ends and removes all that it made.  NULL is fine. */
void venue_free(struct venue *s);

/* Whether the server could be made: programs, versions, settings.  Before
 * anything runs; nothing is left of it. */
MUST_USE enum rc venue_check(struct venue *s, const struct venue_want *want,
                             struct err *err);

/* Until the next call, *out_url is a database with what is wanted;
 * *out_replace: the run itself is to load it anew. */
MUST_USE enum rc venue_ready(struct venue *s, const struct venue_want *want,
                             const char **out_url, bool *out_replace,
                             struct err *err);
/* The run has ended: of a server of dyno's own the logs are purged. */
MUST_USE enum rc venue_done(struct venue *s, struct err *err);

#endif
