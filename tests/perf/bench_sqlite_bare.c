/* SPDX-License-Identifier: MIT */
/*
 * What SQLite does without dyno around it: the five transactions of TPC-C as a
 * plain loop of bind, step and reset on one connection.  Inputs, SQL texts and
 * settings are those of `dyno run tpcc -u 1` with the same seed, so both do the
 * same work on copies of one file; no run, no driver, no records here.
 *
 *     bench_sqlite_bare FILE N
 *
 * runs N transactions on a file that `dyno load tpcc` made and prints one line
 * of JSON.  The time is from the first open to the last close, as that of a run
 * with --iterations.
 */
#include "base/clock.h"
#include "run/session.h"
#include "workload/tpcc/vu.h"

#include <sqlite3.h>

#include <stdio.h>
#include <stdlib.h>

/* X(name, file below sql/tpcc/sqlite/literal/) */
#define BARE_STEP_MAP(X)                                                \
    X(NEW_ORDER_READ_ITEM, "new_order_read_item")                       \
    X(NEW_ORDER_READ_STOCK, "new_order_read_stock")                     \
    X(NEW_ORDER_UPDATE_STOCK, "new_order_update_stock")                 \
    X(NEW_ORDER_INSERT_LINE, "new_order_insert_line")                   \
    X(NEW_ORDER_READ_WAREHOUSE, "new_order_read_warehouse")             \
    X(NEW_ORDER_READ_DISTRICT, "new_order_read_district")               \
    X(NEW_ORDER_UPDATE_DISTRICT, "new_order_update_district")           \
    X(NEW_ORDER_READ_CUSTOMER, "new_order_read_customer")               \
    X(NEW_ORDER_INSERT_ORDER, "new_order_insert_order")                 \
    X(NEW_ORDER_INSERT_NEW_ORDER, "new_order_insert_new_order")         \
    X(PAYMENT_READ_DATA, "payment_read_data")                           \
    X(PAYMENT_UPDATE_BAD_CUSTOMER, "payment_update_bad_customer")       \
    X(PAYMENT_READ_CUSTOMER, "payment_read_customer")                   \
    X(PAYMENT_UPDATE_CUSTOMER, "payment_update_customer")               \
    X(PAYMENT_UPDATE_DISTRICT, "payment_update_district")               \
    X(PAYMENT_READ_DISTRICT, "payment_read_district")                   \
    X(PAYMENT_CUSTOMERS_BY_NAME, "payment_customers_by_name")           \
    X(PAYMENT_UPDATE_WAREHOUSE, "payment_update_warehouse")             \
    X(PAYMENT_READ_WAREHOUSE, "payment_read_warehouse")                 \
    X(PAYMENT_INSERT_HISTORY, "payment_insert_history")                 \
    X(ORDER_STATUS_CUSTOMERS_BY_NAME, "order_status_customers_by_name") \
    X(ORDER_STATUS_CUSTOMER_BY_ID, "order_status_customer_by_id")       \
    X(ORDER_STATUS_NEWEST_ORDER, "order_status_newest_order")           \
    X(ORDER_STATUS_LINES, "order_status_lines")                         \
    X(DELIVERY_OLDEST, "delivery_oldest")                               \
    X(DELIVERY_DELETE, "delivery_delete")                               \
    X(DELIVERY_READ_ORDER, "delivery_read_order")                       \
    X(DELIVERY_UPDATE_ORDER, "delivery_update_order")                   \
    X(DELIVERY_UPDATE_LINES, "delivery_update_lines")                   \
    X(DELIVERY_SUM_LINES, "delivery_sum_lines")                         \
    X(DELIVERY_UPDATE_CUSTOMER, "delivery_update_customer")             \
    X(STOCK_LEVEL_READ_DISTRICT, "stock_level_read_district")           \
    X(STOCK_LEVEL_COUNT, "stock_level_count")

enum bare_step {
#define X(name, file) BARE_##name,
    BARE_STEP_MAP(X)
#undef X
        BARE_N_STEPS
};

enum bare_txn { BEGIN_WRITE, BEGIN_READ, COMMIT, ROLLBACK, N_BARE_TXNS };

