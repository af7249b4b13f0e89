/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "report/html_int.h"

#include <math.h>

/* The columns of the series, one value for each point. */
#define COLUMNS(X)        \
    X(T, "t")             \
    X(LENGTH, "len")      \
    X(PHASE, "phase")     \
    X(USERS, "users")     \
    X(TPS, "tps")         \
    X(TPS_MIN, "tps_min") \
    X(TPS_MAX, "tps_max") \
    X(P50, "p50")         \
    X(P95, "p95")         \
    X(P99, "p99")         \
    X(MAX, "max")         \
    X(FAILED, "failed")   \
    X(RETRIES, "retries") \
    X(LAG, "lag")

enum series_column {
#define X(id, name) COLUMN_##id,
    COLUMNS(X)
#undef X
        N_COLUMNS
};

static const char *const column_names[N_COLUMNS] = {
#define X(id, name) [COLUMN_##id] = (name),
    COLUMNS(X)
#undef X
};

struct txn_part {
    char *name;
    uint64_t completed;
    struct hist_figures only; /* of the point's only interval, exact */
    struct hist *point, *whole;
    json_t *tps, *p50, *p99;
    bool any;
};

struct point {
    enum interval_phase phase;
    int64_t begin_ns, length_ns;
    uint64_t n, users, completed, failed, retries;
    double tps_min, tps_max;
    int64_t lag_ns;
};

struct html_series {
    uint64_t per_point, n_points;
    int64_t usual_ns; /* length of an interval */
    struct point now;
    struct hist *all;
    struct txn_part txns[INTERVAL_TXNS_MAX];
    size_t n_txns;
    json_t *columns[N_COLUMNS];
    struct json_out out;
};

static double rate(uint64_t n, int64_t ns)
{
    return ns > 0 ? (double)n * (double)NS_PER_S / (double)ns : NAN;
}

static double ms(int64_t ns)
{
    return (double)ns / (double)NS_PER_MS;
}

/* ---- one point ---- */

static void put_column(struct html_series *h, enum series_column c,
                       double value)
{
    html_add_number(&h->out, h->columns[c], value);
}

static void end_txn(struct html_series *h, struct txn_part *t)
{
    const struct point *p = &h->now;
    struct hist_figures f;

    if (p->n == 1)
        f = t->only;
    else
        hist_figures(t->point, &f);
    html_add_number(&h->out, t->tps, rate(t->completed, p->length_ns));
    html_add_number(&h->out, t->p50, f.n ? ms(f.p50_ns) : NAN);
    html_add_number(&h->out, t->p99, f.n ? ms(f.p99_ns) : NAN);
    t->completed = 0;
    hist_reset(t->point);
}

static void end_point(struct html_series *h)
{
    const struct point *p = &h->now;
    struct hist_figures f;

    if (p->n == 0)
        return;
    for (size_t i = 0; i < h->n_txns; i++) {
        if (hist_count(h->txns[i].point) == 0)
            continue;
        hist_add(h->all, h->txns[i].point);
        hist_add(h->txns[i].whole, h->txns[i].point);
    }
    hist_figures(h->all, &f);
    put_column(h, COLUMN_T, (double)p->begin_ns / (double)NS_PER_S);
    put_column(h, COLUMN_LENGTH, (double)p->length_ns / (double)NS_PER_S);
    put_column(h, COLUMN_PHASE, (double)p->phase);
    put_column(h, COLUMN_USERS, (double)p->users);
    put_column(h, COLUMN_TPS, rate(p->completed, p->length_ns));
    put_column(h, COLUMN_TPS_MIN, p->tps_min);
    put_column(h, COLUMN_TPS_MAX, p->tps_max);
    put_column(h, COLUMN_P50, f.n ? ms(f.p50_ns) : NAN);
    put_column(h, COLUMN_P95, f.n ? ms(f.p95_ns) : NAN);
    put_column(h, COLUMN_P99, f.n ? ms(f.p99_ns) : NAN);
    put_column(h, COLUMN_MAX, f.n ? ms(f.max_ns) : NAN);
    put_column(h, COLUMN_FAILED, rate(p->failed, p->length_ns));
    put_column(h, COLUMN_RETRIES, rate(p->retries, p->length_ns));
    put_column(h, COLUMN_LAG, ms(p->lag_ns));
    for (size_t i = 0; i < h->n_txns; i++)
        end_txn(h, &h->txns[i]);
    hist_reset(h->all);
    h->n_points++;
    h->now.n = 0;
}

static void begin_point(struct html_series *h, const struct interval *it)
{
    h->now = (struct point){
        .phase = it->phase,
        .begin_ns = it->begin_ns,
        .tps_min = NAN,
        .tps_max = NAN,
    };
}

/* ---- intervals ---- */

static uint64_t add_txn(struct html_series *h, struct txn_part *part,
                        const struct interval_txn *t)
{
    struct point *p = &h->now;
    const uint64_t completed = t->committed + t->rolled_back;

    part->completed += completed;
    part->only = t->response;
    part->any |= completed + t->failed + t->unknown + t->retries > 0;
    p->completed += completed;
    p->failed += t->failed + t->unknown;
    p->retries += t->retries;
    if (t->response.n > 0) {
        hist_add(part->point, t->response_hist);
    }
    return completed;
}

