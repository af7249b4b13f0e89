/* SPDX-License-Identifier: MIT */
#ifndef DRIVER_MYSQL_CLASSIFY_H
#define DRIVER_MYSQL_CLASSIFY_H

#include "base/err.h"

/* What an error number of the server or of the library means for the caller;
 * RC_DB_ERROR for all that the table does not name. */
enum rc maria_classify(unsigned code);

/* What to do about it: " (…)", or "". */
const char *maria_advice(unsigned code);

#endif
