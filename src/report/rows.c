/* SPDX-License-Identifier: MIT */
#include "report/rows.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <string.h>

/* A table's widths are fitted to so many rows at a time; a longer answer goes
 * on with the widths of its first rows, so memory stays bounded. */
#define TABLE_ROWS 1000
#define TABLE_BYTES (64U << 20)
#define COLUMNS_MAX 2048

const char *const rows_format_names[] = {"table", "csv", "json", NULL};

struct rows {
    enum rows_format format;
    FILE *out;
    size_t n_cols;
    uint64_t n_rows; /* of this statement */
    struct arena names;
    struct arena texts; /* of the cells held back */
    const char **cols;
    size_t *widths;
    const char **held; /* n_held rows of n_cols */
    size_t n_held;
    bool flowing; /* the table's head is out */
};

/* ---- cells ---- */

static void put_csv_text(FILE *out, const char *s, size_t len)
{
    const bool quote = len == 0 || memchr(s, ',', len) || memchr(s, '"', len) ||
                       memchr(s, '\n', len) || memchr(s, '\r', len);

    if (!quote) {
        fwrite(s, 1, len, out);
        return;
    }
    fputc('"', out);
    for (size_t i = 0; i < len; i++) {
        if (s[i] == '"')
            fputc('"', out);
        fputc(s[i], out);
    }
    fputc('"', out);
}

/* A character of several bytes; JSON has no way to say what is none.  Returns
 * the bytes taken. */
static size_t put_json_wide(FILE *out, const char *s, size_t len)
{
    char first[5] = "";
    size_t n;

    memcpy(first, s, len < 4 ? len : 4);
    n = utf8_len(first);
    if (n)
        fwrite(s, 1, n, out);
    else
        fputs("\\ufffd", out);
    return n ? n : 1;
}

static void put_json_text(FILE *out, const char *s, size_t len)
{
    fputc('"', out);
    for (size_t i = 0; i < len;) {
        const unsigned char ch = (unsigned char)s[i];

        if (ch >= 0x80) {
            i += put_json_wide(out, s + i, len - i);
            continue;
        }
        if (ch == '"' || ch == '\\')
            fprintf(out, "\\%c", ch);
        else if (ch < 0x20)
            fprintf(out, "\\u%04x", ch);
        else
            fputc(ch, out);
        i++;
    }
    fputc('"', out);
}

static void put_csv(FILE *out, const struct value *v)
{
    if (v->type == VALUE_TEXT)
        put_csv_text(out, v->s, v->len);
    else if (v->type != VALUE_NULL)
        fprintf(out, "%" PRId64, v->i);
}

static void put_json(FILE *out, const struct value *v)
{
    if (v->type == VALUE_NULL)
        fputs("null", out);
    else if (v->type == VALUE_TEXT)
        put_json_text(out, v->s, v->len);
    else
        fprintf(out, "%" PRId64, v->i);
}

/* ---- table ---- */

static void put_padded(FILE *out, const char *s, size_t width, bool last)
{
    size_t n = utf8_width(s);

    fputs(s, out);
    if (last)
        return;
    /* A later row may be wider than those that gave the width. */
    do {
        fputc(' ', out);
    } while (++n < width + 2);
}

static void put_table_row(struct rows *r, const char *const *cells)
{
    for (size_t i = 0; i < r->n_cols; i++)
        put_padded(r->out, cells[i], r->widths[i], i + 1 == r->n_cols);
    fputc('\n', r->out);
}

static void put_table_head(struct rows *r)
{
    put_table_row(r, r->cols);
    for (size_t i = 0; i < r->n_cols; i++) {
        for (size_t k = 0; k < r->widths[i]; k++)
            fputc('-', r->out);
        fputs(i + 1 == r->n_cols ? "\n" : "  ", r->out);
    }
    r->flowing = true;
}

static void flush_table(struct rows *r)
{
    if (!r->flowing)
        put_table_head(r);
    for (size_t i = 0; i < r->n_held; i++)
        put_table_row(r, r->held + i * r->n_cols);
    r->n_held = 0;
    arena_reset(&r->texts);
}

/* One line, and nothing that a terminal obeys; a NUL ends no text. */
static const char *line_text(struct arena *arena, const struct value *v)
{
    char *raw = arena_strndup(arena, v->s, v->len);
    char *line = arena_alloc(arena, (size_t)v->len + 1);

    if (!raw || !line)
        return NULL;
    for (size_t i = 0; i < v->len; i++) {
        if (!raw[i])
            raw[i] = ' ';
    }
    utf8_line(raw, line, (size_t)v->len + 1);
    return line;
}

static const char *cell_text(struct arena *arena, const struct value *v)
{
    if (v->type == VALUE_NULL)
        return "NULL";
    if (v->type == VALUE_TEXT)
        return line_text(arena, v);
    return arena_printf(arena, "%" PRId64, v->i);
}

