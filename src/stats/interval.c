/* SPDX-License-Identifier: MIT */
#include "stats/interval.h"

void interval_sample(struct interval *interval, const char *name, int64_t value)
{
    if (interval->n_samples == INTERVAL_SAMPLES_MAX) {
        interval->samples_not_listed++;
        return;
    }
    interval->samples[interval->n_samples++] =
        (struct sample){.name = name, .value = value};
}
