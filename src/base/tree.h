/* SPDX-License-Identifier: MIT */
/*
 * A YAML (or JSON) file as a tree in memory in which each node knows its line,
 * so that whoever reads it can say where something is wrong.  Errors read
 * "FILE:LINE: …".
 */
#ifndef BASE_TREE_H
#define BASE_TREE_H

#include "base/arena.h"

enum tree_kind { TREE_SCALAR, TREE_LIST, TREE_MAP };

struct tree_node {
    enum tree_kind kind;
    size_t line;
    const char *key; /* in a map; else NULL */
    size_t key_line;
    const char *text;        /* of a scalar; NULL for null */
    struct tree_node *items; /* of a list or a map, in the file's order */
    size_t n_items;
};

struct tree {
    const char *path; /* borrowed */
    struct arena arena;
    struct tree_node root; /* a map, empty when there is nothing in the file */
};

/* The root must be a map; no key is in a map twice.  Anchors, aliases and tags
 * are refused: what a plan does is to be read where it stands. */
MUST_USE enum rc tree_read(const char *path, struct tree *out, struct err *err);
/* As tree_read(), from memory; path only for messages. */
MUST_USE enum rc tree_parse(const char *text, size_t len, const char *path,
                            struct tree *out, struct err *err);
void tree_release(struct tree *t);

/* The item of a map; NULL when it is not there. */
const struct tree_node *tree_find(const struct tree_node *map, const char *key);
/* RC_USAGE with "FILE:LINE: key 'KEY' …"; node may be the map's item or any. */
enum rc tree_error(const struct tree *t, const struct tree_node *node,
                   struct err *err, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* The text of a scalar that is not null. */
MUST_USE enum rc tree_text(const struct tree *t, const struct tree_node *node,
                           const char **out, struct err *err);

#endif
