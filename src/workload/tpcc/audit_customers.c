/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "workload/tpcc/audit_int.h"
#include "workload/tpcc/nurand.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    CUST_W_ID,
    CUST_D_ID,
    CUST_ID,
    CUST_FIRST,
    CUST_MIDDLE,
    CUST_LAST,
    CUST_STREET_1,
    CUST_STREET_2,
    CUST_CITY,
    CUST_STATE,
    CUST_ZIP,
    CUST_PHONE,
    CUST_SINCE,
    CUST_CREDIT,
    CUST_CREDIT_LIM,
    CUST_DISCOUNT,
    CUST_BALANCE,
    CUST_YTD_PAYMENT,
    CUST_PAYMENT_CNT,
    CUST_DELIVERY_CNT,
    CUST_DATA,
};
enum {
    HIST_C_W_ID,
    HIST_C_D_ID,
    HIST_C_ID,
    HIST_D_ID,
    HIST_W_ID,
    HIST_DATE,
    HIST_AMOUNT,
    HIST_DATA,
};

/* The payments of one customer together. */
struct payments {
    int64_t n, amount_cents;
    struct fault fault; /* of the first that has one */
};

static int compare_counts(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The names that NURand draws most often: the upper fifth. */
void audit_hot_names(struct tpcc_audit *a)
{
    uint64_t *counts = MEM_ARRAY(uint64_t, 2 * TPCC_NAMES);
    uint64_t *sorted;

    if (!counts || !nurand_counts(NURAND_A_LAST, 0, TPCC_NAMES - 1, counts)) {
        mem_free(counts);
        return;
    }
    sorted = counts + TPCC_NAMES;
    memcpy(sorted, counts, TPCC_NAMES * sizeof(*counts));
    qsort(sorted, TPCC_NAMES, sizeof(*sorted), compare_counts);
    for (size_t i = 0; i < TPCC_NAMES; i++) {
        if (counts[i] < sorted[TPCC_NAMES - TPCC_NAMES / 5])
            continue;
        a->hot[(i + a->meta->c_load) % TPCC_NAMES] = true;
        a->hot_share += counts[i];
    }
    mem_free(counts);
}

static void check_name(struct tpcc_audit *a, struct fault *f,
                       const struct value *row, bool *seen)
{
    const struct value *last = &row[CUST_LAST];
    const int64_t c_id = row[CUST_ID].i;
    const int number = last_name_number(last);

    rule(f, number >= 0 && (c_id > TPCC_NAMES || number == c_id - 1),
         "c_last '%.*s' (name %d)", (int)(last->len < 20 ? last->len : 20),
         last->type == VALUE_TEXT ? last->s : "", number);
    if (number < 0)
        return;
    seen[number] = true;
    if (c_id > TPCC_NAMES) {
        a->hot_names.n++;
        a->hot_names.k += a->hot[number];
    }
}

/* As tables.c has it. */
enum { MADE_CREDIT = 13, MADE_DATA = 20 };

static bool is_end_of(const struct value *whole, size_t at,
                      const struct value *loaded)
{
    const size_t rest = whole->len - at;

    return rest <= loaded->len && memcmp(whole->s + at, loaded->s, rest) == 0;
}

/* A note that was cut has numbers, blanks and points, and no end. */
static bool is_cut_note(const struct value *data, size_t at)
{
    for (; at < data->len; at++) {
        if (!strchr("0123456789 .", data->s[at]))
            return false;
    }
    return data->len == TPCC_C_DATA_MAX;
}

/* How many notes of payments stand before what was loaded, each ending in '|';
 * -1 when what is behind them is not that.  The loaded text has no '|'. */
static int64_t count_notes(const struct value *data, const struct value *loaded)
{
    int64_t n = 0;
    size_t at = 0;

    for (size_t i = 0; i < data->len; i++) {
        if (data->s[i] == '|') {
            n++;
            at = i + 1;
        }
    }
    return is_end_of(data, at, loaded) || is_cut_note(data, at) ? n : -1;
}

/* C_DATA: of good credit as loaded; of bad credit a note of each payment in
 * front of it, cut at 500 (clause 2.5.2.2). */
static void check_data(struct tpcc_audit *a, const struct key *key,
                       const struct value *row, const struct value *made)
{
    const struct value *data = &row[CUST_DATA], *loaded = &made[MADE_DATA];
    const int64_t n_paid = row[CUST_PAYMENT_CNT].i - 1;
    const bool bad = text_is(&made[MADE_CREDIT], "BC");
    const bool full = data->type == VALUE_TEXT && data->len == TPCC_C_DATA_MAX;
    struct fault f = {{0}};
    int64_t n = 0;

    if (data->type == VALUE_TEXT && bad)
        n = count_notes(data, loaded);
    if (data->type != VALUE_TEXT)
        rule(&f, false, "c_data is null");
    else if (!bad)
        rule(&f, data->len == loaded->len && is_end_of(data, 0, loaded),
             "c_credit 'GC', but c_data is not as loaded");
    else
        /* The oldest notes may have been cut off. */
        rule(&f, n == n_paid || (full && n >= 0 && n < n_paid),
             "c_credit 'BC', c_data has %" PRId64 " notes, payments %" PRId64,
             n, n_paid);
    expect_row(check_of(a, CHECK_CREDIT_NOTES), key, &f);
}

static void check_customer_row(struct tpcc_audit *a, const struct key *key,
                               const struct value *row, bool *seen)
{
    const int64_t time_us = a->meta->load_time_us;
    const bool bad = text_is(&row[CUST_CREDIT], "BC");
    const struct value *made;
    struct fault f = {{0}};

    rule_range(&f, "c_id", &row[CUST_ID], 1, TPCC_CUSTOMERS);
    rule_length(&f, "c_first", &row[CUST_FIRST], 8, 16);
    rule(&f, text_is(&row[CUST_MIDDLE], "OE"), "c_middle must be 'OE'");
    check_name(a, &f, row, seen);
    rule_length(&f, "c_street_1", &row[CUST_STREET_1], 10, 20);
    rule_length(&f, "c_street_2", &row[CUST_STREET_2], 10, 20);
    rule_length(&f, "c_city", &row[CUST_CITY], 10, 20);
    rule_state(&f, "c_state", &row[CUST_STATE]);
    rule_zip(&f, "c_zip", &row[CUST_ZIP]);
    rule_digits(&f, "c_phone", &row[CUST_PHONE], 16);
    rule_range(&f, "c_since", &row[CUST_SINCE], time_us, time_us);
    rule(&f, bad || text_is(&row[CUST_CREDIT], "GC"),
         "c_credit must be 'GC' or 'BC'");
    rule_range(&f, "c_credit_lim", &row[CUST_CREDIT_LIM], 5000000, 5000000);
    rule_range(&f, "c_discount", &row[CUST_DISCOUNT], 0, 5000);
    rule_length(&f, "c_data", &row[CUST_DATA], 300, TPCC_C_DATA_MAX);
    expect_row(check_of(a, CHECK_CUSTOMER), key, &f);
    made = check_unchanged(
        a, SCAN_CUSTOMER, CHECK_UNCHANGED_CUSTOMER, key,
        &(struct made_key){.w_id = key->w, .part = key->d - 1, .id = key->id},
        row);
    if (made)
        check_data(a, key, row, made);
    a->bad_credit.n++;
    a->bad_credit.k += bad;
}

static void check_initial(struct tpcc_audit *a, const struct key *key,
                          const struct value *row)
{
    struct fault f = {{0}};

    rule_range(&f, "c_balance", &row[CUST_BALANCE], -1000, -1000);
    rule_range(&f, "c_ytd_payment", &row[CUST_YTD_PAYMENT], 1000, 1000);
    rule_range(&f, "c_payment_cnt", &row[CUST_PAYMENT_CNT], 1, 1);
    rule_range(&f, "c_delivery_cnt", &row[CUST_DELIVERY_CNT], 0, 0);
    expect_row(check_of(a, CHECK_INITIAL_CUSTOMER), key, &f);
}

static void check_payment(struct tpcc_audit *a, struct payments *p,
                          const struct value *row)
{
    const int64_t time_us = a->meta->load_time_us;
    const bool loaded = row[HIST_DATE].i == time_us;
    const int64_t w_id = row[HIST_C_W_ID].i, d_id = row[HIST_C_D_ID].i;
    const int64_t warehouses = (int64_t)a->meta->warehouses;

    p->n++;
    p->amount_cents += row[HIST_AMOUNT].i;
    rule_length(&p->fault, "h_data", &row[HIST_DATA], 12, 24);
    if (loaded) { /* clause 4.3.3.1 */
        rule_range(&p->fault, "h_w_id", &row[HIST_W_ID], w_id, w_id);
        rule_range(&p->fault, "h_d_id", &row[HIST_D_ID], d_id, d_id);
        rule_range(&p->fault, "h_amount", &row[HIST_AMOUNT], 1000, 1000);
        return;
    }
    rule_range(&p->fault, "h_w_id", &row[HIST_W_ID], 1, warehouses);
    rule_range(&p->fault, "h_d_id", &row[HIST_D_ID], 1, TPCC_DISTRICTS);
    rule_range(&p->fault, "h_amount", &row[HIST_AMOUNT], 100, 500000);
}

/* Reads all payments of the customer. */
static CORO_FN void gather_payments(struct tpcc_audit *a, const int64_t key[3],
                                    struct payments *out)
{
    const struct value *row;

    while ((row = cursor_at(a, SCAN_HISTORY, 3, key)) != NULL) {
        check_payment(a, out, row);
        cursor_next(a, SCAN_HISTORY);
    }
}

static void check_history(struct tpcc_audit *a, const struct key *key,
                          struct payments *paid)
{
    const struct value n = v_int(paid->n), sum = v_money(paid->amount_cents);
    struct fault initial = {{0}};

    rule(&paid->fault, paid->n > 0, "no payment, not even the loaded one");
    expect_row(check_of(a, CHECK_HISTORY), key, &paid->fault);
    rule_range(&initial, "payments", &n, 1, 1);
    rule_range(&initial, "h_amount", &sum, 1000, 1000);
    expect_row(check_of(a, CHECK_INITIAL_HISTORY), key, &initial);
}

static void check_balance(struct tpcc_audit *a, const struct key *key,
                          const struct value *row,
                          const struct payments *history)
{
    static const struct customer_sum nobody;
    const bool known = key->id >= 1 && key->id <= TPCC_CUSTOMERS;
    const struct customer_sum *sum = known ? &a->customers[key->id] : &nobody;
    const int64_t balance = row[CUST_BALANCE].i;
    const int64_t paid = row[CUST_YTD_PAYMENT].i;
    struct audit_check *payments = check_of(a, CHECK_PAYMENTS);

    expect_money(check_of(a, CHECK_CONDITION_10), key, "c_balance", balance,
                 "delivered ol_amount less h_amount",
                 sum->delivered_cents - history->amount_cents);
    expect_money(check_of(a, CHECK_CONDITION_12), key,
                 "c_balance + c_ytd_payment", balance + paid,
                 "delivered ol_amount", sum->delivered_cents);
    expect_count(check_of(a, CHECK_DELIVERIES), key, "c_delivery_cnt",
                 row[CUST_DELIVERY_CNT].i, "orders delivered since the load",
                 sum->n_delivered);
    expect_count(payments, key, "c_payment_cnt", row[CUST_PAYMENT_CNT].i,
                 "rows of history", history->n);
    expect_money(payments, key, "c_ytd_payment", paid, "sum of h_amount",
                 history->amount_cents);
}

static void check_names(struct tpcc_audit *a, const struct key *key,
                        const bool *seen)
{
    int64_t n = 0;

    for (size_t i = 0; i < TPCC_NAMES; i++)
        n += seen[i];
    expect_count(check_of(a, CHECK_CUSTOMER_NAMES), key, "different last names",
                 n, "expected", TPCC_NAMES);
}

CORO_FN void audit_customers(struct tpcc_audit *a, int64_t w_id, int64_t d_id)
{
    const struct key district = {.w = w_id, .d = d_id};
    bool seen[TPCC_NAMES] = {false};
    int64_t n = 0;

    for (;;) {
        const struct value *row;
        struct payments paid = {0};
        int64_t at[3] = {0};
        struct key key = {.kind = "customer", .w = w_id, .d = d_id};
        bool any = false;

        cursor_lower(a, SCAN_CUSTOMER, 3, at, &any);
        cursor_lower(a, SCAN_HISTORY, 3, at, &any);
        if (!any || at[0] != w_id || at[1] != d_id || a->rc)
            break;
        key.id = at[2];
        row = cursor_at(a, SCAN_CUSTOMER, 3, at);
        rule(&paid.fault, row, "payments, but there is no such customer");
        gather_payments(a, at, &paid);
        check_history(a, &key, &paid);
        if (row) {
            check_customer_row(a, &key, row, seen);
            check_initial(a, &key, row);
            check_balance(a, &key, row, &paid);
            n++;
            cursor_next(a, SCAN_CUSTOMER);
        }
    }
    expect_count(check_of(a, CHECK_CUSTOMER), &district, "customers", n,
                 "expected", TPCC_CUSTOMERS);
    check_names(a, &district, seen);
}
