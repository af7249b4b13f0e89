/* SPDX-License-Identifier: MIT */
#include "run/plan.h"

#include "base/parse.h"

#include <stdio.h>
#include <string.h>

/* Rates are read to a thousandth. */
#define RATE_PARTS 1000

static enum rc not_rate(const char *text, struct err *err)
{
    return err_set(err, RC_USAGE,
                   "'%s' is not a rate such as 100/s, 0.5/s or 90/m", text);
}

/* The unit of a rate behind the slash. */
static bool parse_period(const char *text, int64_t *out_ns)
{
    if (strcmp(text, "s") == 0)
        *out_ns = NS_PER_S;
    else if (strcmp(text, "m") == 0)
        *out_ns = 60 * NS_PER_S;
    else if (strcmp(text, "h") == 0)
        *out_ns = 3600 * NS_PER_S;
    else
        return false;
    return true;
}

/* "0.5" as 500 thousandths. */
static bool parse_thousandths(const char *text, size_t len, uint64_t *out)
{
    char whole[20];
    const char *dot = memchr(text, '.', len);
    const size_t n_whole = dot ? (size_t)(dot - text) : len;
    uint64_t part = RATE_PARTS / 10, frac = 0;

    if (n_whole == 0 || n_whole > 12 || (dot && n_whole + 1 == len))
        return false;
    snprintf(whole, sizeof(whole), "%.*s", (int)n_whole, text);
    if (parse_u64(whole, out, NULL))
        return false;
    for (size_t i = n_whole + 1; i < len; i++, part /= 10) {
        if (text[i] < '0' || text[i] > '9' || part == 0)
            return false;
        frac += part * (uint64_t)(text[i] - '0');
    }
    *out = *out * RATE_PARTS + frac;
    return true;
}

enum rc rate_parse(const char *text, struct rate *out, struct err *err)
{
    const char *slash = strchr(text, '/');
    const size_t len = slash ? (size_t)(slash - text) : strlen(text);
    struct rate rate = {.period_ns = NS_PER_S};

    if ((slash && !parse_period(slash + 1, &rate.period_ns)) ||
        !parse_thousandths(text, len, &rate.n))
        return not_rate(text, err);
    if (rate.n == 0)
        return err_set(err, RC_USAGE, "'%s' is no load at all", text);
    rate.period_ns *= RATE_PARTS;
    if ((int64_t)rate.n > rate.period_ns)
        return err_set(err, RC_USAGE, "'%s' is more than one each nanosecond",
                       text);
    *out = rate;
    return RC_OK;
}

double rate_per_s(const struct rate *rate)
{
    return (double)rate->n * (double)NS_PER_S / (double)rate->period_ns;
}

/* ---- stages ---- */

static enum rc not_stages(const char *text, struct err *err)
{
    return err_set(err, RC_USAGE,
                   "--stages: '%s' is not LENGTH:USERS or LENGTH:RATE, such as "
                   "1m:10 or 30s:500/s, with a comma between stages",
                   text);
}

/* "1m:10" or "1m:100/s". */
static enum rc parse_stage(const char *text, struct plan_stage *out,
                           bool *is_rate, struct err *err)
{
    const char *colon = strchr(text, ':');
    char length[32];
    struct err why = {0};

    if (!colon || (size_t)(colon - text) >= sizeof(length))
        return not_stages(text, err);
    snprintf(length, sizeof(length), "%.*s", (int)(colon - text), text);
    *out = (struct plan_stage){0};
    if (parse_duration(length, &out->length_ns, NULL) || out->length_ns <= 0)
        return not_stages(text, err);
    *is_rate = strchr(colon, '/') != NULL;
    if (*is_rate) {
        if (!rate_parse(colon + 1, &out->rate, &why))
            return RC_OK;
        return err_set(err, RC_USAGE, "--stages: %s", why.text);
    }
    if (parse_u64(colon + 1, &out->n_users, NULL) || out->n_users == 0)
        return not_stages(text, err);
    return RC_OK;
}

static enum rc add_stage(struct plan *p, const char *text, struct err *err)
{
    bool is_rate = false;
    enum rc rc;

    if (p->n_stages == PLAN_STAGES_MAX)
        return err_set(err, RC_USAGE, "--stages: more than %d stages",
                       PLAN_STAGES_MAX);
    rc = parse_stage(text, &p->stages[p->n_stages], &is_rate, err);
    if (rc)
        return rc;
    if (p->n_stages > 0 && is_rate != p->open_loop)
        return err_set(err, RC_USAGE,
                       "--stages: either users or rates, not both");
    p->open_loop = is_rate;
    if (__builtin_add_overflow(p->duration_ns, p->stages[p->n_stages].length_ns,
                               &p->duration_ns))
        return err_set(err, RC_USAGE, "--stages: too long");
    p->n_stages++;
    return RC_OK;
}

