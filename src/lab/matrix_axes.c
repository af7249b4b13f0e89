/* SPDX-License-Identifier: MIT */
/* `axes:`, `include:`, `exclude:` and `relative_to:` of a matrix file. */
#include "base/parse.h"
#include "lab/matrix_int.h"
#include "lab/server.h"

#include <stdio.h>
#include <string.h>

#define SETTING_PREFIX "set."
#define RULES_MAX 1000

/* ---- one axis ---- */

static bool find_axis(const struct matrix *m, const char *key, size_t *out)
{
    for (size_t i = 0; i < m->n_axes; i++) {
        if (!strcmp(m->axes[i].key, key)) {
            *out = i;
            return true;
        }
    }
    return false;
}

static enum rc unknown_axis(struct matrix_reader *r,
                            const struct ytree_node *node)
{
    static const char *const others[] = {"server", "preset", "set.NAME"};

    matrix_option_unknown(&r->options, node->key, others, ARRAY_LEN(others),
                          r->err);
    return reader_wrong(r, node);
}

/* What the key of an axis means. */
static enum rc name_axis(struct matrix_reader *r, const struct ytree_node *node,
                         struct matrix_axis *out)
{
    const struct opt *opt;

    *out = (struct matrix_axis){.key = node->key, .line = node->key_line};
    if (!strcmp(node->key, "server")) {
        out->kind = AXIS_SERVER;
        return RC_OK;
    }
    if (!strcmp(node->key, "preset")) {
        out->kind = AXIS_PRESET;
        return RC_OK;
    }
    if (!strncmp(node->key, SETTING_PREFIX, strlen(SETTING_PREFIX))) {
        out->kind = AXIS_SETTING;
        out->name = node->key + strlen(SETTING_PREFIX);
        if (!matrix_setting_name_ok(out->name))
            return reader_error(r, node, "'%.60s' is no setting's name",
                                out->name);
        return RC_OK;
    }
    opt = matrix_option_find(&r->options, node->key);
    if (!opt)
        return unknown_axis(r, node);
    if (opt->type == OPT_TYPE_STRS)
        return reader_error(r, node,
                            "this may be repeated in a run and is no "
                            "axis; give it at the top level");
    out->kind = AXIS_OPTION;
    out->name = opt->name;
    return RC_OK;
}

static enum rc check_server_name(struct matrix_reader *r,
                                 const struct ytree_node *node,
                                 const char *text)
{
    const char *names[MATRIX_SERVERS_MAX], *near;

    if (matrix_server_find(r->m, text))
        return RC_OK;
    for (size_t i = 0; i < r->m->n_servers; i++)
        names[i] = r->m->servers[i].name;
    near = nearest_name(text, names, r->m->n_servers);
    if (near)
        return reader_error(r, node,
                            "there is no server '%.60s'; did you mean '%s'?",
                            text, near);
    return reader_error(r, node, "there is no server '%.60s' under 'servers'",
                        text);
}

static enum rc check_value(struct matrix_reader *r,
                           const struct ytree_node *node,
                           const struct matrix_axis *axis, const char *text)
{
    const char *value;
    enum rc rc;

    if (axis->kind == AXIS_SERVER)
        return check_server_name(r, node, text);
    if (axis->kind == AXIS_PRESET) {
        for (size_t i = 0; server_preset_names[i]; i++) {
            if (!strcmp(server_preset_names[i], text))
                return RC_OK;
        }
        return reader_error(r, node, "'%.60s' is none of stock, oltp, nosync",
                            text);
    }
    if (axis->kind == AXIS_SETTING)
        return RC_OK;
    rc = matrix_option_value(&r->options,
                             matrix_option_find(&r->options, axis->key), text,
                             reader_arena(r), &value, r->err);
    return rc == RC_USAGE ? reader_wrong(r, node) : rc;
}

/* The values of an axis, in the list of an axis or of a rule. */
static enum rc read_values(struct matrix_reader *r,
                           const struct ytree_node *node,
                           const struct matrix_axis *axis,
                           const char *const **out, size_t *out_n)
{
    enum rc rc = reader_texts(r, node, out, out_n);

    for (size_t i = 0; !rc && i < *out_n; i++) {
        struct ytree_node item =
            node->kind == YTREE_LIST ? node->items[i] : *node;

        item.key = node->key;
        item.key_line = item.line;
        rc = check_value(r, &item, axis, (*out)[i]);
    }
    return rc;
}

static enum rc add_axis(struct matrix_reader *r, const struct ytree_node *node,
                        size_t *out)
{
    struct matrix *m = r->m;
    enum rc rc;

    if (m->n_axes == MATRIX_AXES_MAX)
        return reader_error(r, node, "more than %d axes", MATRIX_AXES_MAX);
    rc = name_axis(r, node, &m->axes[m->n_axes]);
    if (!rc)
        *out = m->n_axes++;
    return rc;
}

/* ---- `axes:` ---- */

/* Without one of the file's, all servers, before all other axes. */
static enum rc all_servers(struct matrix_reader *r)
{
    struct matrix *m = r->m;
    const char **names =
        ARENA_ARRAY(reader_arena(r), const char *, m->n_servers);

