/* SPDX-License-Identifier: MIT */
/* Single values of stored summaries, by SQLite's JSON path. */
#include "store/runs.h"
#include "store/store_int.h"

static enum rc find_value(struct store *s, int64_t run, const char *path,
                          sqlite3_stmt **out, struct err *err)
{
    bool row = false;
    enum rc rc;

    rc = store_prepare(s,
                       "SELECT v FROM (SELECT json_extract(summary, ?1) AS v "
                       "FROM runs WHERE id = ?2) WHERE v IS NOT NULL",
                       out, err);
    if (rc)
        return rc;
    store_bind(*out, "ti", path, run);
    rc = store_step(s, *out, &row, err);
    if (!rc && row)
        return RC_OK;
    sqlite3_finalize(*out);
    *out = NULL;
    return rc;
}

enum rc store_summary_text(struct store *s, int64_t run, const char *path,
                           struct arena *arena, const char **out,
                           struct err *err)
{
    sqlite3_stmt *stmt = NULL;
    enum rc rc;

    *out = NULL;
    rc = find_value(s, run, path, &stmt, err);
    if (!stmt)
        return rc;
    *out = arena_strdup(arena, (const char *)sqlite3_column_text(stmt, 0));
    sqlite3_finalize(stmt);
    return *out ? RC_OK
                : err_set(err, RC_NOMEM, "no memory for a stored summary");
}

enum rc store_summary_number(struct store *s, int64_t run, const char *path,
                             double *out, struct err *err)
{
    sqlite3_stmt *stmt = NULL;
    enum rc rc;

    *out = -1;
    rc = find_value(s, run, path, &stmt, err);
    if (!stmt)
        return rc;
    *out = sqlite3_column_double(stmt, 0);
    sqlite3_finalize(stmt);
    return RC_OK;
}
