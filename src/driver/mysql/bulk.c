/* SPDX-License-Identifier: MIT */
/*
 * Rows for a load, in the transaction of the connection: LOAD DATA LOCAL, whose
 * file is a piece of text in memory; where the server forbids that, INSERTs of
 * many rows.  Rows become text at once, and a piece is sent when it is full.
 *
 * With LOCAL the server takes what it cannot store, or has already, for
 * warnings and goes on: any warning is a failure here.
 */
#include "driver/bulk.h"

#include "base/log.h"
#include "base/parse.h"
#include "driver/mysql/maria_int.h"

#include <errmsg.h>
#include <stdio.h>

/* Of a piece: large enough that a statement for each costs nothing. */
#define PIECE_BYTES (1024 * 1024)

/* ---- the file ---- */

static void put_escaped(struct buf *b, const char *s, size_t len)
{
    const char *end = s + len, *from = s;

    for (; s < end; s++) {
        if (*s != '\t' && *s != '\n' && *s != '\\' && *s)
            continue;
        buf_add(b, from, (size_t)(s - from));
        buf_putc(b, '\\');
        buf_putc(b, *s ? *s : '0');
        from = s + 1;
    }
    buf_add(b, from, (size_t)(end - from));
}

static void put_file_cell(struct maria_bulk *bulk, const struct value *v)
{
    struct buf *b = &bulk->rows;
    char text[VALUE_PRINTED_MAX];

    if (bulk->col > 0)
        buf_putc(b, '\t');
    if (v->type == VALUE_NULL)
        buf_add(b, "\\N", 2);
    else if (v->type == VALUE_TEXT)
        put_escaped(b, v->s, v->len);
    else
        buf_add(b, text, value_print(v, text));
}

static int file_open(void **out, const char *name, void *arg)
{
    struct maria_conn *mc = arg;

    (void)name;
    *out = mc->bulk.sends ? &mc->bulk : NULL;
    /* A server that asks for a file unasked gets none. */
    return *out ? 0 : 1;
}

static int file_read(void *arg, char *out, unsigned int len)
{
    struct maria_bulk *bulk = arg;
    size_t n = bulk->rows.len - bulk->at;

    n = n < len ? n : len;
    memcpy(out, buf_str(&bulk->rows) + bulk->at, n);
    bulk->at += n;
    return (int)n;
}

static void file_close(void *arg)
{
    (void)arg;
}

static int file_error(void *arg, char *out, unsigned int len)
{
    (void)arg;
    snprintf(out, len, "the server asked for a file unasked");
    return CR_UNKNOWN_ERROR;
}

void maria_guard_files(struct maria_conn *mc)
{
    mysql_set_local_infile_handler(mc->my, file_open, file_read, file_close,
                                   file_error, mc);
}

/* ---- statements ---- */

static void put_columns(struct buf *b, const struct table_def *table)
{
    buf_putc(b, '(');
    for (size_t i = 0; i < table->n_cols; i++) {
        if (i > 0)
            buf_puts(b, ", ");
        maria_put_name(b, table->cols[i].name);
    }
    buf_putc(b, ')');
}

/* What LOCAL has let pass. */
static CORO_FN enum rc fail_warning(struct maria_conn *mc)
{
    MYSQL_RES *res;
    MYSQL_ROW row;
    uint64_t code;
    enum rc rc = maria_ask(mc, "SHOW WARNINGS LIMIT 1", &res);

    if (rc)
        return rc;
    row = mysql_fetch_row(res);
    if (row && row[1] && row[2] && !parse_u64(row[1], &code, NULL))
        rc = maria_fail_code(mc, (unsigned)code, "", row[2]);
    else
        rc = maria_fail_own(mc, RC_DB_ERROR, "the server has dropped rows");
    mysql_free_result(res);
    return rc;
}

static CORO_FN enum rc send_file(struct maria_conn *mc)
{
    struct maria_bulk *bulk = &mc->bulk;
    enum rc rc = RC_OK;

    maria_start(mc);
    bulk->at = 0;
    bulk->sends = true;
    if (mysql_real_query(mc->my, bulk->head.data, bulk->head.len))
        rc = maria_fail(mc);
    bulk->sends = false;
    if (rc)
        return rc;
    if (mysql_warning_count(mc->my) > 0 ||
        mysql_affected_rows(mc->my) != bulk->n_rows)
        return fail_warning(mc);
    return RC_OK;
}

static CORO_FN enum rc send_insert(struct maria_conn *mc)
{
    const struct buf *rows = &mc->bulk.rows;

    if (maria_check_packet(mc, rows->len))
        return RC_DB_LIMIT;
    maria_start(mc);
    if (mysql_real_query(mc->my, rows->data, rows->len))
        return maria_fail(mc);
    return RC_OK;
}

