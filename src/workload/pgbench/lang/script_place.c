/* SPDX-License-Identifier: MIT */
/* Places in scripts, as errors show them. */
#include "workload/pgbench/lang/script.h"

#include <stdio.h>
#include <string.h>

/* Bytes of the line that are shown. */
#define SHOWN_MAX 72
#define TEXT_MAX 400

static const char *line_of(const struct pgb_script *script, const char *at)
{
    const char *s = at;

    while (s > script->text && s[-1] != '\n')
        s--;
    return s;
}

size_t pgb_line(const struct pgb_script *script, const char *at)
{
    size_t line = 1;

    for (const char *s = script->text; s < at; s++)
        line += *s == '\n';
    return line;
}

/* Characters, not bytes. */
static size_t count_chars(const char *s, const char *end)
{
    size_t n = 0;

    for (; s < end; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

void pgb_name_place(const struct pgb_script *script, const char *at,
                    struct err *err)
{
    err_prefix(err, "%s:%zu:%zu", script->name, pgb_line(script, at),
               count_chars(line_of(script, at), at) + 1);
}

enum rc pgb_show_place(const struct pgb_script *script, const char *at,
                       struct err *err)
{
    const char *line = line_of(script, at);
    const char *end = script->text + script->len;
    const char *from = line;
    char shown[SHOWN_MAX + 1], text[TEXT_MAX + 1];
    size_t len, indent;

    if (!err)
        return RC_USAGE;
    /* A long line is shown around the place. */
    if (at - line > SHOWN_MAX - 20)
        from = at - (SHOWN_MAX - 20);
    while (from < at && ((unsigned char)*from & 0xc0) == 0x80)
        from++;
    len = (size_t)(end - from);
    if (len > SHOWN_MAX)
        len = SHOWN_MAX;
    memcpy(shown, from, len);
    shown[len] = '\0';
    len = strcspn(shown, "\r\n");
    /* Not a character in two. */
    while (len == SHOWN_MAX && len > 0 &&
           ((unsigned char)shown[len - 1] & 0x80))
        len--;
    shown[len] = '\0';
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)shown[i] < ' ')
            shown[i] = ' ';
    }
    indent = count_chars(from, at);
    snprintf(text, sizeof(text), "%.*s", TEXT_MAX, err->text);
    snprintf(err->text, sizeof(err->text), "%.200s:%zu:%zu: %s\n  %s\n  %*s^",
             script->name, pgb_line(script, at), count_chars(line, at) + 1,
             text, shown, (int)indent, "");
    return err->rc;
}

enum rc pgb_fail(struct pgb_parser *p, const char *at, const char *what)
{
    err_set(p->err, RC_USAGE, "%s", what);
    return pgb_show_place(p->script, at, p->err);
}

enum rc pgb_no_memory(struct pgb_parser *p)
{
    return err_set(p->err, RC_NOMEM, "%s: out of memory", p->script->name);
}
