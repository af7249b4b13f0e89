/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "report/html_int.h"

#include <math.h>
#include <string.h>

#define WAITS "server.waits."
#define WAIT_LOOKS "server.wait_samples"
/* A server answers once a second, so a shorter point would be a tooth. */
#define POINT_NS (2 * NS_PER_S)

enum sample_kind {
    SAMPLE_RATE,     /* a counter's growth: a second */
    SAMPLE_LEVEL,    /* as it was: mean */
    SAMPLE_SESSIONS, /* seen in so many looks: mean */
};

static const char *const kind_names[] = {
    [SAMPLE_RATE] = "rate",
    [SAMPLE_LEVEL] = "level",
    [SAMPLE_SESSIONS] = "sessions",
};

struct name_part {
    char *name;
    enum sample_kind kind;
    json_t *values;
    bool any; /* anything but 0 */
    /* Of this point. */
    double sum;
    uint64_t n;
    int64_t covered_ns;
    int64_t last_ns; /* end of the last interval that had it */
};

struct html_telemetry {
    size_t points, n_intervals;
    uint64_t per_point; /* 0: not known yet */
    struct name_part names[INTERVAL_SAMPLES_MAX];
    size_t n_names;
    json_t *t, *txns;
    size_t n_points;
    /* Of this point. */
    uint64_t n, ended, looks;
    int64_t begin_ns, length_ns;
    int64_t opened_ns; /* of the measurement interval; -1: not yet */
    struct json_out out;
};

/* ---- one point ---- */

static double value_of(const struct html_telemetry *h,
                       const struct name_part *p)
{
    if (p->n == 0)
        return NAN;
    switch (p->kind) {
    case SAMPLE_RATE:
        if (p->covered_ns > 0)
            return p->sum * (double)NS_PER_S / (double)p->covered_ns;
        return NAN;
    case SAMPLE_LEVEL:
        return p->sum / (double)p->n;
    case SAMPLE_SESSIONS:
        return h->looks > 0 ? p->sum / (double)h->looks : NAN;
    }
    return NAN;
}

static void end_point(struct html_telemetry *h)
{
    const double length_s = (double)h->length_ns / (double)NS_PER_S;

    if (h->n == 0)
        return;
    html_add_number(&h->out, h->t, (double)h->begin_ns / (double)NS_PER_S);
    html_add_number(&h->out, h->txns,
                    length_s > 0 ? (double)h->ended / length_s : NAN);
    for (size_t i = 0; i < h->n_names; i++) {
        struct name_part *p = &h->names[i];
        const double value = value_of(h, p);

        html_add_number(&h->out, p->values, value);
        p->any |= isfinite(value) && value != 0;
        p->sum = 0;
        p->n = 0;
        p->covered_ns = 0;
    }
    h->n_points++;
    h->n = h->ended = h->looks = 0;
    h->length_ns = 0;
}

/* ---- names ---- */

static enum sample_kind kind_of(const char *name)
{
    if (!strncmp(name, WAITS, strlen(WAITS)))
        return SAMPLE_SESSIONS;
    return strcmp(name, "client.rss_bytes") ? SAMPLE_RATE : SAMPLE_LEVEL;
}

/* Points before the first of a name have null. */
static struct name_part *find_name(struct html_telemetry *h, const char *name)
{
    struct name_part *p;

    for (size_t i = 0; i < h->n_names; i++) {
        if (!strcmp(h->names[i].name, name))
            return &h->names[i];
    }
    if (h->n_names == INTERVAL_SAMPLES_MAX)
        return NULL;
    p = &h->names[h->n_names];
    p->name = mem_strdup(name);
    p->values = json_array();
    if (!p->name || !p->values) {
        mem_free(p->name);
        json_decref(p->values);
        return NULL;
    }
    p->kind = kind_of(name);
    p->last_ns = h->opened_ns;
    for (size_t i = 0; i < h->n_points; i++)
        html_add_number(&h->out, p->values, NAN);
    h->n_names++;
    return p;
}

