/* SPDX-License-Identifier: MIT */
#include "telemetry/monitor.h"

#include "base/asset.h"
#include "base/log.h"
#include "base/mem.h"
#include "telemetry/watch.h"

#include <pthread.h>
#include <stdio.h>

#define EVERY_NS (1 * NS_PER_S)
/* A statement of ours that takes longer is cancelled, then given up. */
#define ANSWER_LIMIT_NS (5 * NS_PER_S)
#define GIVE_UP_NS (8 * NS_PER_S)
/* Until the last sample, after the interval. */
#define END_LIMIT_NS (3 * NS_PER_S)
#define RECONNECT_NS (1 * NS_PER_S)
/* A statement that worked and fails so often in a row is left out. */
#define FAILURES_MAX 3
#define ARENA_BYTES (1U << 20)
#define FOLDER "telemetry"

struct question {
    struct step step;
    bool open; /* there is one, and it has not been given up */
    bool worked;
    unsigned n_failures; /* in a row */
};

struct monitor {
    struct watch watch;
    struct monitor_args args;
    struct arena arena;
    /* Of the monitor's thread. */
    struct question connection, foreground, waits, lacks;
    struct question counters[COUNTER_SOURCES_MAX];
    size_t n_counters;
    uint64_t n_sent;
    bool was_connected;

    _Atomic int64_t busy_since_ns; /* waits for an answer since; 0: does not */
    int64_t cancelled_ns;          /* the busy_since_ns that was cancelled */

    pthread_mutex_t lock; /* guards the rest */
    struct conn *conn;
    struct procs_server server;
    uint64_t server_number;
    int *ids;
    size_t n_ids;
    struct mono ids_at;
    struct monitor_result result;
};

/* ---- questions ---- */

static const char *folder_of(const struct db *db, char *out, size_t out_len)
{
    snprintf(out, out_len, "sql/" FOLDER "/%s/", db->driver->dialect);
    return out;
}

bool monitor_has_questions(const struct db *db)
{
    char folder[64];

    if (db_can(db, DRIVER_EMBEDDED) || db_can(db, DRIVER_DISCARDS))
        return false;
    folder_of(db, folder, sizeof(folder));
    for (size_t i = 0; i < asset_count; i++) {
        if (strncmp(asset_table[i].name, folder, strlen(folder)) == 0)
            return true;
    }
    return false;
}

static enum rc load_question(struct arena *arena, const struct db *db,
                             const char *name, struct question *out,
                             struct err *err)
{
    char path[128], folder[64];
    enum rc rc;

    snprintf(path, sizeof(path), "%s%s.sql",
             folder_of(db, folder, sizeof(folder)), name);
    if (!asset_find(path))
        return RC_OK;
    rc = step_load(arena, FOLDER, db->driver, name, &out->step, err);
    out->open = !rc;
    return rc;
}

/* "counters_wal" of "sql/telemetry/postgres/counters_wal.sql"; false for
 * others. */
static bool counters_name(const char *asset, const char *folder, char *out,
                          size_t out_len)
{
    const size_t len = strlen(folder);

    if (strncmp(asset, folder, len) != 0 ||
        strncmp(asset + len, "counters_", 9) != 0)
        return false;
    snprintf(out, out_len, "%.*s", (int)strcspn(asset + len, "."), asset + len);
    return true;
}

static enum rc load_questions(struct monitor *m, struct err *err)
{
    const struct db *db = m->args.db;
    char folder[64], name[64];
    enum rc rc;

    folder_of(db, folder, sizeof(folder));
    rc = load_question(&m->arena, db, "connection", &m->connection, err);
    if (!rc)
        rc = load_question(&m->arena, db, "foreground", &m->foreground, err);
    if (!rc)
        rc = load_question(&m->arena, db, "waits", &m->waits, err);
    if (!rc)
        rc = load_question(&m->arena, db, "lacks", &m->lacks, err);
    for (size_t i = 0; !rc && i < asset_count; i++) {
        if (m->n_counters < COUNTER_SOURCES_MAX &&
            counters_name(asset_table[i].name, folder, name, sizeof(name)))
            rc = load_question(&m->arena, db, name,
                               &m->counters[m->n_counters++], err);
    }
    return rc;
}

