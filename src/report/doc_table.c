/* SPDX-License-Identifier: MIT */
#include "base/err.h"
#include "base/utf8.h"
#include "report/doc.h"

#include <stdarg.h>
#include <string.h>

#define INDENT 2

void doc_table_init(struct doc_table *t)
{
    t->n_rows = 0;
}

void doc_table_row(struct doc_table *t)
{
    if (t->n_rows == DOC_ROWS_MAX)
        BUG("a table of more than %d rows", DOC_ROWS_MAX);
    t->n_cells[t->n_rows++] = 0;
}

void doc_cell(struct doc_table *t, const char *fmt, ...)
{
    const size_t row = t->n_rows - 1;
    char raw[DOC_CELL_BYTES];
    va_list ap;

    if (t->n_rows == 0 || t->n_cells[row] == DOC_COLS_MAX)
        BUG("a cell outside its table");
    va_start(ap, fmt);
    vsnprintf(raw, sizeof(raw), fmt, ap);
    va_end(ap);
    utf8_line(raw, t->cells[row][t->n_cells[row]++], DOC_CELL_BYTES);
}

/* Empty where a row is shorter than the head. */
static const char *cell_at(const struct doc_table *t, size_t row, size_t col)
{
    return col < t->n_cells[row] ? t->cells[row][col] : "";
}

static size_t line_width(const size_t *widths, size_t n, size_t gap)
{
    size_t sum = INDENT + (n - 1) * gap;

    for (size_t i = 0; i < n; i++)
        sum += widths[i];
    return sum;
}

/* Widths of the columns, made smaller from the widest on until a line fits;
 * returns the gap between them. */
static size_t fit(const struct doc_table *t, size_t *widths, size_t n)
{
    size_t gap = 2;

    for (size_t col = 0; col < n; col++) {
        widths[col] = 0;
        for (size_t row = 0; row < t->n_rows; row++) {
            const size_t width = utf8_width(cell_at(t, row, col));

            if (width > widths[col])
                widths[col] = width;
        }
    }
    if (line_width(widths, n, gap) > DOC_WIDTH)
        gap = 1;
    while (line_width(widths, n, gap) > DOC_WIDTH) {
        size_t widest = 0;

        for (size_t col = 1; col < n; col++) {
            if (widths[col] > widths[widest])
                widest = col;
        }
        widths[widest]--;
    }
    return gap;
}

/* At most width characters; a '~' at the end says that some are missing. */
static void put_cut(FILE *out, const char *text, size_t width)
{
    const bool cut = utf8_width(text) > width;

    for (size_t n = 0; *text && n < width; n++) {
        const size_t len = utf8_len(text);

        if (cut && n + 1 == width)
            fputc('~', out);
        else
            fwrite(text, 1, len ? len : 1, out);
        text += len ? len : 1;
    }
}

static void put_spaces(FILE *out, size_t n)
{
    while (n-- > 0)
        fputc(' ', out);
}

static void print_text(FILE *out, const struct doc_table *t)
{
    const size_t n = t->n_cells[0];
    size_t widths[DOC_COLS_MAX];
    const size_t gap = fit(t, widths, n);

    for (size_t row = 0; row < t->n_rows; row++) {
        for (size_t col = 0; col < n; col++) {
            const char *text = cell_at(t, row, col);
            const size_t width = utf8_width(text);
            const size_t pad = width < widths[col] ? widths[col] - width : 0;

            put_spaces(out, col > 0 ? gap + pad : INDENT);
            put_cut(out, text, widths[col]);
            if (col == 0 && n > 1)
                put_spaces(out, pad);
        }
        fputc('\n', out);
    }
}

static void print_markdown(FILE *out, const struct doc_table *t)
{
    const size_t n = t->n_cells[0];

    for (size_t row = 0; row < t->n_rows; row++) {
        for (size_t col = 0; col < n; col++) {
            const char *text = cell_at(t, row, col);

            fputs("| ", out);
            for (; *text; text++) {
                if (strchr("\\|*_`<", *text))
                    fputc('\\', out);
                fputc(*text, out);
            }
            fputc(' ', out);
        }
        fputs("|\n", out);
        if (row > 0)
            continue;
        for (size_t col = 0; col < n; col++)
            fputs(col == 0 ? "| --- " : "| ---: ", out);
        fputs("|\n", out);
    }
}

void doc_table_print(struct doc *d, const struct doc_table *t)
{
    if (t->n_rows == 0 || t->n_cells[0] == 0)
        return;
    if (d->style == DOC_MARKDOWN && d->last != DOC_NOTHING)
        fputc('\n', d->out);
    d->last = DOC_TABLE;
    if (d->style == DOC_MARKDOWN)
        print_markdown(d->out, t);
    else
        print_text(d->out, t);
}