static void add_extremes(struct html_series *h, double tps, int64_t length_ns)
{
    struct point *p = &h->now;

    if (!isfinite(tps) || length_ns < h->usual_ns / 2)
        return;
    p->tps_min = isnan(p->tps_min) ? tps : fmin(p->tps_min, tps);
    p->tps_max = isnan(p->tps_max) ? tps : fmax(p->tps_max, tps);
}

/* The last interval of a phase may be a splinter, of which a rate would say
 * nothing: it is added to the point before. */
static bool belongs_to_point(const struct html_series *h,
                             const struct interval *it)
{
    const struct point *p = &h->now;

    if (p->phase != it->phase)
        return false;
    return p->n < h->per_point || it->length_ns < h->usual_ns / 2;
}

static enum rc name_types(struct html_series *h, const struct interval *it,
                          struct err *err)
{
    for (; h->n_txns < it->n_txns; h->n_txns++) {
        struct txn_part *t = &h->txns[h->n_txns];

        t->name = mem_strdup(it->txns[h->n_txns].name);
        t->point = hist_new();
        t->whole = hist_new();
        t->tps = json_array();
        t->p50 = json_array();
        t->p99 = json_array();
        if (!t->name || !t->point || !t->whole || !t->tps || !t->p50 ||
            !t->p99) {
            h->n_txns++;
            return err_set(err, RC_NOMEM, "no memory for the series of a run");
        }
    }
    return RC_OK;
}

enum rc html_series_add(struct html_series *h, const struct interval *it,
                        struct err *err)
{
    uint64_t completed = 0;
    struct point *p = &h->now;
    const enum rc rc = name_types(h, it, err);

    if (rc)
        return rc;
    if (!h->usual_ns)
        h->usual_ns = it->length_ns;
    if (p->n > 0 && !belongs_to_point(h, it))
        end_point(h);
    if (p->n == 0)
        begin_point(h, it);
    p->n++;
    p->length_ns += it->length_ns;
    p->users = it->users_active;
    if (it->lag.max_ns > p->lag_ns)
        p->lag_ns = it->lag.max_ns;
    for (size_t i = 0; i < it->n_txns; i++)
        completed += add_txn(h, &h->txns[i], &it->txns[i]);
    add_extremes(h, rate(completed, it->length_ns), it->length_ns);
    return RC_OK;
}

/* ---- all ---- */

struct html_series *html_series_new(uint64_t per_point)
{
    struct html_series *h = MEM_NEW(struct html_series);
    bool ok;

    if (!h)
        return NULL;
    h->per_point = per_point > 0 ? per_point : 1;
    h->all = hist_new();
    ok = h->all;
    for (size_t i = 0; i < N_COLUMNS; i++) {
        h->columns[i] = json_array();
        ok = ok && h->columns[i];
    }
    if (ok)
        return h;
    html_series_free(h);
    return NULL;
}

void html_series_free(struct html_series *h)
{
    if (!h)
        return;
    hist_free(h->all);
    for (size_t i = 0; i < N_COLUMNS; i++)
        json_decref(h->columns[i]);
    for (size_t i = 0; i < h->n_txns; i++) {
        struct txn_part *t = &h->txns[i];

        mem_free(t->name);
        hist_free(t->point);
        hist_free(t->whole);
        json_decref(t->tps);
        json_decref(t->p50);
        json_decref(t->p99);
    }
    mem_free(h);
}

static void put_shared(struct json_out *o, json_t *obj, const char *key,
                       json_t *value)
{
    if (json_object_set(obj, key, value))
        o->failed = true;
}

/* What no interval had needs no column. */
static bool all_zero(const json_t *column)
{
    for (size_t i = 0; i < json_array_size(column); i++) {
        const json_t *one = json_array_get(column, i);

        if (json_is_number(one) && json_number_value(one) != 0)
            return false;
    }
    return true;
}

static bool is_needed(const struct html_series *h, enum series_column c)
{
    if (c == COLUMN_TPS_MIN || c == COLUMN_TPS_MAX)
        return h->per_point > 1;
    if (c == COLUMN_FAILED || c == COLUMN_RETRIES)
        return !all_zero(h->columns[c]);
    return true;
}

void html_series_put(struct html_series *h, struct json_out *o, json_t *run)
{
    json_t *obj, *txns;

    end_point(h);
    o->failed = o->failed || h->out.failed;
    if (h->n_points == 0) {
        json_put_null(o, run, "series");
        return;
    }
    obj = json_put_object(o, run, "series");
    json_put_u64(o, obj, "per_point", h->per_point);
    json_put_s(o, obj, "interval_s", h->usual_ns);
    for (size_t i = 0; i < N_COLUMNS; i++) {
        if (is_needed(h, (enum series_column)i))
            put_shared(o, obj, column_names[i], h->columns[i]);
    }
    txns = json_put_array(o, obj, "txns");
    for (size_t i = 0; i < h->n_txns; i++) {
        struct txn_part *t = &h->txns[i];
        json_t *one;

        if (!t->any)
            continue;
        one = json_add_object(o, txns);
        json_put_text(o, one, "name", t->name);
        put_shared(o, one, "tps", t->tps);
        put_shared(o, one, "p50", t->p50);
        put_shared(o, one, "p99", t->p99);
    }
}

const struct hist *html_series_whole(const struct html_series *h, size_t txn)
{
    return txn < h->n_txns ? h->txns[txn].whole : NULL;
}