/* ---- intervals ---- */

static enum rc add_sample(struct html_telemetry *h, const struct interval *it,
                          const struct sample *s, struct err *err)
{
    const int64_t end_ns = it->begin_ns + it->length_ns;
    struct name_part *p;

    if (!strcmp(s->name, WAIT_LOOKS)) {
        h->looks += s->value > 0 ? (uint64_t)s->value : 0;
        return RC_OK;
    }
    p = find_name(h, s->name);
    if (!p)
        return err_set(err, RC_NOMEM, "no memory for the telemetry of a run");
    p->sum += (double)s->value;
    p->n++;
    p->covered_ns += end_ns - p->last_ns;
    p->last_ns = end_ns;
    return RC_OK;
}

static void choose_length(struct html_telemetry *h, int64_t interval_ns)
{
    const uint64_t by_count = (h->n_intervals + h->points - 1) / h->points;
    const uint64_t by_time =
        interval_ns > 0 ? (uint64_t)((POINT_NS + interval_ns - 1) / interval_ns)
                        : 1;

    h->per_point = by_count > by_time ? by_count : by_time;
}

enum rc html_telemetry_add(struct html_telemetry *h, const struct interval *it,
                           struct err *err)
{
    enum rc rc = RC_OK;

    if (it->phase != PHASE_MEASURE)
        return RC_OK;
    if (h->opened_ns < 0) {
        h->opened_ns = it->begin_ns;
        choose_length(h, it->length_ns);
    }
    if (h->n == h->per_point)
        end_point(h);
    if (h->n == 0)
        h->begin_ns = it->begin_ns;
    h->n++;
    h->length_ns += it->length_ns;
    for (size_t i = 0; i < it->n_txns; i++)
        h->ended += it->txns[i].committed + it->txns[i].rolled_back +
                    it->txns[i].failed + it->txns[i].unknown;
    for (size_t i = 0; !rc && i < it->n_samples; i++)
        rc = add_sample(h, it, &it->samples[i], err);
    return rc;
}

/* ---- all ---- */

struct html_telemetry *html_telemetry_new(size_t points, size_t n_intervals)
{
    struct html_telemetry *h = MEM_NEW(struct html_telemetry);

    if (!h)
        return NULL;
    h->points = points;
    h->n_intervals = n_intervals;
    h->opened_ns = -1;
    h->t = json_array();
    h->txns = json_array();
    if (h->t && h->txns)
        return h;
    html_telemetry_free(h);
    return NULL;
}

void html_telemetry_free(struct html_telemetry *h)
{
    if (!h)
        return;
    for (size_t i = 0; i < h->n_names; i++) {
        mem_free(h->names[i].name);
        json_decref(h->names[i].values);
    }
    json_decref(h->t);
    json_decref(h->txns);
    mem_free(h);
}

static void put_shared(struct json_out *o, json_t *obj, const char *key,
                       json_t *value)
{
    if (json_object_set(obj, key, value))
        o->failed = true;
}

void html_telemetry_put(struct html_telemetry *h, struct json_out *o,
                        json_t *run)
{
    json_t *obj, *names;

    end_point(h);
    o->failed = o->failed || h->out.failed;
    if (h->n_names == 0) {
        json_put_null(o, run, "samples");
        return;
    }
    obj = json_put_object(o, run, "samples");
    json_put_u64(o, obj, "per_point", h->per_point);
    put_shared(o, obj, "t", h->t);
    put_shared(o, obj, "ended", h->txns);
    names = json_put_array(o, obj, "names");
    for (size_t i = 0; i < h->n_names; i++) {
        const struct name_part *p = &h->names[i];
        json_t *one;

        /* What was always 0 has no chart. */
        if (!p->any)
            continue;
        one = json_add_object(o, names);
        json_put_text(o, one, "name", p->name);
        json_put_text(o, one, "kind", kind_names[p->kind]);
        put_shared(o, one, "v", p->values);
    }
}
