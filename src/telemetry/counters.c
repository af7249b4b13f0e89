/* SPDX-License-Identifier: MIT */
#include "telemetry/counters.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Of telemetry's own that a server may not have counted yet. */
#define OWN_COMMITS_MAX 64

/* A row's name as text of ours; false when the row is not (text, int). */
static bool row_name(const struct rowset *rows, size_t i, char *out)
{
    const struct value *name = rowset_at(rows, i, 0);
    const struct value *value = rowset_at(rows, i, 1);
    size_t len;

    if (name->type != VALUE_TEXT || value->type != VALUE_INT)
        return false;
    len = name->len < COUNTER_NAME_BYTES ? name->len : COUNTER_NAME_BYTES - 1;
    memcpy(out, name->s, len);
    out[len] = '\0';
    return true;
}

static struct server_counter *find(struct counters *c, const char *name)
{
    for (size_t i = 0; i < c->n; i++) {
        if (strcmp(c->all[i].name, name) == 0)
            return &c->all[i];
    }
    return NULL;
}

static struct server_counter *find_or_add(struct counters *c, const char *name,
                                          size_t source)
{
    struct server_counter *one = find(c, name);

    if (one || c->n == COUNTERS_MAX)
        return one;
    one = &c->all[c->n++];
    *one = (struct server_counter){.source = source};
    snprintf(one->name, sizeof(one->name), "%s", name);
    return one;
}

/*
 * The telemetry's own commits are taken from this count at once, but a server
 * may count them later: without other work it goes back by a few.  After a
 * reset the counters beside it go back too.
 */
static bool only_lags(const struct server_counter *one, int64_t value)
{
    return strcmp(one->name, "commits") == 0 && value < one->last &&
           one->last - value <= OWN_COMMITS_MAX;
}

static bool went_back(struct counters *c, const struct rowset *rows)
{
    char name[COUNTER_NAME_BYTES];

    for (size_t i = 0; i < rows->n_rows; i++) {
        const struct server_counter *one =
            row_name(rows, i, name) ? find(c, name) : NULL;

        if (one && one->has_last && rowset_at(rows, i, 1)->i < one->last &&
            !only_lags(one, rowset_at(rows, i, 1)->i))
            return true;
    }
    return false;
}

void counters_sample(struct counters *c, size_t source, const struct moment *at,
                     const struct rowset *rows)
{
    struct counter_source *s = &c->sources[source];
    const bool reset = s->has_last && went_back(c, rows);
    char name[COUNTER_NAME_BYTES];

    assert(source < COUNTER_SOURCES_MAX);
    c->n_resets += reset;
    for (size_t i = 0; i < rows->n_rows; i++) {
        const int64_t value = rowset_at(rows, i, 1)->i;
        struct server_counter *one =
            row_name(rows, i, name) ? find_or_add(c, name, source) : NULL;

        if (!one || (one->has_last && !reset && only_lags(one, value)))
            continue;
        if (one->has_last && !reset)
            one->sum += (uint64_t)(value - one->last);
        one->last = value;
        one->has_last = true;
    }
    if (s->has_last && !reset)
        span_add(&s->span, &s->last, at);
    s->last = *at;
    s->has_last = true;
}

void counters_forget(struct counters *c)
{
    for (size_t i = 0; i < c->n; i++)
        c->all[i].has_last = false;
    for (size_t i = 0; i < COUNTER_SOURCES_MAX; i++)
        c->sources[i].has_last = false;
}

const struct server_counter *counters_find(const struct counters *c,
                                           const char *name)
{
    for (size_t i = 0; i < c->n; i++) {
        if (strcmp(c->all[i].name, name) == 0)
            return &c->all[i];
    }
    return NULL;
}

const struct span *counter_span(const struct counters *c,
                                const struct server_counter *one)
{
    return &c->sources[one->source].span;
}

static void add_sessions(struct server_waits *w, const char *name,
                         uint64_t sessions)
{
    size_t i = 0;

    while (i < w->n && strcmp(w->all[i].name, name) != 0)
        i++;
    if (i == WAITS_MAX) {
        w->sessions_not_listed += sessions;
        return;
    }
    if (i == w->n) {
        snprintf(w->all[i].name, COUNTER_NAME_BYTES, "%s", name);
        w->n++;
    }
    w->all[i].sessions += sessions;
}

void waits_sample(struct server_waits *w, const struct rowset *rows)
{
    char name[COUNTER_NAME_BYTES];

    w->n_samples++;
    for (size_t i = 0; i < rows->n_rows; i++) {
        if (row_name(rows, i, name) && rowset_at(rows, i, 1)->i > 0)
            add_sessions(w, name, (uint64_t)rowset_at(rows, i, 1)->i);
    }
}
