/* SPDX-License-Identifier: MIT */
#include "driver/mysql/classify.h"

static const struct {
    unsigned code;
    enum rc rc;
    const char *advice;
} table[] = {
    /* The transaction lost against another. */
    {1213, RC_DB_RETRY, NULL}, /* deadlock: rolled back */
    {1205, RC_DB_RETRY, NULL}, /* innodb_lock_wait_timeout */
    {1020, RC_DB_RETRY, NULL}, /* record changed since last read */
    {1412, RC_DB_RETRY, NULL}, /* table definition changed */
    {1614, RC_DB_RETRY, NULL}, /* the same in an XA transaction */
    {3572, RC_DB_RETRY, NULL}, /* NOWAIT */
    {8022, RC_DB_RETRY, NULL}, /* TiDB: commit failed, may be tried again */
    {9007, RC_DB_RETRY, NULL}, /* TiDB: write conflict */

    {1022, RC_DB_CONSTRAINT, NULL}, /* duplicate key */
    {1048, RC_DB_CONSTRAINT, NULL}, /* NOT NULL */
    {1062, RC_DB_CONSTRAINT, NULL}, /* duplicate key */
    {1169, RC_DB_CONSTRAINT, NULL}, /* unique constraint */
    {1216, RC_DB_CONSTRAINT, NULL}, /* foreign keys … */
    {1217, RC_DB_CONSTRAINT, NULL},
    {1451, RC_DB_CONSTRAINT, NULL},
    {1452, RC_DB_CONSTRAINT, NULL},
    {1586, RC_DB_CONSTRAINT, NULL}, /* duplicate key, its name known */
    {1761, RC_DB_CONSTRAINT, NULL}, /* … by a cascade */
    {1762, RC_DB_CONSTRAINT, NULL},
    {3819, RC_DB_CONSTRAINT, NULL}, /* CHECK, MySQL */
    {4025, RC_DB_CONSTRAINT, NULL}, /* CHECK, MariaDB */

    {1053, RC_DB_GONE, NULL}, /* shutdown in progress */
    {1079, RC_DB_GONE, NULL}, /* shutdown complete */
    {1152, RC_DB_GONE, NULL}, /* aborted connection */
    {1158, RC_DB_GONE, NULL}, /* reading packets … */
    {1159, RC_DB_GONE, NULL},
    {1160, RC_DB_GONE, NULL}, /* … and writing them */
    {1161, RC_DB_GONE, NULL},
    {1184, RC_DB_GONE, NULL}, /* aborted new connection */
    {1927, RC_DB_GONE, NULL}, /* killed, MariaDB */
    {2002, RC_DB_GONE, NULL}, /* no socket */
    {2003, RC_DB_GONE, NULL}, /* no port */
    {2004, RC_DB_GONE, NULL},
    {2005, RC_DB_GONE, NULL}, /* unknown host */
    {2006, RC_DB_GONE, NULL}, /* gone away */
    {2013, RC_DB_GONE, NULL}, /* lost in a statement */
    {2027, RC_DB_GONE, NULL}, /* malformed packet */
    {2055, RC_DB_GONE, NULL}, /* lost, with errno */
    {3169, RC_DB_GONE, NULL}, /* killed, MySQL */
    {4031, RC_DB_GONE, NULL}, /* idle for too long, MySQL */
    {5014, RC_DB_GONE, NULL}, /* the library's own: write failed */

    {1037, RC_DB_LIMIT, NULL}, /* memory … */
    {1038, RC_DB_LIMIT, " (raise sort_buffer_size)"},
    {1040, RC_DB_LIMIT, " (use fewer connections, or raise max_connections)"},
    {1041, RC_DB_LIMIT, NULL},
    {1129, RC_DB_LIMIT, " (FLUSH HOSTS, or raise max_connect_errors)"},
    {1135, RC_DB_LIMIT, NULL}, /* cannot create a thread */
    {1153, RC_DB_LIMIT, " (raise max_allowed_packet)"},
    {1203, RC_DB_LIMIT,
     " (use fewer connections, or raise max_user_connections)"},
    {1206, RC_DB_LIMIT, " (raise innodb_buffer_pool_size)"}, /* locks */
    {1226, RC_DB_LIMIT, " (a limit of the account: ALTER USER … WITH …)"},
    {1461, RC_DB_LIMIT, " (raise max_prepared_stmt_count, or --no-prepare)"},
    {2020, RC_DB_LIMIT, " (raise max_allowed_packet)"},

    {1969, RC_DB_TIMEOUT, NULL}, /* max_statement_time, MariaDB */
    {3024, RC_DB_TIMEOUT, NULL}, /* max_execution_time, MySQL */
    {1317, RC_CANCELLED, NULL},  /* KILL QUERY */
    {1028, RC_CANCELLED, NULL},  /* the same while sorting */

    {1044, RC_DB_PERMISSION, NULL}, /* database */
    {1045, RC_DB_PERMISSION,
     " (the password may stand in the URL, in MYSQL_PWD or in ~/.my.cnf; an "
     "account or server that requires TLS wants ?ssl-mode=required)"},
    {1095, RC_DB_PERMISSION, NULL}, /* another's thread */
    {1130, RC_DB_PERMISSION, NULL}, /* host */
    {1142, RC_DB_PERMISSION, NULL}, /* table */
    {1143, RC_DB_PERMISSION, NULL}, /* column */
    {1227, RC_DB_PERMISSION, NULL}, /* privilege */
    {1290, RC_DB_PERMISSION, NULL}, /* --read-only and its like */
    {1370, RC_DB_PERMISSION, NULL}, /* routine */
    {1419, RC_DB_PERMISSION, NULL}, /* SUPER for routines with binary log */
    {1698, RC_DB_PERMISSION, NULL}, /* login without password */
    {1792, RC_DB_PERMISSION, NULL}, /* READ ONLY transaction */
    {1820, RC_DB_PERMISSION, NULL}, /* expired password */
    {1836, RC_DB_PERMISSION, NULL}, /* read only mode */
    {1862, RC_DB_PERMISSION, NULL}, /* expired password */
    {3118, RC_DB_PERMISSION, NULL}, /* locked account, MySQL */
    {3159, RC_DB_PERMISSION, " (use ?ssl-mode=required)"},
    {4151, RC_DB_PERMISSION, NULL}, /* locked account, MariaDB */

    {1021, RC_DB_NO_SPACE, NULL}, /* disk full */
    {1114, RC_DB_NO_SPACE, NULL}, /* table full */

    {1049, RC_NOT_FOUND, " (--create-database makes it)"},

    {1251, RC_UNSUPPORTED, NULL}, /* authentication protocol */
    {2026, RC_UNSUPPORTED, NULL}, /* TLS */
    {2049, RC_UNSUPPORTED, NULL}, /* old passwords */
    {2058, RC_UNSUPPORTED, NULL}, /* plugin … */
    {2059, RC_UNSUPPORTED,
     " (install the plugin's package and name its folder by ?plugin-dir=, or "
     "ALTER USER … IDENTIFIED VIA another one)"},
    {2061, RC_UNSUPPORTED, NULL}, /* … and what it needs */
};

enum rc maria_classify(unsigned code)
{
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        if (table[i].code == code)
            return table[i].rc;
    }
    return RC_DB_ERROR;
}

const char *maria_advice(unsigned code)
{
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        if (table[i].code == code && table[i].advice)
            return table[i].advice;
    }
    return "";
}
