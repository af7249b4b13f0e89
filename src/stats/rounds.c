/* SPDX-License-Identifier: MIT */
#include "stats/rounds.h"

#include <math.h>
#include <stdlib.h>

/* As in compare.c. */
#define CLIP_DEVIATIONS 3.0
#define MEDIAN_DEVIATION 1.4826
#define CLIP_ROUNDS 20
/* Drawing outliers in makes the error look smaller than it is. */
#define WIDEN 1.05

struct layout {
    const double *values;
    size_t n_sides, n_rounds;
    double y[ROUNDS_CELLS_MAX]; /* logarithms, outliers drawn in */
    double side[ROUNDS_SIDES_MAX];
    double round[ROUNDS_CELLS_MAX / 2]; /* less the mean of all */
    double df, variance;
};

static double fitted(const struct layout *l, size_t cell)
{
    return l->side[cell / l->n_rounds] + l->round[cell % l->n_rounds];
}

static void fit(struct layout *l)
{
    const size_t n = l->n_sides * l->n_rounds;
    double mean = 0, rest = 0;

    for (size_t i = 0; i < l->n_sides; i++)
        l->side[i] = 0;
    for (size_t j = 0; j < l->n_rounds; j++)
        l->round[j] = 0;
    for (size_t c = 0; c < n; c++) {
        mean += l->y[c] / (double)n;
        l->side[c / l->n_rounds] += l->y[c] / (double)l->n_rounds;
        l->round[c % l->n_rounds] += l->y[c] / (double)l->n_sides;
    }
    for (size_t j = 0; j < l->n_rounds; j++)
        l->round[j] -= mean;
    for (size_t c = 0; c < n; c++)
        rest += pow(l->y[c] - fitted(l, c), 2);
    l->variance = rest / l->df;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The residuals of a small layout are smaller than the noise. */
static double clip_limit(const struct layout *l)
{
    const size_t n = l->n_sides * l->n_rounds;
    double off[ROUNDS_CELLS_MAX] = {0};

    for (size_t c = 0; c < n; c++)
        off[c] = fabs(log(l->values[c]) - fitted(l, c));
    qsort(off, n, sizeof(off[0]), by_size);
    return CLIP_DEVIATIONS * MEDIAN_DEVIATION * off[n / 2] *
           sqrt((double)n / l->df);
}

static bool fit_robustly(struct layout *l)
{
    const size_t n = l->n_sides * l->n_rounds;
    bool moved = true, clipped = false;

    for (size_t c = 0; c < n; c++)
        l->y[c] = log(l->values[c]);
    for (int i = 0; moved && i < CLIP_ROUNDS; i++) {
        double limit;

        fit(l);
        limit = clip_limit(l);
        moved = clipped = false;
        for (size_t c = 0; c < n; c++) {
            const double value = log(l->values[c]), center = fitted(l, c);
            const double y = fmin(fmax(value, center - limit), center + limit);

            moved |= fabs(y - l->y[c]) > 1e-12;
            clipped |= fabs(y - value) > 1e-12;
            l->y[c] = y;
        }
    }
    return clipped;
}

void compare_rounds(const double *values, size_t n_sides, size_t n_rounds,
                    double level, struct compare_result *out)
{
    struct layout l = {
        .values = values, .n_sides = n_sides, .n_rounds = n_rounds};
    bool clipped;
    double error;

    for (size_t i = 1; i < n_sides; i++)
        out[i] = (struct compare_result){.ratio = NAN,
                                         .low = NAN,
                                         .high = NAN,
                                         .p = NAN,
                                         .smallest = NAN,
                                         .n = {n_rounds, n_rounds}};
    if (n_sides < 2 || n_rounds < 2 || n_sides > ROUNDS_SIDES_MAX ||
        n_rounds > ROUNDS_CELLS_MAX / n_sides)
        return;
    l.df = (double)((n_sides - 1) * (n_rounds - 1));
    clipped = fit_robustly(&l);
    error = WIDEN * sqrt(l.variance * 2 / (double)n_rounds);
    for (size_t i = 1; i < n_sides; i++) {
        out[i].df = l.df;
        out[i].clipped = clipped;
        compare_conclude(&out[i], l.side[i] - l.side[0], error, level);
    }
}
