/* SPDX-License-Identifier: MIT */
/* The contract (support/driver_suite.h), by the ODBC driver of MariaDB. */
#include "support/driver_suite.h"
#include "support/maria_fixture.h"
#include "support/odbc_fixture.h"

int main(void)
{
    static const struct driver_place place = {"odbc: MariaDB", odbc_maria_url,
                                              DECIMAL_SCHEMA, MARIA_SCRIPT};

    return driver_suite_run(&place, 1);
}
