/* SPDX-License-Identifier: MIT */
/*
 * Scripts in the language of pgbench: SQL statements and commands that begin
 * with a backslash.  Parsed once into a row of commands, in which \if and its
 * kin are jumps.  Whatever is not supported is found here, before a run.
 */
#ifndef WORKLOAD_PGBENCH_LANG_SCRIPT_H
#define WORKLOAD_PGBENCH_LANG_SCRIPT_H

#include "driver/driver.h"
#include "workload/pgbench/lang/expr.h"

/* Parameters of one statement, and its text in pieces. */
#define PGB_PARAMS_MAX 255
#define PGB_IFS_MAX 48

enum pgb_type {
    PGB_SQL,
    PGB_SET,
    PGB_UNLESS, /* jumps when the expression is not true */
    PGB_JUMP,
    PGB_SLEEP,
    PGB_SHELL,
    PGB_SETSHELL,
    PGB_START_PIPELINE,
    PGB_END_PIPELINE,
    PGB_SYNC_PIPELINE,
};

/* What a statement does, as far as its first words tell. */
enum pgb_kind {
    PGB_OTHER,
    PGB_READ, /* SELECT, not FOR UPDATE and the like */
    PGB_BEGIN,
    PGB_COMMIT,
    PGB_ROLLBACK,
};

/* Where the rows of a statement go. */
enum pgb_into {
    PGB_INTO_NOTHING,
    PGB_INTO_ONE, /* \gset: exactly one row */
    PGB_INTO_ANY, /* \aset: the last row of each statement, if any */
};

#define PGB_NO_VAR UINT32_MAX

/* Text, and behind it the value of a variable. */
struct pgb_piece {
    const char *s;
    uint32_t len;
    uint32_t var; /* or PGB_NO_VAR */
    /* Between quotes: the name stays as it is while nothing has set it. */
    const char *unset;
    uint32_t unset_len;
};

struct pgb_sql {
    enum pgb_kind kind;
    enum pgb_into into;
    const char *prefix; /* of the variables that rows go into */
    size_t number;      /* among the statements of all scripts */
    size_t first_arg;   /* its parameters among those of all */
    bool only_reads;    /* of a BEGIN: all up to the next COMMIT is READ */
    struct step step;   /* with placeholders; params[i] is variable vars[i] */
    const uint32_t *vars;
    /* For drivers with a protocol of text. */
    const struct pgb_piece *pieces;
    size_t n_pieces, text_len; /* of the pieces without values */
};

struct pgb_words { /* of \shell, \setshell: the same as pieces */
    const struct pgb_piece *pieces;
    size_t n_pieces;
};

struct pgb_cmd {
    enum pgb_type type;
    const char *at;  /* in the text of the script */
    size_t target;   /* of jumps */
    uint32_t var;    /* that is set, or the time to sleep; or PGB_NO_VAR */
    int64_t unit_ns; /* of the time */
    int64_t amount;  /* when it is no variable */
    struct expr expr;
    const char *expr_at;
    struct pgb_sql *sql;
    struct pgb_words words;
};

struct pgb_script {
    const char *name; /* as in "name:3:7: …" */
    const char *text; /* len bytes and a NUL */
    size_t len;
    uint64_t weight;
    struct pgb_cmd *cmds;
    size_t n_cmds;
};

/* What the scripts may use. */
struct pgb_dialect {
    enum placeholder placeholder;
    bool as_text;     /* sent as text, values put in */
    bool native_txns; /* BEGIN and COMMIT are sent as they are written */
    bool pipelines;
    bool allow_shell;
};

/* Of all scripts together. */
struct pgb_totals {
    size_t n_sql, n_args;
};

/* Fills the commands of a script whose name and text are known.  Errors
 * (RC_USAGE) show the place. */
MUST_USE enum rc pgb_parse(struct arena *arena, const struct pgb_dialect *d,
                           struct var_table *vars, struct pgb_script *script,
                           struct pgb_totals *totals, struct err *err);
/* Whether rows of some statement may set the variable. */
bool pgb_comes_from_rows(const struct pgb_script *scripts, size_t n,
                         const char *name);
/* After all are parsed and -D is known: each variable used can have a value. */
MUST_USE enum rc pgb_check_vars(const struct pgb_script *scripts, size_t n,
                                const struct pgb_dialect *d,
                                const struct var_table *vars, struct err *err);

/* Puts "name:line:column: " before err's text, and the line with a caret under
 * the place behind it. */
enum rc pgb_show_place(const struct pgb_script *script, const char *at,
                       struct err *err);
/* The first of the two alone. */
void pgb_name_place(const struct pgb_script *script, const char *at,
                    struct err *err);
/* Number of the line of a place, from 1. */
size_t pgb_line(const struct pgb_script *script, const char *at);

/* ---- shared by the files of the parser ---- */

struct pgb_parser {
    struct arena *arena;
    const struct pgb_dialect *dialect;
    struct var_table *vars;
    struct pgb_script *script;
    struct pgb_totals *totals;
    struct pgb_cmd *cmds;
    size_t n_cmds, cap;
    const char *pos, *end; /* what follows is not parsed yet */
    size_t sql_behind;     /* 1 + the last command, when \gset may follow it */
    struct err *err;
};

enum rc pgb_fail(struct pgb_parser *p, const char *at, const char *what);
enum rc pgb_no_memory(struct pgb_parser *p);
/* A new command, the last one; valid until the next is added. */
struct pgb_cmd *pgb_add(struct pgb_parser *p, enum pgb_type type,
                        const char *at);
/* Notes that the text at `at` uses a variable; returns its number. */
enum rc pgb_use_var(struct pgb_parser *p, const char *s, size_t len,
                    uint32_t *out);

/* script_sql.c: one statement, s..s+len, without its ';'. */
enum rc pgb_parse_sql(struct pgb_parser *p, const char *s, size_t len);
/* Fills pieces from words in which :name stands for a value. */
enum rc pgb_parse_words(struct pgb_parser *p, const char *s, size_t len,
                        struct pgb_words *out);

#endif
