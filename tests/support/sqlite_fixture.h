/* SPDX-License-Identifier: MIT */
/*
 * A folder of its own with an SQLite target in it, for each test, and work done
 * on a connection in a coroutine.  Failures fail the test.
 */
#ifndef SUPPORT_SQLITE_FIXTURE_H
#define SUPPORT_SQLITE_FIXTURE_H

#include "driver/sqlite/sqlite.h"

#include <stdatomic.h>

#define FIXTURE_PATH_BYTES 256

struct sqlite_fixture {
    char dir[64], file[FIXTURE_PATH_BYTES], url[FIXTURE_PATH_BYTES + 128];
    struct arena arena;
    struct target target;
    struct db *db; /* closed by the teardown */
    struct err err;
};

int fixture_setup(void **state);
int fixture_teardown(void **state);
/* Removes the file with a tail such as "-wal". */
void fixture_remove(const struct sqlite_fixture *f, const char *tail);

enum rc fixture_open_url(struct sqlite_fixture *f, const char *url,
                         struct db **out);
void fixture_open(struct sqlite_fixture *f); /* f->url, into f->db */
void fixture_step(struct sqlite_fixture *f, struct step *out, const char *text);
/* On a connection of its own. */
void fixture_script(struct sqlite_fixture *f, const char *text);

/* What one thread does on one connection; no assertions inside. */
struct work {
    struct db *db;
    const char *script; /* runs first; may be NULL */
    enum rc (*fn)(struct work *w, struct conn *c, struct err *err);
    enum rc rc;
    struct err err;
    /* For particular tests. */
    size_t n, done;
    int64_t total;
    struct conn *conn;
    struct step step[2];
    atomic_int *flag;
};

/* Opens the connection, runs script and fn, closes; fails unless RC_OK. */
void work_ok(struct work *w);
/* The same for pthread_create(); the result is in w->rc. */
void *work_thread(void *arg);

#endif
