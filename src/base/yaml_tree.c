/* SPDX-License-Identifier: MIT */
#include "base/yaml_tree.h"

#include "base/buf.h"

#include <yaml.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FILE_BYTES_MAX ((size_t)1 << 20)
#define ARENA_MAX ((size_t)64 << 20)
#define ITEMS_MAX 4096 /* of one list or map */
#define DEPTH_MAX 8

struct reader {
    struct ytree *t;
    struct err *err;
    yaml_parser_t parser;
    yaml_event_t event; /* owned; all zero before the first */
};

static size_t line_of(const struct reader *r)
{
    return r->event.start_mark.line + 1;
}

static enum rc fail(struct reader *r, const char *what)
{
    return err_set(r->err, RC_USAGE, "%s:%zu: %s", r->t->path, line_of(r),
                   what);
}

static enum rc next(struct reader *r)
{
    const char *problem;

    yaml_event_delete(&r->event);
    if (yaml_parser_parse(&r->parser, &r->event))
        return RC_OK;
    problem = r->parser.problem;
    if (r->parser.error == YAML_MEMORY_ERROR)
        return err_set(r->err, RC_NOMEM, "%s: out of memory", r->t->path);
    return err_set(r->err, RC_USAGE, "%s:%zu: %s", r->t->path,
                   r->parser.problem_mark.line + 1,
                   problem ? problem : "this is not YAML");
}

/* ---- nodes ---- */

static bool is_null(const yaml_event_t *e)
{
    const char *text = (const char *)e->data.scalar.value;

    return e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (!*text || !strcmp(text, "~") || !strcmp(text, "null"));
}

static enum rc take_text(struct reader *r, const char **out)
{
    const char *text = (const char *)r->event.data.scalar.value;

    if (strlen(text) != r->event.data.scalar.length)
        return fail(r, "a text holds a NUL character");
    *out = arena_strdup(&r->t->arena, text);
    return *out ? RC_OK
                : err_set(r->err, RC_NOMEM, "%s: out of memory", r->t->path);
}

static enum rc check_plain(struct reader *r)
{
    const yaml_event_t *e = &r->event;
    const yaml_char_t *anchor = NULL, *tag = NULL;

    if (e->type == YAML_ALIAS_EVENT)
        return fail(r, "aliases are not known here; write the value out");
    if (e->type == YAML_SCALAR_EVENT) {
        anchor = e->data.scalar.anchor;
        tag = e->data.scalar.tag;
    } else if (e->type == YAML_SEQUENCE_START_EVENT) {
        anchor = e->data.sequence_start.anchor;
        tag = e->data.sequence_start.tag;
    } else if (e->type == YAML_MAPPING_START_EVENT) {
        anchor = e->data.mapping_start.anchor;
        tag = e->data.mapping_start.tag;
    }
    if (anchor || tag)
        return fail(r, "anchors and tags are not known here");
    return RC_OK;
}

static enum rc read_node(struct reader *r, struct ytree_node *out, int depth);

static enum rc read_key(struct reader *r, struct ytree_node *map,
                        struct ytree_node *item)
{
    enum rc rc = check_plain(r);

    if (rc)
        return rc;
    if (r->event.type != YAML_SCALAR_EVENT || is_null(&r->event))
        return fail(r, "a key must be a name");
    item->key_line = line_of(r);
    rc = take_text(r, &item->key);
    if (!rc && ytree_find(map, item->key))
        rc = err_set(r->err, RC_USAGE, "%s:%zu: key '%s' is there twice",
                     r->t->path, item->key_line, item->key);
    return rc ? rc : next(r);
}

/* Between the start and the end event of a list or a map. */
static enum rc read_items(struct reader *r, struct ytree_node *out, int depth)
{
    const yaml_event_type_t end = out->kind == YTREE_MAP
                                      ? YAML_MAPPING_END_EVENT
                                      : YAML_SEQUENCE_END_EVENT;
    size_t cap = 0;

