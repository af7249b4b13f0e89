/* SPDX-License-Identifier: MIT */
#include "run/session.h"

#include "base/asset.h"
#include "base/log.h"
#include "base/stop.h"
#include "workload/marker.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SESSION_ARENA_MAX (16U << 20)

static enum rc open_dataset(const struct session_args *args, struct session *s,
                            struct err *err)
{
    s->ds = (struct dataset){
        .workload = args->workload,
        .db = s->db,
        .cfg = args->workload_cfg,
        .options = args->options,
        .seed = args->seed,
        .data_seed = args->seed,
        .composition = args->composition,
    };
    arena_init(&s->ds.arena, SESSION_ARENA_MAX);
    return args->workload->open(&s->ds, err);
}

/* Statements of the user's own.  Those for other databases are no mistake, but
 * not one for this is. */
static enum rc override_sql(const struct session_args *args,
                            const struct session *s, struct err *err)
{
    const char *dialect = s->db->driver->dialect;
    const struct asset *own;
    char prefix[64];
    int len;
    enum rc rc = asset_override(args->sql_dir, "sql/", err);

    if (rc) {
        err_prefix(err, "--sql-dir");
        return rc;
    }
    len = snprintf(prefix, sizeof(prefix), "sql/%s/%s/", args->workload->name,
                   dialect);
    for (size_t i = 0; (own = asset_override_at(i)) != NULL; i++) {
        if (strncmp(own->name, prefix, (size_t)len) == 0)
            return RC_OK;
    }
    return err_set(err, RC_USAGE,
                   "--sql-dir: '%s' has no statement of %s on %s, which would "
                   "be in %s/%s/%s",
                   args->sql_dir, args->workload->name, dialect, args->sql_dir,
                   args->workload->name, dialect);
}

/* Before anything connects. */
static enum rc create_database(struct session *s, struct err *err)
{
    bool created;
    const enum rc rc = db_create(s->db, &created, err);

    if (!rc && created)
        log_info("created the database of '%s'", s->target.shown);
    return rc;
}

enum rc session_open(const struct session_args *args, struct session *out,
                     struct err *err)
{
    enum rc rc;

    *out = (struct session){0};
    arena_init(&out->arena, SESSION_ARENA_MAX);
    rc = target_parse(&out->arena, args->url, &out->target, err);
    if (!rc)
        rc = db_open(&out->target, &out->db, err);
    if (!rc && args->sql_dir)
        rc = override_sql(args, out, err);
    if (!rc && args->workload)
        rc = open_dataset(args, out, err);
    if (!rc && args->create)
        rc = create_database(out, err);
    if (!rc && args->claim)
        rc = db_claim(out->db, err);
    if (rc)
        session_close(out);
    return rc;
}

void session_close(struct session *s)
{
    if (s->ds.state)
        s->ds.workload->close(&s->ds);
    arena_release(&s->ds.arena);
    db_close(s->db);
    asset_override_none();
    arena_release(&s->arena);
    *s = (struct session){0};
}

/* ---- calls ---- */

/* How soon a request to stop is seen, and how long the database may take to
 * break off what it does before the call is given up. */
#define STOP_POLL_NS (50 * NS_PER_MS)
#define STOP_GRACE_NS (2 * NS_PER_S)

struct call {
    struct session *session;
    conn_fn *fn;
    void *arg;
    struct err *err;
    struct conn *conn; /* NULL: not connected */
    bool stopped_before;
    enum rc rc;
};

/* Whether the call goes on for now. */
static bool may_go_on(const struct call *call, struct mono begun)
{
    const int64_t limit = call->session->connect_limit_ns;

    if (!call->conn && limit && mono_since(clock_now(), begun) > limit)
        return false;
    /* What cleans up after a request to stop is not to be stopped by it. */
    return call->stopped_before || !stop_requested();
}

/* Beside the call, in its loop: a request to stop cancels what the database
 * does.  The end of the call cancels the loop, and so ends this. */
static void watch_main(void *arg)
{
    const struct mono begun = clock_now();
    struct call *call = arg;
    struct loop *loop = loop_current();

    coro_assert_inside();
    while (may_go_on(call, begun)) {
        if (loop_sleep_until(loop, mono_add(clock_now(), STOP_POLL_NS)))
            return;
    }
    if (call->conn) {
        conn_cancel(call->conn);
        if (loop_sleep_until(loop, mono_add(clock_now(), STOP_GRACE_NS)))
            return;
    }
    loop_cancel(loop);
}

