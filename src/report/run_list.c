/* SPDX-License-Identifier: MIT */
#include "report/run_list.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "report/cell.h"
#include "report/json_int.h"

#include <inttypes.h>
#include <string.h>

#define TIME_BYTES 32
#define NAME_COLUMNS_MIN 20
#define NAME_COLUMNS_MAX 60

/* One word for what became of it. */
static const char *state_of(const struct stored_run *run)
{
    if (strcmp(run->status, "complete") != 0)
        return run->status;
    return run->valid == 1 ? "valid" : "not valid";
}

static void rate(double value, char out[CELL_BYTES])
{
    if (value < 0)
        snprintf(out, CELL_BYTES, "-");
    else
        cell_rate(value, out);
}

static size_t name_columns(const struct stored_run *runs, size_t n)
{
    size_t columns = NAME_COLUMNS_MIN;

    for (size_t i = 0; i < n; i++) {
        const size_t width = utf8_width(runs[i].name);

        if (width > columns)
            columns = width;
    }
    return columns < NAME_COLUMNS_MAX ? columns : NAME_COLUMNS_MAX;
}

void run_list_text(const struct stored_run *runs, size_t n, FILE *out)
{
    const int columns = (int)name_columns(runs, n);

    if (n == 0) {
        fputs("no runs\n", out);
        return;
    }
    fprintf(out, "%-*s  %-16s  %-8s  %-9s %12s %12s\n", columns, "run",
            "started (UTC)", "workload", "state", "TPS", "NOPM");
    for (size_t i = 0; i < n; i++) {
        char started[TIME_BYTES], tps[CELL_BYTES], nopm[CELL_BYTES];
        const char *name = runs[i].name;
        /* printf pads bytes. */
        const int pad = columns + (int)(strlen(name) - utf8_width(name));

        clock_format_utc(runs[i].started_us, started, sizeof(started));
        started[10] = ' ';
        rate(runs[i].tps, tps);
        rate(runs[i].nopm, nopm);
        fprintf(out, "%-*s  %.16s  %-8s  %-9s %12s %12s\n", pad, name, started,
                runs[i].workload, state_of(&runs[i]), tps, nopm);
    }
}

static void markdown_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (strchr("|\\`*_<>[]", *text))
            fputc('\\', out);
        fputc(*text, out);
    }
}

void run_list_markdown(const struct stored_run *runs, size_t n, FILE *out)
{
    fputs("| run | started (UTC) | workload | state | TPS | NOPM |\n"
          "| --- | --- | --- | --- | ---: | ---: |\n",
          out);
    for (size_t i = 0; i < n; i++) {
        char started[TIME_BYTES], tps[CELL_BYTES], nopm[CELL_BYTES];

        clock_format_utc(runs[i].started_us, started, sizeof(started));
        rate(runs[i].tps, tps);
        rate(runs[i].nopm, nopm);
        fputs("| ", out);
        markdown_text(runs[i].name, out);
        fprintf(out, " | %s | ", started);
        markdown_text(runs[i].workload, out);
        fprintf(out, " | %s | %s | %s |\n", state_of(&runs[i]), tps, nopm);
    }
}

void csv_field(const char *text, FILE *out)
{
    if (!text)
        return;
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void csv_text(const char *text, FILE *out)
{
    fputc(',', out);
    csv_field(text, out);
}

static void csv_i64(int64_t value, FILE *out)
{
    fputc(',', out);
    if (value >= 0)
        fprintf(out, "%" PRId64, value);
}

static void csv_real(double value, FILE *out)
{
    fputc(',', out);
    if (value >= 0)
        fprintf(out, "%.3f", value);
}

void run_list_csv(const struct stored_run *runs, size_t n, FILE *out)
{
    fputs("name,number,started,status,valid,reason,workload,composition,"
          "driver,target,scale,vus,connections,threads,interval_us,tps,nopm\n",
          out);
    for (size_t i = 0; i < n; i++) {
        const struct stored_run *r = &runs[i];
        char started[TIME_BYTES];

        clock_format_utc(r->started_us, started, sizeof(started));
        csv_field(r->name, out);
        csv_i64(r->number, out);
        csv_text(started, out);
        csv_text(r->status, out);
        csv_text(r->valid < 0 ? "" : (r->valid ? "true" : "false"), out);
        csv_text(r->reason, out);
        csv_text(r->workload, out);
        csv_text(r->composition, out);
        csv_text(r->driver, out);
        csv_text(r->target, out);
        csv_i64(r->scale, out);
        csv_i64(r->vus, out);
        csv_i64(r->connections, out);
        csv_i64(r->threads, out);
        csv_i64(r->interval_us, out);
        csv_real(r->tps, out);
        csv_real(r->nopm, out);
        fputc('\n', out);
    }
}

/* ---- JSON ---- */

static void json_i64_if(struct json_out *o, json_t *obj, const char *key,
                        int64_t value)
{
    if (value >= 0)
        json_put_i64(o, obj, key, value);
    else
        json_put_null(o, obj, key);
}

static void json_real_if(struct json_out *o, json_t *obj, const char *key,
                         double value)
{
    if (value >= 0)
        json_put_real(o, obj, key, value);
    else
        json_put_null(o, obj, key);
}

static void json_run(struct json_out *o, json_t *obj,
                     const struct stored_run *r)
{
    char started[TIME_BYTES];

    clock_format_utc(r->started_us, started, sizeof(started));
    json_put_text(o, obj, "name", r->name);
    json_i64_if(o, obj, "number", r->number);
    json_put_text(o, obj, "uuid", r->uuid);
    json_put_text(o, obj, "started", started);
    json_put_text(o, obj, "status", r->status);
    if (r->valid < 0)
        json_put_null(o, obj, "valid");
    else
        json_put_bool(o, obj, "valid", r->valid == 1);
    json_put_text(o, obj, "reason", r->reason);
    json_put_text(o, obj, "workload", r->workload);
    json_put_text(o, obj, "composition", r->composition);
    json_put_text(o, obj, "driver", r->driver);
    json_put_text(o, obj, "target", r->target);
    json_i64_if(o, obj, "scale", r->scale);
    json_i64_if(o, obj, "vus", r->vus);
    json_i64_if(o, obj, "connections", r->connections);
    json_i64_if(o, obj, "threads", r->threads);
    json_i64_if(o, obj, "interval_us", r->interval_us);
    json_real_if(o, obj, "tps", r->tps);
    json_real_if(o, obj, "nopm", r->nopm);
}

enum rc run_list_json(const struct stored_run *runs, size_t n, FILE *out,
                      struct err *err)
{
    struct json_out o = {0};
    json_t *root = json_array();
    char *text = NULL;
    enum rc rc;

    for (size_t i = 0; i < n; i++)
        json_run(&o, json_add_object(&o, root), &runs[i]);
    rc = json_finish(&o, root, &text, err);
    if (!rc) {
        fputs(text, out);
        fputc('\n', out);
    }
    mem_free(text);
    return rc;
}
