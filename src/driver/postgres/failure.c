/* SPDX-License-Identifier: MIT */
/* Failures: kept as they come, given words only when somebody asks. */
#include "driver/postgres/pg_int.h"

static void forget(struct pg_conn *pc, enum rc rc)
{
    PQclear(pc->failed);
    pc->failed = NULL;
    pc->failed_text = NULL;
    pc->failed_rc = rc;
    pc->base.native = 0;
    pc->base.sqlstate[0] = '\0';
}

/* libpq closes the socket itself; its number may be used again at once. */
static void forget_socket(struct pg_conn *pc)
{
    if (pc->fd >= 0 && pc->base.loop)
        loop_forget(pc->base.loop, pc->fd);
    pc->fd = -1;
}

enum rc pg_fail_lost(struct pg_conn *pc)
{
    forget(pc, RC_DB_GONE);
    if (PQsocket(pc->pg) < 0)
        forget_socket(pc);
    return RC_DB_GONE;
}

enum rc pg_fail_own(struct pg_conn *pc, enum rc rc, const char *text)
{
    forget(pc, rc);
    pc->failed_text = text;
    return rc;
}

enum rc pg_fail_wait(struct pg_conn *pc, enum rc rc)
{
    /* The rest of the answer is still to come. */
    pc->base.gone = true;
    /* Else the server would go on with it, and with its locks. */
    pg_cancel(&pc->base);
    if (rc == RC_TIMEOUT)
        return pg_fail_own(pc, rc, "the server does not answer");
    return pg_fail_own(pc, rc,
                       rc == RC_CANCELLED ? "interrupted"
                                          : "cannot wait for the server");
}

/* The code is the same for both: whoever asked knows. */
static bool was_cancelled(struct pg_conn *pc, const PGresult *r)
{
    const char *text = PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);

    /* Partner: the store in pg_cancel(). */
    if (pc->cancel && atomic_exchange_explicit(&pc->cancel->asked, false,
                                               memory_order_relaxed))
        return true;
    return text && strstr(text, "user request");
}

static bool is_fatal(const PGresult *r)
{
    const char *severity = PQresultErrorField(r, PG_DIAG_SEVERITY_NONLOCALIZED);

    return severity && strcmp(severity, "ERROR") != 0;
}

enum rc pg_fail_result(struct pg_conn *pc, PGresult *r)
{
    const char *sqlstate = PQresultErrorField(r, PG_DIAG_SQLSTATE);
    enum rc rc = pg_classify(sqlstate);

    /* libpq's own errors have no code either. */
    if (!sqlstate && PQstatus(pc->pg) != CONNECTION_BAD)
        rc = RC_DB_ERROR;
    if (rc == RC_DB_TIMEOUT && was_cancelled(pc, r))
        rc = RC_CANCELLED;
    if (is_fatal(r))
        rc = RC_DB_GONE;
    forget(pc, rc);
    pc->failed = r;
    if (sqlstate && strlen(sqlstate) < sizeof(pc->base.sqlstate))
        memcpy(pc->base.sqlstate, sqlstate, strlen(sqlstate) + 1);
    if (PQsocket(pc->pg) < 0)
        forget_socket(pc);
    return rc;
}

static const char *field(const struct pg_conn *pc, int code)
{
    return pc->failed ? PQresultErrorField(pc->failed, code) : NULL;
}

static const char *main_text(const struct pg_conn *pc)
{
    const char *text = field(pc, PG_DIAG_MESSAGE_PRIMARY);

    if (text)
        return text;
    if (pc->failed)
        return PQresultErrorMessage(pc->failed);
    return pc->failed_text ? pc->failed_text : PQerrorMessage(pc->pg);
}

enum rc pg_last_err(const struct pg_conn *pc, const char *what, struct err *err)
{
    const char *text = main_text(pc);
    const char *detail = field(pc, PG_DIAG_MESSAGE_DETAIL);
    const char *hint = field(pc, PG_DIAG_MESSAGE_HINT);
    const char *state = field(pc, PG_DIAG_SQLSTATE);
    /* What libpq says further is no news. */
    const int len = (int)strcspn(text, state ? "" : "\n");

    if (!hint && state && strcmp(state, "42501") == 0)
        hint = "GRANT it to the role, or come as the owner";
    err_set(err, pc->failed_rc, "%s%s%.*s%s%s%s%s%s", what ? what : "",
            what ? ": " : "", len, text, detail ? ": " : "",
            detail ? detail : "", hint ? " (" : "", hint ? hint : "",
            hint ? ")" : "");
    if (err)
        memcpy(err->sqlstate, pc->base.sqlstate, sizeof(err->sqlstate));
    return pc->failed_rc;
}

void pg_error(const struct conn *c, struct err *err)
{
    pg_last_err((const struct pg_conn *)(const void *)c, NULL, err);
}
