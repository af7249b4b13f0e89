/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/audit_outputs.h"

#include "base/mem.h"
#include "workload/tpcc/audit_int.h"
#include "workload/tpcc/output_text.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    SAMPLES_MAX = 1024,
    /* For the mean number of customers of a name, of which a heavy tail. */
    NAMES_MIN = 50,
};

/* Each is sql/tpcc/<dialect>/audit_shown_<name>.sql. */
enum truth {
    TRUTH_WAREHOUSE,
    TRUTH_DISTRICT,
    TRUTH_CUSTOMER,
    TRUTH_NAMES,
    TRUTH_ITEM,
    TRUTH_STOCK,
    TRUTH_ORDER,
    TRUTH_LINES,
    N_TRUTHS,
};

static const char *const truth_files[N_TRUTHS] = {
    [TRUTH_WAREHOUSE] = "audit_shown_warehouse",
    [TRUTH_DISTRICT] = "audit_shown_district",
    [TRUTH_CUSTOMER] = "audit_shown_customer",
    [TRUTH_NAMES] = "audit_shown_names",
    [TRUTH_ITEM] = "audit_shown_item",
    [TRUTH_STOCK] = "audit_shown_stock",
    [TRUTH_ORDER] = "audit_shown_order",
    [TRUTH_LINES] = "audit_shown_lines",
};

static const enum audit_item items[] = {
    CHECK_OUTPUTS_ROWS,      CHECK_OUTPUTS_BY_NAME,  CHECK_OUTPUTS_NAME_ROWS,
    CHECK_OUTPUTS_WAREHOUSE, CHECK_OUTPUTS_DISTRICT, CHECK_OUTPUTS_CUSTOMER,
    CHECK_OUTPUTS_ITEM,      CHECK_OUTPUTS_ORDER,    CHECK_OUTPUTS_DELIVERY,
};

struct outputs_shown {
    struct dataset *ds;
    struct conn *conn;
    struct audit *audit;
    struct err *err;
    struct audit_check *checks[N_CHECKS];
    struct step steps[N_TRUTHS];
    const struct output *samples[SAMPLES_MAX];
    size_t n_samples;
    uint64_t n_offered;
    uint64_t n_txns, n_by_name, unanswered, names_unanswered;
    struct share name_rows; /* n look-ups by name have k customers */
    enum rc rc;
};

struct outputs_shown *outputs_shown_new(struct dataset *ds, struct conn *c,
                                        struct audit *audit)
{
    struct outputs_shown *s = MEM_NEW(struct outputs_shown);

    if (!s)
        return NULL;
    s->ds = ds;
    s->conn = c;
    s->audit = audit;
    for (size_t i = 0; i < ARRAY_LEN(items); i++)
        s->checks[items[i]] = checks_add(audit, items[i]);
    return s;
}

void outputs_shown_free(struct outputs_shown *shown)
{
    mem_free(shown);
}

/* Once there are too many, later ones take the place of others. */
static void add_sample(struct outputs_shown *s, const struct output *o)
{
    const uint64_t n = s->n_offered++;

    if (s->n_samples < SAMPLES_MAX)
        s->samples[s->n_samples++] = o;
    else if (n % 2 == 0)
        s->samples[n / 2 % SAMPLES_MAX] = o;
}

void outputs_add(struct outputs_shown *shown, const struct output_log *log,
                 const struct input_tally *tally)
{
    shown->n_txns += tally->txns[TPCC_NEW_ORDER] + tally->txns[TPCC_PAYMENT] +
                     tally->txns[TPCC_ORDER_STATUS] +
                     tally->txns[TPCC_DELIVERY] + tally->txns[TPCC_STOCK_LEVEL];
    shown->n_by_name += tally->payments_by_name + tally->statuses_by_name;
    shown->unanswered += tally->unanswered;
    shown->names_unanswered += tally->names_unanswered;
    for (size_t i = 0; i < log->n; i++)
        add_sample(shown, &log->samples[i]);
}

/* ---- the truth ---- */

/* Rows of the tables; none when the query failed, and the check with it. */
static CORO_FN struct rowset ask(struct outputs_shown *s,
                                 struct audit_check *check, enum truth truth,
                                 const struct value *args, size_t n_args)
{
    struct step *step = &s->steps[truth];
    struct rowset rows = {0};
    struct err err = {0};
    enum rc rc = RC_OK;

    if (s->rc || !check)
        return rows;
    if (!step->name)
        rc = step_load(&s->ds->arena, "tpcc", s->ds->db->driver,
                       truth_files[truth], step, &err);
    if (!rc)
        rc = conn_query(s->conn, step, args, n_args, &rows, &err);
    if (!rc)
        return rows;
    audit_error(check, &err);
    s->rc = rc;
    if (s->err)
        *s->err = err;
    return (struct rowset){0};
}

