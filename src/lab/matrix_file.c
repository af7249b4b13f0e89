/* SPDX-License-Identifier: MIT */
#include "lab/matrix_file.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/parse.h"
#include "lab/matrix_int.h"

#include <stdio.h>
#include <string.h>

#define FILE_BYTES_MAX ((size_t)1 << 20)
#define OPTIONS_MAX 128
#define REPEAT_MAX 1000

enum rc matrix_check_name(const char *name, struct err *err)
{
    const size_t len = strlen(name);

    if (len == 0 || len > MATRIX_NAME_MAX)
        return err_set(err, RC_USAGE, "a name has 1 to %d characters",
                       MATRIX_NAME_MAX);
    if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                     "0123456789_.-") != len ||
        *name == '.' || *name == '-')
        return err_set(err, RC_USAGE,
                       "'%.60s' is no name: it has other characters than "
                       "letters, digits, '_', '-' and '.', or begins with one "
                       "of the last two",
                       name);
    return RC_OK;
}

const struct matrix_server *matrix_server_find(const struct matrix *m,
                                               const char *name)
{
    for (size_t i = 0; i < m->n_servers; i++) {
        if (!strcmp(m->servers[i].name, name))
            return &m->servers[i];
    }
    return NULL;
}

/* Left out: the first value of the first axis that has more than one. */
static void default_base(struct matrix *m)
{
    for (size_t i = 0; i < m->n_axes; i++) {
        if (m->axes[i].n_values > 1) {
            m->base.values[i] = m->axes[i].values;
            m->base.n_values[i] = 1;
            return;
        }
    }
}

/* ---- single keys ---- */

static enum rc read_name(struct matrix_reader *r, const struct ytree_node *node)
{
    enum rc rc = reader_text(r, node, &r->m->name);

    if (!rc && matrix_check_name(r->m->name, r->err))
        rc = reader_wrong(r, node);
    return rc;
}

static enum rc read_repeat(struct matrix_reader *r,
                           const struct ytree_node *node)
{
    const char *text = NULL;
    enum rc rc = reader_text(r, node, &text);

    if (!rc && parse_u64(text, &r->m->repeat, r->err))
        return reader_wrong(r, node);
    if (!rc && (r->m->repeat < 1 || r->m->repeat > REPEAT_MAX))
        rc = reader_error(r, node, "%s is not in 1..%d", text, REPEAT_MAX);
    return rc;
}

static enum rc read_order(struct matrix_reader *r,
                          const struct ytree_node *node)
{
    static const char *const names[] = {"grouped", "interleaved", "random"};
    size_t i = 0;
    enum rc rc = reader_choice(r, node, names, ARRAY_LEN(names), &i);

    r->m->order = (enum matrix_order)i;
    r->m->order_given = true;
    return rc;
}

static enum rc read_data(struct matrix_reader *r, const struct ytree_node *node)
{
    static const char *const names[] = {"fresh", "kept"};
    size_t i = 0;
    enum rc rc = reader_choice(r, node, names, ARRAY_LEN(names), &i);

    r->m->fresh = i == 0;
    return rc;
}

static enum rc read_hooks(struct matrix_reader *r,
                          const struct ytree_node *node)
{
    static const char *const keys[] = {"before", "after", "around"};
    struct matrix_hooks *h = &r->m->hooks;
    const char **texts[] = {&h->before, &h->after, &h->around};
    size_t *lines[] = {&h->before_line, &h->after_line, &h->around_line};
    enum rc rc = RC_OK;

    if (node->kind != YTREE_MAP)
        return reader_error(r, node,
                            "takes before, after and around, each "
                            "with a command");
    for (size_t i = 0; !rc && i < node->n_items; i++) {
        const struct ytree_node *item = &node->items[i];
        size_t k = 0;

        while (k < ARRAY_LEN(keys) && strcmp(keys[k], item->key) != 0)
            k++;
        if (k == ARRAY_LEN(keys))
            return reader_unknown_key(r, item, keys, ARRAY_LEN(keys));
        rc = reader_text(r, item, texts[k]);
        *lines[k] = item->key_line;
    }
    return rc;
}

/* Read before the others, which need its options. */
static enum rc read_workload(struct matrix_reader *r)
{
    const struct ytree_node *node = ytree_find(&r->m->tree.root, "workload");
    const char *names[32];
    const struct workload *wl;
    size_t n = 0, i = 0;
    enum rc rc = RC_OK;

    for (; n < workload_count && n < ARRAY_LEN(names); n++)
        names[n] = workload_table[n]->name;
    if (node)
        rc = reader_choice(r, node, names, n, &i);
    if (rc)
        return rc;
    wl = workload_table[i];
    r->m->workload = wl->name;
    return matrix_options_init(&r->options, wl, r->err);
}

/* ---- the file ---- */

