/* SPDX-License-Identifier: MIT */
#include "report/html.h"

#include "base/asset.h"
#include "base/clock.h"
#include "base/mem.h"
#include "report/html_int.h"
#include "report/run_list.h"
#include "report/stored.h"
#include "report/text.h"
#include "report/words.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#define FOLDER "src/report/html/"
#define ARENA_BYTES_MAX ((size_t)16 << 20)
/* Points of a series: of a run alone, at least, and of all runs together. */
#define POINTS_MAX 720
#define POINTS_MIN 60
#define POINTS_OF_ALL 6000
#define NONCE_BYTES 16

/* In the order in which they build on each other. */
static const char *const scripts[] = {
    "dygraphs/dygraph.min.js", FOLDER "dom.js",      FOLDER "format.js",
    FOLDER "csv.js",           FOLDER "plot.js",     FOLDER "timeline.js",
    FOLDER "times.js",         FOLDER "tables.js",   FOLDER "telemetry.js",
    FOLDER "run.js",           FOLDER "variants.js", FOLDER "relative.js",
    FOLDER "heat.js",          FOLDER "scaling.js",  FOLDER "matrix.js",
    FOLDER "main.js",
};
static const char *const styles[] = {
    "dygraphs/dygraph.min.css", FOLDER "page.css",  FOLDER "tables.css",
    FOLDER "charts.css",        FOLDER "print.css",
};

struct page {
    struct store *store;
    const struct html_args *args;
    struct buf *out;
    char nonce[2 * NONCE_BYTES + 1];
};

static const char *asset_text(const char *name)
{
    const struct asset *a = asset_find(name);

    if (!a)
        BUG("%s is not embedded", name);
    return a->data;
}

/* ---- parts of the page ---- */

static enum rc put_title(struct page *p, struct err *err)
{
    const struct html_args *args = p->args;
    char text[96];

    (void)err;
    if (args->title) {
        html_escape(p->out, args->title);
    } else if (args->n_runs == 1) {
        html_escape(p->out, args->runs[0].name);
    } else {
        snprintf(text, sizeof(text), "%zu runs", args->n_runs);
        html_escape(p->out, text);
    }
    return RC_OK;
}

static enum rc put_version(struct page *p, struct err *err)
{
    (void)err;
    html_escape(p->out, DYNO_VERSION);
    return RC_OK;
}

static enum rc put_made(struct page *p, struct err *err)
{
    char now[32];

    (void)err;
    clock_format_utc(clock_wall_us(), now, sizeof(now));
    html_escape(p->out, now);
    return RC_OK;
}

static enum rc put_nonce(struct page *p, struct err *err)
{
    (void)err;
    buf_puts(p->out, p->nonce);
    return RC_OK;
}

/* Without the comment that makes a browser look for the library's sources. */
static void put_asset(struct page *p, const char *name)
{
    const char *text = asset_text(name);
    const char *map = strstr(text, "# sourceMappingURL");

    if (map)
        buf_add(p->out, text, (size_t)(map - text) - strlen("//"));
    else
        buf_puts(p->out, text);
}

static enum rc put_styles(struct page *p, struct err *err)
{
    (void)err;
    for (size_t i = 0; i < ARRAY_LEN(styles); i++) {
        buf_puts(p->out, "<style>\n");
        put_asset(p, styles[i]);
        buf_puts(p->out, "</style>\n");
    }
    return RC_OK;
}

static enum rc put_scripts(struct page *p, struct err *err)
{
    (void)err;
    for (size_t i = 0; i < ARRAY_LEN(scripts); i++) {
        buf_printf(p->out, "<script nonce=\"%s\">\n", p->nonce);
        put_asset(p, scripts[i]);
        buf_puts(p->out, "</script>\n");
    }
    return RC_OK;
}

/* ---- for readers without scripts ---- */

static enum rc print_run(struct page *p, FILE *to, struct err *err)
{
    const struct stored_run *run = &p->args->runs[0];
    struct arena arena = ARENA_INIT(ARENA_BYTES_MAX);
    struct run_result result;
    const char *body = NULL;
    enum rc rc;

    rc = store_body(p->store, run->id, STORED_TEXT, &arena, &body, err);
    if (!rc && body)
        fputs(body, to);
    if (!rc && !body) {
        result_init(&result);
        rc = stored_result(p->store, run, &result, err);
        if (!rc)
            report_text(&result, to);
        result_release(&result);
    }
    arena_release(&arena);
    return rc;
}

