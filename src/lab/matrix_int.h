/* SPDX-License-Identifier: MIT */
/*
 * Private to the reading of matrix files: matrix_file.c, matrix_servers.c,
 * matrix_axes.c; matrix_reader.c is what they share.
 */
#ifndef LAB_MATRIX_INT_H
#define LAB_MATRIX_INT_H

#include "lab/matrix_file.h"
#include "lab/matrix_options.h"

struct matrix_reader {
    struct matrix *m;
    struct matrix_options options;
    struct err *err;
};

static inline struct arena *reader_arena(struct matrix_reader *r)
{
    return &r->m->tree.arena;
}

/* As ytree_error(); keeps what err says and puts place and key before it. */
enum rc reader_wrong(struct matrix_reader *r, const struct ytree_node *node);
#define reader_error(r, node, ...) \
    ytree_error(&(r)->m->tree, (node), (r)->err, __VA_ARGS__)

MUST_USE enum rc reader_text(struct matrix_reader *r,
                             const struct ytree_node *node, const char **out);
/* A list of scalars, or one scalar; in the arena. */
MUST_USE enum rc reader_texts(struct matrix_reader *r,
                              const struct ytree_node *node,
                              const char *const **out, size_t *out_n);
/* One of names[], else an error with the nearest. */
MUST_USE enum rc reader_choice(struct matrix_reader *r,
                               const struct ytree_node *node,
                               const char *const *names, size_t n, size_t *out);
/* The key of a node is none of keys[]; names the nearest. */
enum rc reader_unknown_key(struct matrix_reader *r,
                           const struct ytree_node *node,
                           const char *const *keys, size_t n);

/* Options of runs, appended to a list that has room for cap. */
struct option_list {
    struct variant_text *items;
    size_t n, cap;
};
/* node's key is an option's, its value one of its values (a list, where an
 * option may be repeated). */
MUST_USE enum rc reader_option(struct matrix_reader *r,
                               const struct ytree_node *node,
                               const char *const *others, size_t n_others,
                               struct option_list *list);

/* matrix_servers.c, matrix_axes.c: the parts of the file. */
MUST_USE enum rc matrix_read_servers(struct matrix_reader *r,
                                     const struct ytree_node *node);
/* A setting's name: letters, digits, '_', '.' and '-'. */
bool matrix_setting_name_ok(const char *name);
/* node may be NULL: the servers are the only axis. */
MUST_USE enum rc matrix_read_axes(struct matrix_reader *r,
                                  const struct ytree_node *node);
/* `include:`, which may name new axes, and `exclude:`, which may not. */
MUST_USE enum rc matrix_read_include(struct matrix_reader *r,
                                     const struct ytree_node *node);
MUST_USE enum rc matrix_read_exclude(struct matrix_reader *r,
                                     const struct ytree_node *node);
MUST_USE enum rc matrix_read_base(struct matrix_reader *r,
                                  const struct ytree_node *node);

#endif
