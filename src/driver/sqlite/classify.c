/* SPDX-License-Identifier: MIT */
#include "driver/sqlite/classify.h"

#include <sqlite3.h>

static const struct {
    int code;
    enum rc rc;
} classes[] = {
    {SQLITE_OK, RC_OK},
    {SQLITE_ROW, RC_OK},
    {SQLITE_DONE, RC_OK},
    {SQLITE_BUSY, RC_DB_RETRY},
    {SQLITE_LOCKED, RC_DB_RETRY},
    {SQLITE_CONSTRAINT, RC_DB_CONSTRAINT},
    {SQLITE_FULL, RC_DB_NO_SPACE},
    {SQLITE_READONLY, RC_DB_PERMISSION},
    {SQLITE_PERM, RC_DB_PERMISSION},
    {SQLITE_AUTH, RC_DB_PERMISSION},
    {SQLITE_INTERRUPT, RC_CANCELLED},
    {SQLITE_NOMEM, RC_NOMEM},
    {SQLITE_IOERR_NOMEM, RC_NOMEM},
    /* No room for the index of the write-ahead log. */
    {SQLITE_IOERR_SHMSIZE, RC_DB_NO_SPACE},
    {SQLITE_IOERR, RC_IO},
    {SQLITE_CANTOPEN, RC_IO},
    {SQLITE_CORRUPT, RC_INVALID},
    {SQLITE_NOTADB, RC_INVALID},
};

static bool find(int code, enum rc *out)
{
    for (size_t i = 0; i < ARRAY_LEN(classes); i++) {
        if (classes[i].code == code) {
            *out = classes[i].rc;
            return true;
        }
    }
    return false;
}

enum rc sqlite_classify(int code)
{
    enum rc rc;

    /* The low byte of an extended code is the plain one. */
    if (find(code, &rc) || find(code & 0xff, &rc))
        return rc;
    return RC_DB_ERROR;
}
