/* SPDX-License-Identifier: MIT */
#include "support/pg_fixture.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

extern char **environ;

/* ---- the cluster ---- */

static int spawn(struct pg_fixture *f, const char *name, int in, int out)
{
    char script[512], python[] = "/usr/bin/python3", bare[] = "python3";
    char no_cache[] = "-B";
    char *argv[] = {access(python, X_OK) == 0 ? python : bare, no_cache, script,
                    NULL};
    posix_spawn_file_actions_t actions;
    int failed;

    snprintf(script, sizeof(script), "%s/support/%s", DYNO_TESTS_DIR, name);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    failed = posix_spawnp(&f->pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

static void take_fact(struct pg_fixture *f, char *line)
{
    char *value = strchr(line, '=');

    line[strcspn(line, "\n")] = '\0';
    if (!value)
        return;
    *value++ = '\0';
    if (strcmp(line, "dir") == 0)
        snprintf(f->dir, sizeof(f->dir), "%s", value);
    else if (strcmp(line, "port") == 0)
        snprintf(f->port, sizeof(f->port), "%s", value);
    else if (strcmp(line, "unavailable") == 0)
        snprintf(f->unavailable, sizeof(f->unavailable), "%s", value);
}

int pg_group_setup(void **state)
{
    return server_group_setup(state, "pg_cluster.py");
}

int server_group_setup(void **state, const char *script)
{
    static struct pg_fixture f;
    int in[2], out[2];
    char line[512];

    *state = &f;
    /* A server that has gone makes no signal of it. */
    signal(SIGPIPE, SIG_IGN);
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) ||
        spawn(&f, script, in[0], out[1]))
        return -1;
    close(in[0]);
    close(out[1]);
    f.to = fdopen(in[1], "w");
    f.from = fdopen(out[0], "r");
    while (fgets(line, sizeof(line), f.from) && *line != '\n')
        take_fact(&f, line);
    return *f.port || *f.unavailable ? 0 : -1;
}

int pg_group_teardown(void **state)
{
    struct pg_fixture *f = *state;

    /* The end of its input is the end of the cluster. */
    fclose(f->to);
    waitpid(f->pid, NULL, 0);
    fclose(f->from);
    return 0;
}

int pg_setup(void **state)
{
    struct pg_fixture *f = *state;

    arena_init(&f->arena, 1 << 20);
    f->err = (struct err){0};
    return 0;
}

int pg_teardown(void **state)
{
    struct pg_fixture *f = *state;

    db_close(f->db);
    f->db = NULL;
    arena_release(&f->arena);
    return 0;
}

struct pg_fixture *pg_fixture(void **state)
{
    struct pg_fixture *f = *state;

    if (*f->unavailable) {
        print_message("%s\n", f->unavailable);
        skip();
    }
    return f;
}

static const char *send_command(struct pg_fixture *f, const char *fmt,
                                va_list ap) PRINTF_LIKE(2, 0);
static const char *send_command(struct pg_fixture *f, const char *fmt,
                                va_list ap)
{
    vfprintf(f->to, fmt, ap);
    fputc('\n', f->to);
    fflush(f->to);
    if (!fgets(f->answer, sizeof(f->answer), f->from))
        fail_msg("the cluster has gone");
    f->answer[strcspn(f->answer, "\n")] = '\0';
    if (strncmp(f->answer, "ok", 2) != 0)
        return NULL;
    return f->answer + (f->answer[2] == ' ' ? 3 : 2);
}

const char *pg_command(struct pg_fixture *f, const char *fmt, ...)
{
    const char *answer;
    va_list ap;

    va_start(ap, fmt);
    answer = send_command(f, fmt, ap);
    va_end(ap);
    if (!answer)
        fail_msg("%s: %s", fmt, f->answer);
    return answer;
}

const char *pg_optional(struct pg_fixture *f, const char *fmt, ...)
{
    const char *answer;
    va_list ap;

    va_start(ap, fmt);
    answer = send_command(f, fmt, ap);
    va_end(ap);
    if (!answer && strstr(f->answer, "not installed")) {
        print_message("%s\n", f->answer);
        skip();
    }
    if (!answer)
        fail_msg("%s: %s", fmt, f->answer);
    return answer;
}

