/* SPDX-License-Identifier: MIT */
#include "base/asset.h"
#include "store/store_int.h"

#include <stdio.h>

/* "dyno"; tells our files from those of others. */
#define APPLICATION_ID 0x64796e6f
#define VERSION_NOW 2

static enum rc check_owner(struct store *s, int64_t version, struct err *err)
{
    int64_t id = 0, n_tables = 0;
    enum rc rc;

    rc = store_get_i64(s, "PRAGMA application_id", &id, err);
    if (!rc)
        rc = store_get_i64(s, "SELECT count(*) FROM sqlite_master", &n_tables,
                           err);
    if (rc)
        return rc;
    if (id != APPLICATION_ID && (n_tables > 0 || version > 0))
        return err_set(err, RC_INVALID,
                       "'%s' is an SQLite file but no results store of dyno's; "
                       "move it, or name another folder with --results",
                       s->path);
    if (version > VERSION_NOW)
        return err_set(err, RC_UNSUPPORTED,
                       "results store '%s' has version %lld, which a newer "
                       "dyno made; this one knows versions up to %d: use the "
                       "newer dyno, or another folder with --results",
                       s->path, (long long)version, VERSION_NOW);
    if (version == 0 && s->read_only)
        return err_set(err, RC_INVALID, "results store '%s' is empty", s->path);
    return RC_OK;
}

static enum rc upgrade(struct store *s, int64_t version, struct err *err)
{
    char name[64];
    enum rc rc = RC_OK;

    for (int64_t v = version + 1; !rc && v <= VERSION_NOW; v++) {
        const struct asset *sql;

        snprintf(name, sizeof(name), "sql/store/sqlite/version_%lld.sql",
                 (long long)v);
        sql = asset_find(name);
        if (!sql)
            BUG("%s is not embedded", name);
        rc = store_exec(s, sql->data, err);
    }
    if (rc)
        return rc;
    snprintf(name, sizeof(name),
             "PRAGMA application_id = %d; PRAGMA user_version = %d",
             APPLICATION_ID, VERSION_NOW);
    return store_exec(s, name, err);
}

static enum rc check_version(struct store *s, int64_t *out, struct err *err)
{
    const enum rc rc = store_get_i64(s, "PRAGMA user_version", out, err);

    return rc ? rc : check_owner(s, *out, err);
}

enum rc store_check(struct store *s, struct err *err)
{
    int64_t version = 0;

    return check_version(s, &version, err);
}

enum rc store_migrate(struct store *s, struct err *err)
{
    int64_t version = 0;
    enum rc rc = check_version(s, &version, err);

    if (rc || version == VERSION_NOW)
        return rc;
    if (s->read_only)
        return err_set(err, RC_DB_PERMISSION,
                       "results store '%s' has version %lld and must be "
                       "brought to %d, but cannot be written",
                       s->path, (long long)version, VERSION_NOW);
    /* Whoever else saw the old version waits here, and then has nothing to
     * do. */
    rc = store_begin(s, err);
    if (rc)
        return rc;
    rc = check_version(s, &version, err);
    if (!rc && version < VERSION_NOW)
        rc = upgrade(s, version, err);
    return store_end(s, rc, err);
}
