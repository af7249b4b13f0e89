/* SPDX-License-Identifier: MIT */
#include "report/figures_int.h"

#include <inttypes.h>
#include <string.h>

#define PROPERTIES_MAX (OPT_ROWS_MAX + RESULT_FACTS_MAX + OPT_STRS_MAX + 16)

struct gathering {
    struct arena *arena;
    struct figures *f;
    enum property_kind kind;
    const char *product, *version;
};

static enum rc no_memory(struct err *err)
{
    return err_set(err, RC_NOMEM, "no memory for what a stored run was");
}

static enum rc add(struct gathering *g, const char *name, const char *value,
                   struct err *err)
{
    struct figures *f = g->f;
    struct property *p = &f->properties[f->n_properties];

    if (!value || f->n_properties == PROPERTIES_MAX)
        return RC_OK;
    *p = (struct property){.kind = g->kind,
                           .name = arena_strdup(g->arena, name),
                           .value = arena_strdup(g->arena, value)};
    if (!p->name || !p->value)
        return no_memory(err);
    f->n_properties++;
    return RC_OK;
}

static enum rc add_number(struct gathering *g, const char *name, int64_t n,
                          struct err *err)
{
    const char *text = arena_printf(g->arena, "%" PRId64, n);

    return text ? add(g, name, text, err) : no_memory(err);
}

static enum rc add_text(void *arg, const char *name, const char *value,
                        const char *source, struct err *err)
{
    struct gathering *g = arg;

    (void)source;
    return add(g, name, value, err);
}

static enum rc find_server(void *arg, const char *name, const char *value,
                           const char *source, struct err *err)
{
    struct gathering *g = arg;

    (void)source;
    if (value && !strcmp(name, "product"))
        g->product = arena_strdup(g->arena, value);
    if (value && !strcmp(name, "version"))
        g->version = arena_strdup(g->arena, value);
    return add(g, name, value, err);
}

/* "PostgreSQL 17.2"; a fork may have its own name in both. */
static enum rc add_server(struct gathering *g, struct err *err)
{
    const char *product = g->product ? g->product : g->f->run.driver;
    const char *version = g->version ? g->version : "";
    const bool twice = !strncmp(version, product, strlen(product));
    const char *text = arena_printf(g->arena, "%s%s%s", twice ? "" : product,
                                    twice || !version[0] ? "" : " ", version);

    return text ? add(g, "server", text, err) : no_memory(err);
}

static enum rc add_run(struct gathering *g, struct err *err)
{
    const struct stored_run *run = &g->f->run;
    const struct {
        const char *name, *value;
    } texts[] = {
        {"workload", run->workload},   {"composition", run->composition},
        {"driver", run->driver},       {"target", run->target},
        {"data_seed", run->data_seed}, {"host", run->host},
        {"dyno", run->version},        {"run", run->name}};
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = {{"scale", run->scale},
                   {"vus", run->vus},
                   {"connections", run->connections},
                   {"threads", run->threads}};
    enum rc rc = add_server(g, err);

    for (size_t i = 0; !rc && i < ARRAY_LEN(texts); i++)
        rc = add(g, texts[i].name, texts[i].value, err);
    for (size_t i = 0; !rc && i < ARRAY_LEN(numbers); i++)
        rc = add_number(g, numbers[i].name, numbers[i].value, err);
    return rc;
}

enum rc figures_add_properties(struct store *s, struct arena *arena,
                               struct figures *f, struct err *err)
{
    struct gathering g = {.arena = arena, .f = f, .kind = PROPERTY_LABEL};
    const int64_t id = f->run.id;
    enum rc rc;

    f->properties = ARENA_ARRAY(arena, struct property, PROPERTIES_MAX);
    if (!f->properties)
        return no_memory(err);
    rc = store_each_text(s, id, STORED_LABELS, add_text, &g, err);
    g.kind = PROPERTY_SETTING;
    if (!rc)
        rc = store_each_text(s, id, STORED_SETTINGS, add_text, &g, err);
    g.kind = PROPERTY_FACT;
    if (!rc)
        rc = store_each_text(s, id, STORED_FACTS, find_server, &g, err);
    g.kind = PROPERTY_RUN;
    return rc ? rc : add_run(&g, err);
}

/* Dashes are as good as the underlines that are stored. */
static bool same_name(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        if (*a != *b && !(*a == '-' && *b == '_') && !(*a == '_' && *b == '-'))
            return false;
    }
    return *a == *b;
}

const char *figures_property(const struct figures *f, const char *name)
{
    static const enum property_kind order[] = {PROPERTY_RUN, PROPERTY_LABEL,
                                               PROPERTY_SETTING, PROPERTY_FACT};

    for (size_t k = 0; k < ARRAY_LEN(order); k++) {
        for (size_t i = 0; i < f->n_properties; i++) {
            const struct property *p = &f->properties[i];

            if (p->kind == order[k] && same_name(name, p->name))
                return p->value;
        }
    }
    return NULL;
}
