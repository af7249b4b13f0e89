/* SPDX-License-Identifier: MIT */
/* Tables of durations: of transactions, of their waiting, of statements. */
#include "report/cell.h"
#include "report/text_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const double percentiles[] = {50, 90, 95, 99, 99.9};

void text_put_duration(struct doc_table *t, double ns)
{
    char text[CELL_BYTES];

    cell_duration(ns, text);
    doc_cell(t, "%s", text);
}

static void times_head(struct doc_table *t, const char *what)
{
    doc_table_init(t);
    doc_table_row(t);
    doc_cell(t, "%s", what);
    doc_cell(t, "mean");
    doc_cell(t, "p50");
    doc_cell(t, "p90");
    doc_cell(t, "p95");
    doc_cell(t, "p99");
    doc_cell(t, "p99.9");
    doc_cell(t, "max");
}

static void times_row(struct doc_table *t, const char *what,
                      const struct hist *h)
{
    doc_table_row(t);
    doc_cell(t, "%s", what);
    if (!h || hist_count(h) == 0) {
        doc_cell(t, "no data");
        return;
    }
    text_put_duration(t, hist_mean(h));
    for (size_t i = 0; i < ARRAY_LEN(percentiles); i++)
        text_put_duration(t, (double)hist_percentile(h, percentiles[i]));
    text_put_duration(t, (double)hist_max(h));
}

/* Which histogram of a transaction a table is about. */
typedef const struct hist *pick_fn(const struct txn_result *txn);

static const struct hist *pick_response(const struct txn_result *txn)
{
    return txn->response;
}

static const struct hist *pick_service(const struct txn_result *txn)
{
    return txn->service;
}

static const struct hist *pick_wait(const struct txn_result *txn)
{
    return txn->wait;
}

static void times_table(struct doc *d, const struct run_result *r,
                        const char *title, pick_fn *pick)
{
    struct doc_table t;

    times_head(&t, "transaction");
    for (size_t i = 0; i < r->n_txns; i++) {
        if (text_was_used(&r->txns[i]))
            times_row(&t, r->txns[i].type->label, pick(&r->txns[i]));
    }
    doc_heading(d, title);
    doc_table_print(d, &t);
}

void text_response_times(struct doc *d, const struct run_result *r)
{
    const struct outcome_counts total = result_total(r);
    uint64_t over = 0;

    if (outcome_ended(&total) == 0)
        return;
    times_table(d, r, "Response time, all tries included", pick_response);
    for (size_t i = 0; i < r->n_txns; i++) {
        if (r->txns[i].response)
            over += atomic_load_explicit(&r->txns[i].response->overflow,
                                         memory_order_relaxed);
    }
    if (over > 0)
        doc_para(d,
                 "%" PRIu64 " took more than an hour; percentiles there are "
                 "the maximum",
                 over);
}

void text_wait_times(struct doc *d, const struct run_result *r)
{
    bool any = false;

    for (size_t i = 0; i < r->n_txns; i++)
        any = any || (r->txns[i].wait && hist_count(r->txns[i].wait) > 0);
    if (!any)
        return;
    times_table(d, r, "Service time, without waiting in dyno", pick_service);
    times_table(d, r, "Waiting in dyno, of those that waited", pick_wait);
}

/* ---- statements ---- */

/* "read_district" of "literal/new_order_read_district": the heading says the
 * rest. */
static const char *short_name(const struct run_result *r,
                              const struct statement_result *s)
{
    const char *slash = s->name ? strrchr(s->name, '/') : NULL;
    const char *name = slash ? slash + 1 : s->name;
    const char *txn = r->txns[s->txn].type->name;
    const size_t len = strlen(txn);

    if (!name)
        return "flight";
    if (!strncmp(name, txn, len) && name[len] == '_')
        return name + len + 1;
    return name;
}

static void statement_name(const struct run_result *r,
                           const struct statement_result *s, char *out,
                           size_t out_len)
{
    switch (s->call) {
    case CALL_EXEC:
        snprintf(out, out_len, "%s", short_name(r, s));
        return;
    case CALL_FLIGHT:
        snprintf(out, out_len, "%s…", short_name(r, s));
        return;
    case CALL_BEGIN:
        snprintf(out, out_len, "BEGIN");
        return;
    case CALL_COMMIT:
        snprintf(out, out_len, "COMMIT");
        return;
    }
}

void text_statements(struct doc *d, const struct run_result *r)
{
    for (size_t txn = 0; txn < r->n_txns; txn++) {
        struct doc_table t;
        char name[DOC_CELL_BYTES];

        times_head(&t, "statement");
        for (size_t i = 0; i < r->n_statements; i++) {
            if (r->statements[i].txn != txn || t.n_rows == DOC_ROWS_MAX)
                continue;
            statement_name(r, &r->statements[i], name, sizeof(name));
            times_row(&t, name, r->statements[i].time);
        }
        if (t.n_rows <= 1)
            continue;
        snprintf(name, sizeof(name), "Statements of %s",
                 r->txns[txn].type->label);
        doc_heading(d, name);
        doc_table_print(d, &t);
    }
    if (r->statements_not_listed > 0)
        doc_para(d, "%" PRIu64 " calls beyond the table are not listed",
                 r->statements_not_listed);
}
