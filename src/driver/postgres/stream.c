/* SPDX-License-Identifier: MIT */
/*
 * A scan as COPY … TO STDOUT: the server sends rows without being asked for
 * each piece, and neither it nor libpq builds a result of them.  It takes the
 * connection for as long as it lasts.
 */
#include "driver/postgres/stream.h"

#include "base/buf.h"
#include "base/mem.h"
#include "driver/lexer.h"

#include <stdlib.h>

/* Signature, flags, length of extensions; the number of columns of a row, and
 * what stands there at the end. */
#define HEAD_BYTES 19
#define COUNT_BYTES 2
#define END_COUNT 0xffff
#define LEN_BYTES 4
#define NULL_LEN UINT32_MAX

static unsigned get16(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;

    return (unsigned)b[0] << 8 | b[1];
}

static uint32_t get32(const char *p)
{
    return (uint32_t)get16(p) << 16 | get16(p + 2);
}

/* ---- opening ---- */

static CORO_FN enum rc describe(struct pg_conn *pc, const struct step *step,
                                enum pg_coding *codings, struct err *err)
{
    PGresult *r = NULL;
    enum rc rc;

    pg_start(pc);
    if (!PQsendPrepare(pc->pg, "", step->statements[0].text, 0, NULL))
        rc = pg_fail_lost(pc);
    else
        rc = pg_collect(pc, &r);
    PQclear(r);
    r = NULL;
    if (!rc && !PQsendDescribePrepared(pc->pg, ""))
        rc = pg_fail_lost(pc);
    else if (!rc)
        rc = pg_collect(pc, &r);
    if (rc)
        return pg_last_err(pc, step->name, err);
    rc = pg_check_columns(r, step, codings, err);
    PQclear(r);
    return rc;
}

/* The number behind a '$' of the text; false when it is no parameter. */
static bool is_param(const struct token *dollar, const struct token *t,
                     size_t n_params, size_t *out)
{
    *out = 0;
    if (dollar->type != TOKEN_OTHER || dollar->s[0] != '$' ||
        t->type != TOKEN_WORD)
        return false;
    for (size_t i = 0; i < t->len; i++) {
        if (t->s[i] < '0' || t->s[i] > '9')
            return false;
        *out = *out * 10 + (size_t)(t->s[i] - '0');
    }
    return *out >= 1 && *out <= n_params;
}

static bool put_literal(struct buf *b, struct pg_conn *pc, const char *text)
{
    char *literal;

    if (!text) {
        buf_puts(b, "NULL");
        return true;
    }
    literal = PQescapeLiteral(pc->pg, text, strlen(text));
    if (!literal)
        return false;
    buf_puts(b, literal);
    PQfreemem(literal);
    return true;
}

/* COPY takes no parameters, so they become literals. */
static enum rc put_copy(struct buf *b, struct pg_conn *pc,
                        const struct step_statement *s)
{
    struct lexer lx = {.pos = s->text, .end = s->text + strlen(s->text)};
    struct token last = {.type = TOKEN_SPACE}, t;

    buf_puts(b, "COPY (");
    while ((t = lexer_next(&lx)).type != TOKEN_END) {
        const bool held = last.type == TOKEN_OTHER && last.s[0] == '$';
        size_t n;

        if (is_param(&last, &t, s->n_params, &n)) {
            if (!put_literal(b, pc, pc->params[n - 1]))
                return RC_NOMEM;
        } else {
            if (held)
                buf_putc(b, '$');
            if (t.type != TOKEN_OTHER || t.s[0] != '$')
                buf_add(b, t.s, t.len);
        }
        last = t;
    }
    buf_puts(b, ") TO STDOUT (FORMAT binary)");
    return buf_rc(b);
}

static CORO_FN enum rc send_copy(struct pg_conn *pc, const char *sql)
{
    PGresult *r = NULL;
    enum rc rc;

    pg_start(pc);
    if (!PQsendQuery(pc->pg, sql))
        return pg_fail_lost(pc);
    rc = pg_flush(pc);
    if (!rc)
        rc = pg_next(pc, &r);
    if (rc)
        return rc;
    if (PQresultStatus(r) == PGRES_COPY_OUT) {
        PQclear(r);
        return RC_OK;
    }
    return r ? pg_fail_result(pc, r) : pg_fail_lost(pc);
}

