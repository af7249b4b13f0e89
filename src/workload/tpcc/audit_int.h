/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of the audit.  Each big table is read once, in the order
 * of its key; the scans are merged here, district by district, so memory does
 * not grow with the data.
 *
 * A scan that fails ends early and fails the checks that need it; the others
 * go on.  Only what makes all further work pointless (connection lost,
 * interrupted) ends the audit: tpcc_audit.rc.
 */
#ifndef WORKLOAD_TPCC_AUDIT_INT_H
#define WORKLOAD_TPCC_AUDIT_INT_H

#include "workload/tpcc/audit_checks.h"
#include "workload/tpcc/gen_batch.h"
#include "workload/tpcc/tpcc.h"

/* A scan being read. */
struct cursor {
    struct step step;
    struct scan *scan;
    const struct value *row; /* NULL at the end */
    int64_t key[6];          /* of row: its first columns */
    bool failed;
};

/* The districts from (w_lo, d_lo) to (w_hi, d_hi), in the order of the key. */
struct range {
    int64_t w_lo, w_hi, d_lo, d_hi;
};

/* The rows that the load made for a table, beside its scan. */
struct made {
    struct gen gen;
    struct gen_batch batch;
    size_t row;         /* of the batch: looked at last */
    int64_t w_id, part; /* of the generator; w_id -1: none yet */
    int64_t last;       /* the key looked for last */
    int8_t columns[32]; /* of the scan: the made one, -1: may change */
};

/* A row in its part: of a table with one part for each district, a district.
 */
struct made_key {
    int64_t w_id, part, id, number;
};

/* k of n had a property. */
struct share {
    uint64_t k, n;
};

/* What one customer's balance is made of, besides its payments. */
struct customer_sum {
    int64_t delivered_cents; /* of lines with a delivery date */
    int64_t n_delivered;     /* orders of runs with a carrier */
    bool ordered;            /* has one of the loaded orders */
};

struct tpcc_audit {
    struct dataset *ds;
    struct conn *conn;
    struct audit *audit;
    const struct tpcc_meta *meta;
    bool full;
    enum rc rc; /* why the audit ends early */
    struct err *err;
    struct err scan_err; /* of the last scan that failed */

    struct cursor cursors[N_SCANS];
    struct made made[N_SCANS];
    uint16_t prices_cents[TPCC_ITEMS + 1]; /* 0: no such item */
    struct share remote_lines;             /* of the lines of runs */
    struct audit_check *checks[N_CHECKS];  /* NULL: not made */

    /* Orders delivered since the load, in the districts of one warehouse. */
    struct {
        int64_t w_id, n[TPCC_DISTRICTS + 1];
        size_t n_districts;
    } delivered;
    struct share item_original, stock_original, bad_credit, hot_names;
    struct share lines; /* n loaded orders have k lines */
    uint64_t hot_share; /* of hot_names, expected, in AUDIT_NAME_DRAWS */
    bool hot[TPCC_NAMES];
    struct customer_sum customers[TPCC_CUSTOMERS + 1];
};

/* What NURand(255, 0, 999) counts are out of. */
#define AUDIT_NAME_DRAWS 256000

/* Where in the data. */
struct key {
    const char *kind; /* "order": id is shown; NULL: it is not */
    int64_t w, d, id; /* 0: not shown */
};

/* NULL when it is not made (any more). */
static inline struct audit_check *check_of(struct tpcc_audit *a,
                                           enum audit_item item)
{
    return a->checks[item];
}

/* audit_cursor.c */
/* Failures are kept in the cursor and in the checks, so these return nothing;
 * the row is NULL then.  Does nothing when no check needs the scan. */
CORO_FN void cursor_open(struct tpcc_audit *a, enum audit_scan scan,
                         const struct value *args, size_t n_args);
CORO_FN void cursor_next(struct tpcc_audit *a, enum audit_scan scan);
void cursor_close(struct tpcc_audit *a, enum audit_scan scan);
/* Its row if the first n columns of the key are these, else NULL. */
const struct value *cursor_at(const struct tpcc_audit *a, enum audit_scan scan,
                              size_t n, const int64_t *key);