static enum rc put_text(struct page *p, struct err *err)
{
    char *text = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);
    enum rc rc = RC_OK;

    if (!to)
        return err_set(err, RC_NOMEM, "no memory for the report");
    if (p->args->n_runs == 1)
        rc = print_run(p, to, err);
    else
        run_list_text(p->args->runs, p->args->n_runs, to);
    if (fclose(to) && !rc)
        rc = err_set(err, RC_NOMEM, "no memory for the report");
    if (!rc)
        html_escape(p->out, text);
    mem_free(text);
    return rc;
}

/* ---- data ---- */

/* What the page says where the summary has a name. */
static enum rc put_words(struct page *p, struct err *err)
{
    struct json_out o = {0};
    json_t *root = json_object();
    json_t *invalid = json_put_object(&o, root, "invalid");
    json_t *warnings = json_put_object(&o, root, "warnings");

    json_put_text(&o, root, "title", p->args->title);
    for (size_t bit = 0; invalid_reason_name(bit); bit++)
        json_put_text(&o, invalid, invalid_reason_name(bit),
                      words_invalid(bit));
    for (size_t bit = 0; run_warning_name(bit); bit++)
        json_put_text(&o, warnings, run_warning_name(bit), words_warning(bit));
    return html_put_json(p->out, &o, root, err);
}

static size_t points_of_a_run(size_t n_runs)
{
    const size_t share = POINTS_OF_ALL / n_runs;

    if (share < POINTS_MIN)
        return POINTS_MIN;
    return share > POINTS_MAX ? POINTS_MAX : share;
}

static void begin_data(struct page *p, const char *class)
{
    buf_printf(p->out, "<script type=\"application/json\" class=\"%s\">",
               class);
}

static enum rc put_data(struct page *p, struct err *err)
{
    static const char end[] = "</script>\n";
    const struct html_args *args = p->args;
    enum rc rc;

    begin_data(p, "words");
    rc = put_words(p, err);
    buf_puts(p->out, end);
    for (size_t i = 0; !rc && i < args->n_runs; i++) {
        begin_data(p, "run");
        rc = html_run(p->store, &args->runs[i], points_of_a_run(args->n_runs),
                      p->out, err);
        buf_puts(p->out, end);
    }
    if (rc || args->n_runs == 1)
        return rc;
    begin_data(p, "matrix");
    rc = html_matrix(p->store, args, p->out, err);
    buf_puts(p->out, end);
    return rc;
}

/* ---- the page ---- */

static const struct part {
    const char *name;
    enum rc (*put)(struct page *p, struct err *err);
} parts[] = {
    {"title", put_title},     {"version", put_version}, {"made", put_made},
    {"nonce", put_nonce},     {"styles", put_styles},   {"text", put_text},
    {"scripts", put_scripts}, {"data", put_data},
};

/* The part that is named at "{{name}}"; *out_end is behind it. */
static const struct part *part_at(const char *mark, const char **out_end)
{
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        const size_t len = strlen(parts[i].name);

        if (!strncmp(mark + 2, parts[i].name, len) &&
            !strncmp(mark + 2 + len, "}}", 2)) {
            *out_end = mark + 2 + len + 2;
            return &parts[i];
        }
    }
    BUG("page.html has a mark that is not known: %.20s", mark);
}

static enum rc choose_nonce(struct page *p, struct err *err)
{
    unsigned char bytes[NONCE_BYTES];

    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return err_errno(err, RC_IO, errno, "no random bytes for the report");
    for (size_t i = 0; i < sizeof(bytes); i++)
        snprintf(p->nonce + 2 * i, 3, "%02x", bytes[i]);
    return RC_OK;
}

enum rc report_html(struct store *s, const struct html_args *args,
                    struct buf *out, struct err *err)
{
    struct page p = {.store = s, .args = args, .out = out};
    const char *at = asset_text(FOLDER "page.html"), *mark;
    enum rc rc = choose_nonce(&p, err);

    while (!rc && (mark = strstr(at, "{{")) != NULL) {
        const struct part *part;

        buf_add(out, at, (size_t)(mark - at));
        part = part_at(mark, &at);
        rc = part->put(&p, err);
    }
    buf_puts(out, at);
    if (!rc && buf_rc(out))
        rc = err_set(err, RC_NOMEM, "no memory for the report");
    return rc;
}
