/* SPDX-License-Identifier: MIT */
/* How many connections the server takes from this role to this database. */
#include "base/parse.h"
#include "driver/postgres/pg_int.h"

/*
 * One row for each limit: name, value, reserved, in use.  Superusers may take
 * the reserved ones and have no limits of their own.  Only sessions of clients
 * count; what a session is, others than superusers are not told, but those of
 * clients have a role and a database.  This one will be closed.
 */
static const char limits_sql[] =
    "WITH me AS (SELECT oid, rolsuper, rolconnlimit FROM pg_roles"
    "  WHERE rolname = current_user),"
    " used AS (SELECT usesysid, datname FROM pg_stat_activity"
    "  WHERE datid IS NOT NULL AND usesysid IS NOT NULL"
    "   AND pid <> pg_backend_pid()"
    "   AND coalesce(backend_type, 'client backend') = 'client backend')"
    " SELECT 'max_connections', current_setting('max_connections')::bigint,"
    "  CASE WHEN rolsuper THEN 0 ELSE"
    "   coalesce(current_setting('superuser_reserved_connections',"
    "    true)::bigint, 0)"
    "   + coalesce(current_setting('reserved_connections',"
    "    true)::bigint, 0) END,"
    "  (SELECT count(*) FROM used) FROM me"
    " UNION ALL SELECT 'connection limit of role ' || current_user,"
    "  rolconnlimit, 0,"
    "  (SELECT count(*) FROM used WHERE usesysid = me.oid)"
    "  FROM me WHERE rolconnlimit >= 0 AND NOT rolsuper"
    " UNION ALL SELECT 'connection limit of database ' || d.datname,"
    "  datconnlimit, 0,"
    "  (SELECT count(*) FROM used WHERE used.datname = d.datname)"
    "  FROM pg_database d, me WHERE d.datname = current_database()"
    "   AND datconnlimit >= 0 AND NOT rolsuper";

static bool read_limit(PGresult *r, int row, struct conn_limit *out)
{
    out->setting = PQgetvalue(r, row, 0);
    return !parse_i64(PQgetvalue(r, row, 1), &out->value, NULL) &&
           !parse_i64(PQgetvalue(r, row, 2), &out->reserved, NULL) &&
           !parse_i64(PQgetvalue(r, row, 3), &out->in_use, NULL);
}

enum rc pg_limits(struct conn *c, limit_fn *fn, void *arg, struct err *err)
{
    struct pg_conn *pc = pg_conn_of(c);
    PGresult *r;
    enum rc rc;

    /* A pooler's clients are not the server's sessions. */
    if (pc->pooled)
        return RC_OK;
    rc = pg_ask(pc, limits_sql, NULL, &r);
    /* A fork that lacks these tables: then its own answer tells. */
    if (rc == RC_DB_ERROR || rc == RC_DB_PERMISSION)
        return RC_OK;
    if (rc)
        return pg_last_err(pc, "limits", err);
    for (int i = 0; i < PQntuples(r); i++) {
        struct conn_limit limit = {0};

        if (read_limit(r, i, &limit))
            fn(arg, &limit);
    }
    PQclear(r);
    return RC_OK;
}
