/* SPDX-License-Identifier: MIT */
/*
 * Private to the wrappers: what a call took, for the one who watches the
 * connection.  With nobody watching it is one comparison.
 */
#ifndef DRIVER_TIMING_H
#define DRIVER_TIMING_H

#include "base/clock.h"
#include "driver/driver.h"

struct conn_timing {
    struct mono start;
    int64_t wait_ns;
};

static inline void conn_timing_begin(const struct conn *c,
                                     struct conn_timing *t)
{
    *t = (struct conn_timing){{0}, 0};
    if (UNLIKELY(c->watch != NULL))
        *t = (struct conn_timing){clock_now(), c->wait_ns};
}

static inline void conn_timing_end(const struct conn *c,
                                   const struct conn_timing *t,
                                   enum conn_call call, const struct step *step)
{
    if (UNLIKELY(c->watch != NULL))
        c->watch->took(c->watch->arg, call, step,
                       mono_since(clock_now(), t->start) -
                           (c->wait_ns - t->wait_ns));
}

#endif