static void call_main(void *arg)
{
    struct call *call = arg;
    struct loop *loop = loop_current();

    coro_assert_inside();
    call->rc = loop_spawn(loop, watch_main, call, call->err);
    if (!call->rc)
        call->rc = conn_open(call->session->db, loop, &call->conn, call->err);
    if (!call->rc)
        call->rc = call->fn(call->session, call->conn, call->arg, call->err);
    conn_close(call->conn);
    call->conn = NULL;
    loop_cancel(loop);
}

enum rc session_call(struct session *s, conn_fn *fn, void *arg, struct err *err)
{
    struct call call = {
        .session = s,
        .fn = fn,
        .arg = arg,
        .err = err,
        .stopped_before = stop_requested(),
    };
    const enum rc rc = loop_call(call_main, &call, err);

    return rc ? rc : call.rc;
}

/* ---- data ---- */

static enum rc inspect(struct session *s, struct conn *c, void *arg,
                       struct err *err)
{
    coro_assert_inside();
    return s->ds.workload->inspect(&s->ds, c, arg, err);
}

enum rc session_inspect(struct session *s, struct data_info *out,
                        struct err *err)
{
    *out = (struct data_info){.status = DATA_LOADED, .scale = s->ds.scale};
    if (!s->ds.workload->scale_name)
        return RC_OK;
    *out = (struct data_info){0};
    return session_call(s, inspect, out, err);
}

const char *scale_text(const struct dataset *ds, uint64_t n, char *out,
                       size_t out_len)
{
    const char *name = ds->workload->scale_name;
    size_t len = strlen(name);

    if (n == 1 && len > 4 && strcmp(name + len - 4, "ches") == 0)
        len -= 2;
    else if (n == 1 && len > 0)
        len--;
    snprintf(out, out_len, "%" PRIu64 " %.*s", n, (int)len, name);
    return out;
}

enum rc session_check_data(struct session *s, const struct data_info *info,
                           struct err *err)
{
    struct dataset *ds = &s->ds;
    char is[48], wanted[48];

    switch (info->status) {
    case DATA_ABSENT:
        if (!ds->scale)
            ds->scale = ds->workload->default_scale;
        if (!ds->scale)
            ds->scale = 1;
        return RC_OK;
    case DATA_LOADED:
        if (!ds->scale)
            ds->scale = info->scale;
        ds->data_seed = info->seed;
        if (ds->scale == info->scale)
            return RC_OK;
        return err_set(err, RC_INVALID,
                       "'%s' holds %s, not %s; leave the number out to use "
                       "what is loaded, or load again with 'dyno load %s "
                       "--db %s -w %" PRIu64 " --replace'",
                       s->target.shown,
                       scale_text(ds, info->scale, is, sizeof(is)),
                       scale_text(ds, ds->scale, wanted, sizeof(wanted)),
                       ds->workload->name, s->target.word, ds->scale);
    case DATA_PARTIAL:
        if (db_can(s->db, DRIVER_FILES))
            return err_set(err, RC_INVALID,
                           "the load of '%s' did not end (%s); name another "
                           "folder, or remove it yourself",
                           s->target.shown, info->detail);
        if (info->lost || !marker_resumes(ds->workload))
            return err_set(err, RC_INVALID,
                           "the data in '%s' is not complete (%s); start again "
                           "with the option '--replace', or remove it with "
                           "'dyno drop %s --db %s'",
                           s->target.shown, info->detail, ds->workload->name,
                           s->target.word);
        return err_set(
            err, RC_INVALID,
            "the load of '%s' did not end (%s); go on with 'dyno "
            "load %s --db %s --continue', start again with the "
            "option '--replace', or remove it with 'dyno drop %s --db %s'",
            s->target.shown, info->detail, ds->workload->name, s->target.word,
            ds->workload->name, s->target.word);
    case DATA_FOREIGN:
        if (db_can(s->db, DRIVER_FILES))
            return err_set(err, RC_INVALID,
                           "'%s' holds files of these tables already, of a "
                           "load that was killed or of another program; name "
                           "another folder, or remove it yourself",
                           s->target.shown);
        return err_set(err, RC_INVALID,
                       "%s in '%s'; dyno touches only tables that it made: "
                       "use another database, or remove them yourself",
                       info->detail, s->target.shown);
    }
    BUG("unknown data status %d", (int)info->status);
}
