/* SPDX-License-Identifier: MIT */
#include "report/cell.h"
#include "report/text_int.h"

#include <string.h>

/*
 * What the specification makes of the inputs: clauses 2.4.1, 2.5.1, 2.6.1 and,
 * for the range allowed, 9.2.2.5.  Remote ones exist from two warehouses on.
 * The share of the hottest fifth of the items follows from NURand(8191).
 */
static const struct expected_input {
    const char *name, *label;
    double expected;
    double low, high; /* 0, 0: the clause gives no range */
    bool is_mean;     /* else a share */
    bool is_remote;
} expected_inputs[] = {
    {"rollback_share", "New-Orders rolled back", 0.01, 0.009, 0.011, false,
     false},
    {"lines_per_order", "lines for each order", 10, 9.5, 10.5, true, false},
    {"remote_line_share", "remote lines", 0.01, 0.0095, 0.0105, false, true},
    {"remote_order_share", "orders with a remote line", 0.09516, 0, 0, false,
     true},
    {"hottest_fifth_of_items_share", "lines of the hottest 20 % of items", 0.84,
     0, 0, false, false},
    {"remote_payment_share", "remote Payments", 0.15, 0.14, 0.16, false, true},
    {"by_name_share", "customers by name", 0.6, 0.57, 0.63, false, false},
    {"skipped_delivery_share", "Deliveries that found nothing", 0, 0, 0.01,
     false, false},
};

/* One row for all of these: "orders_of_5_lines_share" to 15. */
#define ORDERS_OF "orders_of_"
#define ORDERS_OF_EXPECTED (1.0 / 11)

static const struct expected_input *find_expected(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(expected_inputs); i++) {
        if (strcmp(expected_inputs[i].name, name) == 0)
            return &expected_inputs[i];
    }
    return NULL;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t len = strlen(text), end_len = strlen(end);

    return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

static void format_input(double value, bool is_mean, char *out)
{
    if (is_mean)
        snprintf(out, CELL_BYTES, "%.4g", value);
    else
        cell_share(value, out);
}

static void add_input(struct doc_table *t, const struct run_result *r,
                      const struct named_value *input)
{
    const struct expected_input *e = find_expected(input->name);
    const bool none = e && e->is_remote && r->scale <= 1;
    char drawn[CELL_BYTES], expected[CELL_BYTES] = "";
    char low[CELL_BYTES], high[CELL_BYTES], n[CELL_BYTES];

    format_input(input->value,
                 e ? e->is_mean : !ends_with(input->name, "_share"), drawn);
    if (e)
        format_input(none ? 0 : e->expected, e->is_mean, expected);
    cell_count(input->n, n);
    doc_table_row(t);
    doc_cell(t, "%s", e ? e->label : input->name);
    doc_cell(t, "%s", drawn);
    doc_cell(t, "%s", expected);
    if (e && !none && e->high > 0) {
        format_input(e->low, e->is_mean, low);
        format_input(e->high, e->is_mean, high);
        doc_cell(t, "%s..%s", low, high);
    } else {
        doc_cell(t, "%s", "");
    }
    doc_cell(t, "%s", n);
}

/* Eleven equal shares are told by the least and the greatest. */
static void add_orders_of(struct doc_table *t, const struct run_result *r)
{
    double least = 2, most = -1;
    uint64_t n_orders = 0;
    char low[CELL_BYTES], high[CELL_BYTES], n[CELL_BYTES];
    char expected[CELL_BYTES];

    for (size_t i = 0; i < r->n_inputs; i++) {
        const struct named_value *input = &r->inputs[i];

        if (strncmp(input->name, ORDERS_OF, strlen(ORDERS_OF)) != 0)
            continue;
        least = input->value < least ? input->value : least;
        most = input->value > most ? input->value : most;
        n_orders = input->n;
    }
    if (most < 0)
        return;
    cell_share(least, low);
    cell_share(most, high);
    cell_share(ORDERS_OF_EXPECTED, expected);
    cell_count(n_orders, n);
    doc_table_row(t);
    doc_cell(t, "orders of 5, 6 … 15 lines");
    doc_cell(t, "%s..%s", low, high);
    doc_cell(t, "%s", expected);
    doc_cell(t, "%s", "");
    doc_cell(t, "%s", n);
}

void text_inputs(struct doc *d, const struct run_result *r)
{
    struct doc_table t;

    if (r->n_inputs == 0)
        return;
    doc_table_init(&t);
    doc_table_row(&t);
    doc_cell(&t, "input");
    doc_cell(&t, "drawn");
    doc_cell(&t, "expected");
    doc_cell(&t, "allowed");
    doc_cell(&t, "draws");
    for (size_t i = 0; i < r->n_inputs; i++) {
        if (strncmp(r->inputs[i].name, ORDERS_OF, strlen(ORDERS_OF)) != 0)
            add_input(&t, r, &r->inputs[i]);
    }
    add_orders_of(&t, r);
    doc_heading(d, "Inputs drawn, over the whole run");
    doc_table_print(d, &t);
}
