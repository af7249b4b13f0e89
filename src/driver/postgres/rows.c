/* SPDX-License-Identifier: MIT */
/* Rows of answers, all in binary. */
#include "driver/postgres/pg_int.h"

enum rc pg_check_columns(const PGresult *r, const struct step *step,
                         enum pg_coding *codings, struct err *err)
{
    const size_t n = (size_t)PQnfields(r);

    if (n != step->n_cols)
        return err_set(err, RC_INVALID,
                       "%s returns %zu columns, its signature says %zu",
                       step->name, n, step->n_cols);
    for (size_t i = 0; i < n; i++) {
        const struct column *col = &step->cols[i];
        const Oid oid = PQftype(r, (int)i);

        codings[i] = pg_coding_of(oid);
        if (!pg_can_decode(codings[i], col->type))
            return err_set(err, RC_INVALID,
                           "%s: column %s has type %u, which cannot be read "
                           "as its signature says",
                           step->name, col->name, oid);
    }
    return RC_OK;
}

bool pg_read_row(const PGresult *r, int row, const struct step *step,
                 const enum pg_coding *codings, struct value *cells,
                 uint64_t *bytes)
{
    for (size_t i = 0; i < step->n_cols; i++) {
        const int col = (int)i;
        const size_t len = (size_t)PQgetlength(r, row, col);

        /* NULL has no length, so only what has none costs a second call. */
        if (len == 0 && PQgetisnull(r, row, col))
            cells[i] = v_null();
        else if (UNLIKELY(!pg_decode(codings[i], step->cols[i].type,
                                     PQgetvalue(r, row, col), len, &cells[i])))
            return false;
        *bytes += len;
    }
    return true;
}
