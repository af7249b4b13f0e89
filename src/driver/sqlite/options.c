/* SPDX-License-Identifier: MIT */
/* The parameters of a target: "sqlite:FILE?name=value&…". */
#include "base/parse.h"
#include "driver/sqlite/sqlite_int.h"

static const char *const param_names[] = {"synchronous", "cache", "checkpoint",
                                          "busy_timeout"};
static const char *const sync_names[] = {"off", "normal", "full", "extra"};

static const char *param_or(struct sqlite_db *db, const char *name,
                            const char *def)
{
    const char *value = target_param(db->base.target, &db->arena, name);

    return value ? value : def;
}

static enum rc parse_synchronous(const char *text, const char **out,
                                 struct err *err)
{
    const char *near;

    for (size_t i = 0; i < ARRAY_LEN(sync_names); i++) {
        if (strcasecmp(sync_names[i], text) == 0) {
            *out = sync_names[i];
            return RC_OK;
        }
    }
    near = nearest_name(text, sync_names, ARRAY_LEN(sync_names));
    return err_set(
        err, RC_USAGE, "'%s' is none of off, normal, full, extra%s%s%s", text,
        near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static enum rc parse_checkpoint(const char *text, uint64_t *out,
                                struct err *err)
{
    enum rc rc = parse_u64(text, out, err);

    if (!rc && (*out == 0 || *out > INT32_MAX))
        rc = err_set(err, RC_USAGE, "'%s' is not a number of pages", text);
    return rc;
}

enum rc sqlite_parse_options(struct sqlite_db *db, struct err *err)
{
    struct sqlite_options *o = &db->opts;
    const char *name = "synchronous";
    enum rc rc;

    rc = target_check_params(db->base.target, param_names,
                             ARRAY_LEN(param_names), err);
    if (rc)
        return rc;
    rc = parse_synchronous(param_or(db, name, "normal"), &o->synchronous, err);
    if (!rc) {
        name = "cache";
        rc = parse_bytes(param_or(db, name, "128MB"), &o->cache_bytes, err);
    }
    if (!rc) {
        name = "checkpoint";
        rc = parse_checkpoint(param_or(db, name, "16000"), &o->checkpoint_pages,
                              err);
    }
    if (!rc) {
        name = "busy_timeout";
        rc =
            parse_duration(param_or(db, name, "10s"), &o->busy_timeout_ns, err);
    }
    if (rc)
        err_prefix(err, "sqlite: %s", name);
    return rc;
}
