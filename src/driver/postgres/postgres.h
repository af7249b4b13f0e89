/* SPDX-License-Identifier: MIT */
/*
 * PostgreSQL and what speaks its protocol, over libpq's asynchronous calls:
 * "postgres://…", "postgresql://…", "postgres:host=… dbname=…".  See README.md.
 */
#ifndef DRIVER_POSTGRES_POSTGRES_H
#define DRIVER_POSTGRES_POSTGRES_H

#include "driver/driver.h"

extern const struct driver postgres_driver;

#endif
