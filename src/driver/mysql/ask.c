/* SPDX-License-Identifier: MIT */
/* Statements of the driver's own, as text. */
#include "base/parse.h"
#include "driver/mysql/maria_int.h"

#include <mariadb_com.h>

enum rc maria_command(struct maria_conn *mc, const char *const *texts, size_t n)
{
    size_t n_sent = 0;
    enum rc rc = RC_OK;

    maria_start(mc);
    for (; n_sent < n && !rc; n_sent++) {
        if (mysql_send_query(mc->my, texts[n_sent], strlen(texts[n_sent])))
            rc = maria_fail(mc);
    }
    for (size_t i = 0; i < n_sent && !mc->base.gone; i++) {
        if (mysql_read_query_result(mc->my) && !rc)
            rc = maria_fail(mc);
    }
    return rc;
}

enum rc maria_ask(struct maria_conn *mc, const char *sql, MYSQL_RES **out)
{
    *out = NULL;
    maria_start(mc);
    if (mysql_real_query(mc->my, sql, strlen(sql)))
        return maria_fail(mc);
    *out = mysql_store_result(mc->my);
    if (*out)
        return RC_OK;
    if (mysql_errno(mc->my))
        return maria_fail(mc);
    return maria_fail_own(mc, RC_INVALID, "a statement returns no rows");
}

enum rc maria_ask_number(struct maria_conn *mc, const char *sql, int64_t *out)
{
    MYSQL_RES *res;
    MYSQL_ROW row;
    enum rc rc = maria_ask(mc, sql, &res);

    if (rc)
        return rc;
    row = mysql_fetch_row(res);
    if (!row || !row[0] || parse_i64(row[0], out, NULL))
        rc = maria_fail_own(mc, RC_INVALID, "a statement gives no number");
    mysql_free_result(res);
    return rc;
}

void maria_put_name(struct buf *b, const char *name)
{
    buf_putc(b, '`');
    for (; *name; name++) {
        if (*name == '`')
            buf_putc(b, '`');
        buf_putc(b, *name);
    }
    buf_putc(b, '`');
}

/* The connection speaks UTF-8, in which no byte of a longer character is a
 * quote or a backslash. */
static void put_quoted(struct buf *b, const char *s, size_t len, bool slashes)
{
    const char *end = s + len, *from = s;

    buf_putc(b, '\'');
    for (; s < end; s++) {
        if (*s != '\'' && !(slashes && (*s == '\\' || !*s)))
            continue;
        buf_add(b, from, (size_t)(s - from));
        buf_putc(b, *s == '\'' ? '\'' : '\\');
        buf_putc(b, *s ? *s : '0');
        from = s + 1;
    }
    buf_add(b, from, (size_t)(end - from));
    buf_putc(b, '\'');
}

static void put_list(struct buf *b, const struct value *v)
{
    buf_putc(b, '\'');
    for (uint32_t i = 0; i < v->len; i++) {
        const struct value item = v_ints(&v->ints[i], 1);
        char text[VALUE_ITEM_BYTES + 2];

        buf_add(b, text, value_print_list(&item, VALUE_LIST_PADDED, text));
    }
    buf_putc(b, '\'');
}

void maria_put_literal(struct buf *b, const struct maria_conn *mc,
                       const struct value *v)
{
    char text[VALUE_PRINTED_MAX];

    switch (v->type) {
    case VALUE_NULL:
        buf_puts(b, "NULL");
        return;
    case VALUE_TEXT:
        put_quoted(
            b, v->s, v->len,
            !(mc->my->server_status & SERVER_STATUS_NO_BACKSLASH_ESCAPES));
        return;
    case VALUE_INTS:
        put_list(b, v);
        return;
    case VALUE_TIME:
        put_quoted(b, text, value_print(v, text), false);
        return;
    case VALUE_INT:
    case VALUE_MONEY:
    case VALUE_RATE:
        buf_add(b, text, value_print(v, text));
        return;
    }
}
