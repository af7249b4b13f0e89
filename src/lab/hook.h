/* SPDX-License-Identifier: MIT */
/* Commands of the user's, run by the shell before, after and around a run. */
#ifndef LAB_HOOK_H
#define LAB_HOOK_H

#include "lab/job.h"

/* Whether the shell understands the command and knows its program; nothing is
 * run. */
MUST_USE enum rc hook_check(const char *command, struct err *err);
/* env: added.  A command that does not end with 0 is RC_INVALID; RC_CANCELLED:
 * a stop was requested. */
MUST_USE enum rc hook_run(const char *command, const char *const *env,
                          const char *log, struct err *err);

#endif