static void question_failed(struct monitor *m, struct question *q,
                            const struct err *err)
{
    q->n_failures++;
    if (q->worked && q->n_failures < FAILURES_MAX)
        return;
    q->open = false;
    /* What a server lacks is no news; what it forbids can be changed. */
    if (q->worked || err->rc == RC_DB_PERMISSION) {
        pthread_mutex_lock(&m->lock);
        notes_add(&m->result.notes, "%s", err->text);
        pthread_mutex_unlock(&m->lock);
    } else {
        log_debug("telemetry: %s", err->text);
    }
}

/* RC_OK also when there is no answer; then the rowset is empty, and
 * *out_answered false.  An error: the connection is lost. */
static CORO_FN enum rc ask(struct monitor *m, struct question *q,
                           struct rowset *out, bool *out_answered)
{
    const struct value own = v_int((int64_t)m->n_sent);
    struct err err = {0};
    enum rc rc;

    *out = (struct rowset){0};
    *out_answered = false;
    if (!q->open)
        return RC_OK;
    atomic_store_explicit(&m->busy_since_ns, clock_now().ns,
                          memory_order_relaxed);
    rc = conn_query(m->conn, &q->step, &own, q->step.n_params, out, &err);
    atomic_store_explicit(&m->busy_since_ns, 0, memory_order_relaxed);
    m->n_sent++;
    if (rc == RC_CANCELLED || m->conn->gone)
        return rc;
    if (rc) {
        question_failed(m, q, &err);
        return RC_OK;
    }
    q->worked = true;
    q->n_failures = 0;
    *out_answered = true;
    return RC_OK;
}

/* ---- samples ---- */

static struct moment middle(struct moment before, struct moment after)
{
    return (struct moment){
        .at = {before.at.ns + mono_since(after.at, before.at) / 2},
        .txns = before.txns + (after.txns - before.txns) / 2,
    };
}

static struct moment now_of(const struct monitor *m)
{
    return (struct moment){
        .at = clock_now(),
        .txns = m->args.ended(m->args.ended_arg),
    };
}

static CORO_FN enum rc sample_counters(struct monitor *m, size_t source)
{
    const struct moment before = now_of(m);
    struct rowset rows;
    bool answered;
    enum rc rc;

    rc = ask(m, &m->counters[source], &rows, &answered);
    if (rc || !answered || rows.n_cols != 2)
        return rc;
    pthread_mutex_lock(&m->lock);
    {
        const struct moment at = middle(before, now_of(m));

        counters_sample(&m->result.counters, source, &at, &rows);
    }
    pthread_mutex_unlock(&m->lock);
    return RC_OK;
}

static CORO_FN enum rc sample_waits(struct monitor *m)
{
    struct rowset rows;
    bool answered;
    enum rc rc;

    rc = ask(m, &m->waits, &rows, &answered);
    if (rc || !answered || rows.n_cols != 2)
        return rc;
    pthread_mutex_lock(&m->lock);
    waits_sample(&m->result.waits, &rows);
    pthread_mutex_unlock(&m->lock);
    return RC_OK;
}

static CORO_FN enum rc sample_foreground(struct monitor *m)
{
    struct rowset rows;
    bool answered;
    enum rc rc;

    if (m->server_number == 0)
        return RC_OK;
    rc = ask(m, &m->foreground, &rows, &answered);
    if (rc || !answered || rows.n_cols != 1)
        return rc;
    pthread_mutex_lock(&m->lock);
    m->n_ids = 0;
    for (size_t i = 0; i < rows.n_rows && m->n_ids < PROCS_MAX; i++)
        m->ids[m->n_ids++] = (int)rowset_at(&rows, i, 0)->i;
    m->ids_at = clock_now();
    pthread_mutex_unlock(&m->lock);
    return RC_OK;
}

/* After the close only what grows is of interest. */
static CORO_FN enum rc sample(struct monitor *m, bool last)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < m->n_counters; i++)
        rc = sample_counters(m, i);
    if (!rc && !last)
        rc = sample_waits(m);
    if (!rc && !last)
        rc = sample_foreground(m);
    return rc;
}

/* ---- the connection ---- */

static CORO_FN enum rc ask_hint(struct conn *c, const struct step *step,
                                struct procs_hint *out, struct err *err)
{
    struct rowset rows;
    enum rc rc;