struct bare {
    sqlite3 *db;
    sqlite3_stmt *stmts[BARE_N_STEPS];
    sqlite3_stmt *txns[N_BARE_TXNS];
    const struct step *steps[BARE_N_STEPS];
    /* From the driver, so that they are the same. */
    char synchronous[32], cache_size[32], checkpoint[32], temp_store[32];
    int64_t n_orders;
};

/* A text among the arguments of a step. */
struct text_arg {
    size_t param;
    const char *s;
    size_t len;
};

static void must(struct bare *b, bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "bench_sqlite_bare: %s: %s\n", what,
            b->db ? sqlite3_errmsg(b->db) : "no database");
    exit(1);
}

/* ---- statements ---- */

static void bind(struct bare *b, enum bare_step step, const int64_t *args,
                 const struct text_arg *text)
{
    const struct step_statement *s = b->steps[step]->statements;
    sqlite3_stmt *st = b->stmts[step];

    for (size_t i = 0; i < s->n_params; i++) {
        const int at = (int)i + 1;

        if (text && s->params[i] == text->param)
            sqlite3_bind_text(st, at, text->s, (int)text->len, SQLITE_STATIC);
        else
            sqlite3_bind_int64(st, at, args[s->params[i]]);
    }
}

/* A statement that gives no rows. */
static void change(struct bare *b, enum bare_step step, const int64_t *args,
                   const struct text_arg *text)
{
    bind(b, step, args, text);
    must(b, sqlite3_step(b->stmts[step]) == SQLITE_DONE, b->steps[step]->name);
    sqlite3_reset(b->stmts[step]);
}

/* The first row, NULL when there is none; sqlite3_reset() is the caller's. */
static sqlite3_stmt *first(struct bare *b, enum bare_step step,
                           const int64_t *args, const struct text_arg *text)
{
    int code;

    bind(b, step, args, text);
    code = sqlite3_step(b->stmts[step]);
    must(b, code == SQLITE_ROW || code == SQLITE_DONE, b->steps[step]->name);
    return code == SQLITE_ROW ? b->stmts[step] : NULL;
}

/* The number in a column of the only row. */
static int64_t number(struct bare *b, enum bare_step step, int col,
                      const int64_t *args)
{
    sqlite3_stmt *st = first(b, step, args, NULL);
    int64_t value;

    must(b, st, b->steps[step]->name);
    value = sqlite3_column_int64(st, col);
    sqlite3_reset(st);
    return value;
}

/* The text in a column of the row at hand; returns its length. */
static size_t column_text(sqlite3_stmt *st, int col, char *out, size_t cap)
{
    const unsigned char *s = sqlite3_column_text(st, col);
    size_t len = (size_t)sqlite3_column_bytes(st, col);

    if (!s)
        return 0;
    if (len > cap)
        len = cap;
    memcpy(out, s, len);
    return len;
}

/* The customer in the middle of those of a name. */
static int64_t middle_customer(struct bare *b, enum bare_step step,
                               const struct customer_input *in)
{
    const struct text_arg name = {2, in->last, in->last_len};
    int64_t ids[256];
    size_t n = 0;
    sqlite3_stmt *st =
        first(b, step, (const int64_t[]){in->w_id, in->d_id}, &name);

    must(b, st, b->steps[step]->name);
    do
        ids[n++] = sqlite3_column_int64(st, 0);
    while (n < ARRAY_LEN(ids) && sqlite3_step(st) == SQLITE_ROW);
    sqlite3_reset(st);
    return ids[(n - 1) / 2];
}

static void transaction(struct bare *b, enum bare_txn which)
{
    must(b, sqlite3_step(b->txns[which]) == SQLITE_DONE, "transaction");
    sqlite3_reset(b->txns[which]);
}

#define ARGS(...) ((const int64_t[]){__VA_ARGS__})

/* ---- the five ---- */

