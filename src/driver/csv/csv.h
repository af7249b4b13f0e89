/* SPDX-License-Identifier: MIT */
/* Rows as files, "csv:FOLDER": to be loaded, not to be run on. */
#ifndef DRIVER_CSV_CSV_H
#define DRIVER_CSV_CSV_H

#include "driver/driver.h"

extern const struct driver csv_driver;

#endif
