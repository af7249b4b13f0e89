/* SPDX-License-Identifier: MIT */
/* Raw statements: texts without parameters, rows in text. */
#ifndef DRIVER_POSTGRES_TEXT_H
#define DRIVER_POSTGRES_TEXT_H

#include "driver/postgres/pg_int.h"

bool pg_in_txn(const struct conn *c);
CORO_FN enum rc pg_exec_text(struct conn *c, const char *text, rows_fn *fn,
                             void *arg);
/* All rows of an answer, in text. */
enum rc pg_read_text_rows(struct pg_conn *pc, const PGresult *r,
                          struct rowset *out);

#endif