/* As literal.c does: stock is touched in the order of its key. */
static void by_stock_key(struct new_order_input *in)
{
    for (int32_t i = 1; i < in->n_lines - in->rollback; i++) {
        const struct order_line_input line = in->lines[i];
        int32_t j = i;

        for (; j > 0; j--) {
            const struct order_line_input *prev = &in->lines[j - 1];

            if (prev->supply_w_id < line.supply_w_id ||
                (prev->supply_w_id == line.supply_w_id &&
                 prev->i_id <= line.i_id))
                break;
            in->lines[j] = *prev;
        }
        in->lines[j] = line;
    }
}

/* False when there is no such item. */
static bool new_order_line(struct bare *b, const struct new_order_input *in,
                           const struct order_line_input *l, int64_t o_id)
{
    char dist[24];
    struct text_arg text = {.param = 8, .s = dist};
    int64_t price;
    sqlite3_stmt *st = first(b, BARE_NEW_ORDER_READ_ITEM, ARGS(l->i_id), NULL);

    if (!st) {
        sqlite3_reset(b->stmts[BARE_NEW_ORDER_READ_ITEM]);
        return false;
    }
    price = sqlite3_column_int64(st, 0);
    sqlite3_reset(st);
    st = first(b, BARE_NEW_ORDER_READ_STOCK,
               ARGS(in->d_id, l->supply_w_id, l->i_id), NULL);
    must(b, st, "stock");
    text.len = column_text(st, 1, dist, sizeof(dist));
    sqlite3_reset(st);
    change(
        b, BARE_NEW_ORDER_UPDATE_STOCK,
        ARGS(l->quantity, l->supply_w_id != in->w_id, l->supply_w_id, l->i_id),
        NULL);
    change(b, BARE_NEW_ORDER_INSERT_LINE,
           ARGS(o_id, in->d_id, in->w_id, l->number, l->i_id, l->supply_w_id,
                l->quantity, price * l->quantity, 0),
           &text);
    return true;
}

static void new_order(struct bare *b, struct new_order_input *in)
{
    const int64_t w = in->w_id, d = in->d_id;
    bool found = true;
    int64_t o_id;

    by_stock_key(in);
    transaction(b, BEGIN_WRITE);
    number(b, BARE_NEW_ORDER_READ_WAREHOUSE, 0, ARGS(w));
    o_id = number(b, BARE_NEW_ORDER_READ_DISTRICT, 1, ARGS(w, d));
    change(b, BARE_NEW_ORDER_UPDATE_DISTRICT, ARGS(w, d), NULL);
    number(b, BARE_NEW_ORDER_READ_CUSTOMER, 0, ARGS(w, d, in->c_id));
    change(
        b, BARE_NEW_ORDER_INSERT_ORDER,
        ARGS(o_id, d, w, in->c_id, clock_wall_us(), in->n_lines, in->all_local),
        NULL);
    change(b, BARE_NEW_ORDER_INSERT_NEW_ORDER, ARGS(o_id, d, w), NULL);
    for (int32_t i = 0; found && i < in->n_lines; i++)
        found = new_order_line(b, in, &in->lines[i], o_id);
    transaction(b, found ? COMMIT : ROLLBACK);
    b->n_orders += found;
}

static void pay_bad_credit(struct bare *b, const struct payment_input *in,
                           int64_t c_id)
{
    const struct customer_input *cu = &in->customer;
    char data[TPCC_C_DATA_MAX];
    struct text_arg text = {.param = 1, .s = data};
    sqlite3_stmt *st;
    int len;

    len = snprintf(data, sizeof(data), "%lld %d %d %d %d %lld.%02d|",
                   (long long)c_id, (int)cu->d_id, (int)cu->w_id, (int)in->d_id,
                   (int)in->w_id, (long long)(in->amount_cents / 100),
                   (int)(in->amount_cents % 100));
    text.len = (size_t)len;
    st = first(b, BARE_PAYMENT_READ_DATA, ARGS(cu->w_id, cu->d_id, c_id), NULL);
    must(b, st, "customer data");
    text.len += column_text(st, 0, data + text.len, sizeof(data) - text.len);
    sqlite3_reset(st);
    change(b, BARE_PAYMENT_UPDATE_BAD_CUSTOMER,
           ARGS(in->amount_cents, 0, cu->w_id, cu->d_id, c_id), &text);
}

