/* SPDX-License-Identifier: MIT */
#include "lab/matrix_variant.h"

#include "lab/matrix_loop.h"
#include "lab/matrix_options.h"

#include <inttypes.h>
#include <string.h>

#define ARENA_MAX ((size_t)1 << 20)

static void put(struct variant_text *items, size_t cap, size_t *n,
                const char *name, const char *value)
{
    if (*n < cap)
        items[(*n)++] = (struct variant_text){.name = name, .value = value};
}

static void put_option(struct matrix_variant *v, const struct workload *wl,
                       const char *name, const char *value)
{
    put(v->options, ARRAY_LEN(v->options), &v->n_options, name, value);
    if (matrix_option_loads(wl, name))
        put(v->load, ARRAY_LEN(v->load), &v->n_load, name, value);
}

static void put_options(struct matrix_variant *v, const struct workload *wl,
                        const struct variant_text *items, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put_option(v, wl, items[i].name, items[i].value);
}

static enum rc put_axis(struct matrix_variant *v, const struct workload *wl,
                        const struct matrix_axis *axis, const char *value,
                        struct err *err)
{
    put(v->labels, ARRAY_LEN(v->labels), &v->n_labels, axis->key, value);
    switch (axis->kind) {
    case AXIS_SERVER:
        break;
    case AXIS_PRESET:
        v->preset = value;
        break;
    case AXIS_SETTING:
        put(v->settings, ARRAY_LEN(v->settings), &v->n_settings, axis->name,
            value);
        break;
    case AXIS_OPTION:
        value = matrix_option_argument(axis->name, value, &v->arena);
        if (!value)
            return err_set(err, RC_NOMEM, "out of memory");
        put_option(v, wl, axis->name, value);
        break;
    }
    return RC_OK;
}

enum rc matrix_variant_make(const struct matrix_plan *plan,
                            const struct matrix_run *run,
                            struct matrix_variant *out, struct err *err)
{
    const struct matrix *m = plan->m;
    const struct workload *wl = workload_find(m->workload);
    const struct matrix_cell *cell = run->cell;
    const char *repeat;
    enum rc rc = RC_OK;

    *out = (struct matrix_variant){.n_options = 0};
    arena_init(&out->arena, ARENA_MAX);
    /* A later one of a name is the stronger. */
    put_options(out, wl, m->options, m->n_options);
    put_options(out, wl, cell->server->options, cell->server->n_options);
    for (size_t i = 0; !rc && i < m->n_axes; i++) {
        if (cell->values[i])
            rc = put_axis(out, wl, &m->axes[i], cell->values[i], err);
    }
    repeat = arena_printf(&out->arena, "%" PRIu64, run->repeat);
    if (!rc && !repeat)
        rc = err_set(err, RC_NOMEM, "out of memory");
    put(out->labels, ARRAY_LEN(out->labels), &out->n_labels, "matrix", m->name);
    put(out->labels, ARRAY_LEN(out->labels), &out->n_labels, "repeat", repeat);
    if (rc)
        matrix_variant_release(out);
    return rc;
}

void matrix_variant_release(struct matrix_variant *v)
{
    arena_release(&v->arena);
}

struct venue_want matrix_variant_want(const struct matrix_plan *plan,
                                      const struct matrix_run *run,
                                      const struct matrix_variant *v)
{
    return (struct venue_want){
        .server = run->cell->server,
        .preset = v->preset,
        .settings = v->settings,
        .n_settings = v->n_settings,
        .load = v->load,
        .n_load = v->n_load,
        .fresh = plan->m->fresh,
    };
}
