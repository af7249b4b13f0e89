/* SPDX-License-Identifier: MIT */
/* What the readers of a matrix file's parts share. */
#include "base/buf.h"
#include "base/parse.h"
#include "lab/matrix_int.h"

#include <stdio.h>
#include <string.h>

enum rc reader_wrong(struct matrix_reader *r, const struct ytree_node *node)
{
    char text[ERR_TEXT_MAX];

    snprintf(text, sizeof(text), "%s", r->err->text);
    return reader_error(r, node, "%s", text);
}

enum rc reader_text(struct matrix_reader *r, const struct ytree_node *node,
                    const char **out)
{
    return ytree_text(&r->m->tree, node, out, r->err);
}

enum rc reader_texts(struct matrix_reader *r, const struct ytree_node *node,
                     const char *const **out, size_t *out_n)
{
    const size_t n = node->kind == YTREE_LIST ? node->n_items : 1;
    const char **texts = ARENA_ARRAY(reader_arena(r), const char *, n + 1);

    if (!texts)
        return err_set(r->err, RC_NOMEM, "out of memory");
    if (n == 0)
        return reader_error(r, node, "the list is empty");
    if (n > MATRIX_VALUES_MAX)
        return reader_error(r, node, "more than %d values", MATRIX_VALUES_MAX);
    for (size_t i = 0; i < n; i++) {
        struct ytree_node item =
            node->kind == YTREE_LIST ? node->items[i] : *node;
        enum rc rc;

        if (node->kind == YTREE_LIST) {
            item.key = node->key;
            item.key_line = item.line;
        }
        rc = reader_text(r, &item, &texts[i]);
        if (rc)
            return rc;
        for (size_t k = 0; k < i; k++) {
            if (!strcmp(texts[k], texts[i]))
                return reader_error(r, &item, "'%s' is there twice", texts[i]);
        }
    }
    *out = texts;
    *out_n = n;
    return RC_OK;
}

enum rc reader_choice(struct matrix_reader *r, const struct ytree_node *node,
                      const char *const *names, size_t n, size_t *out)
{
    struct buf list = BUF_INIT(ERR_TEXT_MAX / 2);
    const char *text = NULL;
    enum rc rc = reader_text(r, node, &text);

    if (rc)
        return rc;
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(names[i], text)) {
            *out = i;
            buf_release(&list);
            return RC_OK;
        }
        buf_printf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    rc = reader_error(r, node, "'%s' is none of %s", text, buf_str(&list));
    buf_release(&list);
    return rc;
}

enum rc reader_unknown_key(struct matrix_reader *r,
                           const struct ytree_node *node,
                           const char *const *keys, size_t n)
{
    const char *near = nearest_name(node->key, keys, n);

    if (near)
        return reader_error(r, node, "unknown key; did you mean '%s'?", near);
    return reader_error(r, node, "unknown key");
}

static enum rc add_option(struct matrix_reader *r,
                          const struct ytree_node *node, const struct opt *opt,
                          const char *text, struct option_list *list)
{
    const char *value = NULL;
    enum rc rc = matrix_option_value(&r->options, opt, text, reader_arena(r),
                                     &value, r->err);

    if (rc)
        return rc == RC_USAGE ? reader_wrong(r, node) : rc;
    if (list->n == list->cap)
        return reader_error(r, node, "too many options");
    list->items[list->n++] =
        (struct variant_text){.name = opt->name, .value = value};
    return RC_OK;
}

enum rc reader_option(struct matrix_reader *r, const struct ytree_node *node,
                      const char *const *others, size_t n_others,
                      struct option_list *list)
{
    const struct opt *opt = matrix_option_find(&r->options, node->key);
    const char *const *texts = NULL;
    size_t n = 0;
    enum rc rc;

    if (!opt) {
        matrix_option_unknown(&r->options, node->key, others, n_others, r->err);
        return reader_wrong(r, node);
    }
    if (node->kind == YTREE_LIST && opt->type != OPT_TYPE_STRS)
        return reader_error(r, node,
                            "takes one value here; a list of values to try is "
                            "an axis, under 'axes'");
    rc = reader_texts(r, node, &texts, &n);
    for (size_t i = 0; !rc && i < n; i++)
        rc = add_option(r, node, opt, texts[i], list);
    return rc;
}
