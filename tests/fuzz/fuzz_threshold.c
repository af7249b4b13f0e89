/* SPDX-License-Identifier: MIT */
/* Any text as a threshold, a rate, stages or a number of connections: read or
 * refused with a reason. */
#include "run/sizes.h"
#include "run/threshold.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void check(bool ok)
{
    if (!ok)
        abort();
}

static void parse(const char *text)
{
    const struct workload *wl = workload_find("tpcc");
    const struct run_cfg rate = {.rate = text, .duration_ns = NS_PER_S};
    const struct run_cfg stages = {.stages = text};
    struct conns_wish wish;
    struct threshold t;
    struct plan plan;
    struct err err = {0};

    if (threshold_parse(text, wl, &t, &err))
        check(err.rc == RC_USAGE && err.text[0]);
    else
        check(t.limit >= 0 && t.txn <= wl->n_txns && t.window_ns >= 0 &&
              (t.metric != METRIC_PERCENTILE || (t.pct > 0 && t.pct <= 100)));
    if (!plan_make(&rate, &plan, &err))
        check(plan.open_loop && plan_starts(&plan) > 0);
    if (!plan_make(&stages, &plan, &err))
        check(plan.n_stages > 0 && plan.duration_ns > 0);
    if (!conns_parse(text, &wish, &err))
        check(wish.how == CONNS_FIT || wish.n > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    parse(text);
    free(text);
    return 0;
}
