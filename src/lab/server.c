/* SPDX-License-Identifier: MIT */
/* Starting, stopping, removing a server that has its folder. */
#include "lab/server.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "lab/port.h"
#include "lab/server_int.h"
#include "lab/tree.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ARGS_MAX 48
/* A checkpoint of a large memory on a slow disk takes its time. */
#define STOP_LIMIT_NS (600 * NS_PER_S)
#define QUIT_LIMIT_NS (10 * NS_PER_S)
#define PORT_TRIES 5

const struct kind *server_kind_of(enum server_kind kind)
{
    switch (kind) {
    case SERVER_POSTGRES:
        return &postgres_kind;
    case SERVER_MARIADB:
        return &mariadb_kind;
    case SERVER_MYSQL:
        return &mysql_kind;
    }
    BUG("unknown kind of server %d", (int)kind);
}

/* ---- before the start ---- */

/* Whether both versions are equal in their first parts, "10.11" of
 * "10.11.14". */
static bool same_version(const char *a, const char *b, unsigned parts)
{
    /* Before 10, PostgreSQL's had two. */
    if (parts == 1 && *a == '9')
        parts = 2;
    for (; parts > 0; parts--) {
        const size_t len = strcspn(a, ".");

        if (len != strcspn(b, ".") || strncmp(a, b, len) != 0)
            return false;
        a += len + (a[len] == '.');
        b += len + (b[len] == '.');
    }
    return true;
}

/* The program may have been replaced, by an upgrade or with --bindir. */
enum rc server_check_version(struct server *s, struct err *err)
{
    const char *made_by = s->state.version;
    enum rc rc = s->kind->find(s, s->state.bindir, err);

    if (rc || !s->state.made)
        return rc;
    if (!same_version(made_by, s->state.version, s->kind->version_parts)) {
        rc = err_set(err, RC_INVALID,
                     "the data of server '%s' was made by %s %s, but '%s' has "
                     "version %s, which cannot use it; start it with --bindir "
                     "of the old version, or remove it with 'dyno server "
                     "destroy %s'",
                     s->name, s->kind->product, made_by, s->state.bindir,
                     s->state.version, s->name);
        s->state.version = made_by;
    }
    return rc;
}

static enum rc make_data(struct server *s, struct err *err)
{
    enum rc rc;

    if (s->state.made)
        return RC_OK;
    rc = tree_remove(s->data_dir, err);
    if (!rc)
        rc = server_check_room(s, err);
    if (!rc)
        rc = server_give_folder(s, s->data_dir, err);
    if (!rc)
        rc = s->kind->init(s, err);
    if (rc)
        return rc;
    s->state.made = true;
    return server_state_write(s, err);
}

/* Another one takes the place of a port that has become somebody else's. */
static enum rc choose_port(struct server *s, struct err *err)
{
    if (s->state.port && port_is_free(s->state.port))
        return RC_OK;
    if (s->state.port_given)
        return err_set(err, RC_BUSY,
                       "port %u of 127.0.0.1 is in use; leave --port out to "
                       "get a free one",
                       (unsigned)s->state.port);
    s->state.port = port_find_free();
    return s->state.port ? RC_OK : err_set(err, RC_IO, "there is no free port");
}

/* ---- start ---- */

static enum rc know(void *arg, struct process p, struct err *err)
{
    return server_state_process(arg, p, err);
}

static enum rc start_process(struct server *s, struct err *err)
{
    const char *argv[ARGS_MAX];
    struct child_args args = {
        .argv = argv,
        .dir = s->state.socket_dir,
        .user = &s->user,
        .death_signal = s->state.keep ? 0 : s->kind->quit_signal,
    };
    enum rc rc = s->kind->command(s, argv, ARGS_MAX, err);

    if (!rc)
        rc = server_log_open(s, &args.log_fd, err);
    if (rc)
        return rc;
    rc = child_start(&args, know, s, err);
    close(args.log_fd);
    return rc;
}

