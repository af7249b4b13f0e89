/* SPDX-License-Identifier: MIT */
/*
 * Rows to text.  Money and rates have their decimal point, times are those of
 * SQL in UTC, NULL is empty and an empty text is "".
 */
#include "base/clock.h"
#include "base/mem.h"
#include "driver/csv/csv_int.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define CELL_MAX 32 /* of anything but text */
#define US_PER_S 1000000

static enum rc fail(struct csv_conn *cc, const char *what, struct err *err)
{
    const int errnum = errno;
    const bool full = errnum == ENOSPC || errnum == EDQUOT || errnum == EFBIG;

    cc->last_rc = full ? RC_DB_NO_SPACE : RC_IO;
    snprintf(cc->last_text, sizeof(cc->last_text), "cannot write '%s'", what);
    return err_errno(err, cc->last_rc, errnum, "cannot write '%s/%s'",
                     csv_db_of(cc->base.db)->folder, what);
}

static enum rc write_all(struct csv_conn *cc, int fd, const char *name,
                         const char *bytes, size_t len, struct err *err)
{
    while (len > 0) {
        const ssize_t n = write(fd, bytes, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(cc, name, err);
        bytes += n;
        len -= (size_t)n;
    }
    return RC_OK;
}

static enum rc flush(struct csv_conn *cc, struct err *err)
{
    struct csv_writer *w = &cc->writer;
    enum rc rc = buf_rc(&w->rows);

    if (rc)
        return err_set(err, rc, "'%s': out of memory", w->file.name);
    w->crc = csv_crc(w->crc, buf_str(&w->rows), w->rows.len);
    w->file.n_bytes += w->rows.len;
    cc->base.usage.bytes_sent += w->rows.len;
    rc =
        write_all(cc, w->fd, w->file.name, buf_str(&w->rows), w->rows.len, err);
    buf_reset(&w->rows);
    return rc;
}

static int folder_fd(struct csv_conn *cc)
{
    return csv_db_of(cc->base.db)->fd;
}

/* ---- cells ---- */

static size_t put_digits(uint64_t n, size_t min, char *out)
{
    char digits[24];
    size_t len = 0;

    while (n > 0 || len < min) {
        digits[len++] = (char)('0' + n % 10);
        n /= 10;
    }
    for (size_t i = 0; i < len; i++)
        out[i] = digits[len - 1 - i];
    return len;
}

static size_t put_decimal(int64_t value, size_t scale, char *out)
{
    static const uint64_t units[] = {1, 10, 100, 1000, 10000};
    const uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    size_t len = 0;

    if (scale >= ARRAY_LEN(units))
        BUG("a decimal of %zu digits", scale);
    if (value < 0)
        out[len++] = '-';
    len += put_digits(size / units[scale], 1, out + len);
    if (scale > 0) {
        out[len++] = '.';
        len += put_digits(size % units[scale], scale, out + len);
    }
    return len;
}

static size_t put_time(int64_t us, char *out)
{
    const int64_t part = (us % US_PER_S + US_PER_S) % US_PER_S;
    char text[24];
    size_t len;

    clock_format_utc(us - part, text, sizeof(text));
    text[10] = ' ';
    len = strlen(text) - 1; /* without the Z */
    memcpy(out, text, len);
    if (part > 0) {
        out[len++] = '.';
        len += put_digits((uint64_t)part, 6, out + len);
    }
    return len;
}

/* In quotes where it has to be, with those inside doubled. */
static size_t put_text(const struct value *v, char *out)
{
    bool plain = v->len > 0;
    size_t len = 0;

    for (size_t i = 0; plain && i < v->len; i++)
        plain = v->s[i] != ',' && v->s[i] != '"' && v->s[i] != '\n' &&
                v->s[i] != '\r';
    if (plain) {
        memcpy(out, v->s, v->len);
        return v->len;
    }
    out[len++] = '"';
    for (size_t i = 0; i < v->len; i++) {
        if (v->s[i] == '"')
            out[len++] = '"';
        out[len++] = v->s[i];
    }
    out[len++] = '"';
    return len;
}

static size_t put_cell(const struct value *v, char *out)
{
    switch (v->type) {
    case VALUE_NULL:
    case VALUE_INTS:
        return 0;
    case VALUE_INT:
        return put_decimal(v->i, 0, out);
    case VALUE_MONEY:
        return put_decimal(v->i, 2, out);
    case VALUE_RATE:
        return put_decimal(v->i, 4, out);
    case VALUE_TIME:
        return put_time(v->i, out);
    case VALUE_TEXT:
        return put_text(v, out);
    }
    return 0;
}

static size_t room_for(const struct value *v)
{
    return v->type == VALUE_TEXT ? 2 * (size_t)v->len + 3 : CELL_MAX;
}

/* ---- a table ---- */

static void put_head(struct csv_writer *w)
{
    for (size_t i = 0; i < w->table->n_cols; i++)
        buf_printf(&w->rows, "%s%s", i > 0 ? "," : "", w->table->cols[i].name);
    buf_putc(&w->rows, '\n');
}

enum rc csv_bulk_begin(struct conn *c, const struct table_def *table,
                       enum bulk_state state, struct err *err)
{
    struct csv_conn *cc = csv_conn_of(c);
    struct csv_writer *w = &cc->writer;

    (void)state;
    w->file = (struct csv_file){0};
    snprintf(w->file.name, sizeof(w->file.name), "%s.csv", table->name);
    w->fd = openat(folder_fd(cc), w->file.name,
                   O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (w->fd < 0)
        return fail(cc, w->file.name, err);
    w->table = table;
    w->col = 0;
    w->crc = 0;
    buf_release(&w->rows);
    buf_init(&w->rows, CSV_BUFFER_BYTES + CSV_ROW_MAX);
    put_head(w);
    return RC_OK;
}

void csv_bulk_cell(struct conn *c, const struct value *v)
{
    struct csv_writer *w = &csv_conn_of(c)->writer;
    char *at = buf_room(&w->rows, room_for(v) + 1);
    size_t len = 0;

    if (!at)
        return;
    if (w->col++ > 0)
        at[len++] = ',';
    buf_wrote(&w->rows, len + put_cell(v, at + len));
}

enum rc csv_bulk_row(struct conn *c, struct err *err)
{
    struct csv_conn *cc = csv_conn_of(c);
    struct csv_writer *w = &cc->writer;

    w->col = 0;
    w->file.n_rows++;
    buf_putc(&w->rows, '\n');
    return w->rows.len >= CSV_BUFFER_BYTES || buf_rc(&w->rows) ? flush(cc, err)
                                                               : RC_OK;
}

static enum rc remember(struct csv_conn *cc, struct err *err)
{
    struct csv_db *db = csv_db_of(cc->base.db);
    enum rc rc = RC_OK;

    pthread_mutex_lock(&db->lock);
    if (db->n_files < CSV_FILES_MAX)
        db->files[db->n_files++] = cc->writer.file;
    else
        rc = err_set(err, RC_UNSUPPORTED, "more than %d files", CSV_FILES_MAX);
    pthread_mutex_unlock(&db->lock);
    return rc;
}

enum rc csv_bulk_end(struct conn *c, struct err *err)
{
    struct csv_conn *cc = csv_conn_of(c);
    struct csv_writer *w = &cc->writer;
    enum rc rc = flush(cc, err);

    if (!rc && fsync(w->fd) != 0)
        rc = fail(cc, w->file.name, err);
    if (rc)
        return rc;
    close(w->fd);
    w->table = NULL;
    w->file.cksum = csv_crc_end(w->crc, w->file.n_bytes);
    return remember(cc, err);
}

void csv_give_up(struct csv_conn *cc)
{
    struct csv_writer *w = &cc->writer;

    if (!w->table)
        return;
    close(w->fd);
    unlinkat(folder_fd(cc), w->file.name, 0);
    w->table = NULL;
}

enum rc csv_put_file(struct conn *c, const char *name, const char *text,
                     size_t len, struct err *err)
{
    struct csv_conn *cc = csv_conn_of(c);
    const int fd = openat(folder_fd(cc), name,
                          O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    enum rc rc;

    if (fd < 0)
        return fail(cc, name, err);
    rc = write_all(cc, fd, name, text, len, err);
    if (!rc && fsync(fd) != 0)
        rc = fail(cc, name, err);
    close(fd);
    if (rc)
        unlinkat(folder_fd(cc), name, 0);
    return rc;
}
