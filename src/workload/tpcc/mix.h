/* SPDX-License-Identifier: MIT */
/*
 * Which transaction comes next, clause 5.2.4: by weights, independently, or
 * from a shuffled deck of cards, or only look-ups.
 */
#ifndef WORKLOAD_TPCC_MIX_H
#define WORKLOAD_TPCC_MIX_H

#include "workload/tpcc/tpcc.h"

/* One set of cards: 10 New-Order, 10 Payment, 1 of each other. */
#define MIX_DECK_CARDS 23

struct mix {
    bool deck;
    uint64_t total; /* of the weights */
    size_t n;
    struct {
        enum tpcc_txn txn;
        uint64_t below; /* sum of the weights up to and with this one */
    } parts[TPCC_N_TXNS];
};

/* A user's own deck. */
struct mix_state {
    uint8_t cards[MIX_DECK_CARDS];
    size_t next; /* MIX_DECK_CARDS: shuffle first */
};

extern const struct txn_type tpcc_txn_types[TPCC_N_TXNS];

/* "deck", "lookup", or "new_order=45,payment=43,…": shares of any positive
 * sum, up to three decimals. */
MUST_USE enum rc mix_parse(const char *text, struct mix *out, struct err *err);
void mix_state_init(struct mix_state *state);
enum tpcc_txn mix_next(const struct mix *mix, struct mix_state *state,
                       struct rng *rng);
/* The mix has transactions that write. */
bool mix_writes(const struct mix *mix);

#endif
