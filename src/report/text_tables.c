/* SPDX-License-Identifier: MIT */
#include "report/cell.h"
#include "report/text_int.h"

/* Columns that are left out where they would hold zeros only. */
struct shown {
    bool rolled_back, failed, unknown, retries, bytes;
};

/* What a line says of its transactions. */
struct cost {
    uint64_t statements, round_trips, bytes_sent, bytes_received;
};

bool text_was_used(const struct txn_result *txn)
{
    return outcome_ended(&txn->life) > 0 || txn->life.retries > 0 ||
           outcome_ended(&txn->measured) > 0;
}

static void put_count(struct doc_table *t, uint64_t n)
{
    char text[CELL_BYTES];

    cell_count(n, text);
    doc_cell(t, "%s", text);
}

static void put_ratio(struct doc_table *t, uint64_t n, uint64_t of)
{
    char text[CELL_BYTES];

    if (of == 0) {
        doc_cell(t, "-");
        return;
    }
    cell_number((double)n / (double)of, text);
    doc_cell(t, "%s", text);
}

static void put_share(struct doc_table *t, uint64_t n, uint64_t of)
{
    char text[CELL_BYTES];

    cell_share(of > 0 ? (double)n / (double)of : 0, text);
    doc_cell(t, "%s", text);
}

static void cost_add(struct cost *sum, const struct txn_result *txn)
{
    sum->statements += txn->statements;
    sum->round_trips += txn->round_trips;
    sum->bytes_sent += txn->bytes_sent;
    sum->bytes_received += txn->bytes_received;
}

static struct cost cost_of_all(const struct run_result *r)
{
    struct cost sum = {0};

    for (size_t i = 0; i < r->n_txns; i++)
        cost_add(&sum, &r->txns[i]);
    return sum;
}

static struct shown shown_columns(const struct outcome_counts *total,
                                  const struct cost *cost)
{
    return (struct shown){
        .bytes = cost->bytes_sent > 0,
        .rolled_back = total->rolled_back > 0,
        .failed = total->failed > 0,
        .unknown = total->unknown > 0,
        .retries = total->retries > 0,
    };
}

static void outcome_cells(struct doc_table *t, const struct shown *shown,
                          const struct outcome_counts *o)
{
    if (shown->rolled_back)
        put_count(t, o->rolled_back);
    if (shown->failed)
        put_count(t, o->failed);
    if (shown->unknown)
        put_count(t, o->unknown);
    if (shown->retries)
        put_count(t, o->retries);
}

static void outcome_head(struct doc_table *t, const struct shown *shown)
{
    doc_table_row(t);
    doc_cell(t, "transaction");
    doc_cell(t, "completed");
    doc_cell(t, "share");
    if (shown->rolled_back)
        doc_cell(t, "rollbacks");
    if (shown->failed)
        doc_cell(t, "failed");
    if (shown->unknown)
        doc_cell(t, "unknown");
    if (shown->retries)
        doc_cell(t, "retries");
    doc_cell(t, "stmts");
    doc_cell(t, "trips");
    if (shown->bytes) {
        doc_cell(t, "sent B");
        doc_cell(t, "recv B");
    }
}

static void cost_cells(struct doc_table *t, const struct shown *shown,
                       const struct cost *cost, uint64_t ended)
{
    put_ratio(t, cost->statements, ended);
    put_ratio(t, cost->round_trips, ended);
    if (!shown->bytes)
        return;
    put_ratio(t, cost->bytes_sent, ended);
    put_ratio(t, cost->bytes_received, ended);
}

void text_transactions(struct doc *d, const struct run_result *r)
{
    const struct outcome_counts total = result_total(r);
    const struct cost all = cost_of_all(r);
    const struct shown shown = shown_columns(&total, &all);
    const uint64_t ended = outcome_ended(&total);
    struct doc_table t;

    doc_heading(d, "Transactions");
    if (ended == 0) {
        doc_para(d, "no data: no transaction ended in the interval");
        return;
    }
    doc_table_init(&t);
    outcome_head(&t, &shown);
    for (size_t i = 0; i < r->n_txns; i++) {
        const struct txn_result *txn = &r->txns[i];
        const uint64_t n = outcome_ended(&txn->measured);
        struct cost cost = {0};

        if (!text_was_used(txn))
            continue;
        cost_add(&cost, txn);
        doc_table_row(&t);
        doc_cell(&t, "%s", txn->type->label);
        put_count(&t, outcome_completed(&txn->measured));
        put_share(&t, n, ended);
        outcome_cells(&t, &shown, &txn->measured);
        cost_cells(&t, &shown, &cost, n);
    }
    doc_table_row(&t);
    doc_cell(&t, "all");
    put_count(&t, outcome_completed(&total));
    put_share(&t, ended, ended);
    outcome_cells(&t, &shown, &total);
    cost_cells(&t, &shown, &all, ended);
    doc_table_print(d, &t);
}

/* What there is to wait for. */
struct waits {
    bool late, conn, turn;
};

static int64_t turn_ns(const struct txn_result *txn)
{
    return txn->wait_ns - txn->late_ns - txn->conn_wait_ns;
}

static struct waits waits_of_all(const struct run_result *r)
{
    struct waits w = {0};

    for (size_t i = 0; i < r->n_txns; i++) {
        const struct txn_result *txn = &r->txns[i];

        if (outcome_ended(&txn->measured) == 0 || !txn->service)
            continue;
        w.late = w.late || txn->late_ns > 0;
        w.conn = w.conn || txn->conn_wait_ns > 0;
        w.turn = w.turn || turn_ns(txn) > 0;
    }
    return w;
}

static void waiting_row(struct doc_table *t, const struct waits *w,
                        const struct txn_result *txn)
{
    const double n = (double)outcome_ended(&txn->measured);
    const double wait_ns = (double)txn->wait_ns / n;
    const double service_ns = hist_mean(txn->service);
    char share[CELL_BYTES];

    cell_share(wait_ns / (wait_ns + service_ns), share);
    doc_table_row(t);
    doc_cell(t, "%s", txn->type->label);
    if (w->late)
        text_put_duration(t, (double)txn->late_ns / n);
    if (w->conn)
        text_put_duration(t, (double)txn->conn_wait_ns / n);
    if (w->turn)
        text_put_duration(t, (double)turn_ns(txn) / n);
    text_put_duration(t, service_ns);
    doc_cell(t, "%s", share);
}

void text_waiting(struct doc *d, const struct run_result *r)
{
    const struct waits w = waits_of_all(r);
    struct doc_table t;

    if (!w.late && !w.conn && !w.turn)
        return;
    doc_table_init(&t);
    doc_table_row(&t);
    doc_cell(&t, "transaction");
    if (w.late)
        doc_cell(&t, "late start");
    if (w.conn)
        doc_cell(&t, "connection");
    if (w.turn)
        doc_cell(&t, "writer's turn");
    doc_cell(&t, "service");
    doc_cell(&t, "share of response");
    for (size_t i = 0; i < r->n_txns; i++) {
        if (outcome_ended(&r->txns[i].measured) > 0 && r->txns[i].service)
            waiting_row(&t, &w, &r->txns[i]);
    }
    doc_heading(d, "Waiting in dyno and service, mean for each transaction");
    doc_table_print(d, &t);
}
