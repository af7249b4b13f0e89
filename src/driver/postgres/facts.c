/* SPDX-License-Identifier: MIT */
/* Questions about the database, and what follows a load or a run. */
#include "base/parse.h"
#include "driver/bulk.h"
#include "driver/postgres/pg_int.h"

#include <stdio.h>
#include <sys/statvfs.h>

enum rc pg_has_table(struct conn *c, const char *table, bool *out,
                     struct err *err)
{
    struct pg_conn *pc = pg_conn_of(c);
    PGresult *r;

    /* Where statements that name no schema would find it. */
    if (pg_ask(pc,
               "SELECT count(*) FROM pg_class WHERE oid = "
               "to_regclass(quote_ident($1)) AND relkind IN "
               "('r', 'p', 'f', 'v', 'm')",
               table, &r))
        return pg_last_err(pc, table, err);
    *out = *PQgetvalue(r, 0, 0) != '0';
    PQclear(r);
    return RC_OK;
}

/* The folder of the database's own tablespace, when the server runs here. */
enum rc pg_free_space(struct conn *c, struct db_space *out, struct err *err)
{
    static const char sql[] =
        "SELECT CASE WHEN spcname = 'pg_default' "
        "THEN current_setting('data_directory') "
        "ELSE pg_tablespace_location(t.oid) END "
        "FROM pg_database d JOIN pg_tablespace t ON t.oid = dattablespace "
        "WHERE datname = current_database() AND "
        "inet_server_addr() IS NOT DISTINCT FROM inet_client_addr()";
    struct pg_conn *pc = pg_conn_of(c);
    struct statvfs fs;
    PGresult *r;
    enum rc rc = pg_ask(pc, sql, NULL, &r);

    /* Not everybody may see the setting, and forks may not have it. */
    if (rc)
        return rc == RC_DB_GONE ? pg_last_err(pc, "disk", err) : RC_UNSUPPORTED;
    if (PQntuples(r) == 1 && statvfs(PQgetvalue(r, 0, 0), &fs) == 0) {
        out->n_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
        snprintf(out->where, sizeof(out->where), "%s", PQgetvalue(r, 0, 0));
        snprintf(out->path, sizeof(out->path), "%s", PQgetvalue(r, 0, 0));
    } else {
        rc = RC_UNSUPPORTED;
    }
    PQclear(r);
    return rc;
}

enum rc pg_settle(struct conn *c, struct err *err)
{
    struct pg_conn *pc = pg_conn_of(c);
    enum rc rc = pg_simple(pc, "CHECKPOINT", NULL);

    /* Only superusers and members of pg_checkpoint may, and some servers have
     * none: then the server's own come when they come. */
    if (rc == RC_DB_PERMISSION || rc == RC_DB_ERROR)
        return RC_OK;
    return rc ? pg_last_err(pc, "CHECKPOINT", err) : RC_OK;
}

enum rc pg_commits(struct conn *c, int64_t *out, struct err *err)
{
    struct pg_conn *pc = pg_conn_of(c);
    enum rc rc;
    PGresult *r;

    if (pg_ask(pc,
               "SELECT xact_commit FROM pg_stat_database "
               "WHERE datname = current_database()",
               NULL, &r))
        return pg_last_err(pc, "commits", err);
    rc = PQntuples(r) == 1 ? parse_i64(PQgetvalue(r, 0, 0), out, NULL)
                           : RC_UNSUPPORTED;
    PQclear(r);
    return rc;
}

/* "PostgreSQL" of "PostgreSQL 15.3 on x86_64 …"; forks say so in other words,
 * which are in the fact "build". */
static CORO_FN enum rc product(struct pg_conn *pc, fact_fn *fn, void *arg,
                               struct err *err)
{
    const char *version = PQparameterStatus(pc->pg, "server_version");
    const char *build;
    char name[40];
    PGresult *r;

    if (pg_ask(pc, "SELECT version()", NULL, &r))
        return pg_last_err(pc, "version", err);
    build = PQgetvalue(r, 0, 0);
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(build, " "), build);
    fn(arg, "product", name);
    fn(arg, "version", version ? version : "unknown");
    fn(arg, "build", build);
    PQclear(r);
    return RC_OK;
}

static void link_facts(struct pg_conn *pc, fact_fn *fn, void *arg)
{
    const char *host = PQhost(pc->pg);
    const char *protocol = PQsslAttribute(pc->pg, "protocol");

    fn(arg, "connection", host && *host == '/' ? "unix socket" : "TCP");
    fn(arg, "tls", protocol ? protocol : "off");
    switch ((enum pg_pooling)atomic_load_explicit(
        &pg_db_of(pc->base.db)->pooling, memory_order_relaxed)) {
    case PG_POOLING_UNKNOWN:
    case PG_POOLING_NONE:
        fn(arg, "pooler", "none");
        return;
    case PG_POOLING_SESSION:
        fn(arg, "pooler", "session mode");
        return;
    case PG_POOLING_TRANSACTION:
    case PG_POOLING_TRANSACTION_PREPARES:
        fn(arg, "pooler", "transaction mode");
        return;
    }
}

enum rc pg_facts(struct conn *c, fact_fn *fn, void *arg, struct err *err)
{
    /* One that a fork lacks is left out. */
    static const char sql[] =
        "SELECT name, current_setting(name) FROM pg_settings WHERE name IN ("
        "'autovacuum', 'checkpoint_timeout', 'default_transaction_isolation', "
        "'effective_cache_size', 'fsync', 'full_page_writes', 'huge_pages', "
        "'max_connections', 'max_wal_size', 'shared_buffers', "
        "'synchronous_commit', 'wal_level', 'work_mem') "
        /* What was set by files or the command line; apart from paths and from
         * what says where the server is, not how it works. */
        "OR source IN ('configuration file', 'command line') "
        "AND name !~ '^(lc_|log|DateStyle|TimeZone|default_text|"
        "archive_mode|external_pid|listen_|port$|unix_)' "
        "AND current_setting(name) !~ '/' ORDER BY name";
    struct pg_conn *pc = pg_conn_of(c);
    PGresult *r;
    enum rc rc = product(pc, fn, arg, err);

    if (rc)
        return rc;
    link_facts(pc, fn, arg);
    rc = pg_ask(pc, sql, NULL, &r);
    if (rc == RC_DB_ERROR || rc == RC_DB_PERMISSION)
        return RC_OK;
    if (rc)
        return pg_last_err(pc, "settings", err);
    for (int i = 0; i < PQntuples(r); i++)
        fn(arg, PQgetvalue(r, i, 0), PQgetvalue(r, i, 1));
    PQclear(r);
    return RC_OK;
}
