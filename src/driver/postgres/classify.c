/* SPDX-License-Identifier: MIT */
#include "driver/postgres/classify.h"

#include <string.h>

static const struct {
    char code[6]; /* five characters, or a class of two */
    enum rc rc;
} table[] = {
    {"40001", RC_DB_RETRY},   /* serialization failure */
    {"40P01", RC_DB_RETRY},   /* deadlock */
    {"55P03", RC_DB_RETRY},   /* lock not available: NOWAIT, lock_timeout */
    {"40003", RC_DB_UNKNOWN}, /* statement completion unknown */
    {"40002", RC_DB_CONSTRAINT},
    {"57P01", RC_DB_GONE},  /* terminated by an administrator */
    {"57P02", RC_DB_GONE},  /* another process of the server crashed */
    {"57P04", RC_DB_GONE},  /* the database was dropped */
    {"57P05", RC_DB_GONE},  /* idle_session_timeout */
    {"25P03", RC_DB_GONE},  /* idle_in_transaction_session_timeout */
    {"25P04", RC_DB_GONE},  /* transaction_timeout */
    {"57P03", RC_DB_GONE},  /* starts, stops or recovers */
    {"53300", RC_DB_LIMIT}, /* too many connections */
    {"53400", RC_DB_LIMIT}, /* configuration limit */
    {"53200", RC_DB_LIMIT}, /* out of memory, of shared memory for locks too */
    {"53100", RC_DB_NO_SPACE},
    {"57014", RC_DB_TIMEOUT},
    {"42501", RC_DB_PERMISSION},
    {"3D000", RC_NOT_FOUND}, /* no such database */
    {"3F000", RC_NOT_FOUND}, /* no such schema */
    {"08", RC_DB_GONE},
    {"23", RC_DB_CONSTRAINT},
    {"28", RC_DB_PERMISSION}, /* invalid authorization */
};

enum rc pg_classify(const char *sqlstate)
{
    if (!sqlstate)
        return RC_DB_GONE;
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        if (strncmp(table[i].code, sqlstate, strlen(table[i].code)) == 0)
            return table[i].rc;
    }
    return RC_DB_ERROR;
}

void pg_find_sqlstate(const char *text, char out[6])
{
    static const char chars[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char mark[] = ":  ";
    const char *s = text;

    out[0] = '\0';
    while ((s = strstr(s, mark))) {
        s += sizeof(mark) - 1;
        if (strspn(s, chars) == 5 && s[5] == ':') {
            memcpy(out, s, 5);
            out[5] = '\0';
        }
    }
}
