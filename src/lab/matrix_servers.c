/* SPDX-License-Identifier: MIT */
/* `servers:` of a matrix file. */
#include "driver/target.h"
#include "lab/matrix_int.h"
#include "lab/server.h"

#include <string.h>

#define OPTIONS_MAX 32
#define SETTINGS_MAX OPT_STRS_MAX

static const char *const server_keys[] = {
    "url",    "kind",   "bindir",   "preset",
    "config", "run_as", "settings", "options",
};

bool matrix_setting_name_ok(const char *name)
{
    const size_t len = strlen(name);

    return len > 0 && len < 64 &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789_.-") == len;
}

static enum rc read_settings(struct matrix_reader *r,
                             const struct ytree_node *node,
                             struct matrix_server *s)
{
    struct variant_text *items;
    enum rc rc = RC_OK;

    if (node->kind != YTREE_MAP)
        return reader_error(r, node,
                            "takes 'name: value' of the server's "
                            "settings");
    if (node->n_items > SETTINGS_MAX)
        return reader_error(r, node, "more than %d settings", SETTINGS_MAX);
    items =
        ARENA_ARRAY(reader_arena(r), struct variant_text, node->n_items + 1);
    if (!items)
        return err_set(r->err, RC_NOMEM, "out of memory");
    for (size_t i = 0; !rc && i < node->n_items; i++) {
        items[i].name = node->items[i].key;
        if (!matrix_setting_name_ok(items[i].name))
            return reader_error(r, &node->items[i],
                                "this is no setting's name");
        rc = reader_text(r, &node->items[i], &items[i].value);
    }
    s->settings = items;
    s->n_settings = node->n_items;
    return rc;
}

static enum rc read_options(struct matrix_reader *r,
                            const struct ytree_node *node,
                            struct matrix_server *s)
{
    struct option_list list = {.cap = OPTIONS_MAX};
    enum rc rc = RC_OK;

    if (node->kind != YTREE_MAP)
        return reader_error(r, node,
                            "takes 'name: value' of options of "
                            "'dyno run'");
    list.items = ARENA_ARRAY(reader_arena(r), struct variant_text, OPTIONS_MAX);
    if (!list.items)
        return err_set(r->err, RC_NOMEM, "out of memory");
    for (size_t i = 0; !rc && i < node->n_items; i++)
        rc = reader_option(r, &node->items[i], NULL, 0, &list);
    s->options = list.items;
    s->n_options = list.n;
    return rc;
}

static enum rc check_url(struct matrix_reader *r, const struct ytree_node *node,
                         const struct matrix_server *s)
{
    struct target target;

    /* The error does not show a password. */
    if (target_parse(reader_arena(r), s->url, &target, r->err))
        return reader_wrong(r, node);
    return RC_OK;
}

static enum rc read_choice_text(struct matrix_reader *r,
                                const struct ytree_node *node,
                                const char *const *names, const char **out)
{
    size_t n = 0, i = 0;
    enum rc rc;

    while (names[n])
        n++;
    rc = reader_choice(r, node, names, n, &i);
    if (!rc)
        *out = names[i];
    return rc;
}

static enum rc read_server_key(struct matrix_reader *r,
                               const struct ytree_node *node,
                               struct matrix_server *s)
{
    const char *key = node->key;

    if (!strcmp(key, "kind"))
        return read_choice_text(r, node, server_kind_names, &s->kind);
    if (!strcmp(key, "preset"))
        return read_choice_text(r, node, server_preset_names, &s->preset);
    if (!strcmp(key, "bindir"))
        return reader_text(r, node, &s->bindir);
    if (!strcmp(key, "config"))
        return reader_text(r, node, &s->config);
    if (!strcmp(key, "run_as"))
        return reader_text(r, node, &s->run_as);
    if (!strcmp(key, "settings"))
        return read_settings(r, node, s);
    if (!strcmp(key, "options"))
        return read_options(r, node, s);
    if (!strcmp(key, "url")) {
        enum rc rc = reader_text(r, node, &s->url);

        return rc ? rc : check_url(r, node, s);
    }
    return reader_unknown_key(r, node, server_keys, ARRAY_LEN(server_keys));
}

/* "pg: postgres", or "lite: sqlite:x.db" */
static enum rc read_short(struct matrix_reader *r,
                          const struct ytree_node *node,
                          struct matrix_server *s)
{
    const char *text = NULL;
    enum rc rc = reader_text(r, node, &text);

    if (rc)
        return rc;
    if (!strchr(text, ':'))
        return read_choice_text(r, node, server_kind_names, &s->kind);
    s->url = text;
    return check_url(r, node, s);
}

static enum rc check_server(struct matrix_reader *r,
                            const struct ytree_node *node,
                            const struct matrix_server *s)
{
    static const char *const own[] = {"kind",   "bindir", "preset",
                                      "config", "run_as", "settings"};

    if (!s->url && !s->kind)
        return reader_error(r, node,
                            "a server has a 'kind' (dyno starts it) "
                            "or a 'url' (it is there)");
    for (size_t i = 0; s->url && i < ARRAY_LEN(own); i++) {
        const struct ytree_node *item =
            node->kind == YTREE_MAP ? ytree_find(node, own[i]) : NULL;

        if (item)
            return reader_error(r, item,
                                "server '%s' has a 'url': it is not dyno's, "
                                "and not started or configured by it",
                                s->name);
    }
    return RC_OK;
}

static enum rc read_server(struct matrix_reader *r,
                           const struct ytree_node *node,
                           struct matrix_server *s)
{
    enum rc rc = RC_OK;

    s->name = node->key;
    s->line = node->key_line;
    if (matrix_check_name(s->name, r->err))
        return reader_wrong(r, node);
    if (node->kind == YTREE_SCALAR)
        rc = read_short(r, node, s);
    else if (node->kind == YTREE_LIST)
        return reader_error(r, node, "takes 'kind' or 'url', and more");
    for (size_t i = 0; !rc && i < node->n_items; i++)
        rc = read_server_key(r, &node->items[i], s);
    return rc ? rc : check_server(r, node, s);
}

enum rc matrix_read_servers(struct matrix_reader *r,
                            const struct ytree_node *node)
{
    enum rc rc = RC_OK;

    if (node->kind != YTREE_MAP)
        return reader_error(r, node,
                            "takes names of servers, each with its "
                            "'kind' or 'url'");
    if (node->n_items > MATRIX_SERVERS_MAX)
        return reader_error(r, node, "more than %d servers",
                            MATRIX_SERVERS_MAX);
    for (size_t i = 0; !rc && i < node->n_items; i++)
        rc = read_server(r, &node->items[i], &r->m->servers[i]);
    r->m->n_servers = rc ? 0 : node->n_items;
    return rc;
}
