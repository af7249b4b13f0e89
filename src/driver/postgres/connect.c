/* SPDX-License-Identifier: MIT */
/*
 * Opening and closing connections.  Names of hosts are resolved by a call of
 * libpq's that blocks the thread; all else waits in the loop.
 */
#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"
#include "driver/postgres/pg_int.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define VERSION_MIN 100000
#define TIMEOUT_DEFAULT_S 10
#define TEXT_MAX 900

/* ---- what went wrong ---- */

/* One line of libpq's; the code goes, "FATAL:  28P01: password …". */
static void put_line(struct buf *out, const char *line, size_t len,
                     const char *mark)
{
    const char *code = *mark ? memmem(line, len, mark, strlen(mark)) : NULL;

    if (out->len > 0)
        buf_puts(out, "; ");
    if (code) {
        buf_add(out, line, (size_t)(code - line));
        buf_puts(out, ": ");
        len -= (size_t)(code - line) + strlen(mark);
        line = code + strlen(mark);
    }
    buf_add(out, line, len);
}

/* libpq's lines as one, without what only verbose messages have. */
static void one_line(const char *message, const char *sqlstate, struct buf *out)
{
    char mark[16] = "";

    if (*sqlstate)
        snprintf(mark, sizeof(mark), ":  %s: ", sqlstate);
    while (*message) {
        size_t len;

        message += strspn(message, "\t ");
        len = strcspn(message, "\n");
        if (len > 0 && strncmp(message, "LOCATION:", 9) != 0)
            put_line(out, message, len, mark);
        message += len;
        message += *message == '\n';
    }
}

static enum rc classify(const PGconn *pg, const char *message,
                        const char *sqlstate)
{
    if (*sqlstate)
        return pg_classify(sqlstate);
    if (PQconnectionNeedsPassword(pg))
        return RC_DB_PERMISSION;
    if (strncmp(message, "invalid ", 8) == 0)
        return RC_USAGE;
    /* Only by their texts can these be told from a network that fails. */
    if (strstr(message, "SSL was required") || strstr(message, "certificate"))
        return RC_UNSUPPORTED;
    return RC_DB_GONE;
}

/* What to do about it, where that is known. */
static const char *advice(const PGconn *pg, enum rc rc, const char *sqlstate)
{
    if (strcmp(sqlstate, "3D000") == 0)
        return " (--create-database makes it)";
    if (strcmp(sqlstate, "53300") == 0)
        return " (use fewer connections, or raise max_connections)";
    if (rc == RC_DB_PERMISSION && PQconnectionNeedsPassword(pg))
        return " (give it in the URL, in PGPASSWORD or in ~/.pgpass)";
    return "";
}

static enum rc connect_failed(struct pg_conn *pc, struct err *err)
{
    struct buf text = BUF_INIT(TEXT_MAX);
    const char *message = PQerrorMessage(pc->pg);
    char sqlstate[6];
    enum rc rc;

    pg_find_sqlstate(message, sqlstate);
    rc = classify(pc->pg, message, sqlstate);
    one_line(message, sqlstate, &text);
    err_set(err, rc, "%s%s", buf_str(&text), advice(pc->pg, rc, sqlstate));
    if (err)
        memcpy(err->sqlstate, sqlstate, sizeof(sqlstate));
    buf_release(&text);
    return rc;
}

/* ---- connecting ---- */

/* libpq leaves the time limit of asynchronous connects to the caller. */
static int64_t connect_timeout_s(PGconn *pg)
{
    PQconninfoOption *options = PQconninfo(pg);
    int64_t s = TIMEOUT_DEFAULT_S;

    for (PQconninfoOption *o = options; o && o->keyword; o++) {
        if (strcmp(o->keyword, "connect_timeout") == 0 && o->val && *o->val)
            s = strtol(o->val, NULL, 10);
    }
    PQconninfoFree(options);
    return s;
}

static const char *or_empty(const char *s)
{
    return s ? s : "";
}