static void pay_customer(struct bare *b, const struct payment_input *in,
                         int64_t c_id)
{
    const struct customer_input *cu = &in->customer;
    sqlite3_stmt *st = first(b, BARE_PAYMENT_READ_CUSTOMER,
                             ARGS(cu->w_id, cu->d_id, c_id), NULL);
    char credit[2];
    size_t len;

    must(b, st, "customer");
    len = column_text(st, 10, credit, sizeof(credit));
    sqlite3_reset(st);
    if (len > 0 && credit[0] == 'B')
        pay_bad_credit(b, in, c_id);
    else
        change(b, BARE_PAYMENT_UPDATE_CUSTOMER,
               ARGS(in->amount_cents, cu->w_id, cu->d_id, c_id), NULL);
}

static void payment(struct bare *b, const struct payment_input *in)
{
    const int64_t w = in->w_id, d = in->d_id, amount = in->amount_cents;
    const struct customer_input *cu = &in->customer;
    int64_t c_id = cu->c_id;
    char data[24], d_name[10];
    struct text_arg text = {.param = 7, .s = data};
    sqlite3_stmt *st;
    size_t d_len;

    transaction(b, BEGIN_WRITE);
    change(b, BARE_PAYMENT_UPDATE_DISTRICT, ARGS(w, d, amount), NULL);
    st = first(b, BARE_PAYMENT_READ_DISTRICT, ARGS(w, d), NULL);
    must(b, st, "district");
    d_len = column_text(st, 0, d_name, sizeof(d_name));
    sqlite3_reset(st);
    if (cu->last_len)
        c_id = middle_customer(b, BARE_PAYMENT_CUSTOMERS_BY_NAME, cu);
    pay_customer(b, in, c_id);
    change(b, BARE_PAYMENT_UPDATE_WAREHOUSE, ARGS(w, amount), NULL);
    st = first(b, BARE_PAYMENT_READ_WAREHOUSE, ARGS(w), NULL);
    must(b, st, "warehouse");
    text.len = column_text(st, 0, data, 10);
    sqlite3_reset(st);
    memset(data + text.len, ' ', 4);
    memcpy(data + text.len + 4, d_name, d_len);
    text.len += 4 + d_len;
    change(b, BARE_PAYMENT_INSERT_HISTORY,
           ARGS(c_id, cu->d_id, cu->w_id, d, w, clock_wall_us(), amount, 0),
           &text);
    transaction(b, COMMIT);
}

static void order_status(struct bare *b, const struct order_status_input *in)
{
    const struct customer_input *cu = &in->customer;
    const int64_t w = cu->w_id, d = cu->d_id;
    int64_t c_id = cu->c_id, o_id;
    sqlite3_stmt *st;

    transaction(b, BEGIN_READ);
    if (cu->last_len)
        c_id = middle_customer(b, BARE_ORDER_STATUS_CUSTOMERS_BY_NAME, cu);
    else
        number(b, BARE_ORDER_STATUS_CUSTOMER_BY_ID, 4, ARGS(w, d, c_id));
    o_id = number(b, BARE_ORDER_STATUS_NEWEST_ORDER, 0, ARGS(w, d, c_id));
    st = first(b, BARE_ORDER_STATUS_LINES, ARGS(w, d, o_id), NULL);
    must(b, st, "order lines");
    while (sqlite3_step(st) == SQLITE_ROW)
        ;
    sqlite3_reset(st);
    transaction(b, COMMIT);
}

static void deliver_district(struct bare *b, const struct delivery_input *in,
                             int64_t d)
{
    const int64_t w = in->w_id;
    sqlite3_stmt *st = first(b, BARE_DELIVERY_OLDEST, ARGS(w, d), NULL);
    int64_t o_id, c_id, cents;

    if (!st) {
        sqlite3_reset(b->stmts[BARE_DELIVERY_OLDEST]);
        return;
    }
    o_id = sqlite3_column_int64(st, 0);
    sqlite3_reset(st);
    change(b, BARE_DELIVERY_DELETE, ARGS(w, d, o_id), NULL);
    c_id = number(b, BARE_DELIVERY_READ_ORDER, 0, ARGS(w, d, o_id));
    change(b, BARE_DELIVERY_UPDATE_ORDER, ARGS(in->carrier_id, w, d, o_id),
           NULL);
    change(b, BARE_DELIVERY_UPDATE_LINES, ARGS(clock_wall_us(), w, d, o_id),
           NULL);
    cents = number(b, BARE_DELIVERY_SUM_LINES, 0, ARGS(w, d, o_id));
    change(b, BARE_DELIVERY_UPDATE_CUSTOMER, ARGS(cents, w, d, c_id), NULL);
}