    if (!names)
        return err_set(r->err, RC_NOMEM, "out of memory");
    for (size_t i = 0; i < m->n_servers; i++)
        names[i] = m->servers[i].name;
    m->axes[m->n_axes++] = (struct matrix_axis){
        .kind = AXIS_SERVER,
        .key = "server",
        .values = names,
        .n_values = m->n_servers,
    };
    return RC_OK;
}

/* An option cannot be the same for all runs and an axis. */
static enum rc check_only_once(struct matrix_reader *r,
                               const struct ytree_node *node)
{
    if (!ytree_find(&r->m->tree.root, node->key))
        return RC_OK;
    return reader_error(r, node,
                        "it is an axis and set for all runs at the "
                        "top level; leave one out");
}

enum rc matrix_read_axes(struct matrix_reader *r, const struct ytree_node *node)
{
    enum rc rc = RC_OK;

    if (node && node->kind != YTREE_MAP)
        return reader_error(r, node,
                            "takes names of axes, each with a list "
                            "of values");
    if (!node || !ytree_find(node, "server"))
        rc = all_servers(r);
    for (size_t i = 0; !rc && node && i < node->n_items; i++) {
        const struct ytree_node *item = &node->items[i];
        size_t at = 0;

        rc = check_only_once(r, item);
        if (!rc)
            rc = add_axis(r, item, &at);
        if (!rc)
            rc = read_values(r, item, &r->m->axes[at], &r->m->axes[at].values,
                             &r->m->axes[at].n_values);
    }
    return rc;
}

/* ---- rules ---- */

static enum rc not_among(struct matrix_reader *r, const struct ytree_node *node,
                         const struct matrix_axis *axis, const char *text)
{
    const char *near = nearest_name(text, axis->values, axis->n_values);

    if (near)
        return reader_error(r, node,
                            "axis '%s' has no value '%.60s'; did you mean "
                            "'%s'?",
                            axis->key, text, near);
    return reader_error(r, node, "axis '%s' has no value '%.60s'", axis->key,
                        text);
}

static bool among(const struct matrix_axis *axis, const char *text)
{
    for (size_t i = 0; i < axis->n_values; i++) {
        if (!strcmp(axis->values[i], text))
            return true;
    }
    return false;
}

/* known: only axes of the file, and only values that they have. */
static enum rc read_rule(struct matrix_reader *r, const struct ytree_node *node,
                         bool known, struct matrix_rule *out)
{
    enum rc rc = RC_OK;

    if (node->kind != YTREE_MAP || node->n_items == 0)
        return reader_error(r, node, "takes 'axis: value', or lists of values");
    out->line = node->line;
    for (size_t i = 0; !rc && i < node->n_items; i++) {
        const struct ytree_node *item = &node->items[i];
        size_t at = 0;

        if (!find_axis(r->m, item->key, &at)) {
            if (known)
                return reader_error(r, item, "there is no axis of this name");
            rc = check_only_once(r, item);
            if (!rc)
                rc = add_axis(r, item, &at);
        }
        if (!rc)
            rc = read_values(r, item, &r->m->axes[at], &out->values[at],
                             &out->n_values[at]);
        for (size_t k = 0; !rc && known && k < out->n_values[at]; k++) {
            /* Axes of `include:` have no list of values. */
            if (r->m->axes[at].n_values > 0 &&
                !among(&r->m->axes[at], out->values[at][k]))
                rc = not_among(r, item, &r->m->axes[at], out->values[at][k]);
        }
    }
    return rc;
}

static enum rc read_rules(struct matrix_reader *r,
                          const struct ytree_node *node, bool known,
                          const struct matrix_rule **out, size_t *out_n)
{
    struct matrix_rule *rules;
    enum rc rc = RC_OK;

    if (node->kind != YTREE_LIST)
        return reader_error(r, node,
                            "takes a list, each item with "
                            "'axis: value'");
    if (node->n_items > RULES_MAX)
        return reader_error(r, node, "more than %d items", RULES_MAX);
    rules = ARENA_ARRAY(reader_arena(r), struct matrix_rule, node->n_items + 1);
    if (!rules)
        return err_set(r->err, RC_NOMEM, "out of memory");
    for (size_t i = 0; !rc && i < node->n_items; i++)
        rc = read_rule(r, &node->items[i], known, &rules[i]);
    *out = rules;
    *out_n = node->n_items;
    return rc;
}

enum rc matrix_read_include(struct matrix_reader *r,
                            const struct ytree_node *node)
{
    return read_rules(r, node, false, &r->m->include, &r->m->n_include);
}

enum rc matrix_read_exclude(struct matrix_reader *r,
                            const struct ytree_node *node)
{
    return read_rules(r, node, true, &r->m->exclude, &r->m->n_exclude);
}

enum rc matrix_read_base(struct matrix_reader *r, const struct ytree_node *node)
{
    enum rc rc = read_rule(r, node, true, &r->m->base);

    for (size_t i = 0; !rc && i < r->m->n_axes; i++) {
        if (r->m->base.n_values[i] > 1)
            return reader_error(r, node, "takes one value for each axis");
    }
    return rc;
}