static enum rc table_row(struct rows *r, const struct value *cells)
{
    const char **row = r->held + r->n_held * r->n_cols;

    for (size_t i = 0; i < r->n_cols; i++) {
        size_t width;

        row[i] = cell_text(&r->texts, &cells[i]);
        if (!row[i])
            return RC_NOMEM;
        width = utf8_width(row[i]);
        if (!r->flowing && width > r->widths[i])
            r->widths[i] = width;
    }
    if (++r->n_held == TABLE_ROWS || r->texts.used_bytes > TABLE_BYTES / 2)
        flush_table(r);
    return RC_OK;
}

/* ---- the sink ---- */

static enum rc begin_table(struct rows *r, const char *const *names, size_t n)
{
    arena_reset(&r->names);
    arena_reset(&r->texts);
    r->cols = ARENA_ARRAY(&r->names, const char *, n);
    r->widths = ARENA_ARRAY(&r->names, size_t, n);
    r->held = ARENA_ARRAY(&r->names, const char *, n *TABLE_ROWS);
    r->n_held = 0;
    r->flowing = false;
    if (!r->cols || !r->widths || !r->held)
        return RC_NOMEM;
    for (size_t i = 0; i < n; i++) {
        r->cols[i] = arena_strdup(&r->names, names[i]);
        if (!r->cols[i])
            return RC_NOMEM;
        r->widths[i] = utf8_width(names[i]);
    }
    return RC_OK;
}

static enum rc on_columns(void *arg, const char *const *names, size_t n)
{
    struct rows *r = arg;

    if (n > COLUMNS_MAX)
        return RC_UNSUPPORTED;
    r->n_cols = n;
    r->n_rows = 0;
    if (r->format != ROWS_CSV) {
        if (r->format == ROWS_JSON)
            fputc('[', r->out);
        return begin_table(r, names, n);
    }
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            fputc(',', r->out);
        put_csv_text(r->out, names[i], strlen(names[i]));
    }
    fputs("\r\n", r->out);
    return RC_OK;
}

static void csv_row(struct rows *r, const struct value *cells)
{
    for (size_t i = 0; i < r->n_cols; i++) {
        if (i > 0)
            fputc(',', r->out);
        put_csv(r->out, &cells[i]);
    }
    fputs("\r\n", r->out);
}

static void json_row(struct rows *r, const struct value *cells)
{
    fputs(r->n_rows > 0 ? ",{" : "{", r->out);
    for (size_t i = 0; i < r->n_cols; i++) {
        if (i > 0)
            fputc(',', r->out);
        put_json_text(r->out, r->cols[i], strlen(r->cols[i]));
        fputc(':', r->out);
        put_json(r->out, &cells[i]);
    }
    fputc('}', r->out);
}

static enum rc on_row(void *arg, const struct value *cells, size_t n)
{
    struct rows *r = arg;
    enum rc rc = RC_OK;

    if (n != r->n_cols)
        BUG("row of %zu cells under %zu names", n, r->n_cols);
    switch (r->format) {
    case ROWS_TABLE:
        rc = table_row(r, cells);
        break;
    case ROWS_CSV:
        csv_row(r, cells);
        break;
    case ROWS_JSON:
        json_row(r, cells);
        break;
    }
    r->n_rows++;
    return ferror(r->out) ? RC_IO : rc;
}

static enum rc on_done(void *arg, bool has_rows, int64_t n_rows)
{
    struct rows *r = arg;

    if (!has_rows) {
        if (r->format == ROWS_TABLE && n_rows >= 0)
            fprintf(r->out, "(%" PRId64 " changed)\n", n_rows);
        return RC_OK;
    }
    if (r->format == ROWS_JSON)
        fputs("]\n", r->out);
    if (r->format != ROWS_TABLE)
        return RC_OK;
    flush_table(r);
    fprintf(r->out, "(%" PRIu64 " row%s)\n", r->n_rows,
            r->n_rows == 1 ? "" : "s");
    return RC_OK;
}

enum rc rows_new(enum rows_format format, FILE *out, struct rows **rows,
                 struct err *err)
{
    struct rows *r = MEM_NEW(struct rows);

    if (!r)
        return err_set(err, RC_NOMEM, "no memory for rows");
    r->format = format;
    r->out = out;
    arena_init(&r->names, TABLE_BYTES);
    arena_init(&r->texts, TABLE_BYTES);
    *rows = r;
    return RC_OK;
}

void rows_free(struct rows *r)
{
    if (!r)
        return;
    fflush(r->out);
    arena_release(&r->names);
    arena_release(&r->texts);
    mem_free(r);
}

struct result_sink rows_sink(struct rows *rows)
{
    return (struct result_sink){
        .arg = rows,
        .columns = on_columns,
        .row = on_row,
        .done = on_done,
    };
}
