/* SPDX-License-Identifier: MIT */
#include "driver/odbc/odbc.h"

#include "base/log.h"
#include "base/mem.h"
#include "driver/odbc/odbc_int.h"

#define ARENA_MAX (1U << 20)

static void odbc_driver_close(struct db *base)
{
    struct odbc_db *db = odbc_db_of(base);

    if (db->claim)
        odbc_disconnect(&db->claim->base);
    if (db->env)
        SQLFreeHandle(SQL_HANDLE_ENV, db->env);
    arena_release(&db->arena);
    mem_free(db);
}

static enum rc make_env(struct odbc_db *db, struct err *err)
{
    if (!odbc_ok(SQLAllocHandle(SQL_HANDLE_ENV, SQL_NULL_HANDLE, &db->env)) ||
        !odbc_ok(SQLSetEnvAttr(db->env, SQL_ATTR_ODBC_VERSION,
                               (SQLPOINTER)SQL_OV_ODBC3, 0)))
        return err_set(err, RC_UNSUPPORTED, "unixODBC gives no environment");
    return RC_OK;
}

/* ---- what the ODBC driver says ---- */

static void ask_text(SQLHDBC dbc, SQLUSMALLINT what, char *out, size_t out_len)
{
    SQLSMALLINT len = 0;

    out[0] = '\0';
    if (!odbc_ok(SQLGetInfo(dbc, what, out, (SQLSMALLINT)out_len, &len)))
        out[0] = '\0';
}

static SQLUINTEGER ask_number(SQLHDBC dbc, SQLUSMALLINT what)
{
    SQLUINTEGER n = 0;

    /* Some are of 16 bits; the rest stays zero. */
    return odbc_ok(SQLGetInfo(dbc, what, &n, sizeof(n), NULL)) ? n : 0;
}

static void choose_dialect(struct odbc_db *db)
{
    db->dialect = db->dialect_name ? odbc_dialect_named(db->dialect_name)
                                   : odbc_dialect_of(db->product);
    if (db->dialect)
        return;
    db->dialect = &odbc_no_dialect;
    log_info("the database calls itself '%s', of which dyno knows no dialect; "
             "DynoDialect=postgres, mysql or sqlite in the target names one",
             db->product);
}

static enum rc look(struct odbc_db *db, const struct odbc_conn *oc,
                    struct err *err)
{
    SQLHDBC dbc = oc->dbc;

    ask_text(dbc, SQL_DBMS_NAME, db->product, sizeof(db->product));
    ask_text(dbc, SQL_DBMS_VER, db->version, sizeof(db->version));
    ask_text(dbc, SQL_DRIVER_NAME, db->driver_name, sizeof(db->driver_name));
    ask_text(dbc, SQL_DRIVER_VER, db->driver_version,
             sizeof(db->driver_version));
    ask_text(dbc, SQL_IDENTIFIER_QUOTE_CHAR, db->quote, sizeof(db->quote));
    if (db->quote[0] == ' ')
        db->quote[0] = '\0';
    if (ask_number(dbc, SQL_TXN_CAPABLE) == SQL_TC_NONE)
        return err_set(err, RC_UNSUPPORTED,
                       "the ODBC driver '%s' has no transactions, without "
                       "which nothing that dyno measures can be right; use "
                       "another driver, or another engine of the database",
                       db->driver_name);
    /* A driver that counts once for all rows sends them at once.  MySQL has no
     * such statement, and its driver sends row by row. */
    db->arrays =
        ask_number(dbc, SQL_PARAM_ARRAY_ROW_COUNTS) == SQL_PARC_NO_BATCH &&
        strncasecmp(db->product, "MySQL", 5) != 0;
    choose_dialect(db);
    return odbc_source_complete(db, err);
}

/* Connects once: everything else depends on which database it is. */
static enum rc find_dialect(struct odbc_db *db, struct err *err)
{
    struct odbc_conn *oc = NULL;
    enum rc rc;

    db->dialect = &odbc_no_dialect;
    rc = odbc_connect_plain(db, &oc, err);
    if (!rc)
        rc = look(db, oc, err);
    if (rc)
        err_prefix(err, "'%s'", db->base.target->shown);
    if (oc)
        odbc_disconnect(&oc->base);
    db->base.driver = db->dialect->driver;
    return rc;
}

static enum rc odbc_driver_open(const struct target *t, struct db **out,
                                struct err *err)
{
    struct odbc_db *db = MEM_NEW(struct odbc_db);
    enum rc rc;

    if (!db)
        return err_set(err, RC_NOMEM, "out of memory");
    db->base.driver = &odbc_driver;
    db->base.target = t;
    arena_init(&db->arena, ARENA_MAX);
    rc = odbc_source_parse(db, err);
    if (!rc)
        rc = make_env(db, err);
    if (!rc)
        rc = find_dialect(db, err);
    if (rc)
        odbc_driver_close(&db->base);
    else
        *out = &db->base;
    return rc;
}

#define ODBC_CAPS (DRIVER_BLOCKING | DRIVER_STEPWISE | DRIVER_KEYWORDS)
#define ODBC_COMMON                                                            \
    .name = "odbc",                                                            \
    .summary = "any database with an ODBC driver, by unixODBC",                \
    .url = "odbc:NAME[;UID=…;PWD=…], or odbc:Driver=…;…",                      \
    .placeholder = PLACEHOLDER_QUESTION, .open = odbc_driver_open,             \
    .close = odbc_driver_close, .claim = odbc_claim, .connect = odbc_connect,  \
    .disconnect = odbc_disconnect, .cancel = odbc_cancel, .error = odbc_error, \
    .prepare = odbc_prepare, .exec = odbc_exec, .begin = odbc_begin,           \
    .commit = odbc_commit, .rollback = odbc_rollback,                          \
    .scan_open = odbc_scan_open, .scan_next = odbc_scan_next,                  \
    .scan_close = odbc_scan_close, .script = odbc_script,                      \
    .has_table = odbc_has_table, .limits = odbc_limits,                        \
    .bulk_begin = odbc_bulk_begin, .bulk_cell = odbc_bulk_cell,                \
    .bulk_row = odbc_bulk_row, .bulk_end = odbc_bulk_end, .facts = odbc_facts

const struct driver odbc_driver = {
    ODBC_COMMON,
    .dialect = "none",
    .caps = ODBC_CAPS,
    .isolations = ~0U,
};

const struct driver odbc_postgres_driver = {
    ODBC_COMMON,
    .dialect = "postgres",
    .caps = ODBC_CAPS | DRIVER_STATEMENT_TIMEOUT,
    .limit_statements = odbc_limit_statements,
    .isolations = ~0U,
};

const struct driver odbc_mysql_driver = {
    ODBC_COMMON,
    .dialect = "mysql",
    .caps = ODBC_CAPS | DRIVER_STATEMENT_TIMEOUT,
    .limit_statements = odbc_limit_statements,
    .isolations = ~0U,
};

const struct driver odbc_sqlite_driver = {
    ODBC_COMMON,
    .dialect = "sqlite",
    .caps = ODBC_CAPS | DRIVER_EMBEDDED,
    .isolations = 1U << ISOLATION_SERIALIZABLE,
};