/* At once; nothing of it is left. */
static void end_process(struct server *s)
{
    const struct process p = server_process(s);

    if (s->kind->quit_signal != SIGKILL) {
        process_signal(p, s->kind->quit_signal);
        process_wait(p, QUIT_LIMIT_NS);
    }
    process_kill(p);
}

static enum rc start_once(struct server *s, struct err *err)
{
    enum rc rc = choose_port(s, err);

    if (!rc)
        rc = s->kind->make_urls(s, err);
    if (!rc)
        rc = s->kind->configure(s, err);
    if (!rc)
        rc = start_process(s, err);
    if (!rc)
        rc = server_await(s, err);
    if (!rc)
        return RC_OK;
    end_process(s);
    if (server_state_process(s, (struct process){0}, NULL))
        log_warn("the state of server '%s' cannot be written", s->name);
    return rc;
}

enum rc server_start(struct server *s, struct err *err)
{
    struct err first = {0};
    enum rc rc;

    if (server_running(s))
        return RC_OK;
    rc = server_check_version(s, err);
    if (!rc)
        rc = server_give_folder(s, s->state.socket_dir, err);
    if (!rc)
        rc = make_data(s, err);
    if (rc)
        goto out;
    /* The free port that was found may be somebody's by now. */
    for (int i = 0; i < PORT_TRIES; i++) {
        rc = start_once(s, &first);
        if (rc != RC_IO || s->state.port_given || port_is_free(s->state.port))
            break;
    }
    if (rc && err)
        *err = first;
out:
    if (rc)
        err_prefix(err, "server '%s' does not start", s->name);
    return rc;
}

/* ---- data that others bring ---- */

enum rc server_forget_data(struct server *s, struct err *err)
{
    enum rc rc;

    s->state.made = false;
    rc = server_state_write(s, err);
    return rc ? rc : tree_remove(s->data_dir, err);
}

enum rc server_take_data(struct server *s, struct err *err)
{
    s->state.made = true;
    return server_state_write(s, err);
}

/* ---- stop ---- */

enum rc server_stop(struct server *s, struct err *err)
{
    const struct process p = server_process(s);

    if (process_alive(p)) {
        process_signal(p, s->kind->stop_signal);
        if (!process_wait(p, STOP_LIMIT_NS))
            return err_set(err, RC_TIMEOUT,
                           "server '%s' (process %lld) does not end; see its "
                           "log '%s', or remove it with 'dyno server destroy "
                           "%s'",
                           s->name, (long long)p.pid, s->log_path, s->name);
    }
    return server_state_process(s, (struct process){0}, err);
}

enum rc server_destroy(struct server *s, struct err *err)
{
    enum rc rc = RC_OK;

    if (server_running(s))
        end_process(s);
    if (s->state.socket_dir)
        rc = tree_remove(s->state.socket_dir, err);
    /* The state goes last: what is left is still known. */
    if (!rc)
        rc = tree_remove(s->data_dir, err);
    if (!rc)
        rc = tree_remove(s->dir, err);
    if (rc)
        err_prefix(err, "server '%s' is not removed entirely", s->name);
    else
        server_base_tidy(s->base);
    return rc;
}

/* ---- questions ---- */

bool server_running(const struct server *s)
{
    return process_alive(server_process(s));
}

enum server_kind server_kind(const struct server *s)
{
    return (enum server_kind)s->state.kind;
}

const char *server_name(const struct server *s)
{
    return s->name;
}

const char *server_version(const struct server *s)
{
    return s->state.version;
}

const char *server_dir(const struct server *s)
{
    return s->dir;
}

const char *server_data_dir(const struct server *s)
{
    return s->data_dir;
}

const char *server_log_path(const struct server *s)
{
    return s->log_path;
}

const char *server_url(const struct server *s)
{
    return s->url;
}

const char *server_tcp_url(const struct server *s)
{
    return s->tcp_url;
}

int64_t server_pid(const struct server *s)
{
    const struct process p = server_process(s);

    return process_alive(p) ? p.pid : 0;
}

bool server_has_data(const struct server *s)
{
    return s->state.made;
}