static CORO_FN enum rc poll_until_open(struct pg_conn *pc, struct err *err)
{
    const int64_t limit_s = connect_timeout_s(pc->pg);
    const struct mono deadline =
        limit_s > 0 ? mono_add(clock_now(), limit_s * NS_PER_S) : MONO_NEVER;
    PostgresPollingStatusType status = PGRES_POLLING_WRITING;

    while (status == PGRES_POLLING_READING || status == PGRES_POLLING_WRITING) {
        const int fd = PQsocket(pc->pg);
        enum rc rc = io_wait(
            pc->base.loop, fd,
            status == PGRES_POLLING_READING ? IO_READ : IO_WRITE, deadline);

        /* It may be closed by the next step, and another have its number. */
        loop_forget(pc->base.loop, fd);
        if (rc == RC_TIMEOUT)
            return err_set(
                err, rc, "no answer from '%s' port %s within %" PRId64 " s",
                or_empty(PQhost(pc->pg)), or_empty(PQport(pc->pg)), limit_s);
        if (rc)
            return err_set(err, rc, "connecting was interrupted");
        status = PQconnectPoll(pc->pg);
    }
    return status == PGRES_POLLING_OK ? RC_OK : connect_failed(pc, err);
}

static enum rc check_version(const struct pg_conn *pc, struct err *err)
{
    const char *name = PQparameterStatus(pc->pg, "server_version");

    if (PQserverVersion(pc->pg) >= VERSION_MIN)
        return RC_OK;
    return err_set(err, RC_UNSUPPORTED,
                   "the server is version %s; PostgreSQL 10 or later is needed",
                   name ? name : "unknown");
}

/* NOTICE, WARNING and so on, with a newline. */
static void on_notice(void *arg, const char *text)
{
    const struct pg_conn *pc = arg;
    const int len = (int)strcspn(text, "\n");

    if (pc->show_notices)
        log_info("%.*s", len, text);
    else
        log_debug("%.*s", len, text);
}

static void find_tls(struct pg_conn *pc)
{
    void *symbol;

    if (!PQsslInUse(pc->pg))
        return;
    pc->ssl = PQsslStruct(pc->pg, "OpenSSL");
    /* libpq has loaded it: no need to link it here. */
    symbol = pc->ssl ? dlsym(RTLD_DEFAULT, "SSL_pending") : NULL;
    memcpy(&pc->ssl_pending, &symbol, sizeof(symbol));
}

static CORO_FN enum rc open_link(struct pg_conn *pc, const char *const *keys,
                                 const char *const *values, struct err *err)
{
    enum rc rc;

    pc->pg = PQconnectStartParams(keys, values, 0);
    if (!pc->pg)
        return err_set(err, RC_NOMEM, "out of memory");
    /* Until it is open, the code of an error is only in verbose texts. */
    PQsetErrorVerbosity(pc->pg, PQERRORS_VERBOSE);
    PQsetNoticeProcessor(pc->pg, on_notice, pc);
    if (PQstatus(pc->pg) == CONNECTION_BAD)
        return connect_failed(pc, err);
    rc = poll_until_open(pc, err);
    if (!rc)
        rc = check_version(pc, err);
    if (rc)
        return rc;
    PQsetErrorVerbosity(pc->pg, PQERRORS_DEFAULT);
    pc->fd = PQsocket(pc->pg);
    find_tls(pc);
    pc->cancel = pg_cancel_new(pc->pg);
    if (!pc->cancel || PQsetnonblocking(pc->pg, 1))
        return err_set(err, RC_NOMEM, "out of memory");
    return RC_OK;
}

/* keys[] with another dbname; *out is the caller's. */
static enum rc replace_dbname(const struct pg_db *db, const char *dbname,
                              const char ***out_keys, const char ***out_values)
{
    size_t n = 0;

    while (db->keys[n])
        n++;
    *out_keys = MEM_ARRAY(const char *, n + 2);
    *out_values = MEM_ARRAY(const char *, n + 2);
    if (!*out_keys || !*out_values)
        return RC_NOMEM;
    memcpy(*out_keys, db->keys, n * sizeof(**out_keys));
    memcpy(*out_values, db->values, n * sizeof(**out_values));
    /* The last one wins. */
    (*out_keys)[n] = "dbname";
    (*out_values)[n] = dbname;
    return RC_OK;
}

enum rc pg_connect_plain(struct pg_db *db, struct loop *loop,
                         const char *dbname, struct pg_conn **out,
                         struct err *err)
{
    struct pg_conn *pc = mem_calloc_aligned(1, sizeof(*pc));
    const char **keys = NULL, **values = NULL;
    enum rc rc = RC_OK;

