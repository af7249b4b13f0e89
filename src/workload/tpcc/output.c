/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/output.h"

#include "workload/tpcc/vu.h"

const struct output_def output_defs[OUTPUT_N_COLUMNS] = {
#define X(entity, column) [OUTPUT_##column] = {#column, OUTPUT_##entity},
    OUTPUT_COLUMNS(X)
#undef X
};

void output_map_step(struct output_map *map, enum tpcc_step number,
                     const struct step *step)
{
    for (size_t i = 0; i < step->n_cols && i < OUTPUT_COLS_MAX; i++) {
        for (size_t c = 1; c < OUTPUT_N_COLUMNS; c++) {
            if (strcmp(step->cols[i].name, output_defs[c].name) == 0)
                map->columns[number][i] = (uint8_t)c;
        }
    }
}

/* ---- which transactions ---- */

/* Every other one goes; their places stay evenly spread. */
static void thin_out(struct output_log *log)
{
    size_t kept = 0;

    for (size_t i = 0; i < log->n; i += 2)
        log->samples[kept++] = log->samples[i];
    log->n = kept;
    log->distance *= 2;
}

static void take_inputs(struct output *o, const struct tpcc_vu *vu)
{
    const struct new_order_input *order = &vu->in.new_order;

    o->w_id = vu->source.w_id;
    switch (o->txn) {
    case TPCC_NEW_ORDER:
        o->d_id = order->d_id;
        o->customer = (struct customer_input){
            .w_id = order->w_id, .d_id = order->d_id, .c_id = order->c_id};
        /* Not the last, which may have no item. */
        o->line = order->lines[o->number % (uint64_t)(order->n_lines - 1)];
        break;
    case TPCC_PAYMENT:
        o->d_id = vu->in.payment.d_id;
        o->customer = vu->in.payment.customer;
        break;
    case TPCC_ORDER_STATUS:
        o->d_id = vu->in.order_status.customer.d_id;
        o->customer = vu->in.order_status.customer;
        break;
    case TPCC_DELIVERY:
        o->carrier_id = vu->in.delivery.carrier_id;
        break;
    case TPCC_STOCK_LEVEL:
    case TPCC_LOOKUP_WAREHOUSE:
    case TPCC_LOOKUP_DISTRICT:
    case TPCC_LOOKUP_CUSTOMER:
    case TPCC_LOOKUP_STOCK:
    case TPCC_LOOKUP_ORDER_LINE:
    case TPCC_LOOKUP_NEW_ORDER:
    case TPCC_N_TXNS:
        break;
    }
}

struct output *output_begin(struct tpcc_vu *vu)
{
    struct output_log *log = &vu->outputs;
    struct output *o;

    log->number++;
    if (LIKELY(--log->until > 0) || vu->txn >= TPCC_STOCK_LEVEL) {
        /* What has nothing to look at leaves its turn to the next. */
        log->until += log->until == 0;
        return NULL;
    }
    if (log->n == log->max)
        thin_out(log);
    log->until = log->distance;
    o = &log->samples[log->n];
    *o = (struct output){.txn = vu->txn, .number = log->number};
    take_inputs(o, vu);
    return o;
}

void output_end(struct tpcc_vu *vu, enum rc rc, bool rolled_back)
{
    struct output_log *log = &vu->outputs;

    if (rc) { /* the next one, then */
        log->until = 1;
        return;
    }
    vu->sample->done = true;
    vu->sample->rolled_back = rolled_back;
    log->n++;
}

/* ---- what they gave back ---- */

static void add_claim(struct output *o, enum output_column column,
                      const struct value *v)
{
    struct output_claim *claim = &o->claims[o->n_claims];

    if (o->n_claims == OUTPUT_CLAIMS_MAX)
        return;
    *claim = (struct output_claim){
        .column = (uint8_t)column,
        .type = (uint8_t)v->type,
    };
    if (v->type == VALUE_TEXT) {
        if (v->len > OUTPUT_TEXT_MAX - o->text_len)
            return;
        claim->at = (uint16_t)o->text_len;
        claim->len = (uint16_t)v->len;
        memcpy(o->text + o->text_len, v->s, v->len);
        o->text_len += v->len;
    } else {
        claim->i = v->i;
    }
    o->n_claims++;
}

static void add_delivered(struct output *o, int64_t d_id, int64_t o_id)
{
    if (o->n_delivered == ARRAY_LEN(o->delivered))
        return;
    o->delivered[o->n_delivered].d_id = (int32_t)d_id;
    o->delivered[o->n_delivered++].o_id = (int32_t)o_id;
}

static int64_t take_number(const char **s, const char *end)
{
    int64_t n = 0;

    while (*s < end && **s >= '0' && **s <= '9')
        n = n * 10 + *(*s)++ - '0';
    return n;
}

