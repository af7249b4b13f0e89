/* SPDX-License-Identifier: MIT */
/* The contract (support/driver_suite.h): drivers that need no server, and
 * MariaDB's. */
#include "support/driver_suite.h"
#include "support/maria_fixture.h"

static bool sqlite_url(const struct pg_fixture *f, char *out, size_t out_len)
{
    (void)f;
    snprintf(out, out_len, "sqlite:conformance.db");
    return true;
}

static bool noop_url(const struct pg_fixture *f, char *out, size_t out_len)
{
    (void)f;
    snprintf(out, out_len, "noop:");
    return true;
}

static bool mysql_url(const struct pg_fixture *f, char *out, size_t out_len)
{
    maria_url(f, out, out_len);
    return true;
}

int main(void)
{
    static const struct driver_place places[] = {
        {"sqlite", sqlite_url, CENTS_SCHEMA, NULL},
        {"noop", noop_url, CENTS_SCHEMA, NULL},
        {"mysql", mysql_url, DECIMAL_SCHEMA, MARIA_SCRIPT},
    };

    return driver_suite_run(places, ARRAY_LEN(places));
}
