/* SPDX-License-Identifier: MIT */
/* Private to matrix_table.c, which fills the table, and matrix_print.c. */
#ifndef CLI_MATRIX_TABLE_INT_H
#define CLI_MATRIX_TABLE_INT_H

#include "cli/matrix_table.h"
#include "stats/compare.h"
#include "store/runs.h"

#define FIGURES 7 /* columns behind those of the axes */
#define NO_DATA "-"

/* What is known of one variant, over its repeats. */
struct row {
    struct compare_run runs[COMPARE_REPEATS_MAX]; /* value: throughput */
    size_t n;                                     /* valid runs */
    size_t n_ended, n_planned;
    double nopm, tps, p99_ns, cpu_us; /* sums of the valid ones */
    size_t n_p99, n_cpu;
    enum variant_outcome worst;
};

struct table {
    const struct matrix_plan *plan;
    const struct matrix_state *state;
    struct arena arena;
    struct store *store;
    struct row *rows; /* one for each cell */
    bool by_nopm;
    size_t axes[MATRIX_AXES_MAX]; /* that differ between the rows */
    size_t n_axes;
    const char **cells; /* (rows + 1) * columns, the head first */
    size_t n_cols;
};

void table_print_text(const struct table *t, FILE *out);
void table_print_markdown(const struct table *t, FILE *out);
void table_print_csv(const struct table *t, FILE *out);
/* The runs that are not simply valid, each with its reason. */
void table_print_remarks(const struct table *t, FILE *out);
void table_print_base(const struct table *t, FILE *out);

#endif
