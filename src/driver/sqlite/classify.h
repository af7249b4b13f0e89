/* SPDX-License-Identifier: MIT */
#ifndef DRIVER_SQLITE_CLASSIFY_H
#define DRIVER_SQLITE_CLASSIFY_H

#include "base/err.h"

/* The class of a result code of SQLite, extended or not; RC_OK for those that
 * are no failure. */
enum rc sqlite_classify(int code);

#endif