/* Lowers *key (n numbers, *any: whether one was found) to the cursor's. */
void cursor_lower(const struct tpcc_audit *a, enum audit_scan scan, size_t n,
                  int64_t *key, bool *any);
/* audit_checks.c */
/* Adds the checks of the data, or says why they do not apply. */
void checks_init(struct tpcc_audit *a);
/* Fails those that need the scan. */
void checks_fail(struct tpcc_audit *a, enum audit_scan scan,
                 const struct err *err);
/* Whether some check that is still made needs it. */
bool checks_need(const struct tpcc_audit *a, enum audit_scan scan);

/* audit_made.c */
/* The row that the load made; NULL when it made none. */
const struct value *made_find(struct tpcc_audit *a, enum audit_scan scan,
                              const struct made_key *key);
struct fault;
/* Columns that nothing changes; after made_find() on this scan. */
void made_compare(struct tpcc_audit *a, enum audit_scan scan,
                  const struct value *row, const struct value *made,
                  struct fault *f);
void made_release(struct tpcc_audit *a);
struct key;
/* A row against the one that the load made, if it made one; which it returns.
 */
const struct value *check_unchanged(struct tpcc_audit *a, enum audit_scan scan,
                                    enum audit_item item, const struct key *key,
                                    const struct made_key *made_key,
                                    const struct value *row);

/* audit_rules.c */
#define FAULT_TEXT_MAX 128
/* What is wrong with a row: the first rule that it breaks. */
struct fault {
    char text[FAULT_TEXT_MAX];
};
void rule(struct fault *f, bool ok, const char *fmt, ...) PRINTF_LIKE(3, 4);
void rule_range(struct fault *f, const char *name, const struct value *v,
                int64_t lo, int64_t hi);
/* The length of a text, in characters of one byte. */
void rule_length(struct fault *f, const char *name, const struct value *v,
                 int64_t lo, int64_t hi);
/* "i_price 12.34, loaded with 12.30" */
void rule_differs(struct fault *f, const char *name, const struct value *got,
                  const struct value *want);
void rule_digits(struct fault *f, const char *name, const struct value *v,
                 size_t len);
void rule_state(struct fault *f, const char *name, const struct value *v);
void rule_zip(struct fault *f, const char *name, const struct value *v);
void expect_row(struct audit_check *check, const struct key *key,
                const struct fault *f);
/* "warehouse 3: w_ytd 300010.00, sum of d_ytd 300000.00" */
void expect_money(struct audit_check *check, const struct key *key,
                  const char *got_name, int64_t got, const char *want_name,
                  int64_t want);
void expect_count(struct audit_check *check, const struct key *key,
                  const char *got_name, int64_t got, const char *want_name,
                  int64_t want);
/* k of n within five standard deviations of p / q. */
void expect_share(struct audit_check *check, const char *what,
                  const struct share *s, uint64_t p, uint64_t q);
/* Contains ORIGINAL. */
bool is_original(const struct value *v);
bool text_is(const struct value *v, const char *text);
/* The number of a last name, -1 when it is none. */
int last_name_number(const struct value *v);

/* audit_items.c */
CORO_FN void audit_items(struct tpcc_audit *a);

/* audit_stock.c */
/* Stock from (w_lo, d_lo) to (w_hi, d_hi), where d is the item. */
CORO_FN void audit_stock(struct tpcc_audit *a, const struct range *w_and_i);

/* audit_warehouses.c */
CORO_FN void audit_warehouses(struct tpcc_audit *a);

/* audit_districts.c: customers, orders and history of a range of districts */
CORO_FN void audit_districts(struct tpcc_audit *a, const struct range *range);

/* What the orders of one district add up to. */
struct district_sum {
    int64_t n_orders, n_carried, max_o_id, lines_said, n_lines, n_loaded;
    int64_t n_new, min_new, max_new;
};

/* audit_orders.c: the orders of one district, and their lines */
CORO_FN void audit_orders(struct tpcc_audit *a, int64_t w_id, int64_t d_id,
                          struct district_sum *out);

/* audit_customers.c */
/* Chooses the names that should be hot, of this load's constant. */
void audit_hot_names(struct tpcc_audit *a);
/* The customers of one district; after its orders. */
CORO_FN void audit_customers(struct tpcc_audit *a, int64_t w_id, int64_t d_id);

#endif
