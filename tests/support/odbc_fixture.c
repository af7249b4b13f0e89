/* SPDX-License-Identifier: MIT */
#include "support/odbc_fixture.h"

#include <unistd.h>

/* Where Debian has them. */
static bool find_library(const char *name, char *out, size_t out_len)
{
    snprintf(out, out_len, DYNO_ODBC_DIR "/%s", name);
    return access(out, R_OK) == 0;
}

bool odbc_sqlite_url(const struct pg_fixture *f, char *out, size_t out_len)
{
    char library[128];

    (void)f;
    if (!find_library("libsqlite3odbc.so", library, sizeof(library)))
        return false;
    snprintf(out, out_len, "odbc:Driver=%s;Database=conformance.db", library);
    return true;
}

bool odbc_postgres_url(const struct pg_fixture *f, char *out, size_t out_len)
{
    char library[128];

    if (!find_library("psqlodbcw.so", library, sizeof(library)))
        return false;
    snprintf(out, out_len,
             "odbc:Driver=%s;Servername=%s;Port=%s;Database=postgres;UID=dyno",
             library, f->dir, f->port);
    return true;
}

bool odbc_maria_url(const struct pg_fixture *f, char *out, size_t out_len)
{
    char library[128];

    if (!find_library("libmaodbc.so", library, sizeof(library)))
        return false;
    snprintf(out, out_len,
             "odbc:Driver=%s;SOCKET=%s/socket;Database=test;UID=dyno", library,
             f->dir);
    return true;
}