#define ASK(s, check, truth, ...)                                   \
    ask((s), (check), (truth), (const struct value[]){__VA_ARGS__}, \
        sizeof((const struct value[]){__VA_ARGS__}) / sizeof(struct value))

/* "payment of warehouse 1, district 3, customer 77" */
static const char *where(const struct output *o, const char *kind, int64_t id,
                         char out[128])
{
    size_t len = (size_t)snprintf(out, 128, "%s in warehouse %d",
                                  tpcc_txn_types[o->txn].name, (int)o->w_id);

    if (o->d_id)
        len += (size_t)snprintf(out + len, 128 - len, ", district %d",
                                (int)o->d_id);
    if (kind)
        snprintf(out + len, 128 - len, ", %s %" PRId64, kind, id);
    return out;
}

/* Each claim about this entity against the column of its name. */
static void compare(struct outputs_shown *s, struct audit_check *check,
                    const struct output *o, enum output_entity entity,
                    const struct output_truth *truth)
{
    char at[128], got[OUTPUT_CELL_MAX], want[OUTPUT_CELL_MAX];

    if (s->rc)
        return;
    where(o, truth->kind, truth->id, at);
    if (truth->rows.n_rows == 0) {
        audit_expect(check, false, "%s: there is no such row", at);
        return;
    }
    for (size_t i = 0; i < o->n_claims; i++) {
        const struct output_claim *claim = &o->claims[i];
        const struct value *v;

        if (output_defs[claim->column].entity != entity)
            continue;
        v = output_truth_find(truth, output_defs[claim->column].name);
        if (!v)
            continue;
        output_claim_text(o, claim, got);
        output_value_text(v, want);
        audit_expect(check, output_claim_is(o, claim, v),
                     "%s: shown %s %s, in the table %s", at,
                     output_defs[claim->column].name, got, want);
    }
}

static bool claims(const struct output *o, enum output_entity entity)
{
    for (size_t i = 0; i < o->n_claims; i++) {
        if (output_defs[o->claims[i].column].entity == entity)
            return true;
    }
    return false;
}

/* ---- customers ---- */

static int64_t shown_customer(const struct output *o)
{
    const struct output_claim *claim = output_claim_find(o, OUTPUT_c_id);

    return claim ? claim->i : o->customer.c_id;
}

/* Clause 2.5.2.2: at position ceil(n / 2) of those of the name. */
static CORO_FN void check_name(struct outputs_shown *s, const struct output *o)
{
    const struct customer_input *in = &o->customer;
    struct audit_check *check = s->checks[CHECK_OUTPUTS_BY_NAME];
    const int64_t c_id = shown_customer(o);
    struct rowset rows;
    int64_t wanted;

    if (in->last_len == 0 || c_id == 0)
        return;
    rows =
        ASK(s, check ? check : s->checks[CHECK_OUTPUTS_NAME_ROWS], TRUTH_NAMES,
            v_int(in->w_id), v_int(in->d_id), v_textn(in->last, in->last_len));
    if (rows.n_rows == 0)
        return;
    s->name_rows.n++;
    s->name_rows.k += rows.n_rows;
    wanted = rowset_at(&rows, (rows.n_rows - 1) / 2, 0)->i;
    audit_expect(check, c_id == wanted,
                 "%s, warehouse %d, district %d, last name '%s': customer "
                 "%" PRId64 " taken, %" PRId64 " is the middle one of %zu",
                 tpcc_txn_types[o->txn].name, (int)in->w_id, (int)in->d_id,
                 in->last, c_id, wanted, rows.n_rows);
}

static CORO_FN void check_customer(struct outputs_shown *s,
                                   const struct output *o)
{
    struct audit_check *check = s->checks[CHECK_OUTPUTS_CUSTOMER];
    const int64_t c_id = shown_customer(o);
    struct output_truth truth = {
        .step = &s->steps[TRUTH_CUSTOMER], .kind = "customer", .id = c_id};

    if (!claims(o, OUTPUT_CUSTOMER))
        return;
    truth.rows = ASK(s, check, TRUTH_CUSTOMER, v_int(o->customer.w_id),
                     v_int(o->customer.d_id), v_int(c_id));
    compare(s, check, o, OUTPUT_CUSTOMER, &truth);
}

/* ---- places and items ---- */

