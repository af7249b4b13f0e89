/* SPDX-License-Identifier: MIT */
#include "workload/marker.h"

#include "base/asset.h"
#include "base/buf.h"
#include "base/parse.h"
#include "driver/bulk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SCRIPT_MAX (64U << 10)

/* before, the table, after. */
static CORO_FN enum rc run(struct conn *c, const char *before,
                           const char *table, const char *after,
                           const struct result_sink *sink, struct err *err)
{
    char sql[320];

    snprintf(sql, sizeof(sql), "%s %s %s", before, table, after);
    return conn_script(c, sql, strlen(sql), sink, err);
}

/* ---- reading ---- */

/* Numbers come as text from some databases. */
static bool read_number(const struct value *v, uint64_t *out)
{
    char text[32];

    if (v->type == VALUE_INT) {
        *out = (uint64_t)v->i;
        return true;
    }
    if (v->type != VALUE_TEXT || v->len >= sizeof(text))
        return false;
    memcpy(text, v->s, v->len);
    text[v->len] = '\0';
    return parse_u64(text, out, NULL) == RC_OK;
}

static enum rc take_row(void *arg, const struct value *cells, size_t n)
{
    struct marker *m = arg;
    uint64_t complete = 0;

    if (n != 3 || !read_number(&cells[0], &m->scale) ||
        !read_number(&cells[1], &m->seed) || !read_number(&cells[2], &complete))
        return RC_INVALID;
    m->complete = complete == 1;
    return RC_OK;
}

enum rc marker_find(struct conn *c, const char *table, bool *out_found,
                    struct marker *out, struct err *err)
{
    const struct result_sink sink = {.arg = out, .row = take_row};
    enum rc rc = conn_has_table(c, table, out_found, err);

    *out = (struct marker){0};
    if (rc || !*out_found)
        return rc;
    rc = run(c, "SELECT scale, seed, complete FROM", table, "", &sink, err);
    if (rc == RC_INVALID)
        return err_set(err, rc, "the table %s is not as dyno makes it", table);
    return rc;
}

/* ---- writing ---- */

enum rc marker_make(struct conn *c, const char *table, uint64_t scale,
                    uint64_t seed, struct err *err)
{
    char sql[512];

    /* A seed has 64 bits without a sign, which no integer type of SQL has. */
    snprintf(sql, sizeof(sql),
             "CREATE TABLE %s (scale bigint NOT NULL, seed varchar(20) NOT "
             "NULL, complete int NOT NULL);"
             "INSERT INTO %s (scale, seed, complete) VALUES (%" PRIu64
             ", '%" PRIu64 "', 0)",
             table, table, scale, seed);
    return conn_script(c, sql, strlen(sql), NULL, err);
}

enum rc marker_set_complete(struct conn *c, const char *table, bool complete,
                            struct err *err)
{
    return run(c, "UPDATE", table,
               complete ? "SET complete = 1" : "SET complete = 0", NULL, err);
}

enum rc marker_drop(struct conn *c, const char *table, struct err *err)
{
    return run(c, "DROP TABLE", table, "", NULL, err);
}

/* ---- scripts ---- */

static void replace(const char *s, const char *mark, const char *text,
                    struct buf *out)
{
    const char *at;

    while (mark && (at = strstr(s, mark))) {
        buf_add(out, s, (size_t)(at - s));
        buf_puts(out, text);
        s = at + strlen(mark);
    }
    buf_puts(out, s);
}

static const struct asset *find_script(const struct conn *c,
                                       const char *workload, const char *name,
                                       struct err *err)
{
    const struct asset *asset;
    char path[160];

    snprintf(path, sizeof(path), "sql/%s/%s/%s.sql", workload,
             c->driver->dialect, name);
    asset = asset_find(path);
    if (!asset)
        err_set(err, RC_USAGE, "workload %s is not available on %s", workload,
                c->driver->name);
    return asset;
}

enum rc marker_check(const struct conn *c, const char *workload,
                     struct err *err)
{
    return find_script(c, workload, "schema", err) ? RC_OK : RC_USAGE;
}

enum rc marker_script(struct conn *c, const char *workload, const char *name,
                      const char *mark, const char *text, struct err *err)
{
    struct buf sql = BUF_INIT(SCRIPT_MAX);
    const struct asset *asset = find_script(c, workload, name, err);
    enum rc rc;

    if (!asset)
        return RC_USAGE;
    replace(asset->data, mark, text, &sql);
    rc = buf_rc(&sql);
    if (rc)
        err_set(err, rc, "%s: out of memory", name);
    else
        rc = conn_script(c, sql.data, sql.len, NULL, err);
    buf_release(&sql);
    if (rc)
        err_prefix(err, "%s", name);
    return rc;
}

/* ---- rows ---- */

enum rc rows_flush(struct row_writer *w)
{
    const size_t n = w->n;
    enum rc rc;

    if (n == 0)
        return RC_OK;
    if (load_stopped(w->tally))
        return err_set(w->err, RC_CANCELLED, "interrupted");
    rc = conn_bulk_rows(w->conn, w->table, w->cells, n, w->err);
    if (!rc)
        atomic_fetch_add_explicit(&w->tally->n_rows, n, memory_order_relaxed);
    w->n = 0;
    return rc;
}

enum rc rows_begin(struct row_writer *w, const struct table_def *table)
{
    w->table = table;
    return conn_bulk_begin(w->conn, table, BULK_ANY, w->err);
}

enum rc rows_end(struct row_writer *w)
{
    const enum rc rc = rows_flush(w);

    return rc ? rc : conn_bulk_end(w->conn, w->err);
}

enum rc rows_write_piece(struct row_writer *w, struct dataset *ds, size_t piece,
                         write_fn *write)
{
    const uint64_t sent = w->conn->usage.bytes_sent;
    enum rc rc = conn_begin(w->conn, TXN_BULK);

    if (rc) {
        conn_error(w->conn, w->err);
        return rc;
    }
    rc = write(w, ds, piece);
    if (!rc) {
        rc = conn_commit(w->conn);
        if (rc)
            conn_error(w->conn, w->err);
    }
    if (rc && conn_rollback(w->conn))
        w->conn->gone = true;
    if (rc && rc != RC_CANCELLED && w->table)
        err_prefix(w->err, "load of table %s", w->table->name);
    atomic_fetch_add_explicit(&w->tally->n_bytes,
                              w->conn->usage.bytes_sent - sent,
                              memory_order_relaxed);
    return rc;
}

bool marker_resumes(const struct workload *wl)
{
    return wl->load_resume && wl->load_resume != marker_no_resume;
}

enum rc marker_no_resume(struct dataset *ds, struct conn *c,
                         struct load_tally *tally, struct err *err)
{
    (void)c;
    (void)tally;
    return err_set(err, RC_UNSUPPORTED,
                   "a load of %s cannot be continued; load again with "
                   "--replace",
                   ds->workload->name);
}

enum rc marker_no_verify(struct dataset *ds, struct conn *c, struct err *err)
{
    (void)c;
    return err_set(err, RC_UNSUPPORTED, "--verify is not available for %s",
                   ds->workload->name);
}
