/* SPDX-License-Identifier: MIT */
#include "run/sizes.h"

#include "base/parse.h"
#include "engine/coro.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* Besides those of the users: the accounting, the audit, telemetry. */
#define OWN_CONNS 2
/* Descriptors of a worker's loop, and of whatever else is opened meanwhile. */
#define FDS_EACH_WORKER 3
#define FDS_SPARE 32

/* ---- the wish ---- */

static enum rc not_conns(const char *text, struct err *err)
{
    return err_set(err, RC_USAGE,
                   "--connections: '%s' is not a number such as 100, a "
                   "multiple of the users such as 2x, a share of them such as "
                   "1/10, or 'fit'",
                   text);
}

/* The part of text before end, as a whole number from 1. */
static bool parse_part(const char *text, const char *end, uint64_t *out)
{
    char part[24];
    const int len = (int)(end - text);

    if (len <= 0 || len >= (int)sizeof(part))
        return false;
    snprintf(part, sizeof(part), "%.*s", len, text);
    return !parse_u64(part, out, NULL) && *out > 0;
}

enum rc conns_parse(const char *text, struct conns_wish *out, struct err *err)
{
    const char *end, *slash;

    *out = (struct conns_wish){.how = CONNS_PINNED};
    if (!text)
        return RC_OK;
    end = text + strlen(text);
    slash = strchr(text, '/');
    if (strcmp(text, "fit") == 0) {
        out->how = CONNS_FIT;
        return RC_OK;
    }
    if (slash) {
        out->how = CONNS_SHARE;
        if (!parse_part(text, slash, &out->n) ||
            !parse_part(slash + 1, end, &out->of))
            return not_conns(text, err);
        return RC_OK;
    }
    out->how = CONNS_NUMBER;
    if (end > text && end[-1] == 'x') {
        out->how = CONNS_TIMES;
        end--;
    }
    return parse_part(text, end, &out->n) ? RC_OK : not_conns(text, err);
}

static uint64_t wished(const struct conns_wish *wish, uint64_t n_users)
{
    uint64_t n = n_users;

    switch (wish->how) {
    case CONNS_PINNED:
    case CONNS_FIT:
        return n_users;
    case CONNS_NUMBER:
        return wish->n;
    case CONNS_TIMES:
        return __builtin_mul_overflow(n_users, wish->n, &n) ? UINT64_MAX : n;
    case CONNS_SHARE:
        if (__builtin_mul_overflow(n_users, wish->n, &n))
            return UINT64_MAX;
        n = n / wish->of + (n % wish->of > 0);
        return n;
    }
    return n_users;
}

/* ---- limits ---- */

/* The limit that leaves least. */
struct least {
    char setting[64];
    int64_t value, reserved, in_use, each;
    int64_t left; /* connections */
    bool known;
};

static void take_least(void *arg, const struct conn_limit *limit)
{
    struct least *least = arg;
    int64_t left = limit->value - limit->reserved - limit->in_use;

    if (limit->each > 0)
        left = left / limit->each + OWN_CONNS;
    if (least->known && left >= least->left)
        return;
    *least = (struct least){
        .value = limit->value,
        .reserved = limit->reserved,
        .in_use = limit->in_use,
        .each = limit->each,
        .left = left,
        .known = true,
    };
    snprintf(least->setting, sizeof(least->setting), "%s", limit->setting);
}

static enum rc ask_limits(struct session *s, struct conn *c, void *arg,
                          struct err *err)
{
    (void)s;
    coro_assert_inside();
    return conn_limits(c, take_least, arg, err);
}

static int64_t open_descriptors(void)
{
    DIR *dir = opendir("/proc/self/fd");
    int64_t n = 0;

    if (!dir)
        return 16;
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is this call's own */
    while (readdir(dir))
        n++;
    closedir(dir);
    return n;
}

