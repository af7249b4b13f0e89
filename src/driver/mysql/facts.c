/* SPDX-License-Identifier: MIT */
/* Questions about the database, and whether a run will fit. */
#include "base/parse.h"
#include "driver/bulk.h"
#include "driver/mysql/maria_int.h"

#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/statvfs.h>

enum rc maria_has_table(struct conn *c, const char *table, bool *out,
                        struct err *err)
{
    struct maria_conn *mc = maria_conn_of(c);
    const struct value name = v_text(table);
    struct buf sql = BUF_INIT(MARIA_SQL_MAX);
    int64_t n = 0;
    enum rc rc;

    buf_puts(&sql, "SELECT COUNT(*) FROM information_schema.tables "
                   "WHERE table_schema = DATABASE() AND table_name = ");
    maria_put_literal(&sql, mc, &name);
    rc = buf_rc(&sql) ? maria_fail_own(mc, RC_NOMEM, "out of memory")
                      : maria_ask_number(mc, buf_str(&sql), &n);
    buf_release(&sql);
    if (rc)
        return maria_last_err(mc, table, err);
    *out = n > 0;
    return RC_OK;
}

/* ---- disk ---- */

/* Both ends have the same address: a socket file, or this machine's. */
static bool runs_here(const struct maria_conn *mc)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } own = {0}, peer = {0};
    socklen_t own_len = sizeof(own), peer_len = sizeof(peer);
    const int fd = mysql_get_socket(mc->my);

    if (getsockname(fd, &own.any, &own_len) != 0 ||
        getpeername(fd, &peer.any, &peer_len) != 0)
        return false;
    if (own.any.sa_family == AF_INET)
        return own.v4.sin_addr.s_addr == peer.v4.sin_addr.s_addr;
    if (own.any.sa_family == AF_INET6)
        return memcmp(&own.v6.sin6_addr, &peer.v6.sin6_addr,
                      sizeof(own.v6.sin6_addr)) == 0;
    return own.any.sa_family == AF_UNIX;
}

/* That of the data directory, when the server runs here. */
enum rc maria_free_space(struct conn *c, struct db_space *out, struct err *err)
{
    struct maria_conn *mc = maria_conn_of(c);
    struct statvfs fs;
    MYSQL_RES *res;
    MYSQL_ROW row;
    enum rc rc;

    if (!runs_here(mc))
        return RC_UNSUPPORTED;
    rc = maria_ask(mc, "SELECT @@datadir", &res);
    if (rc)
        return rc == RC_DB_GONE ? maria_last_err(mc, "disk", err)
                                : RC_UNSUPPORTED;
    row = mysql_fetch_row(res);
    if (row && row[0] && statvfs(row[0], &fs) == 0) {
        out->n_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
        snprintf(out->where, sizeof(out->where), "%s", row[0]);
        snprintf(out->path, sizeof(out->path), "%s", row[0]);
    } else {
        rc = RC_UNSUPPORTED;
    }
    mysql_free_result(res);
    return rc;
}

/* ---- facts ---- */

static CORO_FN void link_facts(struct maria_conn *mc, fact_fn *fn, void *arg)
{
    const char *cipher = mysql_get_ssl_cipher(mc->my);
    const char *host = mysql_get_host_info(mc->my);

    fn(arg, "connection",
       host && strstr(host, "socket") ? "unix socket" : "TCP");
    fn(arg, "tls", cipher ? cipher : "off");
    fn(arg, "statements", mc->base.db->unprepared ? "text" : "prepared");
}

/* What was set by files, the command line or a statement; paths apart.  Not all
 * servers say, and not everybody may ask. */
static CORO_FN void settings_in_force(struct maria_conn *mc, fact_fn *fn,
                                      void *arg)
{
    static const char mariadb[] =
        "SELECT LOWER(variable_name), global_value FROM "
        "information_schema.system_variables WHERE global_value_origin IN "
        "('CONFIG', 'SQL') AND global_value NOT LIKE '%/%' ORDER BY 1";
    static const char mysql[] =
        "SELECT variable_name, variable_value FROM "
        "performance_schema.variables_info JOIN "
        "performance_schema.global_variables USING (variable_name) "
        "WHERE variable_source <> 'COMPILED' "
        "AND variable_value NOT LIKE '%/%' ORDER BY 1";
    MYSQL_RES *res;
    MYSQL_ROW row;

    if (maria_ask(mc, mc->is_mariadb ? mariadb : mysql, &res))
        return;
    while ((row = mysql_fetch_row(res))) {
        if (row[0] && row[1])
            fn(arg, row[0], row[1]);
    }
    mysql_free_result(res);
}

