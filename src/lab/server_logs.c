/* SPDX-License-Identifier: MIT */
/* What a server and its logs take of the disk, and the logs' end between runs.
 */
#include "base/clock.h"
#include "base/log.h"
#include "base/parse.h"
#include "lab/preset.h"
#include "lab/server_int.h"
#include "lab/tree.h"
#include "lab/wal.h"
#include "run/session.h"

#include <stdio.h>
#include <string.h>

#define SIZE_BYTES 32
#define PURGE_TRIES 100
#define PURGE_AGAIN_NS (50 * NS_PER_MS)

/* ---- the budget ---- */

/* PostgreSQL's checkpoints come late at times. */
#define WAL_OVER_PERCENT 25

static void read_limit(void *arg, const char *name, const char *value)
{
    uint64_t n;

    if ((strcmp(name, "max_wal_size") == 0 ||
         strcmp(name, "innodb_log_file_size") == 0 ||
         strstr(name, "innodb_redo_log_capacity")) &&
        !parse_bytes(value, &n, NULL))
        *(uint64_t *)arg = n;
}

uint64_t server_log_bytes(const struct server *s)
{
    const bool postgres = s->state.kind == SERVER_POSTGRES;
    char path[SERVER_PATH_BYTES];
    uint64_t limit = postgres ? POSTGRES_STOCK_WAL : INNODB_STOCK_REDO, used;
    struct machine machine;

    snprintf(path, sizeof(path), "%s/%s", s->data_dir,
             postgres ? "pg_wal" : "ib_logfile0");
    if (!machine_look(s->dir, &machine, NULL))
        preset_each((enum server_kind)s->state.kind,
                    (enum preset)s->state.preset, &machine, read_limit, &limit);
    server_each_setting(s, read_limit, &limit);
    if (postgres)
        limit += limit / 100 * WAL_OVER_PERCENT;
    used = tree_disk_bytes(path);
    return limit > used ? limit - used : 0;
}

enum rc server_check_room(struct server *s, struct err *err)
{
    uint64_t need = s->kind->empty_bytes;
    char need_text[SIZE_BYTES], free_text[SIZE_BYTES];
    struct machine machine;
    enum rc rc = machine_look(s->dir, &machine, err);

    if (s->kind->logs_at_once)
        need += server_log_bytes(s);
    if (rc || need <= machine.disk_free_bytes)
        return rc;
    format_bytes(need, need_text, sizeof(need_text));
    format_bytes(machine.disk_free_bytes, free_text, sizeof(free_text));
    return err_set(err, RC_DB_NO_SPACE,
                   "the disk is too small: %s takes about %s without any data, "
                   "but '%s' has %s free; make room, or choose another folder "
                   "with --servers",
                   s->kind->product, need_text, s->base, free_text);
}

struct by_url {
    const char *url;
    uint64_t n_bytes;
};

static enum rc look(void *arg, const struct server_info *info, struct err *err)
{
    struct by_url *search = arg;
    struct server *s;

    (void)err;
    if (!info->running || server_look(NULL, info->name, &s, NULL))
        return RC_OK;
    if (!strcmp(s->url, search->url) || !strcmp(s->tcp_url, search->url))
        search->n_bytes = server_log_bytes(s);
    server_close(s);
    return RC_OK;
}

uint64_t server_log_bytes_at(const char *url)
{
    struct by_url search = {.url = url};

    if (!url || server_list(NULL, look, &search, NULL))
        return 0;
    return search.n_bytes;
}

/* ---- the purge ---- */

/* Of those that can be dropped; *out_n is how many files they are, when that is
 * to become one. */
static uint64_t used_bytes(const struct server *s, size_t *out_n)
{
    char path[SERVER_PATH_BYTES];
    uint64_t n_bytes;

    *out_n = 0;
    if (s->state.kind != SERVER_POSTGRES) {
        *out_n = wal_binary_logs(s->data_dir, &n_bytes);
        return n_bytes;
    }
    snprintf(path, sizeof(path), "%s/pg_wal", s->data_dir);
    return tree_disk_bytes(path);
}

/* What was written last is needed until the server, in the background, has
 * flushed all else. */
static enum rc purge(struct session *session, struct conn *c, void *arg,
                     struct err *err)
{
    const struct server *s = arg;
    const char *rotate = s->kind->rotate_sql, *drop = s->kind->purge_sql;
    enum rc rc = RC_OK;
    size_t n;

    (void)session;
    coro_assert_inside();
    if (rotate)
        rc = conn_script(c, rotate, strlen(rotate), NULL, err);
    for (int i = 0; !rc && i < PURGE_TRIES; i++) {
        if (i > 0 && loop_sleep_until(loop_current(),
                                      mono_add(clock_now(), PURGE_AGAIN_NS)))
            return err_set(err, RC_CANCELLED, "interrupted");
        rc = conn_script(c, drop, strlen(drop), NULL, err);
        (void)used_bytes(s, &n);
        if (n <= 1)
            return rc;
    }
    return rc;
}

enum rc server_purge_logs(struct server *s, struct err *err)
{
    const struct session_args args = {.url = s->url};
    char before[SIZE_BYTES], after[SIZE_BYTES];
    struct session session;
    size_t n;
    enum rc rc;

    if (!server_running(s))
        return RC_OK;
    format_bytes(used_bytes(s, &n), before, sizeof(before));
    rc = session_open(&args, &session, err);
    if (!rc) {
        rc = session_call(&session, purge, s, err);
        session_close(&session);
    }
    if (rc) {
        err_prefix(err, "the logs of server '%s' are not purged", s->name);
        return rc;
    }
    format_bytes(used_bytes(s, &n), after, sizeof(after));
    log_debug("server '%s': %s of logs, %s after the purge", s->name, before,
              after);
    if (n > 1)
        log_warn("server '%s' keeps %zu binary logs, %s", s->name, n, after);
    return RC_OK;
}
