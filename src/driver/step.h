/* SPDX-License-Identifier: MIT */
/*
 * Steps: one .sql file of one or more statements, run in order on one
 * connection, whose rows are those of the last SELECT or RETURNING.  So a
 * dialect that lacks RETURNING needs no other C code.
 *
 *   -- TPC-C 2.4.2.2: the district's tax and next order number
 *   -- (w_id int, d_id int) -> (d_tax rate, d_next_o_id int)
 *   SELECT d_tax, d_next_o_id FROM district
 *   WHERE d_w_id = :w_id AND d_id = :d_id;
 *
 * The first comment line says what it is, the second gives the signature;
 * types are int, money, rate, time and text, for parameters also ints, a list
 * (PostgreSQL: int[]; SQLite: a JSON array).  Parameters are written :name;
 * the lexer knows quotes ('…', "…", `…`), comments, dollar quoting and "::".
 */
#ifndef DRIVER_STEP_H
#define DRIVER_STEP_H

#include "base/arena.h"
#include "driver/value.h"

struct driver;

#define STEP_PARAMS_MAX 64
#define STEP_STATEMENTS_MAX 16

/* How a database wants its parameters. */
enum placeholder {
    PLACEHOLDER_QUESTION, /* ?, one for each occurrence */
    PLACEHOLDER_DOLLAR,   /* $1, numbered by parameter */
};

struct step_statement {
    const char *text; /* placeholders in, NUL-terminated, no final ';' */
    /* For each placeholder of the text in order (QUESTION: occurrences;
     * DOLLAR: distinct parameters, $k is params[k-1]) the index of the step's
     * parameter. */
    const uint8_t *params;
    size_t n_params;
};

struct step {
    const char *name; /* "new_order_read_district" */
    const struct column *params;
    size_t n_params;
    const struct column *cols; /* of its rows; n_cols 0: returns none */
    size_t n_cols;
    const struct step_statement *statements;
    size_t n_statements;
    /*
     * A statement of a user's script, of which nothing is known: it may begin
     * or end a transaction, parameters are TEXT, or INT for drivers that take
     * them.  With raw_rows its rows come as TEXT or NULL, whatever their
     * columns are, which rowset.names names; without, they are dropped.
     */
    bool raw, raw_rows;
};

/* Parses the text of a step.  Everything lives in the arena.  Errors name the
 * step and the line. */
MUST_USE enum rc step_parse(struct arena *arena, const char *name,
                            const char *text, enum placeholder style,
                            struct step *out, struct err *err);

/* From assets: "sql/<workload>/<the driver's dialect>/<name>.sql". */
MUST_USE enum rc step_load(struct arena *arena, const char *workload,
                           const struct driver *driver, const char *name,
                           struct step *out, struct err *err);

/* One statement of a script; *text and *len are moved behind it.  Returns
 * false at the end.  Knows quotes, comments, dollar quoting and
 * the bodies of triggers and routines, BEGIN … END.  The statement is borrowed
 * from the text and has no final ';'. */
bool script_next(const char **text, size_t *len, const char **out_stmt,
                 size_t *out_len);

#endif