enum rc maria_facts(struct conn *c, fact_fn *fn, void *arg, struct err *err)
{
    /* One that a server lacks is left out. */
    static const char sql[] =
        "SHOW VARIABLES WHERE variable_name IN ("
        "'aria_pagecache_buffer_size', 'autocommit', 'binlog_format', "
        "'innodb_buffer_pool_size', 'innodb_doublewrite', "
        "'innodb_flush_log_at_trx_commit', 'innodb_flush_method', "
        "'innodb_io_capacity', 'innodb_log_file_size', 'innodb_page_size', "
        "'innodb_redo_log_capacity', 'log_bin', 'max_connections', "
        "'max_prepared_stmt_count', 'query_cache_type', 'sql_mode', "
        "'sync_binlog', 'thread_handling', 'transaction_isolation', "
        "'tx_isolation')";
    struct maria_conn *mc = maria_conn_of(c);
    const char *version = mysql_get_server_info(mc->my);
    MYSQL_RES *res;
    MYSQL_ROW row;
    enum rc rc;

    fn(arg, "product", mc->is_mariadb ? "MariaDB" : "MySQL");
    fn(arg, "version", version ? version : "unknown");
    link_facts(mc, fn, arg);
    rc = maria_ask(mc, sql, &res);
    if (rc == RC_DB_ERROR || rc == RC_DB_PERMISSION)
        return RC_OK;
    if (rc)
        return maria_last_err(mc, "settings", err);
    while ((row = mysql_fetch_row(res))) {
        if (row[0] && row[1])
            fn(arg, row[0], row[1]);
    }
    mysql_free_result(res);
    settings_in_force(mc, fn, arg);
    return mc->base.gone ? maria_last_err(mc, "settings", err) : RC_OK;
}

/* ---- limits ---- */

/* A variable of the server, or of its status; false when it has none. */
static CORO_FN bool read_number(struct maria_conn *mc, const char *sql,
                                int64_t *out)
{
    MYSQL_RES *res;
    MYSQL_ROW row;
    bool found;

    if (maria_ask(mc, sql, &res))
        return false;
    row = mysql_fetch_row(res);
    found = row && row[1] && !parse_i64(row[1], out, NULL);
    mysql_free_result(res);
    return found;
}

/* 0 is no limit.  What others of the same user have, it may see. */
static CORO_FN void limit_of_user(struct maria_conn *mc, limit_fn *fn,
                                  void *arg)
{
    struct conn_limit limit = {.setting = "max_user_connections"};

    if (read_number(mc, "SHOW VARIABLES LIKE 'max_user_connections'",
                    &limit.value) &&
        limit.value > 0 &&
        !maria_ask_number(mc,
                          "SELECT COUNT(*) - 1 FROM "
                          "information_schema.processlist WHERE user = "
                          "SUBSTRING_INDEX(USER(), '@', 1)",
                          &limit.in_use))
        fn(arg, &limit);
}

enum rc maria_limits(struct conn *c, limit_fn *fn, void *arg, struct err *err)
{
    struct maria_conn *mc = maria_conn_of(c);
    struct conn_limit conns = {.setting = "max_connections"};
    struct conn_limit stmts = {.setting = "max_prepared_stmt_count",
                               .each = c->db->n_statements};

    if (read_number(mc, "SHOW VARIABLES LIKE 'max_connections'",
                    &conns.value) &&
        read_number(mc, "SHOW GLOBAL STATUS LIKE 'Threads_connected'",
                    &conns.in_use)) {
        conns.in_use--;
        fn(arg, &conns);
    }
    if (!c->gone)
        limit_of_user(mc, fn, arg);
    if (!c->gone && !c->db->unprepared && stmts.each > 0 &&
        read_number(mc, "SHOW VARIABLES LIKE 'max_prepared_stmt_count'",
                    &stmts.value) &&
        read_number(mc, "SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'",
                    &stmts.in_use))
        fn(arg, &stmts);
    return c->gone ? maria_last_err(mc, "limits", err) : RC_OK;
}
