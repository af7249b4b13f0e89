/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/opt.h"
#include "base/opt_int.h"

#include <string.h>

#define COLUMNS 80
#define TEXT_COLUMN 30
#define ENTRY_BYTES_MAX 2048

/* "  -u, --vus N"; a switch that is on shows how it is turned off. */
static void put_names(struct buf *b, const struct opt *opt)
{
    const bool is_switch = opt->type == OPT_TYPE_BOOL;
    const bool is_on = is_switch && opt->def && strcmp(opt->def, "on") == 0;

    if (opt->letter)
        buf_printf(b, "  -%c, --", opt->letter);
    else
        buf_puts(b, "      --");
    buf_printf(b, "%s%s", is_on ? "[no-]" : "", opt->name);
    if (!is_switch)
        buf_printf(b, " %s", opt_arg_name(opt));
}

static bool default_is_shown(const struct opt *opt)
{
    if (!opt->def || !*opt->def || (opt->flags & OPT_SECRET))
        return false;
    return opt->type != OPT_TYPE_BOOL || strcmp(opt->def, "on") == 0;
}

static void put_text(struct buf *b, const struct opt *opt)
{
    buf_puts(b, opt->help);
    if (opt->type == OPT_TYPE_CHOICE && !strchr(opt_arg_name(opt), '|'))
        for (size_t i = 0; opt->choices[i]; i++)
            buf_printf(b, "%s%s", i > 0 ? ", " : ": ", opt->choices[i]);
    if (opt->type == OPT_TYPE_STRS)
        buf_puts(b, " (repeatable)");
    if (default_is_shown(opt))
        buf_printf(b, " [%s]", opt->def);
}

/* Columns of a terminal: a UTF-8 sequence takes one. */
static size_t columns_of(const char *s, size_t len)
{
    size_t n = 0;

    for (size_t i = 0; i < len; i++)
        n += ((unsigned char)s[i] & 0xc0) != 0x80;
    return n;
}

/* The next word; one too long for a line ends behind a comma, if it has one in
 * time. */
static size_t word_len(const char *text)
{
    const size_t len = strcspn(text, " ");
    const size_t cap = COLUMNS - TEXT_COLUMN;

    if (columns_of(text, len) <= cap)
        return len;
    for (size_t i = cap; i > 0; i--)
        if (text[i - 1] == ',')
            return i;
    return len;
}

/* Writes words from the given column on, with TEXT_COLUMN as the margin. */
static void put_wrapped(FILE *out, const char *text, size_t column)
{
    bool at_margin = true, glued = false;

    if (column + 2 > TEXT_COLUMN) {
        fputc('\n', out);
        column = 0;
    }
    fprintf(out, "%*s", (int)(TEXT_COLUMN - column), "");
    column = TEXT_COLUMN;
    while (*text) {
        const size_t len = word_len(text);
        const size_t width = columns_of(text, len);

        if (!at_margin && column + !glued + width > COLUMNS) {
            fprintf(out, "\n%*s", TEXT_COLUMN, "");
            column = TEXT_COLUMN;
        } else if (!at_margin && !glued) {
            fputc(' ', out);
            column++;
        }
        fwrite(text, 1, len, out);
        column += width;
        at_margin = false;
        text += len;
        glued = *text && *text != ' ';
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

static void put_option(FILE *out, const struct opt *opt)
{
    struct buf names = BUF_INIT(ENTRY_BYTES_MAX);
    struct buf text = BUF_INIT(ENTRY_BYTES_MAX);

    put_names(&names, opt);
    put_text(&text, opt);
    fputs(buf_str(&names), out);
    put_wrapped(out, buf_str(&text), columns_of(buf_str(&names), names.len));
    buf_release(&names);
    buf_release(&text);
}

void opt_set_help(const struct opt_set *set, FILE *out)
{
    bool is_first = true;

    for (size_t i = 0; i < set->n_groups; i++) {
        const struct opt_group *group = &set->groups[i];
        bool has_heading = false;

        for (const struct opt *o = group->opts; o->name; o++) {
            if (o->flags & OPT_HIDDEN)
                continue;
            if (!has_heading && !is_first)
                fputc('\n', out);
            if (!has_heading && group->title)
                fprintf(out, "%s:\n", group->title);
            has_heading = true;
            is_first = false;
            put_option(out, o);
        }
    }
}
