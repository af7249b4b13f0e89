/* SPDX-License-Identifier: MIT */
/*
 * An ODBC driver that connects to nothing and says that it has no
 * transactions, loaded by unixODBC as any other.
 */
#include <sql.h>
#include <sqlext.h>

#include <stdlib.h>
#include <string.h>

SQLRETURN SQLAllocHandle(SQLSMALLINT type, SQLHANDLE parent, SQLHANDLE *out)
{
    (void)type;
    (void)parent;
    *out = calloc(1, 8);
    return *out ? SQL_SUCCESS : SQL_ERROR;
}

SQLRETURN SQLFreeHandle(SQLSMALLINT type, SQLHANDLE handle)
{
    (void)type;
    free(handle);
    return SQL_SUCCESS;
}

SQLRETURN SQLSetEnvAttr(SQLHENV env, SQLINTEGER what, SQLPOINTER value,
                        SQLINTEGER len)
{
    (void)env;
    (void)what;
    (void)value;
    (void)len;
    return SQL_SUCCESS;
}

SQLRETURN SQLSetConnectAttr(SQLHDBC dbc, SQLINTEGER what, SQLPOINTER value,
                            SQLINTEGER len)
{
    (void)dbc;
    (void)what;
    (void)value;
    (void)len;
    return SQL_SUCCESS;
}

/* NOLINTBEGIN(readability-function-size): as ODBC declares them */
SQLRETURN SQLDriverConnect(SQLHDBC dbc, SQLHWND window, SQLCHAR *in,
                           SQLSMALLINT in_len, SQLCHAR *out,
                           SQLSMALLINT out_cap, SQLSMALLINT *out_len,
                           SQLUSMALLINT completion)
{
    (void)dbc;
    (void)window;
    (void)in;
    (void)in_len;
    (void)out;
    (void)out_cap;
    (void)out_len;
    (void)completion;
    return SQL_SUCCESS;
}

SQLRETURN SQLDisconnect(SQLHDBC dbc)
{
    (void)dbc;
    return SQL_SUCCESS;
}

SQLRETURN SQLGetInfo(SQLHDBC dbc, SQLUSMALLINT what, SQLPOINTER out,
                     SQLSMALLINT cap, SQLSMALLINT *len)
{
    static const char name[] = "Bare";
    const SQLUSMALLINT none = SQL_TC_NONE;

    (void)dbc;
    if (what == SQL_TXN_CAPABLE) {
        memcpy(out, &none, sizeof(none));
        return SQL_SUCCESS;
    }
    if (what != SQL_DBMS_NAME && what != SQL_DRIVER_NAME)
        return SQL_ERROR;
    if (cap < (SQLSMALLINT)sizeof(name))
        return SQL_ERROR;
    memcpy(out, name, sizeof(name));
    if (len)
        *len = sizeof(name) - 1;
    return SQL_SUCCESS;
}

SQLRETURN SQLGetDiagRec(SQLSMALLINT type, SQLHANDLE handle, SQLSMALLINT number,
                        SQLCHAR *state, SQLINTEGER *native, SQLCHAR *text,
                        SQLSMALLINT cap, SQLSMALLINT *len)
{
    (void)type;
    (void)handle;
    (void)number;
    (void)state;
    (void)native;
    (void)text;
    (void)cap;
    (void)len;
    return SQL_NO_DATA;
}

/* NOLINTEND(readability-function-size) */

/* unixODBC wants one that could run statements. */
SQLRETURN SQLExecDirect(SQLHSTMT st, SQLCHAR *text, SQLINTEGER len)
{
    (void)st;
    (void)text;
    (void)len;
    return SQL_ERROR;
}
