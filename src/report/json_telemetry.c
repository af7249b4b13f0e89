/* SPDX-License-Identifier: MIT */
#include "report/json_int.h"
#include "report/words.h"

#include <stdio.h>

#define KEY_BYTES 96
#define PER_TRANSACTION "_per_transaction"

static bool has_span(const struct span *s)
{
    return s->ns > 0;
}

/* n over the transactions of its own span; null when there were none. */
static void put_each(struct json_out *o, json_t *obj, const char *name,
                     double n, const struct span *span)
{
    char key[KEY_BYTES];

    snprintf(key, sizeof(key), "%.*s" PER_TRANSACTION,
             (int)(sizeof(key) - sizeof(PER_TRANSACTION)), name);
    json_put_ratio(o, obj, key, n, has_span(span) ? span->txns : 0);
}

static void put_share(struct json_out *o, json_t *obj, const char *key,
                      int64_t part_ns, int64_t whole_ns)
{
    json_put_ratio(o, obj, key, (double)part_ns,
                   whole_ns > 0 ? (uint64_t)whole_ns : 0);
}

void json_client_telemetry(struct json_out *o, json_t *client,
                           const struct run_result *r)
{
    const struct client_sum *c = &r->telemetry.client;

    put_each(o, client, "cpu_user_us", (double)c->user_ns / (double)NS_PER_US,
             &c->span);
    put_each(o, client, "cpu_system_us",
             (double)c->system_ns / (double)NS_PER_US, &c->span);
    put_each(o, client, "context_switches", (double)c->context_switches,
             &c->span);
    put_share(o, client, "busiest_thread_share", c->busiest_ns, c->span.ns);
    json_put_text_if(o, client, "bound", r->client_bound);
}

/* ---- the server ---- */

static void put_processes(struct json_out *o, json_t *server,
                          const struct telemetry_result *t)
{
    static const char *const names[] = {
        [PROCS_FOREGROUND] = "foreground",
        [PROCS_BACKGROUND] = "background",
        [PROCS_OTHER] = "other",
    };
    const struct procs_sum *p = &t->procs;
    const struct span none = {0};
    const struct span *span = t->has_procs ? &p->span : &none;
    uint64_t all = 0;
    char key[KEY_BYTES];
    json_t *obj;

    for (size_t i = 0; i < N_PROCS_PARTS; i++) {
        snprintf(key, sizeof(key), "cpu_%s_user_us", names[i]);
        put_each(o, server, key, (double)p->user_us[i], span);
        snprintf(key, sizeof(key), "cpu_%s_system_us", names[i]);
        put_each(o, server, key, (double)p->system_us[i], span);
        all += p->user_us[i] + p->system_us[i];
    }
    put_each(o, server, "cpu_us", (double)all, span);
    if (!has_span(span)) {
        json_put_null(o, server, "processes");
        return;
    }
    obj = json_put_object(o, server, "processes");
    json_put_text(o, obj, "name", t->server_name);
    json_put_bool(o, obj, "threads", t->threads);
    json_put_u64(o, obj, "count", p->n_peak);
    json_put_u64(o, obj, "private_peak_bytes", p->private_peak_bytes);
    json_put_u64(o, obj, "shared_peak_bytes", p->shared_peak_bytes);
    json_put_s(o, obj, "seconds", span->ns);
}

static void put_counters(struct json_out *o, json_t *server,
                         const struct counters *c)
{
    json_t *totals = json_put_object(o, server, "counters");

    for (size_t i = 0; i < c->n; i++) {
        const struct server_counter *one = &c->all[i];
        const struct span *span = counter_span(c, one);

        put_each(o, server, one->name, (double)one->sum, span);
        if (has_span(span))
            json_put_u64(o, totals, one->name, one->sum);
        else
            json_put_null(o, totals, one->name);
    }
}

/* Sessions by what they waited for, a mean over the samples. */
static void put_waits(struct json_out *o, json_t *server,
                      const struct server_waits *w)
{
    json_t *list = json_put_array(o, server, "waits");

    for (size_t i = 0; i < w->n; i++) {
        json_t *one = json_add_object(o, list);

        json_put_text(o, one, "event", w->all[i].name);
        json_put_ratio(o, one, "sessions", (double)w->all[i].sessions,
                       w->n_samples);
    }
    json_put_u64(o, server, "wait_samples", w->n_samples);
}

void json_server_telemetry(struct json_out *o, json_t *server,
                           const struct run_result *r)
{
    put_processes(o, server, &r->telemetry);
    put_counters(o, server, &r->telemetry.counters);
    put_waits(o, server, &r->telemetry.waits);
}

/* ---- the machine ---- */

static uint64_t cpu_of(const struct host_sum *h)
{
    uint64_t sum = 0;

    for (size_t i = HOST_CPU_USER_US; i <= HOST_CPU_STEAL_US; i++)
        sum += h->v[i];
    return sum;
}

static void put_cpu_shares(struct json_out *o, json_t *host,
                           const struct host_sum *h)
{
    static const struct {
        const char *name;
        enum host_counter counter;
    } parts[] = {
        {"user", HOST_CPU_USER_US},   {"system", HOST_CPU_SYSTEM_US},
        {"idle", HOST_CPU_IDLE_US},   {"iowait", HOST_CPU_IOWAIT_US},
        {"steal", HOST_CPU_STEAL_US},
    };
    json_t *obj = json_put_object(o, host, "cpu_share");

    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        json_put_ratio(o, obj, parts[i].name, (double)h->v[parts[i].counter],
                       host_knows(h, parts[i].counter) ? cpu_of(h) : 0);
}

void json_host(struct json_out *o, json_t *root, const struct run_result *r)
{
    const struct telemetry_result *t = &r->telemetry;
    const struct host_sum *h = &t->host;
    const struct span none = {0};
    json_t *host = json_put_object(o, root, "host"), *totals;

    json_put_text(o, host, "of", words_host_source(t->host_source));
    if (t->n_cores > 0)
        json_put_u64(o, host, "cores", t->n_cores);
    else
        json_put_null(o, host, "cores");
    json_put_s(o, host, "seconds", h->span.ns);
    put_cpu_shares(o, host, h);
    totals = json_put_object(o, host, "counters");
    for (size_t i = 0; i < N_HOST_COUNTERS; i++) {
        const bool known = host_knows(h, (enum host_counter)i);

        put_each(o, host, host_counter_names[i], (double)h->v[i],
                 known ? &h->span : &none);
        if (known)
            json_put_u64(o, totals, host_counter_names[i], h->v[i]);
        else
            json_put_null(o, totals, host_counter_names[i]);
    }
}

void json_telemetry(struct json_out *o, json_t *root,
                    const struct run_result *r)
{
    const struct telemetry_result *t = &r->telemetry;
    json_t *obj = json_put_object(o, root, "telemetry"), *notes;

    json_put_bool(o, obj, "on", t->on);
    json_put_u64(o, obj, "outages", t->n_outages);
    json_put_u64(o, obj, "resets", t->counters.n_resets);
    notes = json_put_array(o, obj, "notes");
    for (size_t i = 0; i < t->notes.n; i++)
        json_add_text(o, notes, t->notes.text[i]);
}
