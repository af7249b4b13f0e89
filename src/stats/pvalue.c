/* SPDX-License-Identifier: MIT */
#include "stats/pvalue.h"

#include <float.h>
#include <math.h>

/* Terms of a series or a fraction; they need about the root of the larger
 * argument. */
#define TERMS_MAX 1000000
#define PRECISION 1e-14
/* Stands for 0 in a denominator of a continued fraction. */
#define TINY (DBL_MIN / DBL_EPSILON)

/* lgamma() writes to a global. */
static double log_gamma(double x)
{
    int sign;

    return lgamma_r(x, &sign);
}

/* The lower incomplete gamma function P(a, x), for x < a + 1. */
static double gamma_series(double a, double x)
{
    double term = 1 / a, sum = term;

    for (int i = 1; i < TERMS_MAX && term > sum * PRECISION; i++) {
        term *= x / (a + i);
        sum += term;
    }
    return sum * exp(a * log(x) - x - log_gamma(a));
}

/* A continued fraction b0 + a1/(b1 + a2/(b2 + ...)), by Lentz's method. */
struct fraction {
    double c, d, value, last;
};

static double not_zero(double x)
{
    return fabs(x) < TINY ? TINY : x;
}

static struct fraction fraction_begin(double b0)
{
    const double b = not_zero(b0);

    return (struct fraction){.c = b, .d = 0, .value = b};
}

static void fraction_term(struct fraction *f, double a, double b)
{
    f->d = 1 / not_zero(b + a * f->d);
    f->c = not_zero(b + a / f->c);
    f->last = f->c * f->d;
    f->value *= f->last;
}

static bool fraction_done(const struct fraction *f)
{
    return fabs(f->last - 1) < PRECISION;
}

/* The upper one, Q(a, x) = 1 - P(a, x), for x >= a + 1. */
static double gamma_fraction(double a, double x)
{
    struct fraction f = fraction_begin(x + 1 - a);

    for (int i = 1; i < TERMS_MAX; i++) {
        fraction_term(&f, -i * (i - a), x + 2 * i + 1 - a);
        if (fraction_done(&f))
            break;
    }
    return exp(a * log(x) - x - log_gamma(a)) / f.value;
}

double pvalue_chisq(double x, uint64_t degrees)
{
    const double a = (double)degrees / 2, half = x / 2;

    if (x <= 0)
        return 1;
    return half < a + 1 ? 1 - gamma_series(a, half) : gamma_fraction(a, half);
}

/* The incomplete beta function I(x; a, b), for x below (a + 1)/(a + b + 2). */
static double beta_fraction(double x, double a, double b)
{
    const double front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) +
                             a * log(x) + b * log1p(-x));
    struct fraction f = fraction_begin(1);

    fraction_term(&f, -(a + b) * x / (a + 1), 1);
    for (int i = 1; i < TERMS_MAX; i++) {
        const double at = a + 2 * i;

        fraction_term(&f, i * (b - i) * x / ((at - 1) * at), 1);
        fraction_term(&f, -(a + i) * (a + b + i) * x / (at * (at + 1)), 1);
        if (fraction_done(&f))
            break;
    }
    return front / (a * f.value);
}

static double beta_below(double x, double a, double b)
{
    if (x < (a + 1) / (a + b + 2))
        return beta_fraction(x, a, b);
    return 1 - beta_fraction(1 - x, b, a);
}

/* The chance of k or more; beta_below() of the other side is not taken from 1,
 * so that small chances keep their digits. */
static double at_least(uint64_t k, uint64_t n, double p)
{
    return k == 0 ? 1 : beta_below(p, (double)k, (double)(n - k) + 1);
}

static double at_most(uint64_t k, uint64_t n, double p)
{
    return k == n ? 1 : beta_below(1 - p, (double)(n - k), (double)k + 1);
}

double pvalue_binomial(uint64_t k, uint64_t n, double p)
{
    const double up = at_least(k, n, p), down = at_most(k, n, p);
    const double both = 2 * (up < down ? up : down);

    return both < 1 ? both : 1;
}

double pvalue_student(double t, double df)
{
    const double x = df / (df + t * t);

    if (!(x > 0))
        return 0;
    return x < 1 ? beta_below(x, df / 2, 0.5) : 1;
}

double quantile_student(double p, double df)
{
    double low = 0, high = 1;

    while (pvalue_student(high, df) > p && high < 1e150)
        high *= 2;
    while (high - low > 1e-10 * high) {
        const double middle = low + (high - low) / 2;

        if (pvalue_student(middle, df) > p)
            low = middle;
        else
            high = middle;
    }
    return high;
}
