/* SPDX-License-Identifier: MIT */
/* MariaDB and MySQL: MariaDB Connector/C inside the coroutines. */
#ifndef DRIVER_MYSQL_MYSQL_H
#define DRIVER_MYSQL_MYSQL_H

#include "driver/driver.h"

extern const struct driver mysql_driver;

#endif
