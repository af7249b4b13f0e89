/* SPDX-License-Identifier: MIT */
#include "driver/odbc/dialect.h"

#include "driver/odbc/odbc_int.h"

/* ---- PostgreSQL ---- */

static const char *const postgres_names[] = {"PostgreSQL", NULL};
static const struct odbc_extra postgres_extras[] = {
    /* A failure ends the whole transaction, as in PostgreSQL itself: without
     * it the driver sends a SAVEPOINT with every statement. */
    {"psqlodbc", "Protocol", "7.4-1"},
};
static const char *const postgres_limits[] = {
    "SELECT 'max_connections', current_setting('max_connections'),"
    " CASE WHEN rolsuper THEN 0 ELSE"
    "  current_setting('superuser_reserved_connections')::int END,"
    " (SELECT count(*) FROM pg_stat_activity WHERE datid IS NOT NULL"
    "   AND usesysid IS NOT NULL AND pid <> pg_backend_pid()), 0"
    " FROM pg_roles WHERE rolname = current_user",
    "SELECT 'connection limit of role ' || rolname, rolconnlimit, 0,"
    " (SELECT count(*) FROM pg_stat_activity WHERE usesysid = oid"
    "   AND pid <> pg_backend_pid()), 0"
    " FROM pg_roles WHERE rolname = current_user AND rolconnlimit >= 0"
    "  AND NOT rolsuper",
    NULL};

/* ---- MariaDB, MySQL ---- */

static const char *const mysql_names[] = {"MariaDB", "MySQL", NULL};
static const struct odbc_extra mysql_extras[] = {
    /* Rows found are counted, not rows that became others. */
    {"libmaodbc", "OPTION", "2"},
    {"libmaodbc", "CHARSET", "utf8mb4"},
    {"libmyodbc", "FOUND_ROWS", "1"},
    {"libmyodbc", "CHARSET", "utf8mb4"},
};
static const char *const mysql_bulk[] = {
    "SET SESSION unique_checks = 0", "SET SESSION foreign_key_checks = 0",
    "SET SESSION innodb_lock_wait_timeout = 3600",
    "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'",
    NULL};
static const char *const mysql_limits[] = {
    "SELECT 'max_connections', @@max_connections, 0,"
    " (SELECT COUNT(*) - 1 FROM information_schema.processlist), 0",
    "SELECT 'max_user_connections', @@max_user_connections, 0,"
    " (SELECT COUNT(*) - 1 FROM information_schema.processlist"
    "  WHERE user = SUBSTRING_INDEX(USER(), '@', 1)), 0"
    " FROM DUAL WHERE @@max_user_connections > 0",
    "SELECT 'max_prepared_stmt_count', @@max_prepared_stmt_count, 0,"
    " variable_value, 1 FROM information_schema.global_status"
    " WHERE variable_name = 'Prepared_stmt_count'",
    NULL};

/* ---- SQLite ---- */

static const char *const sqlite_names[] = {"SQLite", NULL};
static const struct odbc_extra sqlite_extras[] = {
    {"sqlite3odbc", "JournalMode", "WAL"},
    {"sqlite3odbc", "SyncPragma", "NORMAL"},
    {"sqlite3odbc", "Timeout", "10000"},
    /* Rows are read one by one and not all into memory. */
    {"sqlite3odbc", "StepAPI", "1"},
    {"sqlite3odbc", "BigInt", "1"},
};

static const struct odbc_dialect dialects[] = {
    {
        .name = "postgres",
        .dbms = postgres_names,
        .driver = &odbc_postgres_driver,
        .list = VALUE_LIST_BRACES,
        .extras = postgres_extras,
        .n_extras = ARRAY_LEN(postgres_extras),
        .has_table = {"SELECT count(*) FROM pg_class WHERE oid = "
                      "to_regclass(quote_ident(",
                      ")) AND relkind IN ('r', 'p', 'f', 'v', 'm')"},
        .claim = "SELECT pg_try_advisory_lock(1685679727, hashtext("
                 "coalesce(current_schema()::text, '')))::int",
        .timeout = "SET statement_timeout = ",
        .limits = postgres_limits,
        .facts =
            "SELECT name, current_setting(name) FROM pg_settings WHERE name "
            "IN ('autovacuum', 'checkpoint_timeout', "
            "'default_transaction_isolation', 'effective_cache_size', "
            "'fsync', 'full_page_writes', 'huge_pages', 'max_connections', "
            "'max_wal_size', 'shared_buffers', 'synchronous_commit', "
            "'wal_level', 'work_mem') ORDER BY name",
        .cursors = true,
    },
    {
        .name = "mysql",
        .dbms = mysql_names,
        .driver = &odbc_mysql_driver,
        .list = VALUE_LIST_PADDED,
        .codes = ODBC_CODES_MYSQL,
        .extras = mysql_extras,
        .n_extras = ARRAY_LEN(mysql_extras),
        .bulk_session = mysql_bulk,
        .has_table = {"SELECT COUNT(*) FROM information_schema.tables WHERE "
                      "table_schema = DATABASE() AND table_name = ",
                      ""},
        .claim = "SELECT GET_LOCK(CONCAT('dyno.', MD5(COALESCE(DATABASE(), "
                 "''))), 0)",
        .timeout = "SET SESSION max_statement_time = ",
        .timeout_in_s = true,
        .limits = mysql_limits,
        .packet = "SELECT GREATEST(@@max_allowed_packet, @@net_buffer_length)",
        .facts = "SHOW VARIABLES WHERE variable_name IN ('binlog_format', "
                 "'innodb_buffer_pool_size', 'innodb_doublewrite', "
                 "'innodb_flush_log_at_trx_commit', 'innodb_flush_method', "
                 "'innodb_io_capacity', 'innodb_log_file_size', "
                 "'innodb_redo_log_capacity', 'log_bin', 'max_connections', "
                 "'sql_mode', 'sync_binlog', 'transaction_isolation', "
                 "'tx_isolation')",
    },
    {
        .name = "sqlite",
        .dbms = sqlite_names,
        .driver = &odbc_sqlite_driver,
        .counts = true,
        .list = VALUE_LIST_JSON,
        .codes = ODBC_CODES_SQLITE,
        .hides_returning = true,
        .extras = sqlite_extras,
        .n_extras = ARRAY_LEN(sqlite_extras),
        /* A reader that begins to write may find that it is too late. */
        .begin = {[TXN_WRITE] = "BEGIN IMMEDIATE",
                  [TXN_READ] = "BEGIN",
                  [TXN_SNAPSHOT] = "BEGIN",
                  [TXN_BULK] = "BEGIN IMMEDIATE"},
        .has_table = {"SELECT count(*) FROM sqlite_master WHERE type IN "
                      "('table', 'view') AND name = ",
                      " COLLATE NOCASE"},
    },
};

const struct odbc_dialect odbc_no_dialect = {
    .name = "none",
    .driver = &odbc_driver,
    .list = VALUE_LIST_JSON,
};

const struct odbc_dialect *odbc_dialect_of(const char *dbms)
{
    for (size_t i = 0; i < ARRAY_LEN(dialects); i++) {
        for (const char *const *name = dialects[i].dbms; *name; name++) {
            if (strncasecmp(*name, dbms, strlen(*name)) == 0)
                return &dialects[i];
        }
    }
    return NULL;
}

const struct odbc_dialect *odbc_dialect_named(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(dialects); i++) {
        if (strcasecmp(dialects[i].name, name) == 0)
            return &dialects[i];
    }
    return NULL;
}
