/* SPDX-License-Identifier: MIT */
/* Scans, and the snapshot that they share. */
#ifndef DRIVER_POSTGRES_SCAN_H
#define DRIVER_POSTGRES_SCAN_H

#include "driver/driver.h"

struct pg_conn;

/* Of a transaction that reads one, for scans beside each other. */
struct pg_snapshot {
    char name[64];            /* "": not to be shared */
    struct pg_conn *spare[8]; /* connections in it that no scan uses */
    size_t n_spare;
};

/* ---- snapshot.c ---- */

/* After BEGIN: gives the snapshot a name.  Where it cannot have one, begins
 * again with this text. */
CORO_FN enum rc pg_snapshot_export(struct pg_conn *pc, const char *begin);
/* A connection in the snapshot for one scan; NULL when there is none to be
 * had.  Returned, or closed with pg_disconnect(). */
CORO_FN struct pg_conn *pg_snapshot_conn(struct pg_conn *pc);
void pg_snapshot_return(struct pg_conn *pc, struct pg_conn *side);
/* When the transaction ends. */
void pg_snapshot_end(struct pg_conn *pc);

/* ---- scan.c ---- */

CORO_FN enum rc pg_scan_open(struct conn *c, const struct step *step,
                             const struct value *args, size_t n_args,
                             struct scan **out, struct err *err);
CORO_FN enum rc pg_scan_next(struct scan *s, const struct value **row,
                             struct err *err);
void pg_scan_close(struct scan *s);

#endif
