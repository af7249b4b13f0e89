/* SPDX-License-Identifier: MIT */
#include "lab/stage.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/parse.h"
#include "lab/server_int.h"

#include <stdio.h>
#include <string.h>

/* Server, copy, verification; what does not verify is RC_INVALID. */
static enum rc restore(const struct stage_args *args, struct stage_result *out,
                       struct err *err)
{
    enum rc rc = snapshot_restore(args->server, &args->key, &out->copy, err);
    struct mono begun;

    if (!rc)
        rc = server_start(args->server, err);
    begun = clock_now();
    if (!rc && args->verify)
        rc = args->verify(args->arg, server_url(args->server), err);
    out->verify_ns = mono_since(clock_now(), begun);
    out->restored = !rc;
    return rc;
}

/* On data that nothing was done to before. */
static enum rc load(const struct stage_args *args, struct stage_result *out,
                    struct err *err)
{
    struct server *s = args->server;
    struct mono begun;
    enum rc rc = server_stop(s, err);

    if (!rc)
        rc = server_forget_data(s, err);
    if (!rc)
        rc = server_start(s, err);
    begun = clock_now();
    if (!rc)
        rc = args->load(args->arg, server_url(s), err);
    out->load_ns = mono_since(clock_now(), begun);
    return rc;
}

/* Not to have one costs time later, and nothing else. */
static enum rc keep(const struct stage_args *args, struct stage_result *out,
                    struct err *err)
{
    struct err why = {0};
    enum rc rc;

    if (args->budget_bytes == SNAPSHOT_BUDGET_NONE)
        return RC_OK;
    rc = snapshot_take(args->server, &args->key, args->budget_bytes, &out->copy,
                       &why);
    out->kept = !rc;
    if (rc == RC_CANCELLED)
        return err_set(err, rc, "%s", why.text);
    if (rc) {
        snprintf(out->why_not, sizeof(out->why_not), "%.250s", why.text);
        log_warn("no snapshot is kept: %s", why.text);
    }
    return server_start(args->server, err);
}

/* Whether to load after all. */
static bool give_up_snapshot(const struct stage_args *args, enum rc rc,
                             const struct err *why)
{
    struct err err = {0};

    if (rc == RC_CANCELLED || rc == RC_DB_NO_SPACE || rc == RC_NOMEM)
        return false;
    log_warn("the snapshot is of no use, loading again: %s", why->text);
    if (snapshot_drop(args->server, &args->key, &err))
        log_warn("%s", err.text);
    return true;
}

enum rc stage_ready(const struct stage_args *args, struct stage_result *out,
                    struct err *err)
{
    struct err why = {0};
    bool found = false;
    enum rc rc = RC_OK;

    *out = (struct stage_result){.restored = false};
    if (args->budget_bytes != SNAPSHOT_BUDGET_NONE)
        rc = snapshot_find(args->server, &args->key, &found, err);
    if (!rc && found) {
        rc = restore(args, out, &why);
        if (!rc)
            return RC_OK;
        if (!give_up_snapshot(args, rc, &why)) {
            if (err)
                *err = why;
            goto stop;
        }
        rc = RC_OK;
    }
    if (!rc)
        rc = load(args, out, err);
    if (!rc)
        rc = keep(args, out, err);
    if (!rc)
        return RC_OK;
stop:
    if (server_stop(args->server, &why))
        log_warn("%s", why.text);
    return rc;
}

/* ---- the key ---- */

static const char *default_of(const struct workload *w, const char *name)
{
    for (const struct opt *o = w->opts; o && o->name; o++) {
        if (strcmp(o->name, name) == 0)
            return o->def ? o->def : "none";
    }
    return "none";
}

const char *stage_schema(struct arena *arena, const struct workload *w,
                         stage_value_fn *value, void *arg)
{
    const char *text = "";

    for (size_t i = 0; text && w->schema && w->schema[i]; i++) {
        const char *given = value(arg, w->schema[i]);

        if (!given)
            given = default_of(w, w->schema[i]);
        text = arena_printf(arena, "%s%s%s=%s", text, i ? " " : "",
                            w->schema[i], given);
    }
    return text;
}

/* That of pgbench's workloads is called as pgbench does. */
static const char *scale_option(const struct workload *w)
{
    for (const struct opt *o = w->opts; o && o->name; o++) {
        if (w->scale_name && strcmp(o->name, w->scale_name) == 0)
            return o->name;
    }
    return "scale";
}

enum rc stage_scale(const struct workload *w, stage_value_fn *value, void *arg,
                    uint64_t *out, struct err *err)
{
    const char *given = value(arg, scale_option(w));

    *out = w->default_scale ? w->default_scale : 1;
    return given ? parse_u64(given, out, err) : RC_OK;
}
