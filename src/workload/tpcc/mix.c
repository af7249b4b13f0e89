/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/mix.h"

#include "base/parse.h"

const struct txn_type tpcc_txn_types[TPCC_N_TXNS] = {
    [TPCC_NEW_ORDER] = {"new_order", "New-Order"},
    [TPCC_PAYMENT] = {"payment", "Payment"},
    [TPCC_ORDER_STATUS] = {"order_status", "Order-Status"},
    [TPCC_DELIVERY] = {"delivery", "Delivery"},
    [TPCC_STOCK_LEVEL] = {"stock_level", "Stock-Level"},
    [TPCC_LOOKUP_WAREHOUSE] = {"lookup_warehouse", "warehouse"},
    [TPCC_LOOKUP_DISTRICT] = {"lookup_district", "district"},
    [TPCC_LOOKUP_CUSTOMER] = {"lookup_customer", "customer"},
    [TPCC_LOOKUP_STOCK] = {"lookup_stock", "stock"},
    [TPCC_LOOKUP_ORDER_LINE] = {"lookup_order_line", "order lines"},
    [TPCC_LOOKUP_NEW_ORDER] = {"lookup_new_order", "new order"},
};

static const uint8_t deck[MIX_DECK_CARDS] = {
    TPCC_NEW_ORDER,    TPCC_NEW_ORDER, TPCC_NEW_ORDER,   TPCC_NEW_ORDER,
    TPCC_NEW_ORDER,    TPCC_NEW_ORDER, TPCC_NEW_ORDER,   TPCC_NEW_ORDER,
    TPCC_NEW_ORDER,    TPCC_NEW_ORDER, TPCC_PAYMENT,     TPCC_PAYMENT,
    TPCC_PAYMENT,      TPCC_PAYMENT,   TPCC_PAYMENT,     TPCC_PAYMENT,
    TPCC_PAYMENT,      TPCC_PAYMENT,   TPCC_PAYMENT,     TPCC_PAYMENT,
    TPCC_ORDER_STATUS, TPCC_DELIVERY,  TPCC_STOCK_LEVEL,
};

static void add_part(struct mix *mix, enum tpcc_txn txn, uint64_t weight)
{
    mix->total += weight;
    mix->parts[mix->n].txn = txn;
    mix->parts[mix->n].below = mix->total;
    mix->n++;
}

static bool find_txn(const char *name, size_t len, enum tpcc_txn *out)
{
    for (int i = 0; i < TPCC_N_TXNS; i++) {
        const char *known = tpcc_txn_types[i].name;

        if (strlen(known) == len && !memcmp(known, name, len)) {
            *out = (enum tpcc_txn)i;
            return true;
        }
    }
    return false;
}

static enum rc unknown_txn(const char *name, size_t len, struct err *err)
{
    const char *names[TPCC_N_TXNS];
    char text[64];
    const char *near;

    for (int i = 0; i < TPCC_N_TXNS; i++)
        names[i] = tpcc_txn_types[i].name;
    if (len >= sizeof(text))
        len = sizeof(text) - 1;
    memcpy(text, name, len);
    text[len] = '\0';
    near = nearest_name(text, names, TPCC_N_TXNS);
    return err_set(err, RC_USAGE,
                   "--mix: '%s' is no transaction%s%s%s; write 'deck', "
                   "'lookup' or NAME=SHARE,… with new_order, payment, "
                   "order_status, delivery, stock_level",
                   text, near ? "; did you mean '" : "", near ? near : "",
                   near ? "'" : "");
}

/* Thousandths of "43.2"; up to three decimals. */
static bool parse_weight(const char *s, size_t len, uint64_t *out)
{
    uint64_t value = 0;
    int decimals = -1;

    if (len == 0 || len > 12)
        return false;
    for (size_t i = 0; i < len; i++) {
        if (s[i] == '.' && decimals < 0) {
            decimals = 0;
            continue;
        }
        if (s[i] < '0' || s[i] > '9' || decimals == 3)
            return false;
        value = value * 10 + (uint64_t)(s[i] - '0');
        decimals += decimals >= 0;
    }
    for (int i = decimals < 0 ? 0 : decimals; i < 3; i++)
        value *= 10;
    *out = value;
    return true;
}

/* One NAME=SHARE. */
static enum rc parse_part(const char *part, size_t len, struct mix *mix,
                          struct err *err)
{
    const char *eq = memchr(part, '=', len);
    const size_t name_len = eq ? (size_t)(eq - part) : len;
    enum tpcc_txn txn;
    uint64_t weight = 0;

    if (!find_txn(part, name_len, &txn))
        return unknown_txn(part, name_len, err);
    if (!eq || !parse_weight(eq + 1, len - name_len - 1, &weight))
        return err_set(err, RC_USAGE,
                       "--mix: '%.*s' has no share; write %.*s=45", (int)len,
                       part, (int)name_len, part);
    for (size_t i = 0; i < mix->n; i++) {
        if (mix->parts[i].txn == txn)
            return err_set(err, RC_USAGE, "--mix: '%.*s' is named twice",
                           (int)name_len, part);
    }
    if (weight > 0)
        add_part(mix, txn, weight);
    else if (mix->n >= TPCC_N_TXNS)
        return err_set(err, RC_USAGE, "--mix: too many parts");
    return RC_OK;
}

enum rc mix_parse(const char *text, struct mix *out, struct err *err)
{
    *out = (struct mix){0};
    if (!strcmp(text, "deck")) {
        out->deck = true;
        for (int i = TPCC_NEW_ORDER; i <= TPCC_STOCK_LEVEL; i++)
            add_part(out, (enum tpcc_txn)i, i <= TPCC_PAYMENT ? 10 : 1);
        return RC_OK;
    }
    if (!strcmp(text, "lookup")) {
        for (int i = TPCC_LOOKUP_WAREHOUSE; i < TPCC_N_TXNS; i++)
            add_part(out, (enum tpcc_txn)i, 1);
        return RC_OK;
    }
    for (;;) {
        const size_t len = strcspn(text, ",");
        enum rc rc = parse_part(text, len, out, err);

        if (rc)
            return rc;
        if (!text[len])
            break;
        text += len + 1;
    }
    if (out->total == 0)
        return err_set(err, RC_USAGE, "--mix: all shares are 0");
    return RC_OK;
}

void mix_state_init(struct mix_state *state)
{
    memcpy(state->cards, deck, sizeof(deck));
    state->next = MIX_DECK_CARDS;
}

static void shuffle(struct mix_state *state, struct rng *rng)
{
    for (size_t i = MIX_DECK_CARDS - 1; i > 0; i--) {
        const size_t j = (size_t)rng_below(rng, i + 1);
        const uint8_t card = state->cards[i];

        state->cards[i] = state->cards[j];
        state->cards[j] = card;
    }
    state->next = 0;
}

enum tpcc_txn mix_next(const struct mix *mix, struct mix_state *state,
                       struct rng *rng)
{
    uint64_t x;
    size_t i = 0;

    if (mix->deck) {
        if (state->next == MIX_DECK_CARDS)
            shuffle(state, rng);
        return (enum tpcc_txn)state->cards[state->next++];
    }
    x = rng_below(rng, mix->total);
    while (x >= mix->parts[i].below)
        i++;
    return mix->parts[i].txn;
}

bool mix_writes(const struct mix *mix)
{
    for (size_t i = 0; i < mix->n; i++) {
        const enum tpcc_txn txn = mix->parts[i].txn;

        if (txn == TPCC_NEW_ORDER || txn == TPCC_PAYMENT ||
            txn == TPCC_DELIVERY)
            return true;
    }
    return false;
}
