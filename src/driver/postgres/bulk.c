/* SPDX-License-Identifier: MIT */
/*
 * Rows for a load: one binary COPY, from bulk_begin to bulk_end, in the
 * transaction of the connection.  A table that is fresh is emptied first, for
 * the server then takes the rows as frozen (and with wal_level=minimal writes
 * no log for them): nothing is left to be done by VACUUM.
 */
#include "base/buf.h"
#include "base/mem.h"
#include "driver/postgres/pg_int.h"

#include <inttypes.h>

/* What is handed to libpq at once, and the rest of a row.  The socket takes it
 * before the next, so no more than this waits in memory. */
#define PIECE_BYTES (64 * 1024)
/* The server refuses a longer text. */
#define TEXT_BYTES_MAX (1U << 30)
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

static void put_copy(struct buf *b, const struct table_def *table,
                     enum bulk_state state)
{
    if (state == BULK_FRESH) {
        buf_puts(b, "TRUNCATE ONLY ");
        put_name(b, table->name);
        buf_puts(b, "; ");
    }
    buf_puts(b, "COPY ");
    put_name(b, table->name);
    buf_puts(b, " (");
    put_columns(b, table);
    buf_puts(b, ") FROM STDIN (FORMAT binary");
    buf_puts(b, state == BULK_FRESH ? ", FREEZE)" : ")");
}

void pg_free_bulk(struct pg_conn *pc)
{
    mem_free(pc->bulk.codings);
    buf_release(&pc->bulk.piece);
    pc->bulk = (struct pg_bulk){0};
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

/* ---- the rows ---- */

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

static CORO_FN enum rc write_out(struct pg_conn *pc)
{
    struct buf *piece = &pc->bulk.piece;
    enum rc rc;

    if (pc->bulk.too_big)
        return pg_fail_own(pc, RC_DB_ERROR,
                           "a value is too big for its column's type");
    if (buf_rc(piece))
        return pg_fail_own(pc, RC_NOMEM, "out of memory");
    rc = put(pc, piece->data, piece->len);
    buf_reset(piece);
    return rc;
}

/* Writes a value that is not NULL; its length, or -1 when it is too big. */
static int write_value(enum pg_coding coding, const struct value *v, char *out)
{
    if (v->type != VALUE_TEXT)
        return pg_encode(coding, v, out);
    if (v->len > 0)
        memcpy(out, v->s, v->len);
    return (int)v->len;
}

/* Length, or -1 for NULL, and bytes; before the first of a row how many. */
void pg_bulk_cell(struct conn *c, const struct value *v)
{
    struct pg_bulk *b = &pg_conn_of(c)->bulk;
    const size_t text = v->type == VALUE_TEXT ? v->len : 0;
    char *at = buf_room(&b->piece, 2 + 4 + PG_ENCODED_MAX + text);
    char *from = at;
    int len = -1;

    if (!at)
        return;
    if (b->col == 0) {
        pg_put16(at, (uint16_t)b->table->n_cols);
        at += 2;
    }
    if (v->type != VALUE_NULL) {
        len = write_value(b->codings[b->col], v, at + 4);
        b->too_big |= len < 0;
    }
    pg_put32(at, (uint32_t)len);
    at += 4 + (len > 0 ? len : 0);
    buf_wrote(&b->piece, (size_t)(at - from));
    b->col++;
}

/* ---- begin and end ---- */

static bool is_command(const PGresult *r)
{
    return PQresultStatus(r) == PGRES_COMMAND_OK;
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
    /* Behind the answer to TRUNCATE. */
    while (!rc && r && is_command(r)) {
        PQclear(r);
        rc = pg_next(pc, &r);
    }
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

/* With a reason the server throws away what it has got. */
static CORO_FN enum rc copy_end(struct pg_conn *pc, const char *reason,
                                uint64_t *out_rows)
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
    if (!rc)
        *out_rows = pg_rows_changed(r);
    PQclear(r);
    return rc;
}

enum rc pg_bulk_give_up(struct pg_conn *pc)
{
    uint64_t n_rows;

    if (!pc->bulk.table)
        return RC_OK;
    pg_free_bulk(pc);
    /* The server answers with the error that it is told. */
    (void)copy_end(pc, "given up by the client", &n_rows);
    return pc->base.gone ? RC_DB_GONE : RC_OK;
}

/* The failure that is reported is the first; the COPY ends with it. */
static CORO_FN enum rc fail_rows(struct pg_conn *pc, enum rc rc,
                                 struct err *err)
{
    pg_last_err(pc, pc->bulk.table->name, err);
    if (rc == RC_DB_GONE || pc->base.gone)
        pg_free_bulk(pc);
    else if (pg_bulk_give_up(pc))
        pc->base.gone = true;
    return rc;
}

static CORO_FN enum rc begin(struct pg_conn *pc, const struct table_def *table,
                             enum bulk_state state, struct err *err)
{
    struct buf copy = BUF_INIT(PG_SQL_MAX);
    struct pg_bulk *b = &pc->bulk;
    enum rc rc;

    b->codings = MEM_ARRAY(enum pg_coding, table->n_cols);
    buf_init(&b->piece, PIECE_BYTES + TEXT_BYTES_MAX);
    buf_add(&b->piece, FILE_HEAD, FILE_HEAD_BYTES);
    put_copy(&copy, table, state);
    if (!b->codings || buf_rc(&b->piece) || buf_rc(&copy))
        rc = err_set(err, RC_NOMEM, "out of memory");
    else
        rc = learn(pc, table, b->codings, err);
    if (!rc) {
        rc = copy_begin(pc, buf_str(&copy));
        if (rc)
            pg_last_err(pc, table->name, err);
    }
    buf_release(&copy);
    return rc;
}

enum rc pg_bulk_begin(struct conn *c, const struct table_def *table,
                      enum bulk_state state, struct err *err)
{
    struct pg_conn *pc = pg_conn_of(c);
    enum rc rc = begin(pc, table, state, err);

    if (rc) {
        pg_free_bulk(pc);
        return rc;
    }
    c->usage.statements++;
    c->usage.round_trips++;
    pc->bulk.table = table;
    return RC_OK;
}

enum rc pg_bulk_row(struct conn *c, struct err *err)
{
    struct pg_conn *pc = pg_conn_of(c);
    struct pg_bulk *b = &pc->bulk;
    enum rc rc = RC_OK;

    b->col = 0;
    b->n_rows++;
    if (b->piece.len >= PIECE_BYTES || b->too_big || buf_rc(&b->piece))
        rc = write_out(pc);
    return rc ? fail_rows(pc, rc, err) : RC_OK;
}

enum rc pg_bulk_end(struct conn *c, struct err *err)
{
    struct pg_conn *pc = pg_conn_of(c);
    const char *name = pc->bulk.table->name;
    const uint64_t n_sent = pc->bulk.n_rows;
    uint64_t n_taken = 0;
    enum rc rc;

    buf_add(&pc->bulk.piece, "\377\377", 2); /* the end */
    rc = write_out(pc);
    if (rc)
        return fail_rows(pc, rc, err);
    pg_free_bulk(pc);
    rc = copy_end(pc, NULL, &n_taken);
    if (rc)
        return pg_last_err(pc, name, err);
    if (n_taken != n_sent)
        return err_set(err, RC_DB_ERROR,
                       "%s: the server took %" PRIu64 " rows of %" PRIu64, name,
                       n_taken, n_sent);
    return RC_OK;
}
