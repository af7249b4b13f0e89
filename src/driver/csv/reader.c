/* SPDX-License-Identifier: MIT */
/*
 * Files back to rows.  A scan reads the whole file of the table after which
 * its step is named; what the step's statement says is for other databases.
 */
#include "base/mem.h"
#include "base/parse.h"
#include "driver/csv/csv_int.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define ROW_MAX (1U << 20)

struct csv_scan {
    struct scan base;
    const struct step *step;
    FILE *file;
    char name[64];
    uint64_t n_line;
    struct value *cells;
    char *text; /* of one row, ROW_MAX */
    size_t len;
};

static struct csv_scan *csv_scan_of(struct scan *s)
{
    return CONTAINER_OF(s, struct csv_scan, base);
}

static enum rc fail(const struct csv_scan *s, const char *why, struct err *err)
{
    return err_set(err, RC_INVALID, "'%s', line %" PRIu64 ": %s", s->name,
                   s->n_line, why);
}

/* ---- fields ---- */

/* The stream is this scan's alone. */
static int next_char(FILE *f)
{
    return getc_unlocked(f); /* NOLINT(concurrency-mt-unsafe) */
}

/* One field up to its comma or line end, which is returned (EOF: none), in
 * s->text from *start on and terminated; *quoted tells NULL from "". */
static int read_field(struct csv_scan *s, size_t *start, bool *quoted)
{
    int c = next_char(s->file);

    *start = s->len;
    *quoted = c == '"';
    if (*quoted)
        c = next_char(s->file);
    while (c != EOF && s->len + 2 < ROW_MAX) {
        if (*quoted && c == '"') {
            c = next_char(s->file);
            if (c != '"')
                break;
        } else if (!*quoted && (c == ',' || c == '\n')) {
            break;
        }
        s->text[s->len++] = (char)c;
        c = next_char(s->file);
    }
    s->text[s->len++] = '\0';
    return c;
}

static bool parse_decimal(const char *text, size_t scale, int64_t *out)
{
    const bool negative = *text == '-';
    uint64_t n = 0;
    size_t digits = 0, behind = 0;
    bool point = false;

    for (text += negative; *text; text++) {
        if (*text == '.' && !point && scale > 0) {
            point = true;
            continue;
        }
        if (*text < '0' || *text > '9' || ++digits > 18)
            return false;
        behind += point;
        n = n * 10 + (uint64_t)(*text - '0');
    }
    for (; behind < scale; behind++)
        n *= 10;
    *out = negative ? -(int64_t)n : (int64_t)n;
    return digits > 0 && behind == scale;
}

static bool parse_time(const char *text, int64_t *out)
{
    struct tm tm = {0};
    const char *rest = strptime(text, "%Y-%m-%d %H:%M:%S", &tm);
    int64_t us = 0;

    if (!rest || (*rest && *rest != '.'))
        return false;
    if (*rest && (strlen(rest) != 7 || !parse_decimal(rest + 1, 0, &us)))
        return false;
    *out = (int64_t)timegm(&tm) * 1000000 + us;
    return true;
}

static bool parse_cell(const char *text, size_t len, enum value_type type,
                       struct value *out)
{
    out->type = type;
    switch (type) {
    case VALUE_TEXT:
        *out = v_textn(text, len);
        return true;
    case VALUE_INT:
        return parse_decimal(text, 0, &out->i);
    case VALUE_MONEY:
        return parse_decimal(text, 2, &out->i);
    case VALUE_RATE:
        return parse_decimal(text, 4, &out->i);
    case VALUE_TIME:
        return parse_time(text, &out->i);
    case VALUE_NULL:
    case VALUE_INTS:
        break;
    }
    return false;
}

/* ---- scans ---- */

static enum rc check_head(struct csv_scan *s, struct err *err)
{
    const struct step *step = s->step;

    s->n_line = 1;
    for (size_t i = 0; i < step->n_cols; i++) {
        size_t start;
        bool quoted;
        const int end = read_field(s, &start, &quoted);

        if (strcmp(s->text + start, step->cols[i].name) != 0 ||
            end != (i + 1 < step->n_cols ? ',' : '\n'))
            return fail(s, "the first line does not name the columns", err);
    }
    return RC_OK;
}

static FILE *open_file(struct csv_db *db, const char *name)
{
    const int fd = openat(db->fd, name, O_RDONLY | O_CLOEXEC);

    return fd < 0 ? NULL : fdopen(fd, "r");
}

enum rc csv_scan_open(struct conn *c, const struct step *step,
                      const struct value *args, size_t n_args,
                      struct scan **out, struct err *err)
{
    struct csv_db *db = csv_db_of(c->db);
    struct csv_scan *s = MEM_NEW(struct csv_scan);
    enum rc rc = RC_OK;

    (void)args;
    (void)n_args;
    if (!s)
        return err_set(err, RC_NOMEM, "out of memory");
    s->step = step;
    snprintf(s->name, sizeof(s->name), "%s.csv", step->name);
    s->cells = MEM_ARRAY(struct value, step->n_cols);
    s->text = mem_calloc(1, ROW_MAX);
    s->file = open_file(db, s->name);
    if (!s->cells || !s->text)
        rc = err_set(err, RC_NOMEM, "out of memory");
    else if (!s->file)
        rc = err_errno(err, RC_NOT_FOUND, errno, "cannot read '%s/%s'",
                       db->folder, s->name);
    else
        rc = check_head(s, err);
    if (rc) {
        csv_scan_close(&s->base);
        return rc;
    }
    *out = &s->base;
    return RC_OK;
}

static bool at_end(FILE *f)
{
    const int c = next_char(f);

    if (c != EOF)
        ungetc(c, f);
    return c == EOF;
}

enum rc csv_scan_next(struct scan *base, const struct value **row,
                      struct err *err)
{
    struct csv_scan *s = csv_scan_of(base);
    const struct step *step = s->step;

    *row = NULL;
    if (at_end(s->file))
        return ferror(s->file)
                   ? err_set(err, RC_IO, "cannot read '%s'", s->name)
                   : RC_OK;
    s->n_line++;
    s->len = 0;
    for (size_t i = 0; i < step->n_cols; i++) {
        size_t start;
        bool quoted;
        const int end = read_field(s, &start, &quoted);
        const size_t len = s->len - 1 - start;

        if (end != (i + 1 < step->n_cols ? ',' : '\n'))
            return fail(s, "another number of fields than in the first line",
                        err);
        if (len == 0 && !quoted)
            s->cells[i] = v_null();
        else if (!parse_cell(s->text + start, len, step->cols[i].type,
                             &s->cells[i]))
            return fail(s, step->cols[i].name, err);
    }
    *row = s->cells;
    return RC_OK;
}

void csv_scan_close(struct scan *base)
{
    struct csv_scan *s = csv_scan_of(base);

    if (s->file)
        fclose(s->file);
    mem_free(s->cells);
    mem_free(s->text);
    mem_free(s);
}
