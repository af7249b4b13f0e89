/* SPDX-License-Identifier: MIT */
/*
 * The contract of driver/driver.h, run against a driver.  What is expected
 * follows from capabilities, never from names: a driver that discards returns
 * no rows, keeps nothing and never fails.
 */
#ifndef SUPPORT_DRIVER_SUITE_H
#define SUPPORT_DRIVER_SUITE_H

#include "support/pg_fixture.h"

/* Where a driver finds its database. */
struct driver_place {
    const char *name;
    /* False when what it needs is not installed. */
    bool (*url)(const struct pg_fixture *f, char *out, size_t out_len);
    const char *schema;
    const char *server; /* the script that starts one, or NULL */
};

/* Without exact decimals money is cents. */
#define CENTS_SCHEMA                                                        \
    "CREATE TABLE t (id bigint PRIMARY KEY, name varchar(20),"              \
    " balance bigint NOT NULL); "                                           \
    "INSERT INTO t VALUES (1, 'one', 100); INSERT INTO t VALUES (2, NULL, " \
    "-5)"
#define DECIMAL_SCHEMA                                                       \
    "DROP TABLE IF EXISTS t, u;"                                             \
    "CREATE TABLE t (id bigint PRIMARY KEY, name varchar(20),"               \
    " balance decimal(16, 2) NOT NULL); "                                    \
    "INSERT INTO t VALUES (1, 'one', 1.00); INSERT INTO t VALUES (2, NULL, " \
    "-0.05)"

/* How many tests have failed. */
int driver_suite_run(const struct driver_place *places, size_t n);

#endif