static enum rc parse_stages(const char *text, struct plan *p, struct err *err)
{
    char one[80];

    p->by_stages = true;
    p->duration_ns = 0;
    for (;;) {
        const size_t len = strcspn(text, ",");
        enum rc rc;

        if (len >= sizeof(one))
            return not_stages(text, err);
        snprintf(one, sizeof(one), "%.*s", (int)len, text);
        rc = add_stage(p, one, err);
        if (rc || !text[len])
            return rc;
        text += len + 1;
    }
}

/* ---- the whole ---- */

static enum rc parse_pacing(const char *text, struct plan *p, struct err *err)
{
    uint64_t thousandths;

    if (!text || strcmp(text, "off") == 0)
        return RC_OK;
    p->pacing = 1;
    if (strcmp(text, "spec") == 0)
        return RC_OK;
    if (!parse_thousandths(text, strlen(text), &thousandths) ||
        thousandths == 0 || thousandths > 1000 * RATE_PARTS)
        return err_set(err, RC_USAGE,
                       "--pacing: '%s' is not off, spec, or a factor of the "
                       "times such as 0.1 (at least 0.001, at most 1000)",
                       text);
    p->pacing = (double)thousandths / RATE_PARTS;
    return RC_OK;
}

static enum rc check_together(const struct run_cfg *cfg, const struct plan *p,
                              struct err *err)
{
    if (cfg->rate && cfg->stages)
        return err_set(err, RC_USAGE,
                       "--rate and --stages: give the rates in the stages "
                       "(1m:100/s)");
    if (p->open_loop && p->pacing > 0)
        return err_set(err, RC_USAGE,
                       "--pacing does not go with planned starts: either users "
                       "think, or a rate is kept");
    if (p->even && !p->open_loop)
        return err_set(err, RC_USAGE,
                       "--arrivals is of planned starts: add --rate, or leave "
                       "it out");
    if (p->by_stages && cfg->iterations)
        return err_set(err, RC_USAGE,
                       "--iterations does not go with --stages, which are a "
                       "time");
    if (plan_stages_users(p) && cfg->vus)
        return err_set(err, RC_USAGE,
                       "--vus does not go with stages of users: the largest "
                       "stage says how many there are");
    return RC_OK;
}

enum rc plan_make(const struct run_cfg *cfg, struct plan *out, struct err *err)
{
    enum rc rc = RC_OK;

    *out = (struct plan){
        .duration_ns = cfg->duration_ns,
        .even = cfg->arrivals == ARRIVALS_EVEN,
    };
    if (cfg->stages)
        rc = parse_stages(cfg->stages, out, err);
    if (!rc && cfg->rate && !cfg->stages) {
        out->open_loop = true;
        out->n_stages = 1;
        out->stages[0].length_ns = INT64_MAX;
        rc = rate_parse(cfg->rate, &out->stages[0].rate, err);
        if (rc)
            err_prefix(err, "--rate");
    }
    if (!rc)
        rc = parse_pacing(cfg->pacing, out, err);
    return rc ? rc : check_together(cfg, out, err);
}

size_t plan_stage_at(const struct plan *p, int64_t since_ns)
{
    size_t i = 0;

    while (i + 1 < p->n_stages && since_ns >= p->stages[i].length_ns) {
        since_ns -= p->stages[i].length_ns;
        i++;
    }
    return i;
}

int64_t plan_stage_begin(const struct plan *p, size_t stage)
{
    int64_t ns = 0;

    for (size_t i = 0; i < stage; i++)
        ns += p->stages[i].length_ns;
    return ns;
}

uint64_t plan_most_users(const struct plan *p)
{
    uint64_t most = 0;

    for (size_t i = 0; i < p->n_stages; i++) {
        if (p->stages[i].n_users > most)
            most = p->stages[i].n_users;
    }
    return most;
}

double plan_starts(const struct plan *p)
{
    double n = 0;

    for (size_t i = 0; i < p->n_stages; i++) {
        const int64_t length = p->stages[i].length_ns == INT64_MAX
                                   ? p->duration_ns
                                   : p->stages[i].length_ns;

        n += rate_per_s(&p->stages[i].rate) * (double)length / (double)NS_PER_S;
    }
    return n;
}