    rc = conn_query(c, step, NULL, 0, &rows, err);
    if (rc)
        return rc;
    if (rows.n_rows != 1 || rows.n_cols != 3)
        return err_set(err, RC_NOT_FOUND, "%s: no row", step->name);
    *out = (struct procs_hint){
        .id = rowset_at(&rows, 0, 0)->i,
        .age_us = rowset_at(&rows, 0, 1)->i,
        .tolerance_us = rowset_at(&rows, 0, 2)->i,
    };
    return RC_OK;
}

static CORO_FN enum rc find_server(struct conn *c, const struct question *q,
                                   struct procs_server *out, struct err *err)
{
    const struct mono begun = clock_now();
    struct procs_hint hint;
    enum rc rc;

    if (!q->open)
        return err_set(err, RC_NOT_FOUND,
                       "%s does not say which process serves a connection",
                       c->driver->name);
    rc = ask_hint(c, &q->step, &hint, err);
    if (rc)
        return rc;
    /* The answer was on its way. */
    hint.tolerance_us += mono_since(clock_now(), begun) / NS_PER_US;
    return procs_find(&hint, out, err);
}

enum rc monitor_find_server(struct conn *c, struct arena *arena,
                            struct procs_server *out, struct err *err)
{
    struct question *q = ARENA_NEW(arena, struct question);
    enum rc rc;

    if (!q)
        return err_set(err, RC_NOMEM, "out of memory");
    rc = load_question(arena, c->db, "connection", q, err);
    return rc ? rc : find_server(c, q, out, err);
}

static void set_conn(struct monitor *m, struct conn *c)
{
    pthread_mutex_lock(&m->lock);
    m->conn = c;
    pthread_mutex_unlock(&m->lock);
}

static void disconnect(struct monitor *m)
{
    struct conn *c = m->conn;

    set_conn(m, NULL);
    conn_close(c);
}

static CORO_FN enum rc connect_monitor(struct monitor *m, struct err *err)
{
    struct procs_server server = {0};
    struct conn *c = NULL;
    bool found;
    enum rc rc;

    rc = conn_open(m->args.db, loop_current(), &c, err);
    if (rc)
        return rc;
    set_conn(m, c);
    found = !find_server(c, &m->connection, &server, NULL);
    pthread_mutex_lock(&m->lock);
    if (!found)
        m->server_number = 0;
    else if (m->server_number == 0 || server.root != m->server.root)
        m->server_number++;
    m->server = server;
    if (m->was_connected)
        counters_forget(&m->result.counters);
    pthread_mutex_unlock(&m->lock);
    m->was_connected = true;
    return c->gone ? RC_DB_GONE : RC_OK;
}

/* What the server says that it lacks is not asked for: that would be an error
 * in its log for each. */
static CORO_FN enum rc leave_out(struct monitor *m)
{
    struct rowset rows;
    bool answered;
    enum rc rc = ask(m, &m->lacks, &rows, &answered);

    if (rc || rows.n_cols != 1)
        return rc;
    for (size_t i = 0; i < rows.n_rows; i++) {
        const struct value *v = rowset_at(&rows, i, 0);

        for (size_t k = 0; k < m->n_counters; k++) {
            const char *name = m->counters[k].step.name;

            if (v->type == VALUE_TEXT && v->len == strlen(name) &&
                memcmp(v->s, name, v->len) == 0)
                m->counters[k].open = false;
        }
    }
    return RC_OK;
}

/* Before the interval opens everything is asked once, so that statements are
 * prepared and what the server lacks is known. */
static CORO_FN enum rc rehearse(struct monitor *m)
{
    struct rowset rows;
    bool answered;
    enum rc rc = leave_out(m);

    for (size_t i = 0; !rc && i < m->n_counters; i++)
        rc = ask(m, &m->counters[i], &rows, &answered);
    if (!rc)
        rc = ask(m, &m->waits, &rows, &answered);
    return rc ? rc : sample_foreground(m);
}

static CORO_FN enum rc serve(struct monitor *m)
{
    bool last = false;
    enum rc rc = rehearse(m);

    while (!rc && !last) {
        rc = watch_wait(&m->watch, &last);
        if (!rc)
            rc = sample(m, last);
    }
    return rc;
}

static void note_failure(struct monitor *m, const struct err *err)
{
    pthread_mutex_lock(&m->lock);
    if (m->was_connected)
        m->result.n_outages++;
    else if (err->text[0])
        notes_add(&m->result.notes, "no connection for telemetry: %s",
                  err->text);
    pthread_mutex_unlock(&m->lock);
}