static CORO_FN void check_places(struct outputs_shown *s,
                                 const struct output *o)
{
    struct audit_check *of_w = s->checks[CHECK_OUTPUTS_WAREHOUSE];
    struct audit_check *of_d = s->checks[CHECK_OUTPUTS_DISTRICT];
    struct output_truth truth = {.step = &s->steps[TRUTH_WAREHOUSE]};

    if (claims(o, OUTPUT_WAREHOUSE)) {
        truth.rows = ASK(s, of_w, TRUTH_WAREHOUSE, v_int(o->w_id));
        compare(s, of_w, o, OUTPUT_WAREHOUSE, &truth);
    }
    if (claims(o, OUTPUT_DISTRICT)) {
        truth.step = &s->steps[TRUTH_DISTRICT];
        truth.rows =
            ASK(s, of_d, TRUTH_DISTRICT, v_int(o->w_id), v_int(o->d_id));
        compare(s, of_d, o, OUTPUT_DISTRICT, &truth);
    }
}

/* Amount and brand follow from the rows of item and stock. */
static void check_line(struct outputs_shown *s, const struct output *o,
                       int64_t price_cents, bool branded)
{
    const struct output_claim *amount = output_claim_find(o, OUTPUT_ol_amount);
    const struct output_claim *brand = output_claim_find(o, OUTPUT_brand);
    struct audit_check *check = s->checks[CHECK_OUTPUTS_ITEM];
    char at[128], got[OUTPUT_CELL_MAX];

    where(o, "item", o->line.i_id, at);
    if (amount)
        audit_expect(check, amount->i == price_cents * o->line.quantity,
                     "%s: shown ol_amount %" PRId64 " cents, %d of %" PRId64
                     " cents each",
                     at, amount->i, (int)o->line.quantity, price_cents);
    if (!brand)
        return;
    output_claim_text(o, brand, got);
    audit_expect(check, strcmp(got, branded ? "'B'" : "'G'") == 0,
                 "%s: shown %s, its data say '%c'", at, got,
                 branded ? 'B' : 'G');
}

static CORO_FN void check_item(struct outputs_shown *s, const struct output *o)
{
    struct audit_check *check = s->checks[CHECK_OUTPUTS_ITEM];
    struct output_truth truth = {
        .step = &s->steps[TRUTH_ITEM], .kind = "item", .id = o->line.i_id};
    int64_t price;
    bool original;

    if (!claims(o, OUTPUT_ITEM))
        return;
    truth.rows = ASK(s, check, TRUTH_ITEM, v_int(o->line.i_id));
    compare(s, check, o, OUTPUT_ITEM, &truth);
    if (truth.rows.n_rows == 0)
        return;
    price = rowset_at(&truth.rows, 0, 0)->i;
    original = is_original(rowset_at(&truth.rows, 0, 2));
    truth.step = &s->steps[TRUTH_STOCK];
    truth.rows = ASK(s, check, TRUTH_STOCK, v_int(o->line.supply_w_id),
                     v_int(o->line.i_id));
    compare(s, check, o, OUTPUT_STOCK, &truth);
    if (truth.rows.n_rows > 0)
        check_line(s, o, price,
                   original && is_original(rowset_at(&truth.rows, 0, 0)));
}

/* ---- Order-Status and Delivery ---- */

/* One of the order's lines has all that was shown. */
static bool has_line(const struct output *o, const struct output_truth *lines)
{
    for (size_t row = 0; row < lines->rows.n_rows; row++) {
        bool same = true;

        for (size_t i = 0; i < lines->rows.n_cols; i++) {
            const struct output_claim *claim =
                output_claim_named(o, lines->step->cols[i].name);

            same = same &&
                   (!claim ||
                    output_claim_is(o, claim, rowset_at(&lines->rows, row, i)));
        }
        if (same)
            return true;
    }
    return false;
}

static CORO_FN void check_status(struct outputs_shown *s,
                                 const struct output *o)
{
    const struct output_claim *o_id = output_claim_find(o, OUTPUT_o_id);
    struct audit_check *check = s->checks[CHECK_OUTPUTS_ORDER];
    const int64_t c_id = shown_customer(o);
    struct output_truth truth = {.step = &s->steps[TRUTH_ORDER],
                                 .kind = "order",
                                 .id = o_id ? o_id->i : 0};
    char at[128];

    if (o->txn != TPCC_ORDER_STATUS || !o_id)
        return;
    truth.rows = ASK(s, check, TRUTH_ORDER, v_int(o->w_id), v_int(o->d_id),
                     v_int(o_id->i));
    compare(s, check, o, OUTPUT_ORDER, &truth);
    if (truth.rows.n_rows == 0)
        return;
    where(o, "order", o_id->i, at);
    audit_expect(check, rowset_at(&truth.rows, 0, 0)->i == c_id,
                 "%s: shown to customer %" PRId64 ", it is of customer "
                 "%" PRId64,
                 at, c_id, rowset_at(&truth.rows, 0, 0)->i);
    truth.step = &s->steps[TRUTH_LINES];
    truth.rows = ASK(s, check, TRUTH_LINES, v_int(o->w_id), v_int(o->d_id),
                     v_int(o_id->i));
    audit_expect(check, s->rc || has_line(o, &truth),
                 "%s: none of its %zu lines is the one shown", at,
                 truth.rows.n_rows);
}

