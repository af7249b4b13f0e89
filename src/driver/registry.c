/* SPDX-License-Identifier: MIT */
/* The only place that knows which drivers there are. */
#include "driver/csv/csv.h"
#include "driver/driver.h"
#include "driver/mysql/mysql.h"
#include "driver/noop/noop.h"
#include "driver/odbc/odbc.h"
#include "driver/postgres/postgres.h"
#include "driver/sqlite/sqlite.h"

const struct driver *const driver_table[] = {
    &sqlite_driver, &postgres_driver, &mysql_driver,
    &odbc_driver,   &csv_driver,      &noop_driver,
};

const size_t driver_count = ARRAY_LEN(driver_table);

const struct driver *driver_find(const char *name)
{
    for (size_t i = 0; i < driver_count; i++) {
        const struct driver *d = driver_table[i];

        if (strcmp(d->name, name) == 0 ||
            (d->alias && strcmp(d->alias, name) == 0))
            return d;
    }
    return NULL;
}
