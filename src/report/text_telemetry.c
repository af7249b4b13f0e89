/* SPDX-License-Identifier: MIT */
#include "base/parse.h"
#include "report/cell.h"
#include "report/text_int.h"
#include "report/words.h"

#include <stdio.h>
#include <string.h>

/* Lines of waits: what is rarer says nothing. */
#define WAITS_SHOWN 6

enum unit { UNIT_COUNT, UNIT_BYTES, UNIT_US };

static void cell_of(enum unit unit, double value, char *out)
{
    switch (unit) {
    case UNIT_COUNT:
        cell_number(value, out);
        return;
    case UNIT_BYTES:
        format_bytes(value < 1e18 ? (uint64_t)(value + 0.5) : UINT64_MAX, out,
                     CELL_BYTES);
        return;
    case UNIT_US:
        cell_duration(value * (double)NS_PER_US, out);
        return;
    }
}

/* One line: for each transaction, and in a second. */
static void row(struct doc_table *t, const char *name, enum unit unit,
                uint64_t n, const struct span *span)
{
    char each[CELL_BYTES] = "-", second[CELL_BYTES] = "-";

    if (span->ns <= 0)
        return;
    if (span->txns > 0)
        cell_of(unit, (double)n / (double)span->txns, each);
    cell_of(unit, (double)n * (double)NS_PER_S / (double)span->ns, second);
    doc_table_row(t);
    doc_cell(t, "%s", name);
    doc_cell(t, "%s", each);
    doc_cell(t, "%s", second);
}

static void host_row(struct doc_table *t, const struct host_sum *h,
                     enum host_counter c, const char *name, enum unit unit)
{
    if (host_knows(h, c))
        row(t, name, unit, h->v[c], &h->span);
}

static void host_rows(struct doc_table *t, const struct host_sum *h)
{
    host_row(t, h, HOST_CPU_USER_US, "machine: CPU, user", UNIT_US);
    host_row(t, h, HOST_CPU_SYSTEM_US, "machine: CPU, system", UNIT_US);
    host_row(t, h, HOST_CPU_IOWAIT_US, "machine: waiting for disks", UNIT_US);
    if (h->v[HOST_CPU_STEAL_US] > 0)
        host_row(t, h, HOST_CPU_STEAL_US, "machine: CPU stolen", UNIT_US);
    host_row(t, h, HOST_CONTEXT_SWITCHES, "machine: context switches",
             UNIT_COUNT);
    host_row(t, h, HOST_DISK_READS, "machine: disk reads", UNIT_COUNT);
    host_row(t, h, HOST_DISK_WRITES, "machine: disk writes", UNIT_COUNT);
    host_row(t, h, HOST_DISK_READ_BYTES, "machine: read", UNIT_BYTES);
    host_row(t, h, HOST_DISK_WRITTEN_BYTES, "machine: written", UNIT_BYTES);
    if (h->v[HOST_SWAPPED_OUT_PAGES] > 0)
        host_row(t, h, HOST_SWAPPED_OUT_PAGES, "machine: pages swapped out",
                 UNIT_COUNT);
}

static void server_rows(struct doc_table *t, const struct telemetry_result *r)
{
    static const struct {
        const char *label;
        enum procs_part part;
    } parts[] = {
        {"server: CPU for connections", PROCS_FOREGROUND},
        {"server: CPU in background", PROCS_BACKGROUND},
        {"server: CPU of the short-lived", PROCS_OTHER},
    };
    const struct procs_sum *p = &r->procs;

    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        const uint64_t us =
            p->user_us[parts[i].part] + p->system_us[parts[i].part];

        if (us > 0)
            row(t, parts[i].label, UNIT_US, us, &p->span);
    }
}

/* The ones that explain most; all are in the summary. */
static void counter_rows(struct doc_table *t, const struct counters *c)
{
    static const struct {
        const char *name, *label;
        enum unit unit;
    } shown[] = {
        {"wal_bytes", "server: log written", UNIT_BYTES},
        {"wal_syncs", "server: syncs of the log", UNIT_COUNT},
        {"blocks_read", "server: pages read", UNIT_COUNT},
        {"rows_inserted", "server: rows inserted", UNIT_COUNT},
        {"rows_updated", "server: rows updated", UNIT_COUNT},
        {"rows_hot_updated", "server: of which in place (HOT)", UNIT_COUNT},
        {"rows_deleted", "server: rows deleted", UNIT_COUNT},
        {"temp_bytes", "server: temporary files", UNIT_BYTES},
    };

    for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
        const struct server_counter *one = counters_find(c, shown[i].name);

        if (one && one->sum > 0)
            row(t, shown[i].label, shown[i].unit, one->sum,
                counter_span(c, one));
    }
}

