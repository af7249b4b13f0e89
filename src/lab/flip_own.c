/* SPDX-License-Identifier: MIT */
/* A server of dyno's own: each run finds the data as it was loaded. */
#include "base/log.h"
#include "base/parse.h"
#include "lab/flip.h"
#include "lab/stage.h"
#include "run/config.h"

#include <string.h>

#define THIS_PROGRAM "/proc/self/exe"
#define ARGS_MAX 128

struct flip_own {
    struct flip_place place;
    struct flip_own_args args;
    const struct workload *workload;
    struct server *server;
    const struct flip_plan *plan;
    const struct flip_variant *variant; /* that is being made ready */
};

/* ---- what a variant has ---- */

static const char *given(const struct flip_own *o, const char *option)
{
    const char *value = NULL;

    for (size_t i = 0; i < o->args.n_options; i++) {
        if (!strcmp(o->args.options[i].name, option))
            value = o->args.options[i].value;
    }
    return value;
}

static const char *value_in_variant(void *arg, const char *option)
{
    const struct flip_own *o = arg;

    for (size_t i = 0; i < o->plan->n_switches; i++) {
        const struct flip_switch *s = &o->plan->switches[i];
        const char *value = flip_value(o->variant, s);

        if (s->kind != FLIP_SERVER && !strcmp(s->name, option))
            return value[0] ? value : NULL;
    }
    return given(o, option);
}

/* The settings of all runs, then those of the switches: the later one of a
 * name wins. */
static enum rc settings_of(struct flip_own *o, struct opt_strs *out,
                           struct err *err)
{
    *out = o->args.spec->settings;
    for (size_t i = 0; i < o->plan->n_switches; i++) {
        const struct flip_switch *s = &o->plan->switches[i];
        const char *value = flip_value(o->variant, s);
        const char *text;

        if (s->kind != FLIP_SERVER || !value[0])
            continue;
        text = arena_printf(o->args.arena, "%s=%s", s->name, value);
        if (!text || out->n == OPT_STRS_MAX)
            return err_set(err, RC_NOMEM, "too many settings of the server");
        out->items[out->n++] = text;
    }
    return RC_OK;
}

static bool is_flipped(const struct flip_plan *plan)
{
    for (size_t i = 0; i < plan->n_switches; i++) {
        if (plan->switches[i].kind == FLIP_SERVER)
            return true;
    }
    return false;
}

static enum rc configure(struct flip_own *o, struct err *err)
{
    struct server_spec spec = *o->args.spec;
    enum rc rc;

    if (!is_flipped(o->plan))
        return RC_OK;
    rc = settings_of(o, &spec.settings, err);
    if (!rc)
        rc = server_stop(o->server, err);
    return rc ? rc : server_configure(o->server, &spec, err);
}

/* ---- loading ---- */

struct load_command {
    const char *items[ARGS_MAX + 1];
    size_t n;
    bool failed;
};

static void add_arg(struct load_command *c, const char *text)
{
    c->failed = c->failed || !text || c->n == ARGS_MAX;
    if (!c->failed)
        c->items[c->n++] = text;
}

/* Of all that the variant has, what `dyno load` knows. */
static void add_options(struct flip_own *o, struct load_command *c,
                        const struct opt *opts)
{
    for (; opts->name; opts++) {
        const char *value = value_in_variant(o, opts->name);

        if (value)
            add_arg(c,
                    arena_printf(o->args.arena, "--%s=%s", opts->name, value));
    }
}

static enum rc load(void *arg, const char *url, struct err *err)
{
    struct flip_own *o = arg;
    struct load_command c = {.n = 0};
    const char *env[] = {arena_printf(o->args.arena, "DYNO_DB=%s", url), NULL};
    const struct job_args job = {
        .argv = c.items, .env = env, .log = o->args.log, .keep_fd = -1};
    struct job_end end;
    char how[64];
    enum rc rc;

    add_arg(&c, THIS_PROGRAM);
    add_arg(&c, "load");
    add_arg(&c, o->workload->name);
    add_options(o, &c, sql_opts);
    add_options(o, &c, load_opts);
    add_options(o, &c, o->workload->opts);
    if (c.failed || !env[0])
        return err_set(err, RC_NOMEM, "too many options for a load");
    rc = job_run(&job, &end, err);
    if (rc)
        return rc;
    if (end.stopped)
        return err_set(err, RC_CANCELLED, "ended while loading");
    job_describe(&end, how, sizeof(how));
    if (end.signal || end.code)
        return err_set(err, RC_INVALID, "'%s' cannot be loaded: %s; see '%s'",
                       o->variant->name, how, o->args.log);
    return RC_OK;
}

