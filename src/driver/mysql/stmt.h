/* SPDX-License-Identifier: MIT */
/* Steps on a connection, executed alone or in a flight. */
#ifndef DRIVER_MYSQL_STMT_H
#define DRIVER_MYSQL_STMT_H

#include "driver/mysql/maria_int.h"

/* Room for one parameter, at an address that the library keeps. */
struct maria_slot {
    int64_t i;
    MYSQL_TIME time;
    char *bytes; /* of text and of numbers as text */
    size_t cap;
    unsigned long len;
    my_bool is_null;
};

/* The parameters of a prepared statement, bound once. */
struct maria_params {
    size_t n;
    MYSQL_BIND *binds;
    struct maria_slot *slots;
};

/* ---- params.c ---- */

/* The statement has been prepared. */
enum rc maria_params_init(struct maria_params *p, MYSQL_STMT *st,
                          const struct step *step,
                          const struct step_statement *s);
void maria_params_release(struct maria_params *p);
/* Fills the slots; parameter i is args[s->params[i]]. */
enum rc maria_bind(struct maria_conn *mc, struct maria_params *p,
                   MYSQL_STMT *st, const struct step_statement *s,
                   const struct value *args);
/* The statement as text, with values where its parameters are. */
void maria_put_statement(struct buf *b, const struct maria_conn *mc,
                         const struct step_statement *s,
                         const struct value *args);

/* ---- rows.c ---- */

/* Whether the statement returns what the signature says. */
enum rc maria_check_columns(MYSQL_STMT *st, const struct step *step,
                            struct err *err);
/* How its rows are read; false when they cannot be. */
bool maria_learn_codings(const MYSQL_STMT *st, const struct step *step,
                         enum maria_coding *codings);
/* Room for n cells in all; those there are lose their place. */
enum rc maria_reserve_cells(struct maria_conn *mc, size_t n);

/* ---- stmt.c ---- */

/* A statement of a step. */
struct maria_part {
    MYSQL_STMT *st; /* NULL: not prepared */
    struct maria_params params;
    /* CALL or a block: how many results there are is seen when they come. */
    bool is_call;
    enum maria_coding *codings; /* of the step's columns, when they are its */
};

struct maria_stmt {
    struct stmt base;
    size_t rows_from; /* the part whose rows are the step's, or n_parts */
    size_t n_parts;
    struct maria_part parts[];
};

/* ---- text.c ---- */

/* The rows of a raw step, all as text. */
enum rc maria_read_raw_rows(struct maria_conn *mc, MYSQL_STMT *st,
                            struct rowset *out);

/* ---- flight.c ---- */

/* A statement of a flight, and its answer. */
struct maria_sent {
    const struct maria_stmt *ms; /* NULL: one of the driver's own */
    size_t part;                 /* of ms */
    MYSQL_ROWS *rows;            /* prepared: the first */
    MYSQL_RES *res;              /* as text */
    size_t n_rows;
    uint64_t n_affected;
};

/* Makes room for n statements, so that the run path need not. */
enum rc maria_flight_reserve(struct maria_conn *mc, size_t n);
/* Sends a prepared statement; the head of its answer is to be read. */
enum rc maria_send_prepared(struct maria_conn *mc, MYSQL_STMT *st);
CORO_FN enum rc maria_read_prepared(struct maria_conn *mc, MYSQL_STMT *st);
/* The rest of an answer to a prepared statement whose first part is there. */
CORO_FN enum rc maria_take_prepared(struct maria_conn *mc,
                                    struct maria_sent *sent);
/* The step's rows into cells. */
enum rc maria_read_rows(struct maria_conn *mc, const struct maria_sent *sent,
                        struct value *cells, struct rowset *out);

#endif
