/* SPDX-License-Identifier: MIT */
/* SQLite, linked in: "sqlite:FILE?name=value&…".  See README.md. */
#ifndef DRIVER_SQLITE_SQLITE_H
#define DRIVER_SQLITE_SQLITE_H

#include "driver/driver.h"

extern const struct driver sqlite_driver;

#endif
