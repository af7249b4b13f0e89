/* SPDX-License-Identifier: MIT */
/*
 *   pg_stream_open(), pg_stream_next() until there is no row or it fails,
 *   pg_stream_close()
 *
 * The connection is free again after the last row only.
 */
#ifndef DRIVER_POSTGRES_STREAM_H
#define DRIVER_POSTGRES_STREAM_H

#include "driver/postgres/pg_int.h"

struct pg_stream {
    struct pg_conn *pc;
    const enum pg_coding *codings; /* the caller's */
    char *message;                 /* libpq's: a row, mostly */
    const char *at, *end;          /* what is left of it; NULL: no more */
    bool begun;
};

/* Fills codings for the columns of the step. */
CORO_FN enum rc pg_stream_open(struct pg_stream *st, struct pg_conn *pc,
                               const struct step *step,
                               const struct value *args,
                               enum pg_coding *codings, struct err *err);
/* Text of the cells lives until the next call. */
CORO_FN enum rc pg_stream_next(struct pg_stream *st, const struct step *step,
                               struct value *cells, bool *out_row,
                               struct err *err);
void pg_stream_close(struct pg_stream *st);

#endif
