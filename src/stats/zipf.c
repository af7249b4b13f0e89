/* SPDX-License-Identifier: MIT */
#include "stats/zipf.h"

#include <math.h>

/* Below it a quotient of two small numbers is its limit. */
#define SMALL 1e-8

/* x ^ -s, and its integral and the inverse of that, both of which stay exact
 * near s = 1. */
static double density(const struct zipf *z, double x)
{
    return exp(-z->s * log(x));
}

static double integral(const struct zipf *z, double x)
{
    const double log_x = log(x);
    const double t = (1.0 - z->s) * log_x;

    return fabs(t) > SMALL ? expm1(t) / t * log_x : log_x;
}

static double inverse(const struct zipf *z, double y)
{
    double t = y * (1.0 - z->s);

    /* Rounding may lead out of the range of the logarithm. */
    if (t < -1.0)
        t = -1.0;
    return exp(fabs(t) > SMALL ? log1p(t) / t * y : y);
}

void zipf_init(struct zipf *z, uint64_t n, double s)
{
    *z = (struct zipf){.n = n, .s = s};
    z->from = integral(z, 1.5) - 1.0;
    z->to = integral(z, (double)n + 0.5);
    z->near = 2.0 - inverse(z, integral(z, 2.5) - density(z, 2.0));
}

uint64_t zipf_draw(const struct zipf *z, struct rng *r)
{
    for (;;) {
        const double u = z->to + rng_unit(r) * (z->from - z->to);
        const double x = inverse(z, u);
        double k = floor(x + 0.5);

        if (k < 1.0)
            k = 1.0;
        else if (k > (double)z->n)
            k = (double)z->n;
        if (k - x <= z->near || u >= integral(z, k + 0.5) - density(z, k))
            return (uint64_t)k;
    }
}
