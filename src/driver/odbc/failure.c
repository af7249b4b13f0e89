/* SPDX-License-Identifier: MIT */
/* Failures: the diagnosis is copied as it comes, and given when somebody asks.
 */
#include "driver/odbc/odbc_int.h"

#include <stdio.h>

#define TEXT_MAX 1024
/* Each server takes that. */
#define PACKET_MIN 1024

/* "[unixODBC][Driver Manager]Data source…": who says it is no news. */
static const char *skip_origins(const char *text)
{
    while (*text == '[') {
        const char *end = strchr(text, ']');

        if (!end)
            break;
        text = end + 1;
    }
    return text + strspn(text, " ");
}

/* In one line, blanks between words and nowhere else. */
static void copy_line(char *out, size_t out_len, const char *text)
{
    static const char blanks[] = " \t\r\n";
    size_t n = 0;

    for (text += strspn(text, blanks); *text && n + 2 < out_len; text++) {
        if (!strchr(blanks, *text)) {
            out[n++] = *text;
            continue;
        }
        text += strspn(text, blanks) - 1;
        if (text[1])
            out[n++] = ' ';
    }
    out[n] = '\0';
}

static void keep(struct odbc_conn *oc, enum rc rc, int native,
                 const char *sqlstate, const char *text)
{
    struct odbc_failure *f = &oc->failed;

    copy_line(f->text, sizeof(f->text), text);
    f->rc = rc;
    f->native = native;
    memset(f->sqlstate, 0, sizeof(f->sqlstate));
    memcpy(f->sqlstate, sqlstate, strnlen(sqlstate, 5));
    oc->base.native = native;
    memcpy(oc->base.sqlstate, f->sqlstate, sizeof(f->sqlstate));
}

enum rc odbc_fail_own(struct odbc_conn *oc, enum rc rc, const char *text)
{
    keep(oc, rc, 0, "", text);
    return rc;
}

enum rc odbc_max_packet(struct odbc_conn *oc, size_t *out)
{
    int64_t bytes = 0;
    enum rc rc = RC_OK;

    if (oc->max_packet == 0 && oc->dialect->packet)
        rc = odbc_ask_number(oc, oc->dialect->packet, &bytes);
    if (oc->max_packet == 0 && !rc)
        oc->max_packet = bytes > 0 ? (size_t)bytes : SIZE_MAX;
    *out = oc->max_packet;
    return rc;
}

enum rc odbc_check_packet(struct odbc_conn *oc, size_t bytes)
{
    char text[160];
    size_t max;
    enum rc rc;

    if (LIKELY(bytes + 1 < PACKET_MIN))
        return RC_OK;
    rc = odbc_max_packet(oc, &max);
    if (rc || bytes + 1 < max)
        return rc;
    snprintf(text, sizeof(text),
             "a statement of %zu bytes is larger than the server takes: raise "
             "max_allowed_packet, which is %zu",
             bytes, max);
    return odbc_fail_own(oc, RC_DB_LIMIT, text);
}

/* The driver itself knows that nobody is there any more. */
static bool is_dead(const struct odbc_conn *oc)
{
    SQLUINTEGER dead = SQL_CD_FALSE;

    return oc->connected &&
           odbc_ok(SQLGetConnectAttr(oc->dbc, SQL_ATTR_CONNECTION_DEAD, &dead,
                                     sizeof(dead), NULL)) &&
           dead == SQL_CD_TRUE;
}

/* Where drivers hide what the server said behind a state of their own. */
static enum rc reclassify(const char *text, enum rc rc)
{
    static const struct {
        const char *text;
        enum rc rc;
    } words[] = {
        {"Can't open lib", RC_NOT_FOUND},
        {"password authentication failed", RC_DB_PERMISSION},
        {"no pg_hba.conf entry", RC_DB_PERMISSION},
        {"too many clients", RC_DB_LIMIT},
        {"too many connections", RC_DB_LIMIT},
        {"remaining connection slots", RC_DB_LIMIT},
        {"does not exist", RC_NOT_FOUND},
        {"Unknown database", RC_NOT_FOUND},
        {"Can't connect", RC_DB_GONE},
        {"connect failed", RC_IO},
    };

    if (rc != RC_DB_GONE && rc != RC_DB_ERROR)
        return rc;
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (strstr(text, words[i].text))
            return words[i].rc;
    }
    return rc;
}

enum rc odbc_fail(struct odbc_conn *oc, SQLSMALLINT type, SQLHANDLE handle)
{
    SQLCHAR state[6] = "", text[TEXT_MAX] = "";
    SQLINTEGER native = 0;
    SQLSMALLINT len = 0;
    const char *shown;
    enum rc rc;

    if (!odbc_ok(SQLGetDiagRec(type, handle, 1, state, &native, text,
                               sizeof(text), &len)))
        return odbc_fail_own(oc, is_dead(oc) ? RC_DB_GONE : RC_DB_ERROR,
                             "the ODBC driver failed without a reason");
    shown = skip_origins((const char *)text);
    rc = odbc_classify(oc->dialect->codes, (const char *)state, native);
    if (!oc->connected)
        rc = reclassify(shown, rc);
    else if (rc != RC_DB_GONE && is_dead(oc))
        rc = RC_DB_GONE;
    /* The loop says whether the user did it; the driver cannot know. */
    if (rc == RC_DB_TIMEOUT && oc->base.loop && loop_cancelled(oc->base.loop))
        rc = RC_CANCELLED;
    keep(oc, rc, native, (const char *)state, shown);
    return rc;
}

enum rc odbc_last_err(const struct odbc_conn *oc, const char *what,
                      struct err *err)
{
    const struct odbc_failure *f = &oc->failed;

    err_set(err, f->rc, "%s%s%s%s", what ? what : "", what ? ": " : "", f->text,
            odbc_advice(oc->dialect->codes, f->sqlstate, f->native));
    if (err) {
        err->native = f->native;
        memcpy(err->sqlstate, f->sqlstate, sizeof(err->sqlstate));
    }
    return f->rc;
}

void odbc_error(const struct conn *c, struct err *err)
{
    odbc_last_err((const struct odbc_conn *)(const void *)c, NULL, err);
}
