/* SPDX-License-Identifier: MIT */
#include "run/threshold.h"

#include "base/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 160
/* Windows are kept as so many intervals at most. */
#define WINDOW_INTERVALS_MAX 600

static const struct {
    const char *name;
    enum threshold_metric metric;
} metrics[] = {
    {"tps", METRIC_TPS},         {"tpm", METRIC_TPM},
    {"nopm", METRIC_NOPM},       {"errors", METRIC_ERRORS},
    {"retries", METRIC_RETRIES}, {"mean", METRIC_MEAN},
    {"max", METRIC_MAX},
};

static bool is_time(enum threshold_metric metric)
{
    return metric == METRIC_MEAN || metric == METRIC_MAX ||
           metric == METRIC_PERCENTILE;
}

static bool is_digits(const char *s, const char *end)
{
    if (s == end)
        return false;
    for (; s < end; s++) {
        if (*s < '0' || *s > '9')
            return false;
    }
    return true;
}

/* Digits with at most one point between them; strtod() takes more than that. */
static bool parse_number(const char *s, double *out)
{
    const char *end = s + strlen(s);
    const char *dot = strchr(s, '.');

    if (end - s > 18)
        return false;
    if (dot ? !is_digits(s, dot) || !is_digits(dot + 1, end)
            : !is_digits(s, end))
        return false;
    *out = strtod(s, NULL);
    return true;
}

/* "p99", "p99.9", and "p999" for it as in the summary. */
static bool parse_percentile(const char *name, double *out)
{
    double pct = 0;

    if (*name != 'p' || !parse_number(name + 1, &pct))
        return false;
    if (strncmp(name, "p99", 3) == 0) {
        while (pct > 100)
            pct /= 10;
    }
    *out = pct;
    return pct > 0 && pct <= 100;
}

static bool find_metric(const char *name, struct threshold *t)
{
    for (size_t i = 0; i < ARRAY_LEN(metrics); i++) {
        if (strcmp(name, metrics[i].name) == 0) {
            t->metric = metrics[i].metric;
            return true;
        }
    }
    t->metric = METRIC_PERCENTILE;
    return parse_percentile(name, &t->pct);
}

/* What follows "word." in name, NULL when name does not begin so. */
static const char *behind(const char *name, const char *word)
{
    for (; *word; word++, name++) {
        if (*name != *word)
            return NULL;
    }
    return *name == '.' ? name + 1 : NULL;
}

static enum rc parse_name(const char *name, const struct workload *wl,
                          struct threshold *t, struct err *err)
{
    const char *rest = name, *next = NULL;

    t->txn = wl->n_txns;
    for (size_t i = 0; i < wl->n_txns; i++) {
        next = behind(name, wl->txns[i].name);
        if (next) {
            t->txn = i;
            rest = next;
        }
    }
    next = behind(rest, "service");
    t->service = next != NULL;
    if (!next)
        next = behind(rest, "response");
    if (!find_metric(next ? next : rest, t))
        return err_set(err, RC_USAGE,
                       "--threshold: '%s' is none of tps, tpm, nopm, errors, "
                       "retries, mean, max, p50 … p99.9, which may stand "
                       "behind a transaction of %s (%s.p99) and 'service.'",
                       name, wl->name, wl->txns[0].name);
    if (next && !is_time(t->metric))
        return err_set(err, RC_USAGE, "--threshold: '%s' is no time", name);
    if (t->metric == METRIC_NOPM &&
        (t->txn < wl->n_txns || wl->counted_txn >= wl->n_txns))
        return err_set(err, RC_USAGE,
                       "--threshold: '%s': nopm stands alone, and only for a "
                       "workload with new orders",
                       name);
    return RC_OK;
}

/* A share may stand as 0.1 %, a time has a unit: 50 alone would be seconds. */
static enum rc parse_limit(const char *text, struct threshold *t,
                           struct err *err)
{
    struct err why = {0};
    int64_t ns = 0;
    bool ok;