static CORO_FN void check_delivery(struct outputs_shown *s,
                                   const struct output *o)
{
    struct audit_check *check = s->checks[CHECK_OUTPUTS_DELIVERY];
    bool seen[TPCC_DISTRICTS + 1] = {false};

    for (size_t i = 0; i < o->n_delivered && !s->rc; i++) {
        const int64_t d = o->delivered[i].d_id, id = o->delivered[i].o_id;
        const bool known = d >= 1 && d <= TPCC_DISTRICTS;
        struct rowset rows;

        audit_expect(check, known && !seen[d],
                     "delivery in warehouse %d: district %" PRId64 " %s",
                     (int)o->w_id, d, known ? "twice" : "is none");
        if (!known)
            continue;
        seen[d] = true;
        rows = ASK(s, check, TRUTH_ORDER, v_int(o->w_id), v_int(d), v_int(id));
        if (s->rc)
            return;
        audit_expect(check,
                     rows.n_rows == 1 &&
                         rowset_at(&rows, 0, 2)->type == VALUE_INT &&
                         rowset_at(&rows, 0, 2)->i == o->carrier_id,
                     "delivery in warehouse %d, district %" PRId64
                     ", order %" PRId64 ": its carrier is not %d",
                     (int)o->w_id, d, id, (int)o->carrier_id);
    }
}

/* ---- all of it ---- */

static CORO_FN void check_sample(struct outputs_shown *s,
                                 const struct output *sample)
{
    struct output o = *sample;

    output_split_lines(&o);
    check_name(s, &o);
    check_customer(s, &o);
    check_places(s, &o);
    check_item(s, &o);
    check_status(s, &o);
    check_delivery(s, &o);
}

static void check_answers(struct outputs_shown *s)
{
    audit_expect(s->checks[CHECK_OUTPUTS_ROWS], s->unanswered == 0,
                 "%" PRIu64 " tries of %" PRIu64
                 " transactions did not find a row that must be there",
                 s->unanswered, s->n_txns);
    if (s->names_unanswered > 0)
        audit_expect(s->checks[CHECK_OUTPUTS_BY_NAME], false,
                     "%" PRIu64 " tries of %" PRIu64
                     " transactions by last name found no customer",
                     s->names_unanswered, s->n_by_name);
}

/* 1.8 to 3.9 with the constants that are allowed, 12.3 when both are the
 * same. */
static void check_name_rows(struct outputs_shown *s)
{
    struct audit_check *check = s->checks[CHECK_OUTPUTS_NAME_ROWS];
    const struct share *rows = &s->name_rows;

    if (rows->n < NAMES_MIN) {
        audit_lacks(check, "%" PRIu64 " look-ups by last name sampled",
                    rows->n);
        return;
    }
    audit_expect(check, 2 * rows->k < 15 * rows->n,
                 "%" PRIu64 " look-ups by last name find %" PRIu64
                 " customers, more than 7.5 each",
                 rows->n, rows->k);
}

enum rc outputs_audit(struct outputs_shown *shown, struct err *err)
{
    enum rc rc = conn_begin(shown->conn, TXN_SNAPSHOT);

    if (rc) {
        conn_error(shown->conn, err);
        return rc;
    }
    shown->err = err;
    check_answers(shown);
    for (size_t i = 0; i < shown->n_samples && !shown->rc; i++)
        check_sample(shown, shown->samples[i]);
    check_name_rows(shown);
    for (size_t i = 0; i < ARRAY_LEN(items); i++)
        audit_lacks(shown->checks[items[i]], "no transaction of the kind "
                                             "was sampled");
    rc = conn_rollback(shown->conn);
    /* What failed has failed its check; the data can still be looked at. */
    if (shown->rc == RC_DB_GONE || shown->rc == RC_CANCELLED)
        return shown->rc;
    return rc;
}
