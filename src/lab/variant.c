/* SPDX-License-Identifier: MIT */
#include "lab/variant.h"

#include "base/arena.h"
#include "base/mem.h"
#include "store/runs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ARENA_MAX ((size_t)16 << 20)
#define ARGS_MAX 512
#define LOG_TAIL_BYTES 8192
#define ERROR_MARK "dyno: error: "

/* Exit codes of `dyno run`. */
enum { RUN_DONE = 0, RUN_NOT_VALID = 3, RUN_THRESHOLD = 4, RUN_PARTIAL = 5 };

const char *variant_outcome_text(enum variant_outcome o)
{
    static const char *const texts[] = {
#define X(name, text) [VARIANT_##name] = (text),
        VARIANT_OUTCOMES(X)
#undef X
    };

    return (size_t)o < ARRAY_LEN(texts) ? texts[o] : "unknown";
}

/* ---- the command ---- */

struct args {
    struct arena arena;
    const char *items[ARGS_MAX + 1];
    size_t n;
    bool failed;
};

static void add(struct args *a, const char *text)
{
    a->failed = a->failed || !text || a->n == ARGS_MAX;
    if (!a->failed)
        a->items[a->n++] = text;
}

static void add_option(struct args *a, const struct variant_text *option)
{
    char *text =
        arena_printf(&a->arena, "--%s=%s", option->name, option->value);

    add(a, text);
    for (; text && *text && *text != '='; text++) {
        if (*text == '_')
            *text = '-';
    }
}

static void add_label(struct args *a, const struct variant_text *label)
{
    add(a, arena_printf(&a->arena, "--label=%s=%s", label->name, label->value));
}

/* The shell puts its own words before ours: `exec perf record -- "$@"`. */
static void add_around(struct args *a, const char *around)
{
    add(a, "/bin/sh");
    add(a, "-c");
    add(a, arena_printf(&a->arena, "exec %s \"$@\"", around));
    add(a, "sh");
}

/* This process' own, also when its file has been replaced since: all runs of
 * an experiment are made by the same program. */
static const char *program_path(struct arena *arena)
{
    return arena_printf(arena, "/proc/%d/exe", (int)getpid());
}

static void make_args(struct args *a, const struct variant *v)
{
    if (v->around)
        add_around(a, v->around);
    add(a, program_path(&a->arena));
    add(a, "run");
    add(a, v->workload);
    add(a, arena_printf(&a->arena, "--results=%s", v->results));
    if (v->server)
        add(a, arena_printf(&a->arena, "--server-name=%s", v->server));
    for (size_t i = 0; i < v->n_options; i++)
        add_option(a, &v->options[i]);
    for (size_t i = 0; i < v->n_labels; i++)
        add_label(a, &v->labels[i]);
    add_label(a, &v->tag);
    a->items[a->n] = NULL;
}

/* ---- what is stored ---- */

static void reason_not_valid(struct store *s, struct arena *arena,
                             struct variant_result *out)
{
    const char *text = NULL;
    struct err ignored = {0};

    if (store_summary_text(s, out->run, "$.invalid_reasons", arena, &text,
                           &ignored) ||
        !text)
        return;
    /* ["audit_failed"] */
    for (size_t n = 0; *text && n + 1 < sizeof(out->reason); text++) {
        if (!strchr("[]\"", *text))
            out->reason[n++] = *text;
        out->reason[n] = '\0';
    }
}

static void judge_stored(struct store *s, struct arena *arena,
                         const struct stored_run *run,
                         struct variant_result *out)
{
    out->run = run->id;
    snprintf(out->name, sizeof(out->name), "%s", run->name);
    if (strcmp(run->status, "complete") != 0) {
        out->outcome = VARIANT_PARTIAL;
        snprintf(out->reason, sizeof(out->reason), "%s",
                 run->reason ? run->reason : "the run did not end");
        return;
    }
    out->outcome = run->valid == 1 ? VARIANT_VALID : VARIANT_NOT_VALID;
    if (run->valid != 1)
        reason_not_valid(s, arena, out);
}

enum rc variant_find(const char *results, const char *tag,
                     struct variant_result *out, struct err *err)
{
    const struct store_filter filter = {.labels = &tag, .n_labels = 1};
    struct arena arena = ARENA_INIT(ARENA_MAX);
    struct stored_run *runs = NULL;
    struct store *s = NULL;
    size_t n = 0;
    enum rc rc;

    *out = (struct variant_result){.outcome = VARIANT_FAILED};
    rc = store_open(results, STORE_READ, &s, err);
    if (!rc)
        rc = store_list(s, &filter, &arena, &runs, &n, err);
    if (!rc && n == 0)
        rc = err_set(err, RC_NOT_FOUND, "no run has the label '%s'", tag);
    if (!rc)
        judge_stored(s, &arena, &runs[n - 1], out);
    store_close(s);
    arena_release(&arena);
    return rc;
}

enum rc variant_forget(const char *results, const struct variant_result *r,
                       struct err *err)
{
    struct arena arena = ARENA_INIT(ARENA_MAX);
    struct stored_run run;
    struct store *s = NULL;
    const char *file = arena_printf(&arena, "%s/%s.json", results, r->name);
    enum rc rc;

