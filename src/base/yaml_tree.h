/* SPDX-License-Identifier: MIT */
/*
 * A YAML (or JSON) file as a tree in memory in which each node knows its line,
 * so that whoever reads it can say where something is wrong.  Errors read
 * "FILE:LINE: …".
 */
#ifndef BASE_YAML_TREE_H
#define BASE_YAML_TREE_H

#include "base/arena.h"

enum ytree_kind { YTREE_SCALAR, YTREE_LIST, YTREE_MAP };

struct ytree_node {
    enum ytree_kind kind;
    size_t line;
    const char *key; /* in a map; else NULL */
    size_t key_line;
    const char *text;         /* of a scalar; NULL for null */
    struct ytree_node *items; /* of a list or a map, in the file's order */
    size_t n_items;
};

struct ytree {
    const char *path; /* borrowed */
    struct arena arena;
    struct ytree_node root; /* a map, empty when there is nothing in the file */
};

/* The root must be a map; no key is in a map twice.  Anchors, aliases and tags
 * are refused: what a plan does is to be read where it stands. */
MUST_USE enum rc ytree_read(const char *path, struct ytree *out,
                            struct err *err);
/* As ytree_read(), from memory; path only for messages. */
MUST_USE enum rc ytree_parse(const char *text, size_t len, const char *path,
                             struct ytree *out, struct err *err);
void ytree_release(struct ytree *t);

/* The item of a map; NULL when it is not there. */
const struct ytree_node *ytree_find(const struct ytree_node *map,
                                    const char *key);
/* RC_USAGE with "FILE:LINE: key 'KEY' …"; node may be the map's item or any. */
enum rc ytree_error(const struct ytree *t, const struct ytree_node *node,
                    struct err *err, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* The text of a scalar that is not null. */
MUST_USE enum rc ytree_text(const struct ytree *t,
                            const struct ytree_node *node, const char **out,
                            struct err *err);

#endif
