/* SPDX-License-Identifier: MIT */
/* Servers of dyno's own under the runs of an experiment. */
#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "lab/stage.h"
#include "lab/venue_int.h"

#include <stdio.h>
#include <string.h>

#define NAME_BYTES 64
#define ARENA_MAX ((size_t)1 << 20)

/* "versions-pg16"; both are names that files can have. */
static void own_name(const struct venue *v, const struct matrix_server *s,
                     char out[NAME_BYTES])
{
    snprintf(out, NAME_BYTES, "%.21s-%.40s", v->args.name, s->name);
}

/* ---- what is wanted ---- */

static int index_of(const char *const *names, const char *name, int otherwise)
{
    for (int i = 0; name && names[i]; i++) {
        if (!strcmp(names[i], name))
            return i;
    }
    return otherwise;
}

static void add_settings(struct server_spec *spec, struct arena *arena,
                         const struct variant_text *items, size_t n,
                         bool *failed)
{
    struct opt_strs *list = &spec->settings;

    for (size_t i = 0; i < n; i++) {
        const char *text =
            arena_printf(arena, "%s=%s", items[i].name, items[i].value);

        *failed = *failed || !text || list->n == OPT_STRS_MAX;
        if (!*failed)
            list->items[list->n++] = text;
    }
}

/* Texts live in the arena. */
static enum rc spec_of(const struct venue *v, const struct venue_want *want,
                       char name[NAME_BYTES], struct arena *arena,
                       struct server_spec *out, struct err *err)
{
    const struct matrix_server *s = want->server;
    const char *preset = want->preset ? want->preset : s->preset;
    bool failed = false;

    own_name(v, s, name);
    *out = (struct server_spec){
        .kind = index_of(server_kind_names, s->kind, SERVER_POSTGRES),
        .name = name,
        .bindir = s->bindir,
        .preset = index_of(server_preset_names, preset, PRESET_OLTP),
        .config = s->config,
        .run_as = s->run_as,
    };
    add_settings(out, arena, s->settings, s->n_settings, &failed);
    add_settings(out, arena, want->settings, want->n_settings, &failed);
    return failed
               ? err_set(err, RC_USAGE, "more than %d settings", OPT_STRS_MAX)
               : RC_OK;
}

/* ---- what was left behind ---- */

struct search {
    const char *name;
    bool found;
};

static enum rc look(void *arg, const struct server_info *info, struct err *err)
{
    struct search *s = arg;

    (void)err;
    if (!strcmp(info->name, s->name) && !info->busy &&
        (info->status == SERVER_LEFT_BEHIND ||
         info->status == SERVER_UNFINISHED))
        s->found = true;
    return RC_OK;
}

static enum rc remove_left_behind(const char *name, struct err *err)
{
    struct search s = {.name = name};
    enum rc rc = server_list(NULL, look, &s, err);

    if (rc || !s.found)
        return rc;
    log_info("server '%s' was left behind by a dyno that died; it is removed",
             name);
    return server_remove(NULL, name, err);
}

/* ---- the server ---- */

enum rc venue_own_make(struct venue *v, struct place *p,
                       const struct venue_want *want, struct err *err)
{
    struct arena arena = ARENA_INIT(ARENA_MAX);
    struct server_spec spec;
    char name[NAME_BYTES];
    enum rc rc = spec_of(v, want, name, &arena, &spec, err);

    if (!rc)
        rc = remove_left_behind(name, err);
    if (!rc)
        rc = server_make(&spec, &p->own, err);
    arena_release(&arena);
    return rc;
}

static enum rc configure(struct venue *v, struct place *p,
                         const struct venue_want *want, struct err *err)
{
    struct arena arena = ARENA_INIT(ARENA_MAX);
    struct server_spec spec;
    char name[NAME_BYTES];
    enum rc rc = spec_of(v, want, name, &arena, &spec, err);

    if (!rc)
        rc = server_stop(p->own, err);
    if (!rc)
        rc = server_configure(p->own, &spec, err);
    arena_release(&arena);
    return rc;
}

void venue_own_destroy(struct place *p)
{
    struct err err = {0};

    if (!p->own)
        return;
    if (server_destroy(p->own, &err))
        log_warn("server '%s': %s", server_name(p->own), err.text);
    server_close(p->own);
    p->own = NULL;
}

/* ---- its data ---- */

struct loading {
    struct venue *v;
    const struct venue_want *want;
};

