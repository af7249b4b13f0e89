/* SPDX-License-Identifier: MIT */
#include "driver/odbc/classify.h"

#include <string.h>

/* A whole state, or the two characters of its class; the first that fits. */
static const struct state {
    const char *state;
    enum rc rc;
    const char *advice;
} states[] = {
    {"40001", RC_DB_RETRY, NULL}, /* serialization, deadlock */
    {"40P01", RC_DB_RETRY, NULL}, /* PostgreSQL: deadlock */
    {"55P03", RC_DB_RETRY, NULL}, /* PostgreSQL: NOWAIT, lock_timeout */
    {"40003", RC_DB_GONE, NULL},  /* completion unknown */

    {"23", RC_DB_CONSTRAINT, NULL},

    {"57P0", RC_DB_GONE, NULL}, /* PostgreSQL: shutdown, crash, dropped */
    {"08004", RC_DB_LIMIT, " (use fewer connections, or raise the limit)"},
    {"08S01", RC_DB_GONE, NULL},
    {"08", RC_DB_GONE, NULL},

    {"53100", RC_DB_NO_SPACE, NULL},
    {"53300", RC_DB_LIMIT,
     " (use fewer connections, or raise max_connections)"},
    {"53", RC_DB_LIMIT, NULL},
    {"54", RC_DB_LIMIT, NULL},
    {"HY013", RC_NOMEM, NULL},
    {"HY001", RC_NOMEM, NULL},

    {"HYT00", RC_DB_TIMEOUT, NULL},
    {"HYT01", RC_DB_GONE, NULL},
    {"57014", RC_DB_TIMEOUT, NULL}, /* PostgreSQL: statement_timeout, cancel */
    {"70100", RC_CANCELLED, NULL},  /* MySQL: KILL QUERY */
    {"HY008", RC_CANCELLED, NULL},

    {"28", RC_DB_PERMISSION,
     " (the password may stand in the connection "
     "string as PWD=…, or in odbc.ini; an account or server that requires TLS "
     "wants FORCETLS=1 of MariaDB's driver, SSLmode=require of PostgreSQL's)"},
    {"42501", RC_DB_PERMISSION, NULL},
    {"25006", RC_DB_PERMISSION, NULL}, /* read only */

    {"IM002", RC_NOT_FOUND,
     " (the DSN must be in odbc.ini: 'odbcinst -q -s' lists those that there "
     "are, ODBCINI and ODBCSYSINI say where they are looked for; without one, "
     "name the driver's file: odbc:Driver=/…/driver.so;…)"},
    {"IM003", RC_NOT_FOUND,
     " (install the driver's package, or name its file: Driver=/…/driver.so)"},
    {"3D000", RC_NOT_FOUND, NULL},
    {"IM", RC_UNSUPPORTED, NULL}, /* the driver lacks a function */
    {"HYC00", RC_UNSUPPORTED, NULL},
    {"0A", RC_UNSUPPORTED, NULL},
};