static void delivery(struct bare *b, const struct delivery_input *in)
{
    transaction(b, BEGIN_WRITE);
    for (int64_t d = 1; d <= TPCC_DISTRICTS; d++)
        deliver_district(b, in, d);
    transaction(b, COMMIT);
}

static void stock_level(struct bare *b, const struct stock_level_input *in)
{
    const int64_t w = in->w_id, d = in->d_id;
    int64_t next;

    transaction(b, BEGIN_READ);
    next = number(b, BARE_STOCK_LEVEL_READ_DISTRICT, 0, ARGS(w, d));
    number(b, BARE_STOCK_LEVEL_COUNT, 0,
           ARGS(w, d, next - 20, next, in->threshold));
    transaction(b, COMMIT);
}

/* ---- the loop ---- */

static void run(struct bare *b, struct vu *base, uint64_t n)
{
    const struct workload *wl = base->ds->workload;
    struct tpcc_vu *vu = CONTAINER_OF(base, struct tpcc_vu, base);

    for (uint64_t i = 0; i < n; i++) {
        const size_t txn = wl->draw(base);

        if (txn == TPCC_NEW_ORDER)
            new_order(b, &vu->in.new_order);
        else if (txn == TPCC_PAYMENT)
            payment(b, &vu->in.payment);
        else if (txn == TPCC_ORDER_STATUS)
            order_status(b, &vu->in.order_status);
        else if (txn == TPCC_DELIVERY)
            delivery(b, &vu->in.delivery);
        else
            stock_level(b, &vu->in.stock_level);
    }
}

static void prepare(struct bare *b, const char *text, sqlite3_stmt **out)
{
    must(b,
         sqlite3_prepare_v3(b->db, text, -1, SQLITE_PREPARE_PERSISTENT, out,
                            NULL) == SQLITE_OK,
         text);
}

static void open_bare(struct bare *b, const char *file)
{
    static const char *const txns[N_BARE_TXNS] = {
        [BEGIN_WRITE] = "BEGIN IMMEDIATE",
        [BEGIN_READ] = "BEGIN",
        [COMMIT] = "COMMIT",
        [ROLLBACK] = "ROLLBACK",
    };
    char sql[256];

    must(b,
         sqlite3_open_v2(file, &b->db,
                         SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                         NULL) == SQLITE_OK,
         file);
    snprintf(sql, sizeof(sql),
             "PRAGMA journal_mode=wal; PRAGMA synchronous=%s;"
             "PRAGMA cache_size=%s; PRAGMA wal_autocheckpoint=%s;"
             "PRAGMA temp_store=%s",
             b->synchronous, b->cache_size, b->checkpoint, b->temp_store);
    must(b, sqlite3_exec(b->db, sql, NULL, NULL, NULL) == SQLITE_OK, sql);
    for (size_t i = 0; i < ARRAY_LEN(txns); i++)
        prepare(b, txns[i], &b->txns[i]);
    for (size_t i = 0; i < BARE_N_STEPS; i++) {
        must(b, b->steps[i]->n_statements == 1, b->steps[i]->name);
        prepare(b, b->steps[i]->statements[0].text, &b->stmts[i]);
    }
}

static void close_bare(struct bare *b)
{
    for (size_t i = 0; i < BARE_N_STEPS; i++)
        sqlite3_finalize(b->stmts[i]);
    for (size_t i = 0; i < N_BARE_TXNS; i++)
        sqlite3_finalize(b->txns[i]);
    sqlite3_close(b->db);
}

/* ---- what is the same as in a run ---- */

