/* SPDX-License-Identifier: MIT */
/*
 * How long transactions took, by percentile: ten steps for each further nine
 * (90 %, 99 %, 99.9 % …), as far as there are transactions to speak of.
 */
#include "base/mem.h"
#include "report/html_int.h"

#include <math.h>

#define STEPS_OF_TEN 10
#define DECADES 5

struct times {
    struct store *store;
    const struct stored_run *run;
    struct json_out *o;
    json_t *list;
    const struct html_series *series;
    size_t n;            /* types so far */
    struct hist *one;    /* of a type */
    struct hist *sum[2]; /* of all types: response, service */
};

static void put_curve(struct times *t, const char *name, const char *kind,
                      const struct hist *h)
{
    const double n = (double)hist_count(h);
    json_t *obj, *share, *value;

    if (n < 1)
        return;
    obj = json_add_object(t->o, t->list);
    json_put_text(t->o, obj, "name", name);
    json_put_text(t->o, obj, "kind", kind);
    json_put_u64(t->o, obj, "n", hist_count(h));
    json_put_us(t->o, obj, "mean", hist_mean(h));
    share = json_put_array(t->o, obj, "above");
    value = json_put_array(t->o, obj, "ms");
    /* above: the share of transactions that took longer. */
    for (int i = 0; i <= STEPS_OF_TEN * DECADES; i++) {
        const double above = pow(10, -(double)i / STEPS_OF_TEN);

        if (above * n < 1)
            break;
        html_add_number(t->o, share, above);
        html_add_number(t->o, value,
                        (double)hist_percentile(h, 100 * (1 - above)) /
                            (double)NS_PER_MS);
    }
    html_add_number(t->o, share, 1 / n);
    html_add_number(t->o, value, (double)hist_max(h) / (double)NS_PER_MS);
}

/* As kept at the end; of a run without an end, what its intervals add up to.
 */
static enum rc read_times(struct times *t, const char *name, const char *kind,
                          struct err *err)
{
    const struct hist *whole = html_series_whole(t->series, t->n);
    enum rc rc;

    hist_reset(t->one);
    rc = store_hist(t->store, t->run->id, name, kind, t->one, err);
    if (rc != RC_NOT_FOUND)
        return rc;
    if (whole && kind[0] == 'r')
        hist_add(t->one, whole);
    return RC_OK;
}

static enum rc add_type(void *arg, const char *name, const char *value,
                        const char *source, struct err *err)
{
    static const char *const kinds[] = {"response", "service"};
    struct times *t = arg;

    (void)value;
    (void)source;
    for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
        const enum rc rc = read_times(t, name, kinds[k], err);

        if (rc)
            return rc;
        if (k == 0)
            put_curve(t, name, kinds[k], t->one);
        hist_add(t->sum[k], t->one);
    }
    t->n++;
    return RC_OK;
}

enum rc html_times(struct store *s, const struct stored_run *run,
                   const struct html_series *series, struct json_out *o,
                   json_t *obj, struct err *err)
{
    struct times t = {
        .store = s,
        .run = run,
        .o = o,
        .list = json_put_array(o, obj, "percentiles"),
        .series = series,
        .one = hist_new(),
        .sum = {hist_new(), hist_new()},
    };
    enum rc rc = RC_OK;

    if (!t.one || !t.sum[0] || !t.sum[1])
        rc = err_set(err, RC_NOMEM, "no memory for the times of a run");
    if (!rc)
        rc = store_each_text(s, run->id, STORED_TXNS, add_type, &t, err);
    if (!rc) {
        put_curve(&t, NULL, "response", t.sum[0]);
        put_curve(&t, NULL, "service", t.sum[1]);
    }
    hist_free(t.one);
    hist_free(t.sum[0]);
    hist_free(t.sum[1]);
    return rc;
}
