/* SPDX-License-Identifier: MIT */
/*
 * A process that is started, waited for and never left behind: it gets
 * SIGTERM when this one dies in whatever way.  It has a process group of its
 * own, so that Ctrl-C reaches it once, through here.
 */
#ifndef LAB_JOB_H
#define LAB_JOB_H

#include "base/err.h"

#include <stdio.h>

/* Called about once a second while the process runs. */
typedef void job_poll_fn(void *arg);

struct job_args {
    const char *const *argv; /* [0] a path or a name on PATH; ends with NULL */
    const char *const *env;  /* "NAME=VALUE", added; ends with NULL, or NULL */
    const char *log;         /* both outputs are appended here; NULL: ours */
    int keep_fd;             /* stays open in the process; -1: none */
    job_poll_fn *poll;       /* may be NULL */
    void *arg;
};

/* What a process came to. */
struct job_end {
    int code;     /* exit code, when signal is 0 */
    int signal;   /* that ended it */
    bool stopped; /* by our own stop (base/stop.h), passed on to it */
};

/*
 * Runs it to its end.  A stop is passed on as SIGINT and its end still waited
 * for: it may have results to keep.  A failure means that it could not be
 * started; a program that is not there is exit code 127.
 */
MUST_USE enum rc job_run(const struct job_args *args, struct job_end *out,
                         struct err *err);

/* "exit code 3", "signal 9 (Killed)"; out holds at least 64 bytes. */
void job_describe(const struct job_end *end, char *out, size_t out_len);

#endif