static void client_rows(struct doc_table *t, const struct run_result *r)
{
    const struct client_sum *c = &r->telemetry.client;

    if (r->in_process || c->span.ns <= 0)
        return;
    row(t, "dyno: CPU, user", UNIT_US, (uint64_t)(c->user_ns / NS_PER_US),
        &c->span);
    row(t, "dyno: CPU, system", UNIT_US, (uint64_t)(c->system_ns / NS_PER_US),
        &c->span);
    row(t, "dyno: context switches", UNIT_COUNT, c->context_switches, &c->span);
}

/* ---- sentences ---- */

static double share_of_cpu(const struct host_sum *h, enum host_counter c)
{
    double sum = 0;

    for (size_t i = HOST_CPU_USER_US; i <= HOST_CPU_STEAL_US; i++)
        sum += (double)h->v[i];
    return sum > 0 ? (double)h->v[c] / sum : 0;
}

static void machine_line(struct doc *d, const struct telemetry_result *t)
{
    char used[CELL_BYTES], waits[CELL_BYTES], stolen[CELL_BYTES];
    const struct host_sum *h = &t->host;

    if (!host_knows(h, HOST_CPU_IDLE_US))
        return;
    cell_share(share_of_cpu(h, HOST_CPU_USER_US) +
                   share_of_cpu(h, HOST_CPU_SYSTEM_US),
               used);
    cell_share(share_of_cpu(h, HOST_CPU_IOWAIT_US), waits);
    cell_share(share_of_cpu(h, HOST_CPU_STEAL_US), stolen);
    doc_pair(d, "machine",
             "of %s: CPU %s busy, %s waiting for disks, %s "
             "stolen",
             words_host_source(t->host_source), used, waits, stolen);
}

static void memory_line(struct doc *d, const struct telemetry_result *t)
{
    char own[CELL_BYTES], shared[CELL_BYTES];

    if (!t->has_procs || t->procs.span.ns <= 0)
        return;
    format_bytes(t->procs.private_peak_bytes, own, sizeof(own));
    format_bytes(t->procs.shared_peak_bytes, shared, sizeof(shared));
    doc_pair(d, "server's memory", "%s, and up to %s shared, in %zu %s", own,
             shared, (size_t)t->procs.n_peak,
             t->threads ? "threads" : "processes");
}

/* The index of the most frequent that has not been shown; w->n: none left. */
static size_t next_wait(const struct server_waits *w, const bool *done)
{
    size_t best = w->n;

    for (size_t i = 0; i < w->n; i++) {
        if (!done[i] &&
            (best == w->n || w->all[i].sessions > w->all[best].sessions))
            best = i;
    }
    return best;
}

static void waits_line(struct doc *d, const struct server_waits *w)
{
    bool done[WAITS_MAX] = {false};
    char text[512] = "";
    size_t len = 0;

    if (w->n_samples == 0 || w->n == 0)
        return;
    for (size_t i = 0; i < WAITS_SHOWN; i++) {
        const size_t best = next_wait(w, done);
        char sessions[CELL_BYTES];

        if (best == w->n)
            break;
        done[best] = true;
        cell_number((double)w->all[best].sessions / (double)w->n_samples,
                    sessions);
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s %s",
                                i ? ", " : "", w->all[best].name, sessions);
    }
    doc_pair(d, "server's sessions", "%s (mean of %llu looks)", text,
             (unsigned long long)w->n_samples);
}

static void notes(struct doc *d, const struct telemetry_result *t)
{
    if (t->counters.n_resets > 0)
        doc_item(d,
                 "the server's counters began again %llu times; the time "
                 "between is left out",
                 (unsigned long long)t->counters.n_resets);
    if (t->n_outages > 0)
        doc_item(d, "telemetry lost its connection %llu times",
                 (unsigned long long)t->n_outages);
    for (size_t i = 0; i < t->notes.n; i++)
        doc_item(d, "%s", t->notes.text[i]);
}

void text_telemetry(struct doc *d, const struct run_result *r)
{
    const struct telemetry_result *t = &r->telemetry;
    struct doc_table table;

    if (!t->on || (t->host.span.ns <= 0 && t->client.span.ns <= 0))
        return;
    doc_table_init(&table);
    doc_table_row(&table);
    doc_cell(&table, "%s", "");
    doc_cell(&table, "transaction");
    doc_cell(&table, "second");
    host_rows(&table, &t->host);
    server_rows(&table, t);
    counter_rows(&table, &t->counters);
    client_rows(&table, r);
    doc_heading(d, "What it cost, in the interval");
    doc_table_print(d, &table);
    machine_line(d, t);
    memory_line(d, t);
    waits_line(d, &t->waits);
    notes(d, t);
}
