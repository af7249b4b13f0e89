/* SPDX-License-Identifier: MIT */
#ifndef DRIVER_ODBC_CLASSIFY_H
#define DRIVER_ODBC_CLASSIFY_H

#include "base/err.h"

/* Codes of their own, behind an SQLSTATE that says nothing. */
enum odbc_codes {
    ODBC_CODES_NONE,
    ODBC_CODES_MYSQL,
    ODBC_CODES_SQLITE,
};

/* The class of a failure: the SQLSTATE and the database's own code. */
enum rc odbc_classify(enum odbc_codes codes, const char *sqlstate, int native);
/* What to do about it, to be put behind the text; "" mostly. */
const char *odbc_advice(enum odbc_codes codes, const char *sqlstate,
                        int native);

#endif