enum rc pg_stream_open(struct pg_stream *st, struct pg_conn *pc,
                       const struct step *step, const struct value *args,
                       enum pg_coding *codings, struct err *err)
{
    const struct step_statement *s = &step->statements[0];
    struct buf sql = BUF_INIT(PG_SQL_MAX);
    enum rc rc;

    *st = (struct pg_stream){.pc = pc, .codings = codings};
    rc = describe(pc, step, codings, err);
    if (rc)
        return rc;
    if (pg_bind_text(pc, s, args) || put_copy(&sql, pc, s))
        rc = err_set(err, RC_NOMEM, "out of memory");
    else if (send_copy(pc, buf_str(&sql)))
        rc = pg_last_err(pc, step->name, err);
    buf_release(&sql);
    return rc;
}

/* ---- reading ---- */

/* The next message, whole; NULL at the end. */
static CORO_FN enum rc next_message(struct pg_stream *st)
{
    struct pg_conn *pc = st->pc;
    PGresult *r = NULL;
    enum rc rc;

    PQfreemem(st->message);
    for (;;) {
        const int n = PQgetCopyData(pc->pg, &st->message, 1);

        if (LIKELY(n > 0)) {
            st->at = st->message;
            st->end = st->message + n;
            return RC_OK;
        }
        st->message = NULL;
        if (n < 0)
            break;
        rc = pg_wait_input(pc);
        if (rc)
            return rc;
    }
    /* Whether all has been sent is said by what follows. */
    rc = pg_next(pc, &r);
    if (rc)
        return rc;
    if (PQresultStatus(r) != PGRES_COMMAND_OK)
        return r ? pg_fail_result(pc, r) : pg_fail_lost(pc);
    PQclear(r);
    st->at = st->end = NULL;
    return pg_next(pc, &r);
}

static size_t left(const struct pg_stream *st)
{
    return (size_t)(st->end - st->at);
}

static bool read_cell(struct pg_stream *st, enum pg_coding coding,
                      enum value_type type, struct value *out)
{
    uint32_t len;

    if (left(st) < LEN_BYTES)
        return false;
    len = get32(st->at);
    st->at += LEN_BYTES;
    if (len == NULL_LEN) {
        *out = v_null();
        return true;
    }
    if (left(st) < len || !pg_decode(coding, type, st->at, len, out))
        return false;
    st->at += len;
    return true;
}

static bool read_row(struct pg_stream *st, const struct step *step,
                     struct value *cells)
{
    if (get16(st->at) != step->n_cols)
        return false;
    st->at += COUNT_BYTES;
    for (size_t i = 0; i < step->n_cols; i++) {
        if (UNLIKELY(
                !read_cell(st, st->codings[i], step->cols[i].type, &cells[i])))
            return false;
    }
    return true;
}

/* The head may come with the first row or before it. */
static CORO_FN enum rc skip_head(struct pg_stream *st)
{
    enum rc rc = next_message(st);

    st->begun = true;
    if (rc || !st->at)
        return rc;
    if (left(st) < HEAD_BYTES)
        return pg_fail_own(st->pc, RC_INVALID, "COPY without its head");
    st->at += HEAD_BYTES;
    return RC_OK;
}

enum rc pg_stream_next(struct pg_stream *st, const struct step *step,
                       struct value *cells, bool *out_row, struct err *err)
{
    enum rc rc = st->begun ? RC_OK : skip_head(st);

    *out_row = false;
    if (!rc && (!st->at || left(st) == 0))
        rc = next_message(st);
    if (rc)
        return pg_last_err(st->pc, step->name, err);
    if (!st->at)
        return RC_OK;
    if (left(st) == COUNT_BYTES && get16(st->at) == END_COUNT) {
        st->at = st->end;
        return pg_stream_next(st, step, cells, out_row, err);
    }
    if (left(st) < COUNT_BYTES || !read_row(st, step, cells))
        return err_set(err, RC_INVALID,
                       "%s: a value does not fit the type of its column",
                       step->name);
    *out_row = true;
    return RC_OK;
}

void pg_stream_close(struct pg_stream *st)
{
    PQfreemem(st->message);
    st->message = NULL;
}
