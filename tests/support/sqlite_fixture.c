/* SPDX-License-Identifier: MIT */
#include "support/sqlite_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* The folder is open to others, for the tests of permissions. */
int fixture_setup(void **state)
{
    static struct sqlite_fixture f;

    f = (struct sqlite_fixture){0};
    arena_init(&f.arena, 1 << 20);
    snprintf(f.dir, sizeof(f.dir), "/tmp/t_sqlite.XXXXXX");
    if (!mkdtemp(f.dir) || chmod(f.dir, 0755))
        return -1;
    snprintf(f.file, sizeof(f.file), "%s/x.db", f.dir);
    snprintf(f.url, sizeof(f.url), "sqlite:%s", f.file);
    *state = &f;
    return 0;
}

void fixture_remove(const struct sqlite_fixture *f, const char *tail)
{
    char path[FIXTURE_PATH_BYTES + 16];

    snprintf(path, sizeof(path), "%s%s", f->file, tail);
    unlink(path);
}

int fixture_teardown(void **state)
{
    struct sqlite_fixture *f = *state;

    db_close(f->db);
    fixture_remove(f, "-wal");
    fixture_remove(f, "-shm");
    fixture_remove(f, "");
    chmod(f->dir, 0755);
    rmdir(f->dir);
    arena_release(&f->arena);
    return 0;
}

enum rc fixture_open_url(struct sqlite_fixture *f, const char *url,
                         struct db **out)
{
    f->err = (struct err){0};
    if (target_parse(&f->arena, url, &f->target, &f->err))
        return f->err.rc;
    return db_open(&f->target, out, &f->err);
}

void fixture_open(struct sqlite_fixture *f)
{
    if (fixture_open_url(f, f->url, &f->db))
        fail_msg("%s", f->err.text);
}

static void work_main(void *arg)
{
    struct work *w = arg;
    struct conn *c = NULL;

    coro_assert_inside();
    w->rc = conn_open(w->db, loop_current(), &c, &w->err);
    if (!w->rc && w->script)
        w->rc = conn_script(c, w->script, strlen(w->script), NULL, &w->err);
    if (!w->rc && w->fn)
        w->rc = w->fn(w, c, &w->err);
    conn_close(c);
}

static void work_run(struct work *w)
{
    struct err err;

    if (loop_call(work_main, w, &err))
        fail_msg("%s", err.text);
}

void *work_thread(void *arg)
{
    struct work *w = arg;

    if (loop_call(work_main, w, &w->err))
        w->rc = RC_NOMEM;
    return NULL;
}

void work_ok(struct work *w)
{
    work_run(w);
    if (w->rc)
        fail_msg("%s: %s", rc_name(w->rc), w->err.text);
}

void fixture_script(struct sqlite_fixture *f, const char *text)
{
    struct work w = {.db = f->db, .script = text};

    work_ok(&w);
}

void fixture_step(struct sqlite_fixture *f, struct step *out, const char *text)
{
    if (step_parse(&f->arena, "step", text, PLACEHOLDER_QUESTION, out, &f->err))
        fail_msg("%s", f->err.text);
}