/* ---- targets ---- */

const char *pg_url(struct pg_fixture *f, const char *user, const char *db,
                   const char *params)
{
    const char *url = arena_printf(&f->arena, "postgres://%s@127.0.0.1:%s/%s%s",
                                   user, f->port, db, params);

    assert_non_null(url);
    return url;
}

enum rc pg_try_open(struct pg_fixture *f, const char *url, struct db **out)
{
    struct target *target = ARENA_NEW(&f->arena, struct target);

    assert_non_null(target);
    f->err = (struct err){0};
    if (target_parse(&f->arena, url, target, &f->err))
        return f->err.rc;
    return db_open(target, out, &f->err);
}

void pg_open(struct pg_fixture *f, const char *url)
{
    db_close(f->db);
    f->db = NULL;
    pg_check(f, pg_try_open(f, url, &f->db));
}

void pg_open_default(struct pg_fixture *f)
{
    char url[256];

    snprintf(url, sizeof(url),
             "postgres:host=%s port=%s user=dyno dbname=postgres", f->dir,
             f->port);
    pg_open(f, url);
}

/* ---- connections ---- */

void pg_check(struct pg_fixture *f, enum rc rc)
{
    if (rc)
        fail_msg("%s: %s", rc_name(rc), f->err.text);
}

static void pair_main(void *arg)
{
    struct pg_fixture *f = arg;

    coro_assert_inside();
    f->a = f->b = NULL;
    pg_check(f, conn_open(f->db, loop_current(), &f->a, &f->err));
    pg_check(f, conn_open(f->db, loop_current(), &f->b, &f->err));
    pg_check(f, conn_limit_statements(f->a, &f->err));
    f->fn(f);
    conn_close(f->a);
    conn_close(f->b);
}

void pg_in_loop(struct pg_fixture *f, void (*fn)(struct pg_fixture *f))
{
    f->fn = fn;
    pg_check(f, loop_call(pair_main, f, &f->err));
}

static void connect_main(void *arg)
{
    struct pg_fixture *f = arg;

    coro_assert_inside();
    f->a = NULL;
    f->err.rc = conn_open(f->db, loop_current(), &f->a, &f->err);
    conn_close(f->a);
}

enum rc pg_try_connect(struct pg_fixture *f)
{
    f->err = (struct err){0};
    pg_check(f, loop_call(connect_main, f, &f->err));
    return f->err.rc;
}

enum rc pg_try_run(struct pg_fixture *f, struct conn *c, const char *script)
{
    return conn_script(c, script, strlen(script), NULL, &f->err);
}

void pg_run(struct pg_fixture *f, struct conn *c, const char *script)
{
    pg_check(f, pg_try_run(f, c, script));
}

struct step *pg_step(struct pg_fixture *f, const char *text)
{
    struct step *step = ARENA_NEW(&f->arena, struct step);

    assert_non_null(step);
    pg_check(f, step_parse(&f->arena, "step", text, f->db->driver->placeholder,
                           step, &f->err));
    return step;
}

static CORO_FN const struct value *one(struct pg_fixture *f, struct conn *c,
                                       const char *sql, const char *type)
{
    const char *text =
        arena_printf(&f->arena, "-- x\n-- () -> (x %s)\n%s", type, sql);
    struct rowset rows;

    assert_non_null(text);
    pg_check(f, conn_query(c, pg_step(f, text), NULL, 0, &rows, &f->err));
    assert_int_equal(rows.n_rows, 1);
    return rowset_at(&rows, 0, 0);
}

int64_t pg_int(struct pg_fixture *f, struct conn *c, const char *sql)
{
    return one(f, c, sql, "int")->i;
}

void pg_text(struct pg_fixture *f, struct conn *c, const char *sql, char *out,
             size_t out_len)
{
    const struct value *v = one(f, c, sql, "text");

    snprintf(out, out_len, "%.*s", (int)v->len, v->s);
}
