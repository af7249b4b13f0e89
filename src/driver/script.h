/* SPDX-License-Identifier: MIT */
/* Scripts, for the drivers. */
#ifndef DRIVER_SCRIPT_H
#define DRIVER_SCRIPT_H

#include "driver/driver.h"

/* Behind a statement of a script that ended with rc and err: RC_OK when the
 * script goes on, also because the sink has taken the failure. */
enum rc script_failed(const struct result_sink *sink, const struct conn *c,
                      enum rc rc, struct err *err);

#endif