    if (!file)
        return err_set(err, RC_NOMEM, "out of memory");
    rc = store_open(results, STORE_WRITE, &s, err);
    if (!rc)
        rc = store_find(s, r->name, &arena, &run, err);
    if (!rc)
        rc = store_remove(s, &run, err);
    if (!rc && unlink(file) && errno != ENOENT)
        rc = err_errno(err, RC_IO, errno, "cannot remove '%s'", file);
    store_close(s);
    arena_release(&arena);
    return rc;
}

/* ---- why it failed ---- */

/* The last complaint in a log. */
static void last_error(const char *path, char *out, size_t out_len)
{
    char text[LOG_TAIL_BYTES + 1];
    const char *found = NULL;
    FILE *log = fopen(path, "re");
    size_t n;

    if (!log)
        return;
    if (fseek(log, -LOG_TAIL_BYTES, SEEK_END))
        rewind(log);
    n = fread(text, 1, LOG_TAIL_BYTES, log);
    fclose(log);
    text[n] = '\0';
    for (const char *p = strstr(text, ERROR_MARK); p;
         p = strstr(p, ERROR_MARK)) {
        p += strlen(ERROR_MARK);
        found = p;
    }
    if (found)
        snprintf(out, out_len, "%.*s", (int)strcspn(found, "\n"), found);
}

/* Nothing is stored, or not by a run that ended in order. */
static void judge_failed(const struct variant *v, struct variant_result *out)
{
    char how[64];

    job_describe(&out->end, how, sizeof(how));
    out->outcome = VARIANT_FAILED;
    if (!out->end.signal && v->log)
        last_error(v->log, out->reason, sizeof(out->reason));
    if (!out->reason[0])
        snprintf(out->reason, sizeof(out->reason),
                 "it ended with %s and stored no run", how);
}

static void judge(const struct variant *v, enum rc found,
                  struct variant_result *out)
{
    const struct job_end *end = &out->end;

    if (end->stopped && (found || out->outcome == VARIANT_PARTIAL)) {
        out->outcome = VARIANT_INTERRUPTED;
        return;
    }
    if (end->signal || (end->code != RUN_DONE && end->code != RUN_NOT_VALID &&
                        end->code != RUN_THRESHOLD && end->code != RUN_PARTIAL))
        judge_failed(v, out);
    else if (found)
        judge_failed(v, out);
    else if (end->code == RUN_THRESHOLD)
        out->outcome = VARIANT_THRESHOLD;
}

enum rc variant_run(const struct variant *v, struct variant_result *out,
                    struct err *err)
{
    struct args *a;
    const char *env[64] = {NULL};
    struct job_args job = {.log = v->log,
                           .keep_fd = v->keep_fd,
                           .poll = v->poll,
                           .arg = v->arg,
                           .env = env};
    struct job_end end = {.code = 0};
    struct err missing = {0};
    const char *tag;
    size_t n = 0;
    enum rc rc;

    *out = (struct variant_result){.outcome = VARIANT_FAILED};
    a = MEM_NEW(struct args);
    if (!a)
        return err_set(err, RC_NOMEM, "out of memory");
    arena_init(&a->arena, ARENA_MAX);
    make_args(a, v);
    env[n++] = arena_printf(&a->arena, "DYNO_DB=%s", v->url);
    for (size_t i = 0; v->env && v->env[i] && n + 1 < ARRAY_LEN(env); i++)
        env[n++] = v->env[i];
    tag = arena_printf(&a->arena, "%s=%s", v->tag.name, v->tag.value);
    job.argv = a->items;
    rc = a->failed || !env[0] || !tag
             ? err_set(err, RC_NOMEM, "too many options for a run")
             : job_run(&job, &end, err);
    if (!rc) {
        const enum rc found = variant_find(v->results, tag, out, &missing);

        out->end = end;
        judge(v, found, out);
    }
    arena_release(&a->arena);
    mem_free(a);
    return rc;
}

/* ---- data ---- */

static enum rc data_failed(const struct variant_data *d,
                           const struct job_end *end, struct err *err)
{
    char how[64], text[ERR_TEXT_MAX / 2] = "";

    job_describe(end, how, sizeof(how));
    if (end->stopped)
        return err_set(err, RC_CANCELLED, "interrupted");
    if (!end->signal && d->log)
        last_error(d->log, text, sizeof(text));
    return err_set(err, RC_INVALID, "%s: %s", d->command, text[0] ? text : how);
}

enum rc variant_data(const struct variant_data *d, struct err *err)
{
    struct args *a = MEM_NEW(struct args);
    const char *env[2] = {NULL};
    struct job_args job = {
        .log = d->log,
        .keep_fd = d->keep_fd,
        .poll = d->poll,
        .arg = d->arg,
        .env = env,
    };
    struct job_end end = {.code = 0};
    enum rc rc;

    if (!a)
        return err_set(err, RC_NOMEM, "out of memory");
    arena_init(&a->arena, ARENA_MAX);
    add(a, program_path(&a->arena));
    add(a, d->command);
    add(a, d->workload);
    for (size_t i = 0; i < d->n_options; i++)
        add_option(a, &d->options[i]);
    add(a, "--audit=quick");
    a->items[a->n] = NULL;
    env[0] = arena_printf(&a->arena, "DYNO_DB=%s", d->url);
    job.argv = a->items;
    rc = a->failed || !env[0]
             ? err_set(err, RC_NOMEM, "too many options for a load")
             : job_run(&job, &end, err);
    if (!rc && (end.signal || end.code))
        rc = data_failed(d, &end, err);
    arena_release(&a->arena);
    mem_free(a);
    return rc;
}
