/* SPDX-License-Identifier: MIT */
#ifndef DRIVER_POSTGRES_CLASSIFY_H
#define DRIVER_POSTGRES_CLASSIFY_H

#include "base/err.h"

/*
 * What an SQLSTATE means for the caller: its own row, else that of its class
 * (the first two characters), else RC_DB_ERROR.  NULL is a failure without a
 * code, which libpq reports only for a connection that is lost.
 *
 * 57014 is RC_DB_TIMEOUT; whether it was a cancel instead is not in the code.
 */
enum rc pg_classify(const char *sqlstate);

/*
 * The SQLSTATE in the text of a failed connection, for which libpq has no
 * field: it is there in verbose form only, "FATAL:  28P01: password …".  The
 * last one, since one text may speak of several hosts; "" if there is none.
 */
void pg_find_sqlstate(const char *text, char out[6]);

#endif
