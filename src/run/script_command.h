/* SPDX-License-Identifier: MIT */
/* A command of a workload that a file describes: prepare, cleanup and what it
 * defines.  Each user has a thread and a connection. */
#ifndef RUN_SCRIPT_COMMAND_H
#define RUN_SCRIPT_COMMAND_H

#include "run/session.h"

struct script_args {
    const char *command;
    uint64_t n_users;
};

/* The first failure, at which the others stop too. */
MUST_USE enum rc script_command(struct session *s,
                                const struct script_args *args,
                                struct err *err);

#endif
