/* SPDX-License-Identifier: MIT */
#ifndef DRIVER_ODBC_ODBC_H
#define DRIVER_ODBC_ODBC_H

struct driver;

/* The one that targets name.  An opened db has one of the others, which the
 * database behind the ODBC driver decides (dialect.h). */
extern const struct driver odbc_driver;

#endif
