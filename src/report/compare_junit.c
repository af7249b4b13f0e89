/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"
#include "report/cell.h"
#include "report/compare_report.h"

#include <stdio.h>

#define TEXT_BYTES 1024
#define LABEL_BYTES 64

/* As an attribute's value; control characters are blanks already. */
static void put_attribute(FILE *out, const char *name, const char *text)
{
    char line[TEXT_BYTES];

    utf8_line(text, line, sizeof(line));
    fprintf(out, " %s=\"", name);
    for (const char *p = line; *p; p++) {
        if (*p == '&')
            fputs("&amp;", out);
        else if (*p == '<')
            fputs("&lt;", out);
        else if (*p == '>')
            fputs("&gt;", out);
        else if (*p == '"')
            fputs("&quot;", out);
        else
            fputc(*p, out);
    }
    fputc('"', out);
}

static bool is_case(const struct compared_figure *f)
{
    return f->kind == FIGURE_RATE || f->kind == FIGURE_TIME;
}

static bool is_slower(const struct compared_figure *f)
{
    return f->result.verdict ==
           (f->kind == FIGURE_RATE ? COMPARE_LOWER : COMPARE_HIGHER);
}

static void put_case(FILE *out, const struct comparison *c,
                     const struct compared_side *s,
                     const struct compared_figure *f)
{
    const struct compare_result *r = &f->result;
    char label[LABEL_BYTES], base[CELL_BYTES], here[CELL_BYTES];
    char text[TEXT_BYTES];

    compare_label(c, f->name, label, sizeof(label));
    compare_value(f->name, f->kind, f->base, base);
    compare_value(f->name, f->kind, f->value, here);
    fputs("    <testcase", out);
    put_attribute(out, "classname", s->side->name);
    put_attribute(out, "name", label);
    if (r->verdict == COMPARE_NO_DATA) {
        fputs("><skipped message=\"not enough data\"/></testcase>\n", out);
        return;
    }
    snprintf(text, sizeof(text),
             "%s: %s against %s, %.3f times (95 %%: %.3f to %.3f); the "
             "smallest difference that could have been shown is %.1f %%",
             compare_word(r->verdict, f->kind == FIGURE_RATE), here, base,
             r->ratio, r->low, r->high, 100 * r->smallest);
    fputs(is_slower(f) ? "><failure" : "><system-out>", out);
    if (is_slower(f)) {
        put_attribute(out, "message", text);
        fputs("/></testcase>\n", out);
        return;
    }
    fprintf(out, "%s</system-out></testcase>\n", text);
}

static void put_suite(FILE *out, const struct comparison *c,
                      const struct compared_side *s)
{
    size_t n = 0, failures = 0, skipped = 0;

    for (size_t i = 0; i < s->n_figures; i++) {
        const struct compared_figure *f = &s->figures[i];

        n += is_case(f);
        failures += is_case(f) && is_slower(f);
        skipped += is_case(f) && f->result.verdict == COMPARE_NO_DATA;
    }
    fputs("  <testsuite", out);
    put_attribute(out, "name", s->side->name);
    fprintf(out,
            " tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\" "
            "errors=\"0\">\n",
            n, failures, skipped);
    for (size_t i = 0; i < s->n_figures; i++) {
        if (is_case(&s->figures[i]))
            put_case(out, c, s, &s->figures[i]);
    }
    fputs("  </testsuite>\n", out);
}

static void put_warnings(FILE *out, const struct comparison *c)
{
    char text[TEXT_BYTES];
    size_t at = 0;

    if (c->n_warnings == 0)
        return;
    for (size_t i = 0; i < c->n_warnings && at < sizeof(text); i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s",
                               i > 0 ? "; " : "ATTENTION: ", c->warnings[i]);
    put_attribute(out, "name", text);
}

enum rc compare_report_junit(const struct comparison *c, FILE *out,
                             struct err *err)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", out);
    put_warnings(out, c);
    fputs(">\n", out);
    for (size_t i = 0; i < c->n_sides; i++)
        put_suite(out, c, &c->sides[i]);
    fputs("</testsuites>\n", out);
    if (ferror(out))
        return err_set(err, RC_IO, "cannot write the comparison");
    return RC_OK;
}
