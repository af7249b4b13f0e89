/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "report/html_int.h"
#include "report/stored.h"

#define ARENA_BYTES_MAX ((size_t)64 << 20)

/* What collects while the intervals go by. */
struct course {
    struct html_series *series;
    struct html_telemetry *telemetry;
};

static enum rc add_interval(void *arg, const struct interval *it,
                            unsigned drop_bits, struct err *err)
{
    struct course *c = arg;
    const enum rc rc = html_series_add(c->series, it, err);

    (void)drop_bits;
    return rc ? rc : html_telemetry_add(c->telemetry, it, err);
}

static enum rc read_course(struct store *s, const struct stored_run *run,
                           size_t points, struct course *c, struct err *err)
{
    size_t n = 0;
    enum rc rc = store_count_intervals(s, run->id, false, &n, err);

    if (rc)
        return rc;
    c->series = html_series_new((n + points - 1) / points);
    c->telemetry = html_telemetry_new(points, n);
    if (!c->series || !c->telemetry)
        return err_set(err, RC_NOMEM, "no memory for the report");
    return store_each_interval(s, run->id, add_interval, c, err);
}

/* ---- what the run was ---- */

struct label_list {
    struct json_out *o;
    json_t *list;
};

static enum rc add_label(void *arg, const char *name, const char *value,
                         const char *source, struct err *err)
{
    struct label_list *l = arg;
    json_t *pair = json_array();

    (void)source;
    (void)err;
    json_add_text(l->o, pair, name);
    json_add_text(l->o, pair, value ? value : "");
    if (json_array_append_new(l->list, pair))
        l->o->failed = true;
    return RC_OK;
}

static enum rc put_head(struct store *s, const struct stored_run *run,
                        struct json_out *o, json_t *obj, struct err *err)
{
    struct label_list labels = {.o = o};
    char started[32];

    clock_format_utc(run->started_us, started, sizeof(started));
    json_put_text(o, obj, "name", run->name);
    json_put_text(o, obj, "started", started);
    json_put_text(o, obj, "status", run->status);
    json_put_text(o, obj, "reason", run->reason);
    json_put_text(o, obj, "counted", run->counted);
    json_put_text(o, obj, "host", run->host);
    json_put_text(o, obj, "version", run->version);
    labels.list = json_put_array(o, obj, "labels");
    return store_each_text(s, run->id, STORED_LABELS, add_label, &labels, err);
}

static enum rc put_summary(struct store *s, const struct stored_run *run,
                           struct json_out *o, json_t *obj, struct err *err)
{
    struct arena arena = ARENA_INIT(ARENA_BYTES_MAX);
    const char *text = NULL;
    json_error_t error;
    enum rc rc = stored_summary(s, run, &arena, &text, err);

    if (!rc) {
        json_t *summary = json_loads(text, 0, &error);

        if (!summary)
            rc = err_set(err, RC_INVALID,
                         "the stored summary of run '%s' is broken: %s "
                         "(line %d)",
                         run->name, error.text, error.line);
        else if (json_object_set_new(obj, "summary", summary))
            o->failed = true;
    }
    arena_release(&arena);
    return rc;
}

enum rc html_run(struct store *s, const struct stored_run *run, size_t points,
                 struct buf *out, struct err *err)
{
    struct course course = {0};
    struct json_out o = {0};
    json_t *obj = json_object();
    enum rc rc;

    rc = put_head(s, run, &o, obj, err);
    if (!rc)
        rc = put_summary(s, run, &o, obj, err);
    if (!rc)
        rc = read_course(s, run, points, &course, err);
    if (!rc) {
        html_series_put(course.series, &o, obj);
        html_telemetry_put(course.telemetry, &o, obj);
        rc = html_times(s, run, course.series, &o, obj, err);
    }
    if (!rc)
        rc = html_put_json(out, &o, obj, err);
    else
        json_decref(obj);
    html_series_free(course.series);
    html_telemetry_free(course.telemetry);
    return rc;
}
