/* SPDX-License-Identifier: MIT */
/*
 * What was shown, beside the rows of the tables: finding, comparing and
 * printing one column.
 */
#ifndef WORKLOAD_TPCC_OUTPUT_TEXT_H
#define WORKLOAD_TPCC_OUTPUT_TEXT_H

#include "workload/tpcc/output.h"

#define OUTPUT_CELL_MAX 64

/* The rows of a query, and which row of a table it is. */
struct output_truth {
    const struct step *step;
    struct rowset rows;
    const char *kind; /* "customer", or NULL */
    int64_t id;
};

/* In the first row; NULL when there is no such column. */
const struct value *output_truth_find(const struct output_truth *truth,
                                      const char *column);

/* NULL when it was not shown. */
const struct output_claim *output_claim_find(const struct output *o,
                                             enum output_column column);
const struct output_claim *output_claim_named(const struct output *o,
                                              const char *column);
bool output_claim_is(const struct output *o, const struct output_claim *claim,
                     const struct value *v);

void output_claim_text(const struct output *o, const struct output_claim *claim,
                       char out[OUTPUT_CELL_MAX]);
void output_value_text(const struct value *v, char out[OUTPUT_CELL_MAX]);

/* Compositions whose lines come as one text: the columns of the line that was
 * kept become claims of their own. */
void output_split_lines(struct output *o);

#endif
