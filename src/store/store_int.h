/* SPDX-License-Identifier: MIT */
/*
 * Private to the store: the connection, and SQL without ceremony.
 */
#ifndef STORE_STORE_INT_H
#define STORE_STORE_INT_H

#include "store/store.h"

#include <sqlite3.h>

struct store {
    sqlite3 *db;
    char *path;
    /* Byte `id` of this file is locked by the process whose run it is
     * (running.c); -1 when the file cannot be had. */
    int running_fd;
    bool read_only;
};

/* The failure of the last call on the connection; what: "write", "read". */
enum rc store_failed(const struct store *s, const char *what, struct err *err);

MUST_USE enum rc store_exec(struct store *s, const char *sql, struct err *err);
/*
 * A statement with its parameters, one letter each: i int64_t, d double, t
 * text (NULL: NULL), b blob (const void *, size_t), n NULL.  Texts and blobs
 * must live until the statement is done.
 */
MUST_USE enum rc store_prepare(struct store *s, const char *sql,
                               sqlite3_stmt **out, struct err *err);
void store_bind(sqlite3_stmt *stmt, const char *types, ...);
/* RC_OK with *out_row true, or false at the end. */
MUST_USE enum rc store_step(struct store *s, sqlite3_stmt *stmt, bool *out_row,
                            struct err *err);
/* Prepares, binds, runs to the end. */
MUST_USE enum rc store_do(struct store *s, struct err *err, const char *sql,
                          const char *types, ...);
/* The first column of the first row; *out untouched when there is none. */
MUST_USE enum rc store_get_i64(struct store *s, const char *sql, int64_t *out,
                               struct err *err);

/* Moves the log into the file, so that the log's room can be used again. */
void store_checkpoint(struct store *s);
/* BEGIN IMMEDIATE; the end commits, or rolls back after a failure, and returns
 * what came first. */
MUST_USE enum rc store_begin(struct store *s, struct err *err);
MUST_USE enum rc store_end(struct store *s, enum rc rc, struct err *err);

/* Whether the file is ours, of a version that is known; schema.c. */
MUST_USE enum rc store_check(struct store *s, struct err *err);
/* Makes or migrates the tables. */
MUST_USE enum rc store_migrate(struct store *s, struct err *err);

/* ---- running.c ---- */

void store_running_close(struct store *s);
/* From now until the process ends, or until unclaimed. */
void store_running_claim(struct store *s, int64_t run);
void store_running_unclaim(struct store *s, int64_t run);
/* A run that has no end of its own: what its intervals say, if there is room
 * for that. */
void store_mark_partial(struct store *s, int64_t run, const char *reason);
/* Marks as partial the runs whose process is gone. */
void store_mark_dead(struct store *s);

#endif
