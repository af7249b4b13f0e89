/* SPDX-License-Identifier: MIT */
/* Users' own statements that are run once, with all values in them: nothing of
 * them is kept. */
#include "base/mem.h"
#include "driver/sqlite/sqlite_int.h"

/* Text of SQLite's dies with the reset, so it is copied. */
static enum rc copy_row(struct sqlite_conn *sc, sqlite3_stmt *st, size_t n_cols)
{
    struct value *cells;
    enum rc rc = kept_rows_add(&sc->rows, n_cols, &cells);

    for (size_t i = 0; i < n_cols && !rc; i++) {
        const unsigned char *s = sqlite3_column_text(st, (int)i);

        if (s)
            rc = kept_rows_text(&sc->rows, &cells[i], s,
                                (size_t)sqlite3_column_bytes(st, (int)i));
        else
            cells[i] = v_null();
    }
    return rc;
}

static enum rc give(struct sqlite_conn *sc, sqlite3_stmt *st, size_t n_cols,
                    rows_fn *fn, void *arg)
{
    struct rowset rows = {.n_cols = n_cols};
    const char **names;
    enum rc rc;

    if (!fn)
        return RC_OK;
    names = MEM_ARRAY(const char *, n_cols + 1);
    if (!names)
        return sqlite_fail_own(sc, RC_NOMEM, "out of memory");
    for (size_t i = 0; i < n_cols; i++)
        names[i] = sqlite3_column_name(st, (int)i);
    kept_rows_finish(&sc->rows);
    rows.cells = sc->rows.cells;
    rows.n_rows = n_cols > 0 ? sc->rows.n_cells / n_cols : 0;
    rows.names = names;
    if (n_cols == 0 && !sqlite3_stmt_readonly(st))
        rows.n_affected = (uint64_t)sqlite3_changes64(sc->handle);
    rc = fn(arg, &rows);
    mem_free(names);
    return rc;
}

static enum rc run(struct sqlite_conn *sc, sqlite3_stmt *st, rows_fn *fn,
                   void *arg)
{
    const size_t n_cols = (size_t)sqlite3_column_count(st);
    enum rc rc = RC_OK;
    int code;

    kept_rows_reset(&sc->rows);
    while ((code = sqlite3_step(st)) == SQLITE_ROW && !rc) {
        if (fn)
            rc = copy_row(sc, st, n_cols);
    }
    if (UNLIKELY(rc))
        return sqlite_fail_own(sc, rc, "an answer is too big for memory");
    if (UNLIKELY(code != SQLITE_DONE))
        return sqlite_fail(sc, code);
    return give(sc, st, n_cols, fn, arg);
}

enum rc sqlite_exec_text(struct conn *c, const char *text, rows_fn *fn,
                         void *arg)
{
    struct sqlite_conn *sc = sqlite_conn_of(c);
    enum rc rc = RC_OK;

    while (!rc && *text) {
        sqlite3_stmt *st = NULL;
        const int code = sqlite3_prepare_v2(sc->handle, text, -1, &st, &text);
        bool takes_turn;

        if (code != SQLITE_OK)
            return sqlite_fail(sc, code);
        if (!st) /* a comment, blanks */
            continue;
        takes_turn = !sqlite3_stmt_readonly(st) && !c->in_txn;
        if (takes_turn)
            rc = sqlite_take_turn(sc);
        if (!rc) {
            rc = run(sc, st, fn, arg);
            if (takes_turn)
                sqlite_give_turn(sc);
        }
        sqlite3_finalize(st);
    }
    return rc;
}