static void keep_setting(void *arg, const char *name, const char *value)
{
    struct bare *b = arg;

    if (!strcmp(name, "synchronous"))
        snprintf(b->synchronous, sizeof(b->synchronous), "%s", value);
    else if (!strcmp(name, "cache_size")) /* "131072 KiB a connection" */
        snprintf(b->cache_size, sizeof(b->cache_size), "%s%.*s",
                 strstr(value, "KiB") ? "-" : "", (int)strcspn(value, " "),
                 value);
    else if (!strcmp(name, "wal_autocheckpoint"))
        snprintf(b->checkpoint, sizeof(b->checkpoint), "%s", value);
    else if (!strcmp(name, "temp_store"))
        snprintf(b->temp_store, sizeof(b->temp_store), "%s", value);
}

static enum rc begin(struct session *s, struct conn *c, void *arg,
                     struct err *err)
{
    enum rc rc;

    coro_assert_inside();
    rc = conn_facts(c, keep_setting, arg, err);
    return rc ? rc : s->ds.workload->run_begin(&s->ds, c, 1, err);
}

/* Those of the workload, which come from the embedded files. */
static void find_steps(struct bare *b, const struct session *s)
{
    static const char *const files[BARE_N_STEPS] = {
#define X(name, file) [BARE_##name] = "literal/" file,
        BARE_STEP_MAP(X)
#undef X
    };
    const struct step *steps = tpcc_of(&s->ds)->steps;

    for (size_t i = 0; i < BARE_N_STEPS; i++) {
        size_t k = 0;

        while (k < TPCC_N_STEPS && strcmp(steps[k].name, files[i]))
            k++;
        must(b, k < TPCC_N_STEPS, files[i]);
        b->steps[i] = &steps[k];
    }
}

static enum rc open_session(const char *file, struct bare *b, struct session *s,
                            struct err *err)
{
    static const struct tpcc_cfg cfg = {
        .mix = "new_order=45,payment=43,order_status=4,delivery=4,"
               "stock_level=4",
    };
    static char url[4096];
    const struct session_args args = {
        .url = url,
        .workload = workload_find("tpcc"),
        .workload_cfg = &cfg,
        .composition = "literal",
        .seed = 1,
        .claim = true,
    };
    struct data_info info;
    enum rc rc;

    snprintf(url, sizeof(url), "sqlite:%s", file);
    rc = session_open(&args, s, err);
    if (rc)
        return rc;
    rc = session_inspect(s, &info, err);
    if (!rc)
        rc = session_check_data(s, &info, err);
    if (!rc && info.status != DATA_LOADED)
        rc = err_set(err, RC_NOT_FOUND, "'%s' is not loaded", file);
    s->db->expected_conns = 1;
    if (!rc)
        rc = session_call(s, begin, b, err);
    if (!rc)
        find_steps(b, s);
    return rc;
}

int main(int argc, char **argv)
{
    struct bare b = {0};
    struct session session = {0};
    struct vu *vu = NULL;
    struct err err = {0};
    struct mono start;
    int64_t ns, cpu_ns;
    uint64_t n;

    if (argc != 3 || (n = strtoull(argv[2], NULL, 10)) == 0) {
        fprintf(stderr, "usage: bench_sqlite_bare FILE N\n");
        return 2;
    }
    if (open_session(argv[1], &b, &session, &err) ||
        session.ds.workload->vu_new(&session.ds, 0, &vu, &err)) {
        fprintf(stderr, "bench_sqlite_bare: %s\n", err.text);
        return 1;
    }
    start = clock_now();
    cpu_ns = clock_process_cpu_ns();
    open_bare(&b, argv[1]);
    run(&b, vu, n);
    close_bare(&b);
    ns = mono_since(clock_now(), start);
    cpu_ns = clock_process_cpu_ns() - cpu_ns;
    session.ds.workload->vu_free(vu);
    session_close(&session);
    printf("{\"transactions\":%llu,\"new_orders\":%lld,"
           "\"transactions_per_s\":%.1f,\"cpu_us_per_transaction\":%.3f}\n",
           (unsigned long long)n, (long long)b.n_orders,
           (double)n * (double)NS_PER_S / (double)ns,
           (double)cpu_ns / (double)NS_PER_US / (double)n);
    return 0;
}
