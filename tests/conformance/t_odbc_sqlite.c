/* SPDX-License-Identifier: MIT */
/* The contract (support/driver_suite.h), by the ODBC driver of SQLite. */
#include "support/driver_suite.h"
#include "support/odbc_fixture.h"

int main(void)
{
    static const struct driver_place place = {"odbc: SQLite", odbc_sqlite_url,
                                              CENTS_SCHEMA, NULL};

    return driver_suite_run(&place, 1);
}
