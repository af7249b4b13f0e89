/* SPDX-License-Identifier: MIT */
#include "stats/longrun.h"

#include <math.h>

static double mean_of(const double *x, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

static double autocovariance(const double *x, size_t n, double mean, size_t lag)
{
    double sum = 0;

    for (size_t i = lag; i < n; i++)
        sum += (x[i] - mean) * (x[i - lag] - mean);
    return sum / (double)n;
}

/*
 * The long-run variance with Bartlett's weights (Newey and West, Econometrica
 * 55, 1987); the bandwidth follows the autocorrelation of the series (Andrews,
 * Econometrica 59, 1991, the plug-in for an autoregression of order one).
 */
struct longrun longrun_of(const double *x, size_t n)
{
    struct longrun out = {.mean = mean_of(x, n)};
    const double c0 = autocovariance(x, n, out.mean, 0);
    double rho, bandwidth, sum = c0;
    size_t lags;

    out.independent = (double)n;
    if (c0 <= 0)
        return out;
    rho = autocovariance(x, n, out.mean, 1) / c0;
    /* A series this short underestimates it. */
    rho = fmin(0.97, fmax(0, rho + (1 + 3 * rho) / (double)n));
    bandwidth =
        1.1447 * cbrt(4 * rho * rho / pow(1 - rho * rho, 2) * (double)n);
    lags = (size_t)fmin(bandwidth, (double)n / 4);
    for (size_t k = 1; k <= lags; k++)
        sum += 2 * (1 - (double)k / (double)(lags + 1)) *
               autocovariance(x, n, out.mean, k);
    /* Never less than the autocorrelation of neighbours alone says. */
    sum = fmax(sum, c0 * (1 + rho) / (1 - rho));
    out.independent = fmax(2, (double)n * c0 / sum);
    out.variance = sum / (double)n * (double)n / ((double)n - 1);
    return out;
}