    for (;;) {
        struct ytree_node *item;
        enum rc rc = next(r);

        if (rc || r->event.type == end)
            return rc;
        if (out->n_items == ITEMS_MAX)
            return fail(r, "too many items");
        if (out->n_items == cap) {
            struct ytree_node *grown;

            cap = cap ? 2 * cap : 8;
            grown = ARENA_ARRAY(&r->t->arena, struct ytree_node, cap);
            if (!grown)
                return err_set(r->err, RC_NOMEM, "%s: out of memory",
                               r->t->path);
            if (out->n_items > 0)
                memcpy(grown, out->items, out->n_items * sizeof(*grown));
            out->items = grown;
        }
        item = &out->items[out->n_items];
        if (out->kind == YTREE_MAP)
            rc = read_key(r, out, item);
        if (!rc)
            rc = read_node(r, item, depth + 1);
        if (rc)
            return rc;
        out->n_items++;
    }
}

/* The event of the node is there; its end is consumed. */
static enum rc read_node(struct reader *r, struct ytree_node *out, int depth)
{
    enum rc rc = check_plain(r);

    if (rc)
        return rc;
    if (depth > DEPTH_MAX)
        return fail(r, "too deep");
    out->line = line_of(r);
    if (r->event.type == YAML_SCALAR_EVENT) {
        out->kind = YTREE_SCALAR;
        return is_null(&r->event) ? RC_OK : take_text(r, &out->text);
    }
    out->kind =
        r->event.type == YAML_MAPPING_START_EVENT ? YTREE_MAP : YTREE_LIST;
    return read_items(r, out, depth);
}

/* ---- the file ---- */

static enum rc read_stream(struct reader *r)
{
    bool had_root = false;

    for (;;) {
        enum rc rc = next(r);

        if (rc || r->event.type == YAML_STREAM_END_EVENT)
            return rc;
        if (r->event.type == YAML_STREAM_START_EVENT ||
            r->event.type == YAML_DOCUMENT_START_EVENT ||
            r->event.type == YAML_DOCUMENT_END_EVENT)
            continue;
        if (r->event.type == YAML_SCALAR_EVENT && is_null(&r->event))
            continue;
        if (r->event.type != YAML_MAPPING_START_EVENT || had_root)
            return fail(r, "expected one list of 'name: value'");
        had_root = true;
        rc = read_node(r, &r->t->root, 0);
        if (rc)
            return rc;
    }
}

enum rc ytree_parse(const char *text, size_t len, const char *path,
                    struct ytree *out, struct err *err)
{
    struct reader r = {.t = out, .err = err};
    enum rc rc;

    *out = (struct ytree){.path = path, .root = {.kind = YTREE_MAP, .line = 1}};
    arena_init(&out->arena, ARENA_MAX);
    if (!yaml_parser_initialize(&r.parser))
        return err_set(err, RC_NOMEM, "%s: out of memory", path);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, len);
    rc = read_stream(&r);
    yaml_event_delete(&r.event);
    yaml_parser_delete(&r.parser);
    if (rc)
        ytree_release(out);
    return rc;
}

enum rc ytree_read(const char *path, struct ytree *out, struct err *err)
{
    struct buf text = BUF_INIT(FILE_BYTES_MAX);
    enum rc rc = buf_read_file(&text, path, err);

    *out = (struct ytree){.path = path};
    if (!rc)
        rc = ytree_parse(buf_str(&text), text.len, path, out, err);
    buf_release(&text);
    return rc;
}

void ytree_release(struct ytree *t)
{
    arena_release(&t->arena);
    *t = (struct ytree){.path = t->path};
}

const struct ytree_node *ytree_find(const struct ytree_node *map,
                                    const char *key)
{
    for (size_t i = 0; i < map->n_items; i++) {
        if (!strcmp(map->items[i].key, key))
            return &map->items[i];
    }
    return NULL;
}

enum rc ytree_error(const struct ytree *t, const struct ytree_node *node,
                    struct err *err, const char *fmt, ...)
{
    char text[ERR_TEXT_MAX];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    if (node->key)
        return err_set(err, RC_USAGE, "%s:%zu: %s: %s", t->path, node->key_line,
                       node->key, text);
    return err_set(err, RC_USAGE, "%s:%zu: %s", t->path, node->line, text);
}

enum rc ytree_text(const struct ytree *t, const struct ytree_node *node,
                   const char **out, struct err *err)
{
    if (node->kind != YTREE_SCALAR)
        return ytree_error(t, node, err, "takes one value, not a %s",
                           node->kind == YTREE_LIST ? "list" : "map");
    if (!node->text)
        return ytree_error(t, node, err, "has no value");
    *out = node->text;
    return RC_OK;
}
