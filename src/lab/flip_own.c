/* SPDX-License-Identifier: MIT */
/* A server of dyno's own: loaded anew before each run, with other settings
 * after a restart. */
#include "base/log.h"
#include "lab/flip.h"

#include <string.h>

struct flip_own {
    struct flip_place place;
    struct server_spec spec;
    struct server *server;
    const struct flip_plan *plan;
    struct arena *arena;
    bool quiet;
    /* Whether settings are flipped at all, and whose it runs with. */
    bool has_settings;
    const struct flip_variant *started_for;
};

/* The settings of all runs, then those of the switches: the later one of a
 * name wins. */
static enum rc settings_of(struct flip_own *o, const struct flip_variant *v,
                           struct opt_strs *out, struct err *err)
{
    *out = o->spec.settings;
    for (size_t i = 0; i < o->plan->n_switches; i++) {
        const struct flip_switch *s = &o->plan->switches[i];
        const char *text;

        if (s->kind != FLIP_SERVER || !flip_value(v, s)[0])
            continue;
        text = arena_printf(o->arena, "%s=%s", s->name, flip_value(v, s));
        if (!text || out->n == OPT_STRS_MAX)
            return err_set(err, RC_NOMEM, "too many settings of the server");
        out->items[out->n++] = text;
    }
    return RC_OK;
}

static enum rc start_for(struct flip_own *o, const struct flip_variant *v,
                         struct err *err)
{
    struct server_spec spec = o->spec;
    enum rc rc;

    if (o->started_for && (o->started_for == v || !o->has_settings))
        return RC_OK;
    o->started_for = NULL;
    rc = settings_of(o, v, &spec.settings, err);
    if (!rc)
        rc = server_stop(o->server, err);
    if (!rc)
        rc = server_configure(o->server, &spec, err);
    if (!rc)
        rc = server_start(o->server, err);
    if (!rc)
        o->started_for = v;
    return rc;
}

static enum rc prepare(struct flip_place *p, const struct flip_plan *plan,
                       struct err *err)
{
    struct flip_own *o = CONTAINER_OF(p, struct flip_own, place);
    enum rc rc;

    o->plan = plan;
    for (size_t i = 0; i < plan->n_switches; i++)
        o->has_settings |= plan->switches[i].kind == FLIP_SERVER;
    rc = server_make(&o->spec, &o->server, err);
    if (!rc)
        rc = start_for(o, &plan->variants[FLIP_BASE], err);
    if (!rc && !o->quiet)
        log_info("server '%s' %s, in %s", server_name(o->server),
                 server_version(o->server), server_dir(o->server));
    return rc;
}

static enum rc restore(struct flip_place *p, const struct flip_variant *v,
                       const char **out_url, bool *out_load, struct err *err)
{
    struct flip_own *o = CONTAINER_OF(p, struct flip_own, place);
    const enum rc rc = start_for(o, v, err);

    if (rc)
        return rc;
    *out_url = server_url(o->server);
    *out_load = true;
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

enum rc flip_own_new(const struct server_spec *spec, bool quiet,
                     struct arena *arena, struct flip_place **out,
                     struct err *err)
{
    struct flip_own *o = ARENA_NEW(arena, struct flip_own);

    if (!o)
        return err_set(err, RC_NOMEM, "no memory for a server");
    *o = (struct flip_own){.place = {.ops = &own_ops},
                           .spec = *spec,
                           .arena = arena,
                           .quiet = quiet};
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