/* "1:3001 2:2999 …" */
static void add_delivered_text(struct output *o, const struct value *v)
{
    const char *s = v->s, *end = v->s + v->len;

    while (s < end) {
        const int64_t d_id = take_number(&s, end);

        s++;
        add_delivered(o, d_id, take_number(&s, end));
        s++;
    }
}

/* Of the lines in one text, the one to look at, or the first. */
static struct value line_of_text(const struct output *o, const struct value *v)
{
    const char *s = v->s, *end = v->s + v->len, *stop;

    for (int32_t i = 1; i < o->line.number; i++) {
        const char *newline = memchr(s, '\n', (size_t)(end - s));

        if (!newline)
            break;
        s = newline + 1;
    }
    stop = memchr(s, '\n', (size_t)(end - s));
    return v_textn(s, (size_t)((stop ? stop : end) - s));
}

/* The row is another line's than the one to look at. */
static bool is_other_line(const struct output *o, enum output_column column,
                          const struct value *v)
{
    return (column == OUTPUT_s_i_id && v->i != o->line.i_id) ||
           (column == OUTPUT_s_w_id && v->i != o->line.supply_w_id) ||
           (column == OUTPUT_ol_number && v->i != o->line.number);
}

static int64_t find_arg(const struct step *step, const struct value *args,
                        const char *name, int64_t missing)
{
    for (size_t i = 0; args && i < step->n_params; i++) {
        if (strcmp(step->params[i].name, name) == 0 &&
            args[i].type == VALUE_INT)
            return args[i].i;
    }
    return missing;
}

/* The first row that is about the line to look at; n_rows: none. */
static size_t choose_row(const struct output *o, const uint8_t *columns,
                         const struct rowset *rows)
{
    for (size_t row = 0; row < rows->n_rows; row++) {
        bool other = false;

        for (size_t i = 0; i < rows->n_cols && i < OUTPUT_COLS_MAX; i++)
            other = other || is_other_line(o, (enum output_column)columns[i],
                                           rowset_at(rows, row, i));
        if (!other)
            return row;
    }
    return rows->n_rows;
}

static void note_row(struct output *o, const uint8_t *columns,
                     const struct rowset *rows, size_t row)
{
    for (size_t i = 0; i < rows->n_cols && i < OUTPUT_COLS_MAX; i++) {
        const enum output_column column = (enum output_column)columns[i];
        const struct value *v = rowset_at(rows, row, i);
        struct value line;

        if (column == OUTPUT_NOTHING || value_is_null(v) ||
            (o->txn == TPCC_DELIVERY && column != OUTPUT_orders))
            continue;
        if (column == OUTPUT_lines) {
            line = line_of_text(o, v);
            add_claim(o, column, &line);
        } else if (column == OUTPUT_orders) {
            add_delivered_text(o, v);
        } else if (output_defs[column].entity != OUTPUT_KEY) {
            add_claim(o, column, v);
        }
    }
}

/* Rows of one district each, or of the district that was asked for. */
static void note_delivered(struct output *o, const struct step *step,
                           const struct value *args, const struct rowset *rows)
{
    const size_t last = rows->n_cols - 1;

    for (size_t row = 0; row < rows->n_rows; row++) {
        const int64_t asked = find_arg(step, args, "d_id", 0);

        add_delivered(o, asked ? asked : rowset_at(rows, row, 0)->i,
                      rowset_at(rows, row, last)->i);
    }
}

/* Of those of a name the client chose one, and asks for it by number. */
static void note_chosen_customer(struct output *o, const struct step *step,
                                 const struct value *args)
{
    const int64_t c_id = find_arg(step, args, "c_id", 0);
    const struct value v = v_int(c_id);

    if (o->customer.last_len > 0 && c_id > 0)
        add_claim(o, OUTPUT_c_id, &v);
}

void output_note(struct tpcc_vu *vu, enum tpcc_step number,
                 const struct value *args, const struct rowset *rows)
{
    const struct step *step = &vu->outputs.steps[number];
    const uint8_t *columns = vu->outputs.map->columns[number];
    struct output *o = vu->sample;
    size_t row;

    note_chosen_customer(o, step, args);
    if (rows->n_rows == 0 || number == STEP_LITERAL_PAYMENT_CUSTOMERS_BY_NAME ||
        number == STEP_LITERAL_ORDER_STATUS_CUSTOMERS_BY_NAME)
        return;
    if (number == STEP_LITERAL_DELIVERY_OLDEST ||
        number == STEP_BATCHED_DELIVERY_DELETE_OLDEST) {
        note_delivered(o, step, args, rows);
        return;
    }
    if (o->txn == TPCC_NEW_ORDER &&
        (find_arg(step, args, "i_id", o->line.i_id) != o->line.i_id ||
         find_arg(step, args, "supply_w_id", o->line.supply_w_id) !=
             o->line.supply_w_id))
        return;
    row = o->txn == TPCC_NEW_ORDER ? choose_row(o, columns, rows)
                                   : o->number % rows->n_rows;
    if (row < rows->n_rows)
        note_row(o, columns, rows, row);
}