    if (!pc)
        return err_set(err, RC_NOMEM, "out of memory");
    pc->base.driver = &postgres_driver;
    pc->base.db = &db->base;
    pc->base.loop = loop;
    pc->fd = -1;
    pc->deadline = MONO_NEVER;
    if (dbname && replace_dbname(db, dbname, &keys, &values))
        rc = err_set(err, RC_NOMEM, "out of memory");
    if (!rc)
        rc = open_link(pc, keys ? keys : db->keys, values ? values : db->values,
                       err);
    mem_free(keys);
    mem_free(values);
    if (rc)
        pg_disconnect(&pc->base);
    else
        *out = pc;
    return rc;
}

/* ---- for a run ---- */

static CORO_FN enum rc check_pooling(struct pg_conn *pc, struct err *err)
{
    const struct db *db = pc->base.db;
    enum pg_pooling pooling;
    enum rc rc = pg_find_pooling(pc, &pooling, err);

    if (rc)
        return rc;
    pc->pooled = pg_is_shared(pooling);
    if (pooling != PG_POOLING_TRANSACTION || db->unprepared)
        return RC_OK;
    return err_set(err, RC_UNSUPPORTED,
                   "the connections go through a pooler that changes the "
                   "server process with each transaction, so prepared "
                   "statements are lost: use --no-prepare, or set pool_mode "
                   "= session in PgBouncer, or max_prepared_statements above "
                   "0 (PgBouncer 1.21 or later)");
}

enum rc pg_limit_statements(struct conn *c, struct err *err)
{
    struct pg_conn *pc = pg_conn_of(c);
    const int64_t limit_ns = c->statement_timeout_ns;
    char sql[64];

    /* Each BEGIN says it then. */
    if (pc->pooled)
        return RC_OK;
    snprintf(sql, sizeof(sql), "SET statement_timeout = %" PRId64,
             (limit_ns + NS_PER_MS - 1) / NS_PER_MS);
    return pg_simple(pc, sql, NULL) ? pg_last_err(pc, NULL, err) : RC_OK;
}

/* For statements outside BEGIN: those between BEGIN and COMMIT say it there. */
static CORO_FN enum rc set_isolation(struct pg_conn *pc, struct err *err)
{
    static const char *const levels[] = {
        [ISOLATION_DEFAULT] = NULL,
        [ISOLATION_READ_COMMITTED] = "read committed",
        [ISOLATION_REPEATABLE_READ] = "repeatable read",
        [ISOLATION_SERIALIZABLE] = "serializable",
    };
    const struct db *db = pc->base.db;
    char sql[80];

    if (!levels[db->isolation])
        return RC_OK;
    if (!pc->pooled) {
        snprintf(sql, sizeof(sql), "SET default_transaction_isolation = '%s'",
                 levels[db->isolation]);
        return pg_simple(pc, sql, NULL) ? pg_last_err(pc, NULL, err) : RC_OK;
    }
    if (!db->autocommit)
        return RC_OK;
    return err_set(err, RC_UNSUPPORTED,
                   "--isolation: the connections go through a pooler that "
                   "keeps no settings, and this composition has no BEGIN to "
                   "say it in; set pool_mode = session, or set the level in "
                   "the database and leave the option out");
}

enum rc pg_connect(struct db *db, struct loop *loop, struct conn **out,
                   struct err *err)
{
    struct pg_conn *pc = NULL;
    enum rc rc = pg_connect_plain(pg_db_of(db), loop, NULL, &pc, err);

    if (!rc)
        rc = check_pooling(pc, err);
    if (!rc)
        rc = set_isolation(pc, err);
    if (rc) {
        err_prefix(err, "'%s'", db->target->shown);
        if (pc)
            pg_disconnect(&pc->base);
        return rc;
    }
    *out = &pc->base;
    return RC_OK;
}

void pg_disconnect(struct conn *c)
{
    struct pg_conn *pc = pg_conn_of(c);

    pg_snapshot_end(pc);
    pg_free_stmts(pc);
    pg_free_bulk(pc);
    pg_forget_answers(pc);
    PQclear(pc->failed);
    if (pc->fd >= 0 && c->loop)
        loop_forget(c->loop, pc->fd);
    /* Says good-bye without waiting; what is open is rolled back. */
    PQfinish(pc->pg);
    pg_cancel_release(pc->cancel);
    mem_free(pc->params);
    mem_free(pc->param_lens);
    mem_free(pc->bytes);
    mem_free(pc->cells);
    mem_free(pc->names);
    mem_free(pc->flight);
    mem_free(pc);
}
