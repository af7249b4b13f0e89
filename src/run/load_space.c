/* SPDX-License-Identifier: MIT */
#include "run/load_space.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/parse.h"
#include "driver/bulk.h"

#include <stdio.h>

/* Data that fits to the last byte leaves no room to work with it: sorts of
 * the keys, the first minutes of a run. */
#define SPARE_PERCENT 10
#define TEXT_MAX 32

struct look {
    struct db_space space;
    bool seen;
};

static enum rc look(struct session *s, struct conn *c, void *arg,
                    struct err *err)
{
    struct look *l = arg;
    enum rc rc;

    (void)s;
    coro_assert_inside();
    rc = conn_free_space(c, &l->space, err);
    l->seen = !rc;
    return rc == RC_UNSUPPORTED ? RC_OK : rc;
}

static void say(const char *scale, const struct load_needs *needs,
                const struct look *l)
{
    char data[TEXT_MAX], took[TEXT_MAX], left[TEXT_MAX];

    format_bytes(needs->data_bytes, data, sizeof(data));
    format_duration((int64_t)needs->seconds * NS_PER_S, took, sizeof(took));
    format_bytes(l->space.n_bytes, left, sizeof(left));
    if (l->seen)
        log_info("%s will take about %s of disk (%s has %s free) and, on two "
                 "cores, about %s",
                 scale, data, l->space.where, left, took);
    else
        log_info("%s will take about %s of disk (it cannot be seen from here) "
                 "and, on two cores, about %s",
                 scale, data, took);
}

enum rc load_space_check(struct session *s, bool quiet, uint64_t beside_bytes,
                         struct err *err)
{
    struct load_needs needs;
    struct look l = {0};
    char scale[48], need[TEXT_MAX], data[TEXT_MAX], left[TEXT_MAX];
    uint64_t total;
    enum rc rc;

    if (!s->ds.workload->load_needs ||
        !s->ds.workload->load_needs(&s->ds, &needs))
        return RC_OK;
    rc = session_call(s, look, &l, err);
    if (rc)
        return rc;
    scale_text(&s->ds, s->ds.scale, scale, sizeof(scale));
    total = needs.data_bytes + needs.data_bytes / 100 * SPARE_PERCENT +
            (needs.log_bytes > beside_bytes ? needs.log_bytes : beside_bytes);
    if (!l.seen || total <= l.space.n_bytes) {
        if (!quiet)
            say(scale, &needs, &l);
        return RC_OK;
    }
    format_bytes(total, need, sizeof(need));
    format_bytes(needs.data_bytes, data, sizeof(data));
    format_bytes(l.space.n_bytes, left, sizeof(left));
    return err_set(err, RC_DB_NO_SPACE,
                   "the disk is too small: %s would take about %s (%s of data, "
                   "the rest for logs%s sorting%s), but '%s' has %s free; load "
                   "fewer, or try it with --no-disk-check",
                   scale, need, data, beside_bytes ? "," : " and",
                   beside_bytes ? " and the run" : "", l.space.where, left);
}
