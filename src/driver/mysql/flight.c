/* SPDX-License-Identifier: MIT */
/*
 * Flights: several statements, one round trip.
 *
 * Prepared statements are sent one behind the other, their answers read
 * afterwards.  The server goes on behind one that fails, so a COMMIT is sent
 * by itself, when all the others have succeeded: a round trip more, which is
 * counted.  Why the writes behind a failed one do no harm: txn.c.
 *
 * Without prepared statements a flight is one text of several statements, of
 * which the server runs none behind the first that fails; there the COMMIT
 * rides along.
 */
#include "base/mem.h"
#include "driver/mysql/stmt.h"

/* Enough for most flights of TPC-C, so that the run path need not grow. */
#define SENT_MIN 32

enum rc maria_flight_reserve(struct maria_conn *mc, size_t n)
{
    struct maria_sent *flight;

    if (LIKELY(n <= mc->flight_cap))
        return RC_OK;
    n = n < SENT_MIN ? SENT_MIN : n + n / 2;
    flight = mem_realloc(mc->flight, n * sizeof(*flight));
    if (!flight)
        return maria_fail_own(mc, RC_NOMEM, "out of memory");
    mc->flight = flight;
    mc->flight_cap = n;
    return RC_OK;
}

void maria_forget_answers(struct maria_conn *mc)
{
    for (size_t i = 0; i < mc->n_sent; i++)
        mysql_free_result(mc->flight[i].res);
    mc->n_sent = 0;
}

/* ---- queueing ---- */

static bool as_text(const struct maria_conn *mc)
{
    return mc->base.db->unprepared;
}

static void skip_answers(struct maria_conn *mc, my_bool skip)
{
    mysql_optionsv(mc->my, MARIADB_OPT_SKIP_READ_RESPONSE, &skip);
}

static enum rc send_own(struct maria_conn *mc, const char *text)
{
    enum rc rc = maria_flight_reserve(mc, mc->n_sent + 1);

    if (UNLIKELY(rc))
        return rc;
    if (as_text(mc)) {
        buf_puts(&mc->text, text);
        buf_putc(&mc->text, ';');
    } else {
        maria_start(mc);
        if (UNLIKELY(mysql_send_query(mc->my, text, strlen(text))))
            return maria_fail(mc);
    }
    mc->flight[mc->n_sent++] = (struct maria_sent){0};
    return RC_OK;
}

/* Begins a flight if there is none. */
static enum rc board(struct maria_conn *mc)
{
    if (mc->flying)
        return RC_OK;
    maria_forget_answers(mc);
    buf_reset(&mc->text);
    mc->flying = true;
    mc->commits = false;
    if (LIKELY(mc->base.in_txn || mc->base.flight.begins ||
               !mc->autocommit_off))
        return RC_OK;
    mc->autocommit_off = false;
    return send_own(mc, MARIA_AUTOCOMMIT_ON);
}

enum rc maria_send_prepared(struct maria_conn *mc, MYSQL_STMT *st)
{
    bool failed;

    maria_start(mc);
    skip_answers(mc, 1);
    failed = mysql_stmt_execute(st);
    skip_answers(mc, 0);
    return UNLIKELY(failed) ? maria_fail_stmt(mc, st) : RC_OK;
}

static enum rc send_part(struct maria_conn *mc, struct maria_stmt *ms, size_t i,
                         const struct value *args)
{
    const struct step_statement *s = &ms->base.step->statements[i];
    struct maria_part *part = &ms->parts[i];
    enum rc rc;

    if (as_text(mc)) {
        maria_put_statement(&mc->text, mc, s, args);
        buf_putc(&mc->text, ';');
        rc = buf_rc(&mc->text);
        return rc ? maria_fail_own(mc, rc, "the flight is too long") : RC_OK;
    }
    rc = maria_bind(mc, &part->params, part->st, s, args);
    if (UNLIKELY(rc))
        return rc;
    return maria_send_prepared(mc, part->st);
}

enum rc maria_flight_exec(struct conn *c, struct stmt *s,
                          const struct value *args, size_t n_args)
{
    struct maria_conn *mc = maria_conn_of(c);
    struct maria_stmt *ms = CONTAINER_OF(s, struct maria_stmt, base);
    enum rc rc = board(mc);

    (void)n_args;
    if (!rc)
        rc = maria_flight_reserve(mc, mc->n_sent + ms->n_parts);
    for (size_t i = 0; i < ms->n_parts && !rc; i++) {
        rc = send_part(mc, ms, i, args);
        if (LIKELY(!rc))
            mc->flight[mc->n_sent++] = (struct maria_sent){.ms = ms, .part = i};
    }
    return rc;
}

