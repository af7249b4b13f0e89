/* SPDX-License-Identifier: MIT */
/*
 * The stop flag.  SIGINT, SIGTERM and SIGHUP set it; long work looks at it and
 * ends in order.  A second signal ends the process at once, as the default
 * would.
 */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include "base/base.h"

void stop_install(void);
bool stop_requested(void);
/* The signal's number, 0 while there was none. */
int stop_signal(void);

#endif
