/* SPDX-License-Identifier: MIT */
/* The contract (support/driver_suite.h), by the ODBC drivers of PostgreSQL and
 * SQLite. */
#include "support/driver_suite.h"
#include "support/odbc_fixture.h"

int main(void)
{
    static const struct driver_place places[] = {
        {"odbc: SQLite", odbc_sqlite_url, CENTS_SCHEMA, NULL},
        {"odbc: PostgreSQL", odbc_postgres_url, DECIMAL_SCHEMA,
         "pg_cluster.py"},
    };

    return driver_suite_run(places, ARRAY_LEN(places));
}
