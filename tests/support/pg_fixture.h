/* SPDX-License-Identifier: MIT */
/*
 * A PostgreSQL server of the tests' own (pg_cluster.py) and work done on
 * connections to it, in a coroutine.  Failures fail the test.
 */
#ifndef SUPPORT_PG_FIXTURE_H
#define SUPPORT_PG_FIXTURE_H

#include "driver/driver.h"

#include <stdio.h>

struct pg_fixture {
    /* Of all tests of a program: */
    FILE *to, *from; /* the cluster's commands and answers */
    int pid;
    char dir[128], port[16];
    char unavailable[256]; /* why there is no server; "" if there is one */
    char answer[512];
    /* Of a test: */
    struct arena arena;
    struct db *db;
    struct conn *a, *b; /* opened by in_loop() */
    struct err err;
    void (*fn)(struct pg_fixture *f);
};

/* For cmocka: a server for the group, nothing open for a test. */
int pg_group_setup(void **state);
/* The same with another server's script; what follows serves it too. */
int server_group_setup(void **state, const char *script);
int pg_group_teardown(void **state);
int pg_setup(void **state);
int pg_teardown(void **state);

/* Skips the test, saying why, when there is no server. */
struct pg_fixture *pg_fixture(void **state);
/* A command of pg_cluster.py; the answer, without "ok ". */
const char *pg_command(struct pg_fixture *f, const char *fmt, ...)
    PRINTF_LIKE(2, 3);
/* The same where the server lacks a part (TLS, PgBouncer): then the test is
 * skipped. */
const char *pg_optional(struct pg_fixture *f, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/* A URL of 127.0.0.1; params begins with "?" or is "". */
const char *pg_url(struct pg_fixture *f, const char *user, const char *db,
                   const char *params);
/* Opens a target; closed by the teardown, or when another is opened. */
void pg_open(struct pg_fixture *f, const char *url);
enum rc pg_try_open(struct pg_fixture *f, const char *url, struct db **out);
/* The server's unix socket, as the owner. */
void pg_open_default(struct pg_fixture *f);

/* Runs fn in a loop, with connections a and b to f->db, closed behind it. */
void pg_in_loop(struct pg_fixture *f, void (*fn)(struct pg_fixture *f));
/* Connects and closes again; the code, and the text in f->err. */
enum rc pg_try_connect(struct pg_fixture *f);

/* In a loop: */
CORO_FN void pg_run(struct pg_fixture *f, struct conn *c, const char *script);
CORO_FN enum rc pg_try_run(struct pg_fixture *f, struct conn *c,
                           const char *script);
/* A step without parameters that returns one int, or one text. */
CORO_FN int64_t pg_int(struct pg_fixture *f, struct conn *c, const char *sql);
CORO_FN void pg_text(struct pg_fixture *f, struct conn *c, const char *sql,
                     char *out, size_t out_len);
struct step *pg_step(struct pg_fixture *f, const char *text);
void pg_check(struct pg_fixture *f, enum rc rc);

#endif