static const struct code {
    enum odbc_codes codes;
    int native;
    enum rc rc;
    const char *advice;
} own[] = {
    {ODBC_CODES_MYSQL, 1020, RC_DB_RETRY, NULL}, /* changed since last read */
    {ODBC_CODES_MYSQL, 1205, RC_DB_RETRY, NULL}, /* lock wait timeout */
    {ODBC_CODES_MYSQL, 1213, RC_DB_RETRY, NULL},
    {ODBC_CODES_MYSQL, 1412, RC_DB_RETRY, NULL},      /* definition changed */
    {ODBC_CODES_MYSQL, 4025, RC_DB_CONSTRAINT, NULL}, /* CHECK */
    {ODBC_CODES_MYSQL, 3819, RC_DB_CONSTRAINT, NULL},
    {ODBC_CODES_MYSQL, 1021, RC_DB_NO_SPACE, NULL},
    {ODBC_CODES_MYSQL, 1114, RC_DB_NO_SPACE, NULL},
    {ODBC_CODES_MYSQL, 1053, RC_DB_GONE, NULL}, /* shutdown */
    {ODBC_CODES_MYSQL, 1927, RC_DB_GONE, NULL}, /* killed */
    {ODBC_CODES_MYSQL, 2002, RC_DB_GONE, NULL},
    {ODBC_CODES_MYSQL, 2003, RC_DB_GONE, NULL},
    {ODBC_CODES_MYSQL, 2006, RC_DB_GONE, NULL},
    {ODBC_CODES_MYSQL, 2013, RC_DB_GONE, NULL},
    {ODBC_CODES_MYSQL, 2055, RC_DB_GONE, NULL},
    {ODBC_CODES_MYSQL, 1040, RC_DB_LIMIT,
     " (use fewer connections, or raise max_connections)"},
    {ODBC_CODES_MYSQL, 1153, RC_DB_LIMIT, " (raise max_allowed_packet)"},
    {ODBC_CODES_MYSQL, 1203, RC_DB_LIMIT,
     " (use fewer connections, or raise max_user_connections)"},
    {ODBC_CODES_MYSQL, 1226, RC_DB_LIMIT, " (a limit of the account)"},
    {ODBC_CODES_MYSQL, 1461, RC_DB_LIMIT,
     " (raise max_prepared_stmt_count, or use fewer connections)"},
    {ODBC_CODES_MYSQL, 1969, RC_DB_TIMEOUT, NULL},
    {ODBC_CODES_MYSQL, 3024, RC_DB_TIMEOUT, NULL},
    {ODBC_CODES_MYSQL, 1317, RC_CANCELLED, NULL},
    {ODBC_CODES_MYSQL, 1044, RC_DB_PERMISSION, NULL},
    {ODBC_CODES_MYSQL, 1142, RC_DB_PERMISSION, NULL},
    {ODBC_CODES_MYSQL, 1227, RC_DB_PERMISSION, NULL},
    {ODBC_CODES_MYSQL, 1049, RC_NOT_FOUND, " (make it first)"},

    {ODBC_CODES_SQLITE, 5, RC_DB_RETRY, " (another connection writes)"},
    {ODBC_CODES_SQLITE, 6, RC_DB_RETRY, NULL},
    {ODBC_CODES_SQLITE, 7, RC_NOMEM, NULL},
    {ODBC_CODES_SQLITE, 8, RC_DB_PERMISSION, NULL},
    {ODBC_CODES_SQLITE, 9, RC_CANCELLED, NULL},
    {ODBC_CODES_SQLITE, 10, RC_IO, NULL},
    {ODBC_CODES_SQLITE, 11, RC_INVALID, NULL},
    {ODBC_CODES_SQLITE, 13, RC_DB_NO_SPACE, NULL},
    {ODBC_CODES_SQLITE, 14, RC_IO,
     " (Database= names no file that can be opened)"},
    {ODBC_CODES_SQLITE, 19, RC_DB_CONSTRAINT, NULL},
    {ODBC_CODES_SQLITE, 26, RC_INVALID, NULL},
};

static const struct code *find_code(enum odbc_codes codes, int native)
{
    for (size_t i = 0; i < ARRAY_LEN(own); i++) {
        if (own[i].codes == codes && own[i].native == native)
            return &own[i];
    }
    return NULL;
}

static const struct state *find_state(const char *sqlstate)
{
    for (size_t i = 0; i < ARRAY_LEN(states); i++) {
        if (strncmp(states[i].state, sqlstate, strlen(states[i].state)) == 0)
            return &states[i];
    }
    return NULL;
}

enum rc odbc_classify(enum odbc_codes codes, const char *sqlstate, int native)
{
    const struct code *code = find_code(codes, native);
    const struct state *state = find_state(sqlstate);

    if (code)
        return code->rc;
    return state ? state->rc : RC_DB_ERROR;
}

const char *odbc_advice(enum odbc_codes codes, const char *sqlstate, int native)
{
    const struct code *code = find_code(codes, native);
    const struct state *state = find_state(sqlstate);
    const char *advice = code ? code->advice : state ? state->advice : NULL;

    return advice ? advice : "";
}
