/* SPDX-License-Identifier: MIT */
/* Rows of answers. */
#include "base/mem.h"
#include "driver/mysql/stmt.h"

/* Enough for most answers of TPC-C, so that the run path need not grow. */
#define CELLS_MIN 512

static enum maria_coding coding_of(const MYSQL_FIELD *field)
{
    return maria_coding_of((int)field->type, field->flags & UNSIGNED_FLAG);
}

enum rc maria_check_columns(MYSQL_STMT *st, const struct step *step,
                            struct err *err)
{
    const size_t n = mysql_stmt_field_count(st);

    if (n != step->n_cols)
        return err_set(err, RC_INVALID,
                       "%s returns %zu columns, its signature says %zu",
                       step->name, n, step->n_cols);
    for (size_t i = 0; i < n; i++) {
        const MYSQL_FIELD *field = &st->fields[i];

        if (!maria_can_decode(coding_of(field), step->cols[i].type))
            return err_set(err, RC_INVALID,
                           "%s: column %s has type %d, which cannot be read "
                           "as its signature says",
                           step->name, step->cols[i].name, (int)field->type);
    }
    return RC_OK;
}

bool maria_learn_codings(const MYSQL_STMT *st, const struct step *step,
                         enum maria_coding *codings)
{
    if (UNLIKELY(st->field_count != step->n_cols))
        return false;
    for (size_t i = 0; i < step->n_cols; i++) {
        codings[i] = coding_of(&st->fields[i]);
        if (UNLIKELY(!maria_can_decode(codings[i], step->cols[i].type)))
            return false;
    }
    return true;
}

enum rc maria_reserve_cells(struct maria_conn *mc, size_t n)
{
    struct value *cells;

    if (LIKELY(n <= mc->cells_cap))
        return RC_OK;
    n = n < CELLS_MIN ? CELLS_MIN : n + n / 2;
    cells = mem_realloc(mc->cells, n * sizeof(*cells));
    if (!cells)
        return maria_fail_own(mc, RC_NOMEM, "an answer is too big for memory");
    mc->cells = cells;
    mc->cells_cap = n;
    return RC_OK;
}

static bool read_prepared(const struct maria_sent *sent, struct value *cells)
{
    const struct step *step = sent->ms->base.step;
    const enum maria_coding *codings = sent->ms->parts[sent->part].codings;
    bool ok = true;

    for (const MYSQL_ROWS *row = sent->rows; row && ok; row = row->next) {
        ok = maria_read_row((const unsigned char *)row->data, row->length,
                            codings, step->cols, step->n_cols, cells);
        cells += step->n_cols;
    }
    return ok;
}

static bool read_text(const struct maria_sent *sent, struct value *cells)
{
    const struct step *step = sent->ms->base.step;
    MYSQL_ROW row;

    while ((row = mysql_fetch_row(sent->res))) {
        const unsigned long *lens = mysql_fetch_lengths(sent->res);

        for (size_t i = 0; i < step->n_cols; i++, cells++) {
            if (!row[i])
                *cells = v_null();
            else if (!value_parse(step->cols[i].type, row[i], lens[i], cells))
                return false;
        }
    }
    return true;
}

enum rc maria_read_rows(struct maria_conn *mc, const struct maria_sent *sent,
                        struct value *cells, struct rowset *out)
{
    const struct step *step = sent->ms->base.step;
    bool ok = true;

    out->cells = cells;
    out->n_rows = step->n_cols > 0 ? sent->n_rows : 0;
    out->n_cols = step->n_cols;
    if (out->n_rows == 0)
        return RC_OK;
    if (sent->res)
        ok = mysql_num_fields(sent->res) == step->n_cols &&
             read_text(sent, cells);
    else
        ok = read_prepared(sent, cells);
    if (LIKELY(ok))
        return RC_OK;
    return maria_fail_own(mc, RC_INVALID,
                          "a value does not fit the type of its column");
}