    if (is_time(t->metric)) {
        ok = !parse_duration(text, &ns, &why) && *text &&
             (text[strlen(text) - 1] == 's' || text[strlen(text) - 1] == 'm' ||
              text[strlen(text) - 1] == 'h' || text[strlen(text) - 1] == 'd');
        t->limit = (double)ns;
        return ok ? RC_OK
                  : err_set(err, RC_USAGE,
                            "--threshold: '%s' is not a time with a unit such "
                            "as 50ms",
                            text);
    }
    if (t->metric == METRIC_ERRORS)
        ok = !parse_share(text, &t->limit, &why);
    else
        ok = parse_number(text, &t->limit);
    if (ok)
        return RC_OK;
    return err_set(err, RC_USAGE, "--threshold: '%s' is not a %s", text,
                   t->metric == METRIC_ERRORS ? "share such as 0.1%"
                                              : "number such as 10000");
}

static enum rc parse_window(const char *text, struct threshold *t,
                            struct err *err)
{
    if (!parse_duration(text, &t->window_ns, NULL) && t->window_ns > 0)
        return RC_OK;
    return err_set(err, RC_USAGE,
                   "--threshold: '@%s' is not a window such as @10s", text);
}

/* Without its blanks; false when too long. */
static bool squeeze(const char *text, char out[TEXT_MAX])
{
    size_t n = 0;

    for (; *text; text++) {
        if (*text == ' ')
            continue;
        if (n + 1 == TEXT_MAX)
            return false;
        out[n++] = *text;
    }
    out[n] = '\0';
    return true;
}

enum rc threshold_parse(const char *text, const struct workload *wl,
                        struct threshold *out, struct err *err)
{
    char copy[TEXT_MAX];
    char *op, *value, *window;
    bool or_equal, less;
    enum rc rc;

    *out = (struct threshold){.text = text};
    op = squeeze(text, copy) ? strpbrk(copy, "<>") : NULL;
    if (!op)
        return err_set(err, RC_USAGE,
                       "--threshold: '%.80s' is not METRIC<VALUE or "
                       "METRIC>VALUE, such as new_order.p99<50ms, "
                       "errors<0.1%% or tpm>10000",
                       text);
    less = *op == '<';
    or_equal = op[1] == '=';
    *op = '\0';
    value = op + 1 + or_equal;
    if (less)
        out->op = or_equal ? OP_AT_MOST : OP_LESS;
    else
        out->op = or_equal ? OP_AT_LEAST : OP_MORE;
    window = strchr(value, '@');
    if (window)
        *window++ = '\0';
    rc = parse_name(copy, wl, out, err);
    if (!rc)
        rc = parse_limit(value, out, err);
    if (!rc && window)
        rc = parse_window(window, out, err);
    return rc;
}

static enum rc check_window(const struct threshold *t, int64_t every_ns,
                            struct err *err)
{
    if (t->window_ns == 0)
        return RC_OK;
    if (t->window_ns < every_ns)
        return err_set(err, RC_USAGE,
                       "--threshold: the window of '%s' is shorter than an "
                       "interval of the series (--interval)",
                       t->text);
    if (t->window_ns / every_ns > WINDOW_INTERVALS_MAX)
        return err_set(err, RC_USAGE,
                       "--threshold: the window of '%s' is more than %d "
                       "intervals of the series (--interval)",
                       t->text, WINDOW_INTERVALS_MAX);
    return RC_OK;
}

enum rc threshold_check_length(const struct threshold *t, int64_t interval_ns,
                               struct err *err)
{
    char length[32];

    if (t->window_ns <= interval_ns)
        return RC_OK;
    format_duration(interval_ns, length, sizeof(length));
    return err_set(err, RC_USAGE,
                   "--threshold: the window of '%s' is longer than the whole "
                   "measurement interval of %s",
                   t->text, length);
}

enum rc thresholds_parse(const struct opt_strs *texts,
                         const struct workload *wl, int64_t every_ns,
                         struct threshold *out, struct err *err)
{
    enum rc rc = RC_OK;

    if (texts->n > RESULT_THRESHOLDS_MAX)
        return err_set(err, RC_USAGE, "--threshold: more than %d",
                       RESULT_THRESHOLDS_MAX);
    for (size_t i = 0; !rc && i < texts->n; i++) {
        rc = threshold_parse(texts->items[i], wl, &out[i], err);
        if (!rc)
            rc = check_window(&out[i], every_ns, err);
    }
    return rc;
}
