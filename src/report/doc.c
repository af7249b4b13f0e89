/* SPDX-License-Identifier: MIT */
#include "report/doc.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <string.h>

#define NAME_WIDTH 22

void doc_init(struct doc *d, FILE *out, enum doc_style style)
{
    *d = (struct doc){.out = out, .style = style, .last = DOC_NOTHING};
}

/* A blank line between blocks; in a terminal a heading stands on its block. */
static void begin_block(struct doc *d, enum doc_block block)
{
    const bool text = d->style == DOC_TEXT;
    bool apart = d->last != DOC_NOTHING;

    if (d->last == block && (block == DOC_LIST || text))
        apart = false;
    if (text && (d->last == DOC_HEADING || block != DOC_HEADING))
        apart = false;
    if (apart)
        fputc('\n', d->out);
    d->last = block;
}

/* A word without blanks, in as many lines as it needs. */
static size_t put_long_word(FILE *out, const char *word, size_t len,
                            const char *indent, size_t column)
{
    for (size_t i = 0; i < len;) {
        const size_t n = utf8_len(word + i);

        if (column == DOC_WIDTH) {
            fprintf(out, "\n%s", indent);
            column = utf8_width(indent);
        }
        fwrite(word + i, 1, n ? n : 1, out);
        column++;
        i += n ? n : 1;
    }
    return column;
}

static size_t word_width(const char *word, size_t len)
{
    size_t n = 0;

    for (size_t i = 0; i < len; i++)
        n += ((unsigned char)word[i] & 0xc0) != 0x80;
    return n;
}

static void put_wrapped(FILE *out, const char *first, const char *indent,
                        const char *text)
{
    size_t column = utf8_width(first);
    bool begun = false;

    fputs(first, out);
    for (;;) {
        size_t len;

        text += strspn(text, " ");
        len = strcspn(text, " ");
        if (len == 0)
            break;
        if (begun && column + 1 + word_width(text, len) > DOC_WIDTH) {
            fprintf(out, "\n%s", indent);
            column = utf8_width(indent);
        } else if (begun) {
            fputc(' ', out);
            column++;
        }
        column = put_long_word(out, text, len, indent, column);
        text += len;
        begun = true;
    }
    fputc('\n', out);
}

/* For Markdown: no character means anything. */
static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\`*_[]<>|#~", *text))
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void format_line(char *out, const char *fmt, va_list ap)
    PRINTF_LIKE(2, 0);

/* out holds DOC_TEXT_MAX bytes. */
static void format_line(char *out, const char *fmt, va_list ap)
{
    char raw[DOC_TEXT_MAX];

    vsnprintf(raw, sizeof(raw), fmt, ap);
    utf8_line(raw, out, DOC_TEXT_MAX);
}

static void put_block(struct doc *d, const char *markdown, const char *first,
                      const char *indent, const char *text)
{
    if (d->style == DOC_MARKDOWN) {
        fputs(markdown, d->out);
        put_escaped(d->out, text);
        fputc('\n', d->out);
    } else {
        put_wrapped(d->out, first, indent, text);
    }
}

void doc_title(struct doc *d, const char *fmt, ...)
{
    char text[DOC_TEXT_MAX];
    va_list ap;

    va_start(ap, fmt);
    format_line(text, fmt, ap);
    va_end(ap);
    begin_block(d, DOC_HEADING);
    put_block(d, "## ", "", "", text);
}

void doc_heading(struct doc *d, const char *title)
{
    /* Never straight under another heading: that one has no block. */
    if (d->style == DOC_TEXT && d->last == DOC_HEADING)
        fputc('\n', d->out);
    begin_block(d, DOC_HEADING);
    put_block(d, "### ", "", "", title);
}

void doc_para(struct doc *d, const char *fmt, ...)
{
    char text[DOC_TEXT_MAX];
    va_list ap;

    va_start(ap, fmt);
    format_line(text, fmt, ap);
    va_end(ap);
    begin_block(d, DOC_PARA);
    put_block(d, "", "  ", "  ", text);
}

void doc_item(struct doc *d, const char *fmt, ...)
{
    char text[DOC_TEXT_MAX];
    va_list ap;

    va_start(ap, fmt);
    format_line(text, fmt, ap);
    va_end(ap);
    begin_block(d, DOC_LIST);
    put_block(d, "- ", "  - ", "    ", text);
}

void doc_pair(struct doc *d, const char *name, const char *fmt, ...)
{
    char text[DOC_TEXT_MAX], first[DOC_WIDTH / 2 + 4];
    va_list ap;

    va_start(ap, fmt);
    format_line(text, fmt, ap);
    va_end(ap);
    begin_block(d, DOC_LIST);
    if (d->style == DOC_MARKDOWN) {
        fputs("- **", d->out);
        put_escaped(d->out, name);
        fputs("**: ", d->out);
        put_escaped(d->out, text);
        fputc('\n', d->out);
        return;
    }
    snprintf(first, sizeof(first), "  %-*.*s  ", NAME_WIDTH, DOC_WIDTH / 2 - 2,
             name);
    put_wrapped(d->out, first, "                          ", text);
}
