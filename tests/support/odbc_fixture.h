/* SPDX-License-Identifier: MIT */
/*
 * Targets for the ODBC drivers of Debian's packages, named by their files, so
 * that no odbcinst.ini is read or changed.  False: the driver is not
 * installed.
 */
#ifndef SUPPORT_ODBC_FIXTURE_H
#define SUPPORT_ODBC_FIXTURE_H

#include "support/pg_fixture.h"

bool odbc_sqlite_url(const struct pg_fixture *f, char *out, size_t out_len);
/* The database "postgres" and "test", as the owner. */
bool odbc_postgres_url(const struct pg_fixture *f, char *out, size_t out_len);
bool odbc_maria_url(const struct pg_fixture *f, char *out, size_t out_len);

#endif