static void monitor_main(void *arg)
{
    struct monitor *m = arg;
    struct err err = {0};
    enum rc rc;

    coro_assert_inside();
    for (;;) {
        rc = connect_monitor(m, &err);
        if (!rc)
            rc = serve(m);
        disconnect(m);
        if (!rc || rc == RC_CANCELLED || watch_closed(&m->watch))
            return;
        note_failure(m, &err);
        if (loop_sleep_until(loop_current(),
                             mono_add(clock_now(), RECONNECT_NS)))
            return;
    }
}

/* ---- the controlling thread ---- */

static void monitor_free(struct monitor *m)
{
    pthread_mutex_destroy(&m->lock);
    arena_release(&m->arena);
    mem_free(m->ids);
    mem_free(m);
}

enum rc monitor_start(const struct monitor_args *args, struct monitor **out,
                      struct err *err)
{
    struct monitor *m = MEM_NEW(struct monitor);
    enum rc rc;

    if (!m)
        return err_set(err, RC_NOMEM, "no memory for telemetry");
    m->args = *args;
    arena_init(&m->arena, ARENA_BYTES);
    pthread_mutex_init(&m->lock, NULL);
    atomic_init(&m->busy_since_ns, 0);
    m->ids = MEM_ARRAY(int, PROCS_MAX);
    rc = m->ids ? load_questions(m, err)
                : err_set(err, RC_NOMEM, "no memory for telemetry");
    if (!rc)
        rc = watch_start(&m->watch, "dyno-monitor", EVERY_NS, monitor_main, m,
                         err);
    if (rc)
        monitor_free(m);
    else
        *out = m;
    return rc;
}

void monitor_open(struct monitor *m)
{
    watch_open(&m->watch);
}

void monitor_close(struct monitor *m)
{
    watch_close(&m->watch);
}

static void cancel(struct monitor *m)
{
    pthread_mutex_lock(&m->lock);
    if (m->conn)
        conn_cancel(m->conn);
    pthread_mutex_unlock(&m->lock);
}

void monitor_check(struct monitor *m, struct mono now)
{
    const int64_t since =
        atomic_load_explicit(&m->busy_since_ns, memory_order_relaxed);

    if (since == 0 || now.ns - since < ANSWER_LIMIT_NS)
        return;
    if (m->cancelled_ns != since) {
        m->cancelled_ns = since;
        cancel(m);
    }
    if (now.ns - since < GIVE_UP_NS)
        return;
    pthread_mutex_lock(&m->lock);
    notes_add(&m->result.notes,
              "the server did not answer telemetry for %d s: given up",
              (int)(GIVE_UP_NS / NS_PER_S));
    pthread_mutex_unlock(&m->lock);
    watch_cancel(&m->watch);
}

void monitor_server(struct monitor *m, struct procs_server *out,
                    uint64_t *out_number)
{
    pthread_mutex_lock(&m->lock);
    *out = m->server;
    *out_number = m->server_number;
    pthread_mutex_unlock(&m->lock);
}

void monitor_foreground(struct monitor *m, int *ids, size_t cap,
                        struct procs_list *out)
{
    pthread_mutex_lock(&m->lock);
    *out = (struct procs_list){
        .ids = ids,
        .n = m->n_ids < cap ? m->n_ids : cap,
        .at = m->ids_at,
    };
    memcpy(ids, m->ids, out->n * sizeof(*ids));
    pthread_mutex_unlock(&m->lock);
}

void monitor_sums(struct monitor *m, struct counters *counters,
                  struct server_waits *waits)
{
    pthread_mutex_lock(&m->lock);
    *counters = m->result.counters;
    *waits = m->result.waits;
    pthread_mutex_unlock(&m->lock);
}

static bool is_connected(struct monitor *m)
{
    bool connected;

    pthread_mutex_lock(&m->lock);
    connected = m->conn != NULL;
    pthread_mutex_unlock(&m->lock);
    return connected;
}

void monitor_end(struct monitor *m, struct monitor_result *out)
{
    /* A server that cannot be reached has no last words. */
    const bool ended = watch_end(&m->watch, is_connected(m) ? END_LIMIT_NS : 0);

    pthread_mutex_lock(&m->lock);
    *out = m->result;
    pthread_mutex_unlock(&m->lock);
    out->abandoned = !ended;
    if (ended)
        monitor_free(m);
}