static const struct {
    const char *key;
    enum rc (*read)(struct matrix_reader *r, const struct ytree_node *node);
} keys[] = {
    {"name", read_name},
    {"workload", NULL}, /* before all others */
    {"servers", matrix_read_servers},
    {"axes", NULL}, /* after the servers; the rest after the axes */
    {"include", NULL},
    {"exclude", NULL},
    {"relative_to", NULL},
    {"repeat", read_repeat},
    {"order", read_order},
    {"data", read_data},
    {"hooks", read_hooks},
};

static enum rc read_key(struct matrix_reader *r, const struct ytree_node *node,
                        struct option_list *options)
{
    const char *names[ARRAY_LEN(keys)];

    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        names[i] = keys[i].key;
        if (!strcmp(node->key, names[i]))
            return keys[i].read ? keys[i].read(r, node) : RC_OK;
    }
    if (!strcmp(node->key, "seed")) {
        const char *text = NULL;
        enum rc rc = reader_text(r, node, &text);

        if (!rc && parse_u64(text, &r->m->seed, r->err))
            rc = reader_wrong(r, node);
        if (rc)
            return rc;
    }
    return reader_option(r, node, names, ARRAY_LEN(names), options);
}

static enum rc read_later(struct matrix_reader *r, const char *key,
                          enum rc (*read)(struct matrix_reader *r,
                                          const struct ytree_node *node))
{
    const struct ytree_node *node = ytree_find(&r->m->tree.root, key);

    return node ? read(r, node) : RC_OK;
}

static enum rc read_root(struct matrix_reader *r)
{
    const struct ytree_node *root = &r->m->tree.root;
    struct option_list options = {.cap = OPTIONS_MAX};
    enum rc rc = read_workload(r);

    options.items =
        ARENA_ARRAY(reader_arena(r), struct variant_text, OPTIONS_MAX);
    if (!options.items)
        return err_set(r->err, RC_NOMEM, "out of memory");
    for (size_t i = 0; !rc && i < root->n_items; i++)
        rc = read_key(r, &root->items[i], &options);
    r->m->options = options.items;
    r->m->n_options = options.n;
    if (!rc && r->m->n_servers == 0)
        rc = err_set(r->err, RC_USAGE,
                     "%s: no 'servers': name at least one, as in 'servers: "
                     "{pg: postgres}'",
                     r->m->tree.path);
    if (!rc)
        rc = matrix_read_axes(r, ytree_find(root, "axes"));
    if (!rc)
        rc = read_later(r, "include", matrix_read_include);
    if (!rc)
        rc = read_later(r, "exclude", matrix_read_exclude);
    default_base(r->m);
    if (!rc && ytree_find(root, "relative_to")) {
        r->m->base = (struct matrix_rule){.line = 0};
        rc = read_later(r, "relative_to", matrix_read_base);
    }
    return rc;
}

/* "examples/pg-versions.yaml": pg-versions. */
static enum rc name_after_file(struct matrix *m, struct err *err)
{
    const char *slash = strrchr(m->tree.path, '/');
    const char *base = slash ? slash + 1 : m->tree.path;
    const char *dot = strrchr(base, '.');
    struct err why = {0};

    m->name =
        arena_strndup(&m->tree.arena, base,
                      dot && dot > base ? (size_t)(dot - base) : strlen(base));
    if (!m->name)
        return err_set(err, RC_NOMEM, "out of memory");
    if (matrix_check_name(m->name, &why))
        return err_set(err, RC_USAGE,
                       "%s: the file's name cannot name the matrix (%s); give "
                       "it one with 'name:'",
                       m->tree.path, why.text);
    return RC_OK;
}

enum rc matrix_parse(const char *text, size_t len, const char *path,
                     struct matrix **out, struct err *err)
{
    struct matrix *m = MEM_NEW(struct matrix);
    struct err own = {0};
    struct matrix_reader r = {.m = m, .err = err ? err : &own};
    enum rc rc;

    if (!m)
        return err_set(err, RC_NOMEM, "out of memory");
    m->repeat = 1;
    m->seed = 1;
    m->fresh = true;
    m->order = MATRIX_INTERLEAVED;
    rc = ytree_parse(text, len, path, &m->tree, r.err);
    if (!rc)
        rc = read_root(&r);
    if (!rc && !m->name)
        rc = name_after_file(m, r.err);
    matrix_options_release(&r.options);
    if (rc) {
        matrix_free(m);
        return rc;
    }
    *out = m;
    return RC_OK;
}

enum rc matrix_read(const char *path, struct matrix **out, struct err *err)
{
    struct buf text = BUF_INIT(FILE_BYTES_MAX);
    enum rc rc = buf_read_file(&text, path, err);

    if (!rc)
        rc = matrix_parse(buf_str(&text), text.len, path, out, err);
    buf_release(&text);
    return rc;
}

void matrix_free(struct matrix *m)
{
    if (!m)
        return;
    ytree_release(&m->tree);
    mem_free(m);
}