enum rc maria_flight_begin(struct conn *c, enum txn_mode mode)
{
    struct maria_conn *mc = maria_conn_of(c);
    const char *texts[MARIA_BEGIN_MAX];
    enum rc rc = board(mc);
    size_t n = maria_begin_texts(mc, mode, texts);

    for (size_t i = 0; i < n && !rc; i++)
        rc = send_own(mc, texts[i]);
    return rc;
}

enum rc maria_flight_end(struct conn *c, bool commit)
{
    struct maria_conn *mc = maria_conn_of(c);
    enum rc rc = board(mc);

    if (!rc && commit && !as_text(mc))
        mc->commits = true;
    else if (!rc)
        rc = send_own(mc, commit ? "COMMIT" : "ROLLBACK");
    return rc;
}

/* ---- answers ---- */

static void count_rows(struct maria_sent *sent)
{
    sent->n_rows = 0;
    for (const MYSQL_ROWS *row = sent->rows; row; row = row->next)
        sent->n_rows++;
}

/* One result of a prepared statement. */
static CORO_FN enum rc take_result(struct maria_conn *mc,
                                   struct maria_sent *sent)
{
    const struct maria_stmt *ms = sent->ms;
    const struct maria_part *part = &ms->parts[sent->part];
    MYSQL_STMT *st = part->st;

    if (mysql_stmt_field_count(st) == 0) {
        sent->n_affected = mysql_stmt_affected_rows(st);
        return RC_OK;
    }
    if (UNLIKELY(mysql_stmt_store_result(st)))
        return maria_fail_stmt(mc, st);
    if (sent->part != ms->rows_from)
        return RC_OK;
    if (UNLIKELY(!maria_learn_codings(st, ms->base.step, part->codings)))
        return maria_fail_own(mc, RC_INVALID,
                              "the columns are not those of the signature");
    sent->rows = mysql_stmt_row_tell(st);
    count_rows(sent);
    return RC_OK;
}

enum rc maria_take_prepared(struct maria_conn *mc, struct maria_sent *sent)
{
    MYSQL_STMT *st = sent->ms->parts[sent->part].st;
    enum rc rc = take_result(mc, sent);
    int more;

    while (UNLIKELY(mysql_stmt_more_results(st)) && !mc->base.gone) {
        maria_start(mc);
        more = mysql_stmt_next_result(st);
        if (more > 0)
            return rc ? rc : maria_fail_stmt(mc, st);
        if (more == 0 && !rc)
            rc = take_result(mc, sent);
    }
    return rc;
}

static CORO_FN enum rc take_own(struct maria_conn *mc)
{
    return UNLIKELY(mysql_read_query_result(mc->my)) ? maria_fail(mc) : RC_OK;
}

enum rc maria_read_prepared(struct maria_conn *mc, MYSQL_STMT *st)
{
    return UNLIKELY(mc->my->methods->db_read_execute_response(st))
               ? maria_fail_stmt(mc, st)
               : RC_OK;
}

static CORO_FN enum rc take_answer(struct maria_conn *mc,
                                   struct maria_sent *sent)
{
    enum rc rc;

    maria_start(mc);
    if (!sent->ms)
        return take_own(mc);
    rc = maria_read_prepared(mc, sent->ms->parts[sent->part].st);
    return UNLIKELY(rc) ? rc : maria_take_prepared(mc, sent);
}

/* All of them, whatever fails; the first failure counts, and what follows it
 * is its echo, unless the connection is lost. */
static CORO_FN enum rc take_answers(struct maria_conn *mc)
{
    struct maria_failure first;
    enum rc rc = RC_OK;

    for (size_t i = 0; i < mc->n_sent && !mc->base.gone; i++) {
        const enum rc now = take_answer(mc, &mc->flight[i]);

        if (LIKELY(!now))
            continue;
        if (rc && !mc->base.gone)
            maria_fail_again(mc, &first);
        first = mc->failed;
        rc = first.rc;
    }
    return rc;
}

/* ---- answers to a text ---- */

/* One result; the text's next one has been read up to its head. */
static CORO_FN enum rc take_text_result(struct maria_conn *mc,
                                        struct maria_sent *sent, bool *out_rows)
{
    const struct maria_stmt *ms = sent->ms;
    MYSQL_RES *res = mysql_store_result(mc->my);