static enum rc work(const struct loading *l, const char *command,
                    const char *url, struct err *err)
{
    const struct variant_data data = {
        .command = command,
        .workload = l->v->args.workload,
        .url = url,
        .options = l->want->load,
        .n_options = l->want->n_load,
        .log = l->v->args.log,
        .keep_fd = l->v->args.keep_fd,
        .poll = l->v->args.poll,
        .arg = l->v->args.arg,
    };

    return variant_data(&data, err);
}

static enum rc load(void *arg, const char *url, struct err *err)
{
    return work(arg, "load", url, err);
}

/* An audit reads the data's seed itself, and has no loaders. */
static enum rc verify(void *arg, const char *url, struct err *err)
{
    const struct loading *l = arg;
    struct variant_text options[OPT_ROWS_MAX];
    struct venue_want want = *l->want;
    const struct loading of_data = {.v = l->v, .want = &want};

    want.load = options;
    want.n_load = 0;
    for (size_t i = 0; i < l->want->n_load && i < ARRAY_LEN(options); i++) {
        if (!matrix_option_is_loader(l->want->load[i].name))
            options[want.n_load++] = l->want->load[i];
    }
    return work(&of_data, "audit", url, err);
}

static const char *value_of(void *arg, const char *option)
{
    const struct venue_want *want = arg;

    for (size_t i = want->n_load; i > 0; i--) {
        if (!strcmp(want->load[i - 1].name, option))
            return want->load[i - 1].value;
    }
    return NULL;
}

static enum rc key_of(const struct venue *v, const struct venue_want *want,
                      struct arena *arena, struct snapshot_key *out,
                      struct err *err)
{
    struct venue_want copy = *want;
    const char *seed = value_of(&copy, "seed");
    enum rc rc;

    *out = (struct snapshot_key){
        .workload = v->workload->name,
        .seed = 1, /* that of `dyno load` */
        .schema = stage_schema(arena, v->workload, value_of, &copy),
    };
    if (!out->schema)
        return err_set(err, RC_NOMEM, "out of memory");
    rc = seed ? parse_u64(seed, &out->seed, err) : RC_OK;
    return rc ? rc
              : stage_scale(v->workload, value_of, &copy, &out->scale, err);
}

static void say(const struct place *p, const struct stage_result *r)
{
    char took[32], size[32];

    format_bytes(r->copy.n_bytes, size, sizeof(size));
    format_duration(r->copy.elapsed_ns, took, sizeof(took));
    if (r->restored)
        log_debug("%s: restored %s in %s", p->server->name, size, took);
    else if (r->kept)
        log_debug("%s: kept a snapshot, %s in %s", p->server->name, size, took);
}

/* As loaded. */
static enum rc set_stage(struct venue *v, struct place *p,
                         const struct venue_want *want, struct err *err)
{
    struct arena arena = ARENA_INIT(ARENA_MAX);
    struct venue_want copy = *want;
    struct loading l = {.v = v, .want = want};
    struct stage_args args = {
        .server = p->own,
        .budget_bytes = SNAPSHOT_BUDGET_DEFAULT,
        .load = load,
        .verify = v->workload->audit ? verify : NULL,
        .arg = &l,
    };
    struct stage_result result;
    enum rc rc;

    /* Statements of the user's own may make other data. */
    if (value_of(&copy, "sql-dir"))
        args.budget_bytes = SNAPSHOT_BUDGET_NONE;
    rc = key_of(v, want, &arena, &args.key, err);
    if (!rc)
        rc = stage_ready(&args, &result, err);
    if (!rc)
        say(p, &result);
    arena_release(&arena);
    return rc;
}

/* Makes it, or gives it the settings that are wanted now. */
static enum rc set_up(struct venue *v, struct place *p,
                      const struct venue_want *want, struct err *err)
{
    char *settings = venue_settings_key(want);
    const bool same = settings && p->settings && !strcmp(p->settings, settings);
    enum rc rc = RC_OK;

    if (!settings)
        return err_set(err, RC_NOMEM, "out of memory");
    if (!p->own)
        rc = venue_own_make(v, p, want, err);
    else if (!same)
        rc = configure(v, p, want, err);
    mem_free(p->settings);
    p->settings = rc ? NULL : settings;
    if (rc)
        mem_free(settings);
    return rc;
}

enum rc venue_own_ready(struct venue *v, struct place *p,
                        const struct venue_want *want, const char *data,
                        struct err *err)
{
    const bool there = p->own && p->data && !strcmp(p->data, data);
    enum rc rc = set_up(v, p, want, err);

    if (rc)
        return rc;
    if (!v->workload->scale_name || (there && !want->fresh))
        return server_start(p->own, err);
    return set_stage(v, p, want, err);
}
