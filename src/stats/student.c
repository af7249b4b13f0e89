/* SPDX-License-Identifier: MIT */
#include "stats/student.h"

#include <math.h>

#define TERMS_MAX 500
#define TINY 1e-300
#define PRECISION 1e-15

/* lgamma() writes to a global. */
static double log_gamma(double x)
{
    int sign;

    return lgamma_r(x, &sign);
}

/* A term of the continued fraction, never zero. */
static double nonzero(double v)
{
    return fabs(v) < TINY ? TINY : v;
}

/* The continued fraction of the incomplete beta function by Lentz's method;
 * converges fast for x < (a + 1) / (a + b + 2).  DLMF 8.17.22. */
static double beta_fraction(double a, double b, double x)
{
    double c = 1;
    double d = 1 / nonzero(1 - (a + b) * x / (a + 1));
    double f = d;

    for (int m = 1; m < TERMS_MAX; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd =
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double step;

        d = 1 / nonzero(1 + even * d);
        c = nonzero(1 + even / c);
        f *= c * d;
        d = 1 / nonzero(1 + odd * d);
        c = nonzero(1 + odd / c);
        step = c * d;
        f *= step;
        if (fabs(step - 1) < PRECISION)
            break;
    }
    return f;
}

/* The regularised incomplete beta function I_x(a, b). */
static double beta_regular(double a, double b, double x)
{
    double front;

    if (x <= 0)
        return 0;
    if (x >= 1)
        return 1;
    front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) +
                b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_two_sided(double t, double df)
{
    if (isinf(t))
        return 0;
    return beta_regular(df / 2, 0.5, df / (df + t * t));
}

double student_quantile(double p, double df)
{
    double low = 0, high = 1;

    while (student_two_sided(high, df) > p && high < 1e300)
        high *= 2;
    while (high - low > 1e-10 * high) {
        const double middle = low + (high - low) / 2;

        if (student_two_sided(middle, df) > p)
            low = middle;
        else
            high = middle;
    }
    return high;
}
