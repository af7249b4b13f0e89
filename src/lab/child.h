/* SPDX-License-Identifier: MIT */
/*
 * Programs that dyno starts: as another user when it is root, without its
 * descriptors, signals and variables of other databases.
 *
 * A process is known by its number and the time of its start, so that another
 * one that got the number later is never taken for it.
 */
#ifndef LAB_CHILD_H
#define LAB_CHILD_H

#include "base/err.h"

#include <sys/types.h>

/* Who runs it; drop false: the caller as it is. */
struct child_user {
    bool drop;
    uid_t uid;
    gid_t gid;
    char name[64];
};

struct process {
    int64_t pid;          /* 0: none */
    uint64_t start_ticks; /* since the machine's start */
};

struct child_args {
    const char *const *argv; /* NULL-terminated; argv[0] is a path */
    const char *dir;         /* working folder */
    int log_fd;              /* standard output and error */
    const struct child_user *user;
    int death_signal; /* sent to it when this thread ends; 0: none */
};

/* name NULL: the first of candidates (NULL-terminated) that there is.  Only
 * root drops, and must not run as root. */
MUST_USE enum rc child_user_find(const char *name,
                                 const char *const *candidates,
                                 struct child_user *out, struct err *err);

/* Runs it to its end; a failure says with what it ended, and why it could not
 * start. */
MUST_USE enum rc child_run(const struct child_args *args, struct err *err);

/* Starts it in a session of its own and leaves it running, but not before
 * known(arg, process) has returned RC_OK: what is not known to a later dyno
 * must not run. */
typedef enum rc child_known_fn(void *arg, struct process p, struct err *err);
MUST_USE enum rc child_start(const struct child_args *args,
                             child_known_fn *known, void *arg, struct err *err);

/* Also reaps it when it is ours and has ended. */
bool process_alive(struct process p);
/* Waits until it has ended; false: it has not, after limit_ns. */
bool process_wait(struct process p, int64_t limit_ns);
void process_signal(struct process p, int signum);
/* Kills it and what it has started, and waits until they are gone. */
void process_kill(struct process p);

#endif
