/* SPDX-License-Identifier: MIT */
/* The contract (support/driver_suite.h), by the ODBC driver of PostgreSQL. */
#include "support/driver_suite.h"
#include "support/odbc_fixture.h"

int main(void)
{
    static const struct driver_place place = {
        "odbc: PostgreSQL", odbc_postgres_url, DECIMAL_SCHEMA, "pg_cluster.py"};

    return driver_suite_run(&place, 1);
}
