/* SPDX-License-Identifier: MIT */
/* Each variant is set up as `dyno run` would, up to where it would connect. */
#include "lab/matrix_check.h"

#include "base/mem.h"
#include "lab/matrix_options.h"
#include "lab/matrix_variant.h"
#include "run/run.h"

#include <stdio.h>
#include <string.h>

#define KEY_BYTES 64
#define CELL_BYTES 256
#define URL_BYTES 64

/* ---- where it is in the file ---- */

/* The scalar, or the item of the list, with this text. */
static bool find_text(const struct ytree_node *node, const char *text,
                      struct ytree_node *out)
{
    if (!node)
        return false;
    *out = *node;
    if (node->kind == YTREE_SCALAR)
        return node->text && !strcmp(node->text, text);
    for (size_t i = 0; i < node->n_items; i++) {
        if (!node->items[i].text || strcmp(node->items[i].text, text) != 0)
            continue;
        out->key_line = out->line = node->items[i].line;
        return true;
    }
    return false;
}

/* In `axes:`, or in a rule of `include:`. */
static bool find_value(const struct matrix *m, const struct matrix_axis *axis,
                       const char *text, struct ytree_node *out)
{
    const struct ytree_node *axes = ytree_find(&m->tree.root, "axes");
    const struct ytree_node *rules = ytree_find(&m->tree.root, "include");

    if (axes && find_text(ytree_find(axes, axis->key), text, out))
        return true;
    for (size_t i = 0; rules && i < rules->n_items; i++) {
        if (find_text(ytree_find(&rules->items[i], axis->key), text, out))
            return true;
    }
    return false;
}

/* Of a server's own options, or of those of all runs. */
static bool find_option(const struct matrix *m, const struct matrix_cell *cell,
                        const char *key, struct ytree_node *out)
{
    const struct ytree_node *servers = ytree_find(&m->tree.root, "servers");
    const struct ytree_node *node =
        servers ? ytree_find(servers, cell->server->name) : NULL;

    if (node && node->kind == YTREE_MAP)
        node = ytree_find(node, "options");
    if (node && node->kind == YTREE_MAP)
        node = ytree_find(node, key);
    else
        node = NULL;
    if (!node)
        node = ytree_find(&m->tree.root, key);
    if (node)
        *out = *node;
    return node != NULL;
}

static bool find_place(const struct matrix *m, const struct matrix_cell *cell,
                       const char *key, struct ytree_node *out)
{
    for (size_t i = 0; i < m->n_axes; i++) {
        if (cell->values[i] && !strcmp(m->axes[i].key, key))
            return find_value(m, &m->axes[i], cell->values[i], out);
    }
    return find_option(m, cell, key, out);
}

/* "--ramp-up: …" and "--ramp-up is …" are about ramp_up, "--no-prepare" about
 * prepare.  Returns what there is to say besides; NULL when it is about no
 * option. */
static const char *split(const char *text, char key[KEY_BYTES])
{
    const char *name = text + strlen("--");
    size_t len;

    if (strncmp(text, "--", strlen("--")) != 0)
        return NULL;
    if (!strncmp(name, "no-", strlen("no-")))
        name += strlen("no-");
    len = strcspn(name, ": ");
    if (len == 0 || len >= KEY_BYTES)
        return NULL;
    snprintf(key, KEY_BYTES, "%.*s", (int)len, name);
    for (char *p = key; *p; p++) {
        if (*p == '-')
            *p = '_';
    }
    return name[len] == ':' && name[len + 1] == ' ' ? name + len + 2 : text;
}

static enum rc wrong(const struct matrix_plan *plan,
                     const struct matrix_cell *cell, const struct err *why,
                     struct err *err)
{
    const struct matrix *m = plan->m;
    char key[KEY_BYTES], text[CELL_BYTES];
    const char *rest = split(why->text, key);
    struct ytree_node node = {.kind = YTREE_SCALAR};

    matrix_cell_text(m, cell, false, text, sizeof(text));
    if (!text[0])
        snprintf(text, sizeof(text), "server=%s", cell->server->name);
    if (rest && find_place(m, cell, key, &node))
        return ytree_error(&m->tree, &node, err, "%s (variant %s)", rest, text);
    return err_set(err, RC_USAGE, "%s:%zu: variant %s: %s", m->tree.path,
                   cell->server->line, text, why->text);
}

/* ---- one variant ---- */

static enum rc set_options(struct matrix_options *o,
                           const struct matrix_variant *v, struct err *err)
{
    enum rc rc = opt_set_env(&o->set, err);

    for (size_t i = 0; !rc && i < v->n_options; i++)
        rc = opt_set_value(&o->set, v->options[i].name, v->options[i].value,
                           OPT_FROM_CLI, err);
    return rc;
}

/* One of dyno's own has no URL yet; its kind is that of a driver. */
static const char *url_of(const struct matrix_server *s, char out[URL_BYTES])
{
    if (s->url)
        return s->url;
    snprintf(out, URL_BYTES, "%s://localhost/", s->kind);
    return out;
}

/* loads: what is there may have been loaded otherwise. */
static enum rc set_up(const struct matrix_cell *cell, bool loads,
                      struct matrix_options *o, struct err *err)
{
    char url[URL_BYTES];
    const struct session_args args = {
        .url = url_of(cell->server, url),
        .workload = o->workload,
        .workload_cfg = o->workload_cfg,
        .options = &o->set,
        .composition = o->run.composition,
        .seed = o->load.seed,
        .sql_dir = o->sql.dir,
    };
    struct session session;
    enum rc rc = session_open(&args, &session, err);

    if (rc)
        return rc;
    if (loads && o->workload->load_check)
        rc = o->workload->load_check(&session.ds, err);
    if (!rc)
        rc = run_check(&session, &o->run, err);
    session_close(&session);
    return rc;
}

static enum rc check_cell(const struct matrix_plan *plan,
                          const struct matrix_cell *cell, struct err *err)
{
    const struct matrix_run run = {.cell = cell, .repeat = 1};
    struct matrix_variant *v = MEM_NEW(struct matrix_variant);
    struct matrix_options o;
    struct err why = {0};
    enum rc rc;

    if (!v)
        return err_set(err, RC_NOMEM, "out of memory");
    rc = matrix_options_init(&o, workload_find(plan->m->workload), err);
    if (!rc)
        rc = matrix_variant_make(plan, &run, v, err);
    if (!rc) {
        rc = set_options(&o, v, &why);
        if (!rc)
            rc = set_up(cell, plan->m->fresh || !cell->server->url, &o, &why);
        if (rc == RC_USAGE || rc == RC_UNSUPPORTED)
            rc = wrong(plan, cell, &why, err);
        else if (rc != RC_NOMEM)
            rc = RC_OK; /* it is listed as failed when its time comes */
        else if (err)
            *err = why;
        matrix_variant_release(v);
    }
    matrix_options_release(&o);
    mem_free(v);
    return rc;
}

enum rc matrix_check(const struct matrix_plan *plan, struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < plan->n_cells; i++)
        rc = check_cell(plan, &plan->cells[i], err);
    return rc;
}