static enum rc make_ready(struct flip_own *o, const struct flip_variant *v,
                          struct stage_result *out, struct err *err)
{
    struct stage_args args = {.server = o->server, .load = load, .arg = o};
    const char *seed;
    enum rc rc;

    o->variant = v;
    seed = value_in_variant(o, "seed");
    args.key.workload = o->workload->name;
    args.key.seed = 1;
    args.key.schema =
        stage_schema(o->args.arena, o->workload, value_in_variant, o);
    if (!args.key.schema)
        return err_set(err, RC_NOMEM, "no memory for a server");
    rc = seed ? parse_u64(seed, &args.key.seed, err) : RC_OK;
    if (!rc)
        rc =
            stage_scale(o->workload, value_in_variant, o, &args.key.scale, err);
    if (!rc)
        rc = configure(o, err);
    return rc ? rc : stage_ready(&args, out, err);
}

/* ---- the place ---- */

static bool data_is_flipped(const struct flip_variant *v)
{
    return v->flip && v->flip->kind == FLIP_DATA;
}

/* What is left on the disk when all else is removed. */
static void say_kept(const struct flip_own *o, const struct flip_variant *v,
                     const struct stage_result *r)
{
    const char *base = o->args.spec->base;
    char size[32];

    format_bytes(r->copy.n_bytes, size, sizeof(size));
    if (r->kept && !o->args.quiet)
        log_info("loaded the data of '%s', and kept it for the next time: a "
                 "snapshot of %s in '%s/.snapshots'",
                 v->name, size, base ? base : server_base(o->args.arena));
    else if (r->restored && !o->args.quiet)
        log_info("the data of '%s' is there from an earlier load: a snapshot "
                 "of %s",
                 v->name, size);
}

/* All data is loaded before time is shared out. */
static enum rc prepare(struct flip_place *p, const struct flip_plan *plan,
                       struct err *err)
{
    struct flip_own *o = CONTAINER_OF(p, struct flip_own, place);
    struct stage_result made;
    enum rc rc;

    o->plan = plan;
    o->workload = workload_find(o->args.workload);
    rc = server_make(o->args.spec, &o->server, err);
    if (!rc && !o->args.quiet)
        log_info("server '%s' %s, in %s", server_name(o->server),
                 server_version(o->server), server_dir(o->server));
    for (size_t i = 0; !rc && i < plan->n_variants; i++) {
        if (i != FLIP_BASE && !data_is_flipped(&plan->variants[i]))
            continue;
        rc = make_ready(o, &plan->variants[i], &made, err);
        if (!rc)
            say_kept(o, &plan->variants[i], &made);
    }
    return rc;
}

static enum rc restore(struct flip_place *p, const struct flip_variant *v,
                       const char **out_url, bool *out_load, struct err *err)
{
    struct flip_own *o = CONTAINER_OF(p, struct flip_own, place);
    struct stage_result result;
    const enum rc rc = make_ready(o, v, &result, err);

    if (rc)
        return rc;
    *out_url = server_url(o->server);
    *out_load = false;
    return RC_OK;
}

static enum rc rest(struct flip_place *p, struct err *err)
{
    (void)p;
    (void)err;
    return RC_OK;
}

static const struct flip_place_ops own_ops = {
    .prepare = prepare,
    .restore = restore,
    .rest = rest,
};

enum rc flip_own_new(const struct flip_own_args *args, struct flip_place **out,
                     struct err *err)
{
    struct flip_own *o = ARENA_NEW(args->arena, struct flip_own);

    if (!o)
        return err_set(err, RC_NOMEM, "no memory for a server");
    *o = (struct flip_own){.place = {.ops = &own_ops}, .args = *args};
    *out = &o->place;
    return RC_OK;
}

enum rc flip_own_free(struct flip_place *place, struct err *err)
{
    struct flip_own *o;
    enum rc rc = RC_OK;

    if (!place)
        return RC_OK;
    o = CONTAINER_OF(place, struct flip_own, place);
    if (o->server)
        rc = server_destroy(o->server, err);
    server_close(o->server);
    return rc;
}
