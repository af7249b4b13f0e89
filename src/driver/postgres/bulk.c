/* SPDX-License-Identifier: MIT */
/* Rows for a load: one binary COPY for each call, a transaction of its own. */
#include "base/buf.h"
#include "base/mem.h"
#include "driver/postgres/pg_int.h"

/* What is handed to libpq at once.  The socket takes it before the next, so no
 * more than this waits in memory. */
#define PIECE_BYTES (64 * 1024)
/* Signature, flags and length of extensions. */
#define FILE_HEAD "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0"
#define FILE_HEAD_BYTES 19

/* ---- the table ---- */

static void put_name(struct buf *b, const char *name)
{
    buf_putc(b, '"');
    for (; *name; name++) {
        if (*name == '"')
            buf_putc(b, '"');
        buf_putc(b, *name);
    }
    buf_putc(b, '"');
}

static void put_columns(struct buf *b, const struct table_def *table)
{
    for (size_t i = 0; i < table->n_cols; i++) {
        if (i > 0)
            buf_puts(b, ", ");
        put_name(b, table->cols[i].name);
    }
}

static void put_copy(struct buf *b, const struct table_def *table)
{
    buf_puts(b, "COPY ");
    put_name(b, table->name);
    buf_puts(b, " (");
    put_columns(b, table);
    buf_puts(b, ") FROM STDIN (FORMAT binary)");
}

static void bulk_release(struct pg_bulk *bulk)
{
    mem_free(bulk->copy);
    mem_free(bulk->codings);
    *bulk = (struct pg_bulk){0};
}

void pg_free_bulk(struct pg_conn *pc)
{
    for (size_t i = 0; i < PG_BULK_TABLES; i++)
        bulk_release(&pc->bulk[i]);
}

static struct pg_bulk *find_bulk(struct pg_conn *pc, const char *copy)
{
    for (size_t i = 0; i < PG_BULK_TABLES; i++) {
        if (pc->bulk[i].copy && strcmp(pc->bulk[i].copy, copy) == 0)
            return &pc->bulk[i];
    }
    return NULL;
}

static enum rc check_codings(const PGresult *r, const struct table_def *table,
                             enum pg_coding *codings, struct err *err)
{
    for (size_t i = 0; i < table->n_cols; i++) {
        const struct column *col = &table->cols[i];
        const Oid oid = PQftype(r, (int)i);

        codings[i] = pg_coding_of(oid);
        if (!pg_can_encode(codings[i], col->type))
            return err_set(err, RC_UNSUPPORTED,
                           "column %s has type %u, which dyno cannot load",
                           col->name, oid);
    }
    return RC_OK;
}

/* The types of the columns: those of an empty answer. */
static CORO_FN enum rc learn(struct pg_conn *pc, const struct table_def *table,
                             enum pg_coding *codings, struct err *err)
{
    struct buf sql = BUF_INIT(PG_SQL_MAX);
    PGresult *r = NULL;
    enum rc rc;

    buf_puts(&sql, "SELECT ");
    put_columns(&sql, table);
    buf_puts(&sql, " FROM ");
    put_name(&sql, table->name);
    buf_puts(&sql, " LIMIT 0");
    if (buf_rc(&sql))
        rc = err_set(err, RC_NOMEM, "out of memory");
    else if (pg_ask(pc, buf_str(&sql), NULL, &r))
        rc = pg_last_err(pc, "types of columns", err);
    else
        rc = check_codings(r, table, codings, err);
    PQclear(r);
    buf_release(&sql);
    return rc;
}

/* The text of the COPY is the key: it holds all that matters. */
static CORO_FN enum rc new_bulk(struct pg_conn *pc,
                                const struct table_def *table, const char *copy,
                                struct pg_bulk **out, struct err *err)
{
    struct pg_bulk *bulk = &pc->bulk[pc->bulk_next];
    enum rc rc;

    bulk_release(bulk);
    bulk->codings = MEM_ARRAY(enum pg_coding, table->n_cols);
    if (!bulk->codings)
        return err_set(err, RC_NOMEM, "out of memory");
    rc = learn(pc, table, bulk->codings, err);
    if (!rc && !(bulk->copy = mem_strdup(copy)))
        rc = err_set(err, RC_NOMEM, "out of memory");
    if (rc) {
        bulk_release(bulk);
        return rc;
    }
    pc->bulk_next = (pc->bulk_next + 1) % PG_BULK_TABLES;
    *out = bulk;
    return RC_OK;
}

static CORO_FN enum rc get_bulk(struct pg_conn *pc,
                                const struct table_def *table,
                                struct pg_bulk **out, struct err *err)
{
    struct buf copy = BUF_INIT(PG_SQL_MAX);
    enum rc rc;

    put_copy(&copy, table);
    rc = buf_rc(&copy);
    if (rc)
        rc = err_set(err, rc, "out of memory");
    else if (!(*out = find_bulk(pc, buf_str(&copy))))
        rc = new_bulk(pc, table, buf_str(&copy), out, err);
    buf_release(&copy);
    return rc;
}

/* ---- the rows ---- */

struct writer {
    struct pg_conn *pc;
    char *piece; /* PIECE_BYTES */
    size_t len;
};

/* Hands bytes to libpq and waits until the socket has them. */
static CORO_FN enum rc put(struct pg_conn *pc, const char *bytes, size_t len)
{
    int taken;

    while ((taken = PQputCopyData(pc->pg, bytes, (int)len)) == 0) {
        enum rc rc = pg_flush(pc);

        if (rc)
            return rc;
    }
    if (taken < 0)
        return pg_fail_lost(pc);
    pc->base.usage.bytes_sent += len;
    return pg_flush(pc);
}

