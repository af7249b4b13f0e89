/* SPDX-License-Identifier: MIT */
/*
 * What two or more groups of stored runs ("sides") differ in: the data behind
 * `dyno compare`, `dyno flip` and the comparisons of the HTML report.  The
 * first side is the base.  Nothing is printed here.
 *
 *     figures_read() for each run
 *     comparison_make(sides, …, &comparison)
 *     comparison_text() and the like (report/compare_report.h)
 *
 * With repeats on both sides the verdicts speak of what the sides stand for;
 * with one run each only of these runs.  Verdicts that are read together hold
 * together (docs/design/compare.md): those of a throughput over all sides, and
 * those of the response times of one side.
 */
#ifndef REPORT_COMPARISON_H
#define REPORT_COMPARISON_H

#include "report/figures.h"
#include "stats/compare.h"

#define COMPARISON_LEVEL 0.95

struct side {
    const char *name;
    const struct figures *const *runs;
    size_t n;
};

/* What a verdict stands on. */
enum comparison_basis {
    BASIS_NONE,    /* too few runs, or no data */
    BASIS_RUNS,    /* one run a side: only these runs are compared */
    BASIS_REPEATS, /* what the sides stand for is compared */
};

struct compared_figure {
    const char *name;
    enum figure_kind kind;
    double base, value; /* means over the runs of a side; NAN: no data */
    /* Of FIGURE_RATE and FIGURE_TIME; of others and without enough data the
     * verdict is COMPARE_NO_DATA and only ratio may be known (else NAN). */
    struct compare_result result;
};

/* One side against the base. */
struct compared_side {
    const struct side *side;
    enum comparison_basis basis;
    /* All runs of one side came before those of the other: what changed in
     * between cannot be told from a difference. */
    bool apart;
    struct compared_figure *figures; /* rates, times, costs, waits */
    size_t n_figures;
};

/* A property that is not the same in all runs. */
struct difference {
    enum property_kind kind;
    const char *name;
    const char *const *values; /* of each side: "a", "a, b"; "-" for none */
    bool serious; /* throughputs of different ones say little of each other */
};

struct comparison {
    const struct side *base;
    struct compared_side *sides; /* without the base */
    size_t n_sides;
    struct difference *differences; /* the serious ones first */
    size_t n_differences;
    /* What is to know before any number, each a sentence without a full stop:
     * "different composition (literal, batched)", "run 'x' is not valid:
     * audit_failed".  They belong in the first line. */
    const char **warnings;
    size_t n_warnings;
    size_t n_warned_differences; /* the first of them */
    bool all_valid, all_complete;
    bool serious; /* a difference is */
};

/* sides, at least two, are borrowed, and so are their runs; the rest lives in
 * arena.  RC_INVALID names runs that cannot be compared: of different
 * workloads, one that goes on. */
MUST_USE enum rc comparison_make(const struct side *sides, size_t n,
                                 struct arena *arena, struct comparison *out,
                                 struct err *err);

/* The same for sides that were all run once in each of some rounds: their
 * i-th runs were made together.  Throughputs are compared by rounds
 * (stats/rounds.h). */
MUST_USE enum rc comparison_make_rounds(const struct side *sides, size_t n,
                                        struct arena *arena,
                                        struct comparison *out,
                                        struct err *err);

/* NULL when no run has it. */
const struct compared_figure *compared_find(const struct compared_side *side,
                                            const char *name);
/* The throughput by which the workload is known: NOPM, or TPS; NULL when there
 * is no data. */
const struct compared_figure *
compared_throughput(const struct compared_side *s);
/* Whether any verdict is "slower". */
bool compared_slower(const struct compared_side *side);

#endif
