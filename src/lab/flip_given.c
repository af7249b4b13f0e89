/* SPDX-License-Identifier: MIT */
#include "lab/flip.h"

static enum rc prepare(struct flip_place *p, const struct flip_plan *plan,
                       struct err *err)
{
    const struct flip_given *g = CONTAINER_OF(p, struct flip_given, place);

    for (size_t i = 0; i < plan->n_switches; i++) {
        const struct flip_switch *s = &plan->switches[i];

        if (s->kind == FLIP_SERVER)
            return err_set(err, RC_USAGE,
                           "--switch: '%s' is no option of 'dyno run'; "
                           "settings of a server are flipped on one of dyno's "
                           "own (--server)",
                           s->name);
        if (s->kind == FLIP_DATA && !g->replace)
            return err_set(err, RC_USAGE,
                           "--switch: '%s' needs the data loaded anew for "
                           "each run; add --replace when what dyno loaded "
                           "there may go",
                           s->name);
    }
    return RC_OK;
}

static enum rc restore(struct flip_place *p, const struct flip_variant *v,
                       const char **out_url, bool *out_load, struct err *err)
{
    const struct flip_given *g = CONTAINER_OF(p, struct flip_given, place);

    (void)v;
    (void)err;
    *out_url = g->url;
    *out_load = g->replace;
    return RC_OK;
}

static enum rc rest(struct flip_place *p, struct err *err)
{
    (void)p;
    (void)err;
    return RC_OK;
}

static const struct flip_place_ops given_ops = {
    .prepare = prepare,
    .restore = restore,
    .rest = rest,
};

void flip_given_init(struct flip_given *g, const char *url, bool replace)
{
    *g = (struct flip_given){
        .place = {.ops = &given_ops}, .url = url, .replace = replace};
}