/* Raised as far as this process may, for the default is often 1024. */
static void descriptor_limit(const struct sizes *sizes, struct least *least)
{
    struct rlimit limit;
    struct conn_limit own = {.setting = "open files (ulimit -n)"};

    if (getrlimit(RLIMIT_NOFILE, &limit))
        return;
    own.in_use = open_descriptors();
    own.reserved = (int64_t)sizes->n_workers * FDS_EACH_WORKER + FDS_SPARE;
    if (limit.rlim_cur < limit.rlim_max &&
        (int64_t)sizes->n_conns + OWN_CONNS + own.in_use + own.reserved >
            (int64_t)limit.rlim_cur) {
        limit.rlim_cur = limit.rlim_max;
        if (setrlimit(RLIMIT_NOFILE, &limit))
            return;
    }
    own.value =
        limit.rlim_cur > INT32_MAX ? INT32_MAX : (int64_t)limit.rlim_cur;
    take_least(least, &own);
}

static enum rc does_not_fit(const struct least *least, const char *option,
                            size_t n_conns, struct err *err)
{
    return err_set(
        err, RC_DB_LIMIT,
        "%s: %zu connections of the users and %d of dyno's own do "
        "not fit: %s is %" PRId64 ", of which %" PRId64
        " are reserved and %" PRId64 " in use; it would have to "
        "be %" PRId64 " (use --connections fit, or --no-check-limits "
        "to try it all the same)",
        option, n_conns, OWN_CONNS, least->setting, least->value,
        least->reserved, least->in_use,
        (int64_t)n_conns + OWN_CONNS + least->reserved + least->in_use);
}

static enum rc too_many_statements(const struct least *least, size_t n_conns,
                                   struct err *err)
{
    return err_set(err, RC_DB_LIMIT,
                   "%zu connections prepare %" PRId64 " statements each: %s "
                   "is %" PRId64 ", of which %" PRId64 " are in use; it would "
                   "have to be %" PRId64 " (use --no-prepare, --connections "
                   "fit, or --no-check-limits to try it all the same)",
                   n_conns, least->each, least->setting, least->value,
                   least->in_use,
                   (int64_t)n_conns * least->each + least->in_use);
}

/* That says how many there are. */
static const char *connections_option(const struct run_cfg *cfg)
{
    if (cfg->connections)
        return "--connections";
    return cfg->stages && !cfg->vus ? "--stages" : "--vus";
}

static enum rc check_limits(struct session *s, const struct run_cfg *cfg,
                            bool fit, struct sizes *out, struct err *err)
{
    struct least least = {0};
    enum rc rc;

    if (db_can(s->db, DRIVER_EMBEDDED) || db_can(s->db, DRIVER_DISCARDS) ||
        (!fit && !cfg->check_limits))
        return RC_OK;
    rc = session_call(s, ask_limits, &least, err);
    if (rc)
        return rc;
    descriptor_limit(out, &least);
    if (!least.known || (int64_t)out->n_conns + OWN_CONNS <= least.left)
        return RC_OK;
    if (least.each > 0 && (!fit || least.left <= OWN_CONNS))
        return too_many_statements(&least, out->n_conns, err);
    if (!fit || least.left <= OWN_CONNS)
        return does_not_fit(&least, connections_option(cfg), out->n_conns, err);
    out->n_conns = (size_t)(least.left - OWN_CONNS);
    return RC_OK;
}

/* ---- all together ---- */

static size_t n_workers_for(const struct session *s, uint64_t threads,
                            const struct sizes *sizes)
{
    const size_t n = (size_t)(threads ? threads : cores_available());
    const size_t most =
        sizes->n_users < sizes->n_conns ? sizes->n_users : sizes->n_conns;

    /* A blocking driver needs a thread for each connection. */
    if (db_can(s->db, DRIVER_BLOCKING))
        return sizes->n_conns;
    return n < most ? n : most;
}

static enum rc check_sharing(const struct session *s, const struct sizes *z,
                             struct err *err)
{
    const struct workload *wl = s->ds.workload;

