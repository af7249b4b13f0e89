/* SPDX-License-Identifier: MIT */
/* Executes nothing and answers at once, so that a run measures dyno itself. */
#ifndef DRIVER_NOOP_NOOP_H
#define DRIVER_NOOP_NOOP_H

#include "driver/driver.h"

extern const struct driver noop_driver;

#endif