static CORO_FN enum rc write_out(struct writer *w)
{
    const size_t len = w->len;

    w->len = 0;
    return len > 0 ? put(w->pc, w->piece, len) : RC_OK;
}

/* Text that no piece holds goes by itself. */
static CORO_FN enum rc write_text(struct writer *w, const struct value *v)
{
    enum rc rc = RC_OK;

    if (v->len > PIECE_BYTES - w->len)
        rc = write_out(w);
    if (rc)
        return rc;
    if (v->len > PIECE_BYTES)
        return put(w->pc, v->s, v->len);
    if (v->len > 0)
        memcpy(w->piece + w->len, v->s, v->len);
    w->len += v->len;
    return RC_OK;
}

/* Length, or -1 for NULL, and bytes. */
static CORO_FN enum rc write_cell(struct writer *w, enum pg_coding coding,
                                  const struct value *v)
{
    char *at;
    int len = -1;
    enum rc rc = RC_OK;

    if (PIECE_BYTES - w->len < 4 + PG_ENCODED_MAX)
        rc = write_out(w);
    if (rc)
        return rc;
    at = w->piece + w->len;
    w->len += 4;
    if (v->type == VALUE_TEXT) {
        pg_put32(at, v->len);
        return write_text(w, v);
    }
    if (v->type != VALUE_NULL) {
        len = pg_encode(coding, v, at + 4);
        if (len < 0)
            return pg_fail_own(w->pc, RC_DB_ERROR,
                               "a value is too big for its column's type");
        w->len += (size_t)len;
    }
    pg_put32(at, (uint32_t)len);
    return RC_OK;
}

static CORO_FN enum rc write_count(struct writer *w, uint16_t n)
{
    enum rc rc = RC_OK;

    if (PIECE_BYTES - w->len < 2)
        rc = write_out(w);
    if (!rc) {
        pg_put16(w->piece + w->len, n);
        w->len += 2;
    }
    return rc;
}

static CORO_FN enum rc write_rows(struct writer *w,
                                  const struct table_def *table,
                                  const struct pg_bulk *bulk,
                                  const struct value *cells, size_t n_rows)
{
    const size_t n_cols = table->n_cols;
    enum rc rc = RC_OK;

    memcpy(w->piece, FILE_HEAD, FILE_HEAD_BYTES);
    w->len = FILE_HEAD_BYTES;
    for (size_t i = 0; i < n_rows && !rc; i++) {
        rc = write_count(w, (uint16_t)n_cols);
        for (size_t k = 0; k < n_cols && !rc; k++)
            rc = write_cell(w, bulk->codings[k], &cells[i * n_cols + k]);
    }
    if (!rc)
        rc = write_count(w, UINT16_MAX); /* the end */
    return rc ? rc : write_out(w);
}

/* The server is ready to take rows. */
static CORO_FN enum rc copy_begin(struct pg_conn *pc, const char *copy)
{
    PGresult *r = NULL;
    enum rc rc;

    pg_start(pc);
    if (!PQsendQuery(pc->pg, copy))
        return pg_fail_lost(pc);
    rc = pg_flush(pc);
    if (!rc)
        rc = pg_next(pc, &r);
    if (rc)
        return rc;
    if (!r)
        return pg_fail_lost(pc);
    if (PQresultStatus(r) == PGRES_COPY_IN) {
        PQclear(r);
        return RC_OK;
    }
    rc = pg_fail_result(pc, r);
    /* Up to the end of the answer, so that the connection goes on. */
    while (rc != RC_DB_GONE && !pg_next(pc, &r) && r)
        PQclear(r);
    return rc;
}

/* With a text the server throws away what it has got. */
static CORO_FN enum rc copy_end(struct pg_conn *pc, const char *reason)
{
    PGresult *r = NULL;
    enum rc rc;
    int taken;

    while ((taken = PQputCopyEnd(pc->pg, reason)) == 0) {
        rc = pg_flush(pc);
        if (rc)
            return rc;
    }
    if (taken < 0)
        return pg_fail_lost(pc);
    rc = pg_collect(pc, &r);
    PQclear(r);
    return rc;
}

static CORO_FN enum rc copy_rows(struct pg_conn *pc,
                                 const struct table_def *table,
                                 const struct pg_bulk *bulk,
                                 const struct value *cells, size_t n_rows)
{
    struct writer w = {.pc = pc, .piece = mem_calloc(1, PIECE_BYTES)};
    const char *text;
    enum rc rc;

    if (!w.piece)
        return pg_fail_own(pc, RC_NOMEM, "out of memory");
    rc = copy_begin(pc, bulk->copy);
    if (!rc) {
        rc = write_rows(&w, table, bulk, cells, n_rows);
        if (!rc) {
            rc = copy_end(pc, NULL);
        } else if (rc == RC_DB_ERROR) {
            /* Ours, not the server's answer to the end, is the reason. */
            text = pc->failed_text;
            copy_end(pc, text);
            rc = pc->base.gone ? rc : pg_fail_own(pc, rc, text);
        }
    }
    mem_free(w.piece);
    return rc;
}

enum rc pg_bulk_rows(struct conn *c, const struct table_def *table,
                     const struct value *cells, size_t n_rows, struct err *err)
{
    struct pg_conn *pc = pg_conn_of(c);
    struct pg_bulk *bulk = NULL;
    enum rc rc = get_bulk(pc, table, &bulk, err);

    if (rc) {
        err_prefix(err, "%s", table->name);
        return rc;
    }
    c->usage.statements++;
    c->usage.round_trips++;
    rc = copy_rows(pc, table, bulk, cells, n_rows);
    return rc ? pg_last_err(pc, table->name, err) : RC_OK;
}