    if (z->n_conns > CONNS_MAX)
        return err_set(err, RC_USAGE,
                       "--connections: that is more than the %d that one "
                       "process can have",
                       CONNS_MAX);
    if (!z->pinned && !wl->shares_conns)
        return err_set(err, RC_USAGE,
                       "--connections: each user of workload '%s' needs a "
                       "connection of its own; leave the option out",
                       wl->name);
    if (z->n_conns > z->n_users && db_can(s->db, DRIVER_BLOCKING))
        return err_set(err, RC_USAGE,
                       "--connections: %zu are more than the %zu users, and "
                       "each would need a thread on %s; use at most as many",
                       z->n_conns, z->n_users, s->db->driver->name);
    return RC_OK;
}

/* Ten terminals for each warehouse, clause 4.2.2. */
static uint64_t users_for(const struct session *s, const struct run_cfg *cfg,
                          const struct plan *plan)
{
    const uint64_t scale = s->ds.scale ? s->ds.scale : 1;

    if (plan_stages_users(plan))
        return plan_most_users(plan);
    if (cfg->vus)
        return cfg->vus;
    return plan->pacing > 0 ? scale * s->ds.paced_users : default_vus();
}

/* Each user has a stack. */
static enum rc check_stacks(uint64_t n_users, struct err *err)
{
    uint64_t n_maps;
    const uint64_t most = coro_most(&n_maps);

    if (n_users <= most)
        return RC_OK;
    return err_set(err, RC_DB_LIMIT,
                   "%" PRIu64 " users are more than the %" PRIu64
                   " that one process can have here: vm.max_map_count is "
                   "%" PRIu64 ", and each takes two mappings; use fewer, or "
                   "raise it (sysctl vm.max_map_count=%" PRIu64 ")",
                   n_users, most, n_maps, n_maps + 2 * (n_users - most));
}

static enum rc check_users(const struct session *s, const struct plan *plan,
                           bool check_limits, uint64_t n_users, struct err *err)
{
    if (plan->pacing > 0 && (!s->ds.workload->paces || s->ds.paced_users == 0))
        return err_set(err, RC_USAGE,
                       "--pacing: the transactions of this workload or mix "
                       "have no keying and think times; leave it out");
    if (n_users > CONNS_MAX)
        return err_set(err, RC_USAGE,
                       "%" PRIu64 " users are more than the %d that one "
                       "process can have",
                       n_users, CONNS_MAX);
    return check_limits ? check_stacks(n_users, err) : RC_OK;
}

enum rc sizes_check(const struct session *s, const struct sizes_args *args,
                    struct err *err)
{
    struct conns_wish wish;
    const enum rc rc = conns_parse(args->cfg->connections, &wish, err);

    return rc ? rc
              : check_users(s, args->plan, args->cfg->check_limits,
                            users_for(s, args->cfg, args->plan), err);
}

enum rc sizes_find(struct session *s, const struct sizes_args *args,
                   struct sizes *out, struct err *err)
{
    const uint64_t n_users = users_for(s, args->cfg, args->plan);
    struct conns_wish wish;
    enum rc rc = conns_parse(args->cfg->connections, &wish, err);
    uint64_t n;

    if (!rc)
        rc = check_users(s, args->plan, args->cfg->check_limits, n_users, err);
    if (rc)
        return rc;
    n = wished(&wish, n_users);
    *out = (struct sizes){
        .n_users = (size_t)n_users,
        .n_conns = n > CONNS_MAX ? CONNS_MAX + 1 : (size_t)n,
    };
    out->n_workers = n_workers_for(s, args->threads, out);
    rc = check_limits(s, args->cfg, wish.how == CONNS_FIT, out, err);
    if (rc)
        return rc;
    out->pinned = out->n_conns == out->n_users;
    out->n_workers = n_workers_for(s, args->threads, out);
    return check_sharing(s, out, err);
}
