/* SPDX-License-Identifier: MIT */
/* Prepared steps, executed alone or in a flight. */
#ifndef DRIVER_POSTGRES_STMT_H
#define DRIVER_POSTGRES_STMT_H

#include "driver/postgres/pg_int.h"

/* What ends a question, and an answer, on the wire. */
#define PG_SYNC_BYTES 5
#define PG_READY_BYTES 6

/* A statement of a step. */
struct pg_part {
    char name[16]; /* on the server; "" when nothing is kept there */
    struct pg_signature sig;
    enum pg_coding *codings; /* of its columns; NULL when not read */
    uint32_t sent, received; /* bytes of a call without values */
};

struct pg_stmt {
    struct stmt base;
    size_t rows_from; /* the part whose rows are the step's, or n_parts */
    size_t n_parts;
    struct pg_part parts[];
};

/* Hands one of the step's statements to libpq. */
enum rc pg_send(struct pg_conn *pc, const struct pg_stmt *ps, size_t part,
                const struct value *args);
/* Counts the bytes of its answer, rows apart, and the rows changed. */
void pg_take_answer(struct pg_conn *pc, const struct pg_part *part, PGresult *r,
                    struct rowset *out);
/* Room for n cells in all; those there are lose their place. */
enum rc pg_reserve_cells(struct pg_conn *pc, size_t n);
/* Reads the step's rows, if it has any, into cells. */
enum rc pg_read_rows(struct pg_conn *pc, const struct pg_stmt *ps,
                     const PGresult *r, struct value *cells,
                     struct rowset *out);

/* ---- flight.c ---- */

/* A statement of a flight, or a sync. */
struct pg_sent {
    const struct pg_stmt *ps; /* NULL: one of the driver's own */
    size_t part;              /* of ps */
    bool is_sync;
    const char *tag;  /* how its answer must end, or NULL */
    PGresult *answer; /* kept when its rows are the step's */
};

/* Makes room for n statements, so that the run path need not. */
enum rc pg_flight_reserve(struct pg_conn *pc, size_t n);

#endif
