/* SPDX-License-Identifier: MIT */
/*
 * Is one side faster than the other, or is it noise?
 *
 * Two ways, for two questions.  With repeats, compare_repeats() speaks of what
 * the sides stand for (builds, settings).  With one run a side,
 * compare_series() can only say whether these two runs differ.
 *
 * All work on logarithms, so that the answer is a ratio.  Methods, their
 * alternatives and the simulations behind the constants:
 * docs/design/compare.md.
 */
#ifndef STATS_COMPARE_H
#define STATS_COMPARE_H

#include "base/err.h"

#define COMPARE_REPEATS_MAX 1000

/* One run of one side. */
struct compare_run {
    double value; /* > 0 */
    int side;     /* 0: the base, 1: what is compared with it */
    double when;  /* place in the order of runs; any unit */
};

enum compare_verdict {
    COMPARE_NO_DATA,       /* a side has too few values to say anything */
    COMPARE_NO_DIFFERENCE, /* none shown */
    COMPARE_HIGHER,        /* side 1 over side 0 */
    COMPARE_LOWER,
};

struct compare_result {
    enum compare_verdict verdict;
    double ratio;     /* side 1 over side 0 */
    double low, high; /* confidence interval of the ratio */
    double p;         /* of "no difference", two-sided */
    /* The smallest difference, as a share (0.05: 5 %), that such runs would
     * have shown with a probability of 90 %. */
    double smallest;
    size_t n[2];  /* values of each side */
    double df;    /* degrees of freedom behind the interval */
    bool drift;   /* a drift common to both sides was taken out */
    bool clipped; /* an outlier was drawn in */
};

/*
 * From repeats; needs two of each side and four in all.  Assumes that sides
 * took turns: a drift common to both is then estimated and taken out when it
 * shows, and what neighbours have in common cancels.  level is that of the
 * interval, 0.95.  Nothing is allocated; n is at most COMPARE_REPEATS_MAX.
 * RC_INVALID names a value that is not positive.
 */
MUST_USE enum rc compare_repeats(const struct compare_run *runs, size_t n,
                                 double level, struct compare_result *out,
                                 struct err *err);

/*
 * From the interval series of one run a side (transactions of each second).
 * Autocorrelation is respected: the variance of a mean is the long-run one.
 * Needs ten values a side.
 */
void compare_series(const double *base, size_t n_base, const double *other,
                    size_t n_other, double level, struct compare_result *out);

/*
 * Holm's step-down correction: replaces n p-values, in place and in their own
 * order, by adjusted ones, so that those below 0.05 hold together with 95 %.
 * Holm, Scandinavian Journal of Statistics 6 (1979).  n at most
 * COMPARE_REPEATS_MAX.
 */
void compare_holm(double *p, size_t n);

/*
 * Comparisons that are read together: replaces p by Holm's, and widens each
 * interval to the level that Holm's method tests it at, so that intervals,
 * smallest differences and verdicts agree and hold together with that level.
 * level is the one that they were made with.  Results of COMPARE_NO_DATA are
 * left alone.  n at most COMPARE_REPEATS_MAX.
 */
void compare_family(struct compare_result *const *results, size_t n,
                    double level);
/* What follows from a difference of logarithms and its standard error, with
 * out->df degrees of freedom: all of it but n, drift and clipped. */
void compare_conclude(struct compare_result *out, double difference,
                      double error, double level);
/* Moves the result to a ratio that is known better than by the values that its
 * error was found from; p, interval and verdict follow. */
void compare_center(struct compare_result *result, double ratio, double level);

/* "faster", "slower", "no difference shown", "not enough data".  more_is_better
 * is true for throughput, false for latencies. */
const char *compare_word(enum compare_verdict v, bool more_is_better);

#endif
