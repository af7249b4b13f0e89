/* SPDX-License-Identifier: MIT */
/*
 * What differs between the databases behind ODBC drivers: one row each, found
 * by the name that the driver gives (SQLGetInfo, SQL_DBMS_NAME).  What is NULL
 * is done by ODBC's own calls.
 */
#ifndef DRIVER_ODBC_DIALECT_H
#define DRIVER_ODBC_DIALECT_H

#include "driver/odbc/classify.h"
#include "driver/slots.h"
#include "driver/value_text.h"

struct odbc_dialect {
    const char *name;            /* the folder of its SQL */
    const char *const *dbms;     /* beginnings of its names, NULL-terminated */
    const struct driver *driver; /* what an opened db is */

    /* Money, rates and times are integers, as SQLite has them. */
    bool counts;
    enum value_list list; /* how a list becomes a text */
    enum odbc_codes codes;

    /* For connection strings that do not have these keywords: per ODBC driver,
     * by the beginning of its file's name. */
    const struct odbc_extra {
        const char *driver, *keyword, *value;
    } * extras;
    size_t n_extras;

    /* Sent when a connection opens, NULL-terminated. */
    const char *const *session;
    /* Sent before a load, which is known to be right. */
    const char *const *bulk_session;
    /* By enum txn_mode; all of them or none. */
    const char *begin[4];
    /* Around a name as a literal: one row, how many there are. */
    const char *has_table[2];
    /* A row with 1: taken for this connection. */
    const char *claim;
    /* Before a number of milliseconds, or of seconds. */
    const char *timeout;
    bool timeout_in_s;
    /* Rows: setting, value, reserved, in use by others, and whether a
     * connection takes one of it (0) or one for each statement (1). */
    const char *const *limits;
    const char *facts; /* rows: name, value */
    /* A row with what a statement must be shorter than, for a server that hangs
     * up on a longer one. */
    const char *packet;
    /* Its ODBC driver shows no rows of INSERT, UPDATE, DELETE … RETURNING. */
    bool hides_returning;
    /* A scan is a cursor of the server's, read in pieces. */
    bool cursors;
};

/* NULL when it is not known. */
const struct odbc_dialect *odbc_dialect_of(const char *dbms);
const struct odbc_dialect *odbc_dialect_named(const char *name);
/* Of a database that has none: whatever is not asked of ODBC fails. */
extern const struct odbc_dialect odbc_no_dialect;

#endif