    *out_rows = res != NULL;
    if (!res && mysql_errno(mc->my))
        return maria_fail(mc);
    if (!res) {
        if (ms)
            sent->n_affected = mysql_affected_rows(mc->my);
        return RC_OK;
    }
    if (!ms || sent->part > ms->rows_from || ms->base.step->n_cols == 0) {
        mysql_free_result(res);
        return RC_OK;
    }
    mysql_free_result(sent->res);
    sent->res = res;
    sent->n_rows = mysql_num_rows(res);
    return RC_OK;
}

/* A CALL has as many results with rows as it likes, and ends with one
 * without. */
static CORO_FN enum rc take_text_answer(struct maria_conn *mc,
                                        struct maria_sent *sent, bool *first)
{
    const bool is_call = sent->ms && sent->ms->parts[sent->part].is_call;
    bool rows = true;
    enum rc rc = RC_OK;

    do {
        maria_start(mc);
        if (*first ? mysql_read_query_result(mc->my) != 0
                   : mysql_next_result(mc->my) > 0)
            return maria_fail(mc);
        *first = false;
        rc = take_text_result(mc, sent, &rows);
    } while (!rc && is_call && rows && mysql_more_results(mc->my));
    return rc;
}

static CORO_FN enum rc fly_text(struct maria_conn *mc)
{
    bool first = true;
    enum rc rc;

    if (mc->n_sent == 0)
        return RC_OK;
    /* Behind the last ';' there is nothing. */
    mc->text.len--;
    rc = maria_check_packet(mc, mc->text.len);
    if (UNLIKELY(rc))
        return rc;
    maria_start(mc);
    if (mysql_send_query(mc->my, mc->text.data, mc->text.len))
        return maria_fail(mc);
    for (size_t i = 0; i < mc->n_sent && !rc; i++)
        rc = take_text_answer(mc, &mc->flight[i], &first);
    return rc;
}

/* Without prepared statements the columns are only now seen; the last result
 * of a step with as many as it says is its own. */
static const struct maria_sent *rows_of(const struct maria_conn *mc, size_t i)
{
    const struct maria_stmt *ms = mc->flight[i].ms;
    const struct maria_sent *found = NULL;

    for (size_t k = i; k < i + ms->n_parts; k++) {
        const struct maria_sent *sent = &mc->flight[k];

        if (sent->res || (sent->part == ms->rows_from && ms->parts[k - i].st))
            found = sent;
    }
    return found;
}

/* ---- waiting ---- */

static size_t count_cells(const struct maria_conn *mc)
{
    size_t n = 0;

    for (size_t i = 0; i < mc->n_sent; i++) {
        const struct maria_sent *sent = &mc->flight[i];

        if (sent->ms)
            n += sent->n_rows * sent->ms->base.step->n_cols;
    }
    return n;
}

/* rows[i] of exec i: a step of several statements has the rows of one, and the
 * rows changed of the last that changed any. */
static enum rc read_flight(struct maria_conn *mc, struct rowset *rows,
                           size_t n_rows)
{
    size_t at = 0, n = 0;
    enum rc rc = maria_reserve_cells(mc, count_cells(mc));

    for (size_t i = 0; i < mc->n_sent && n < n_rows && !rc;) {
        const struct maria_stmt *ms = mc->flight[i].ms;
        const struct maria_sent *source;

        if (!ms) {
            i++;
            continue;
        }
        rows[n] = (struct rowset){.n_cols = ms->base.step->n_cols};
        source = rows_of(mc, i);
        if (source)
            rc = maria_read_rows(mc, source, mc->cells + at, &rows[n]);
        at += rows[n].n_rows * rows[n].n_cols;
        for (size_t k = 0; k < ms->n_parts; k++, i++) {
            if (mc->flight[i].n_affected > 0)
                rows[n].n_affected = mc->flight[i].n_affected;
        }
        n++;
    }
    return rc;
}

enum rc maria_flight_wait(struct conn *c, struct rowset *rows, size_t n_rows)
{
    struct maria_conn *mc = maria_conn_of(c);
    enum rc rc;

    if (!mc->flying)
        return RC_OK;
    mc->flying = false;
    rc = as_text(mc) ? fly_text(mc) : take_answers(mc);
    if (!rc)
        rc = read_flight(mc, rows, n_rows);
    if (rc || !mc->commits)
        return rc;
    /* The wrapper counts one round trip. */
    if (mc->n_sent > 0)
        c->usage.round_trips++;
    return maria_run(mc, "COMMIT");
}