/* Sends the rows that there are. */
static CORO_FN enum rc send_piece(struct maria_conn *mc)
{
    struct maria_bulk *bulk = &mc->bulk;
    enum rc rc = buf_rc(&bulk->rows);

    if (rc)
        return maria_fail_own(mc, rc, "out of memory");
    if (bulk->n_rows == 0)
        return RC_OK;
    mc->base.usage.statements++;
    mc->base.usage.round_trips++;
    mc->base.usage.bytes_sent += bulk->rows.len;
    rc = bulk->inserts ? send_insert(mc) : send_file(mc);
    buf_reset(&bulk->rows);
    bulk->n_rows = 0;
    return rc;
}

static void put_head(struct maria_bulk *bulk)
{
    struct buf *b = &bulk->head;

    buf_reset(b);
    buf_puts(b, bulk->inserts ? "INSERT INTO "
                              : "LOAD DATA LOCAL INFILE 'dyno' INTO TABLE ");
    maria_put_name(b, bulk->table->name);
    buf_puts(b, bulk->inserts
                    ? " "
                    : " CHARACTER SET utf8mb4 FIELDS TERMINATED BY '\\t' "
                      "ESCAPED BY '\\\\' LINES TERMINATED BY '\\n' ");
    put_columns(b, bulk->table);
}

static void put_insert_cell(struct maria_conn *mc, const struct value *v)
{
    struct maria_bulk *bulk = &mc->bulk;
    struct buf *b = &bulk->rows;

    if (bulk->col > 0) {
        buf_putc(b, ',');
    } else if (bulk->n_rows > 0) {
        buf_puts(b, ", (");
    } else {
        buf_add(b, bulk->head.data, bulk->head.len);
        buf_puts(b, " VALUES (");
    }
    maria_put_literal(b, mc, v);
}

/* ---- the connection ---- */

/* Once: the rows are known to be right, and the audit sees whether they are.
 * The settings stay, for a connection that loads does nothing else. */
static CORO_FN enum rc make_ready(struct maria_conn *mc)
{
    static const char *const settings[] = {
        "SET SESSION unique_checks = 0",
        "SET SESSION foreign_key_checks = 0",
        /* Into an empty table the server takes one stream at a time. */
        "SET SESSION innodb_lock_wait_timeout = 3600",
        "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'",
    };
    struct maria_db *db = maria_db_of(mc->base.db);
    int64_t may_load = 0;
    enum rc rc = maria_command(mc, settings, ARRAY_LEN(settings));

    if (!rc)
        rc = maria_ask_number(mc, "SELECT @@GLOBAL.local_infile", &may_load);
    if (rc)
        return rc;
    mc->bulk.inserts = !may_load;
    mc->bulk.ready = true;
    /* Partner: another connection's exchange; only who is first matters. */
    if (!may_load &&
        !atomic_exchange_explicit(&db->told, true, memory_order_relaxed))
        log_info("local_infile is off on the server: loading by INSERT of many "
                 "rows, which is slower than LOAD DATA LOCAL");
    return RC_OK;
}

static enum rc failed(struct maria_conn *mc, struct err *err)
{
    return maria_last_err(mc, mc->bulk.table->name, err);
}

enum rc maria_bulk_begin(struct conn *c, const struct table_def *table,
                         enum bulk_state state, struct err *err)
{
    struct maria_conn *mc = maria_conn_of(c);
    struct maria_bulk *bulk = &mc->bulk;

    (void)state;
    bulk->table = table;
    bulk->n_rows = 0;
    buf_reset(&bulk->rows);
    if (!bulk->ready && make_ready(mc))
        return failed(mc, err);
    bulk->col = 0;
    bulk->limit = PIECE_BYTES;
    if (bulk->inserts && mc->max_packet / 2 < PIECE_BYTES)
        bulk->limit = mc->max_packet / 2;
    put_head(bulk);
    if (buf_rc(&bulk->head))
        return err_set(err, RC_NOMEM, "out of memory");
    return RC_OK;
}

void maria_bulk_cell(struct conn *c, const struct value *v)
{
    struct maria_conn *mc = maria_conn_of(c);

    if (mc->bulk.inserts)
        put_insert_cell(mc, v);
    else
        put_file_cell(&mc->bulk, v);
    mc->bulk.col++;
}

enum rc maria_bulk_row(struct conn *c, struct err *err)
{
    struct maria_conn *mc = maria_conn_of(c);
    struct maria_bulk *bulk = &mc->bulk;

    buf_putc(&bulk->rows, bulk->inserts ? ')' : '\n');
    bulk->col = 0;
    bulk->n_rows++;
    if (bulk->rows.len >= bulk->limit && send_piece(mc))
        return failed(mc, err);
    return RC_OK;
}

enum rc maria_bulk_end(struct conn *c, struct err *err)
{
    struct maria_conn *mc = maria_conn_of(c);

    return send_piece(mc) ? failed(mc, err) : RC_OK;
}
