/* SPDX-License-Identifier: MIT */
/*
 * What transactions gave back: a sample of it is kept, for the audit to compare
 * with columns that nothing changes.  A column is known by its name in the
 * signature of its step, so compositions need not say what they fetch.
 *
 * A user keeps a fixed number of samples, spread evenly over its transactions:
 * when they are full, every other one goes and the distance doubles.
 */
#ifndef WORKLOAD_TPCC_OUTPUT_H
#define WORKLOAD_TPCC_OUTPUT_H

#include "workload/tpcc/input.h"
#include "workload/tpcc/steps.h"

/* Where the truth about a column is. */
enum output_entity {
    OUTPUT_WAREHOUSE,
    OUTPUT_DISTRICT,
    OUTPUT_CUSTOMER,
    OUTPUT_ITEM,
    OUTPUT_STOCK,
    OUTPUT_ORDER, /* of Order-Status */
    OUTPUT_LINE,  /* the line sampled: of the order entered, or looked up */
    OUTPUT_KEY,   /* tells which row it is */
    OUTPUT_N_ENTITIES,
};

/* X(entity, column) */
#define OUTPUT_COLUMNS(X)     \
    X(WAREHOUSE, w_name)      \
    X(WAREHOUSE, w_street_1)  \
    X(WAREHOUSE, w_street_2)  \
    X(WAREHOUSE, w_city)      \
    X(WAREHOUSE, w_state)     \
    X(WAREHOUSE, w_zip)       \
    X(WAREHOUSE, w_tax)       \
    X(DISTRICT, d_name)       \
    X(DISTRICT, d_street_1)   \
    X(DISTRICT, d_street_2)   \
    X(DISTRICT, d_city)       \
    X(DISTRICT, d_state)      \
    X(DISTRICT, d_zip)        \
    X(DISTRICT, d_tax)        \
    X(CUSTOMER, c_id)         \
    X(CUSTOMER, c_first)      \
    X(CUSTOMER, c_middle)     \
    X(CUSTOMER, c_last)       \
    X(CUSTOMER, c_street_1)   \
    X(CUSTOMER, c_street_2)   \
    X(CUSTOMER, c_city)       \
    X(CUSTOMER, c_state)      \
    X(CUSTOMER, c_zip)        \
    X(CUSTOMER, c_phone)      \
    X(CUSTOMER, c_since)      \
    X(CUSTOMER, c_credit)     \
    X(CUSTOMER, c_credit_lim) \
    X(CUSTOMER, c_discount)   \
    X(ITEM, i_price)          \
    X(ITEM, i_name)           \
    X(ITEM, i_data)           \
    X(STOCK, s_data)          \
    X(ORDER, o_id)            \
    X(ORDER, o_entry_d)       \
    X(LINE, ol_i_id)          \
    X(LINE, ol_supply_w_id)   \
    X(LINE, ol_quantity)      \
    X(LINE, ol_amount)        \
    X(LINE, brand)            \
    X(KEY, s_i_id)            \
    X(KEY, s_w_id)            \
    X(KEY, ol_number)         \
    X(KEY, lines)             \
    X(KEY, orders)            \
    X(KEY, d_id)              \
    X(KEY, no_o_id)

enum output_column {
    OUTPUT_NOTHING, /* not among them */
#define X(entity, column) OUTPUT_##column,
    OUTPUT_COLUMNS(X)
#undef X
        OUTPUT_N_COLUMNS
};

struct output_def {
    const char *name;
    enum output_entity entity;
};
extern const struct output_def output_defs[OUTPUT_N_COLUMNS];

enum {
    OUTPUT_CLAIMS_MAX = 32,
    OUTPUT_TEXT_MAX = 400,
    OUTPUT_COLS_MAX = 32, /* of a step; further ones are not looked at */
};

/* One column that was given back; text is in the sample's. */
struct output_claim {
    uint8_t column; /* enum output_column */
    uint8_t type;   /* enum value_type */
    uint16_t at, len;
    int64_t i;
};

/* One transaction. */
struct output {
    enum tpcc_txn txn;
    uint64_t number; /* of the user's transactions, from 0 */
    bool done;       /* it ended well */
    bool rolled_back;
    int32_t w_id, d_id;
    struct customer_input customer;
    struct order_line_input line; /* the one to look at, of a New-Order */
    int32_t carrier_id;
    struct {
        int32_t d_id, o_id;
    } delivered[TPCC_DISTRICTS + 1]; /* one too many is a fault to be seen */
    size_t n_delivered;
    size_t n_claims, text_len;
    struct output_claim claims[OUTPUT_CLAIMS_MAX];
    char text[OUTPUT_TEXT_MAX];
};

/* Which columns the steps have that are worth a look; of all users. */
struct output_map {
    uint8_t columns[TPCC_N_STEPS][OUTPUT_COLS_MAX];
};
void output_map_step(struct output_map *map, enum tpcc_step number,
                     const struct step *step);

/* Of one user. */
struct output_log {
    const struct output_map *map;
    const struct step *steps;
    struct output *samples; /* max of them; the user's */
    size_t n, max;
    uint64_t number, distance;
    uint64_t until; /* transactions to the next sample, that one included */
};

struct tpcc_vu;

/* The sample to fill for the transaction that begins, NULL most times. */
struct output *output_begin(struct tpcc_vu *vu);
/* Keeps it when the transaction ended well. */
void output_end(struct tpcc_vu *vu, enum rc rc, bool rolled_back);
/* The rows of a step; args as it got them, or NULL. */
void output_note(struct tpcc_vu *vu, enum tpcc_step step,
                 const struct value *args, const struct rowset *rows);

#endif
