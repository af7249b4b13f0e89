/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/opt.h"
#include "base/opt_int.h"

#include <yaml.h>

#include <stdio.h>
#include <string.h>

#define CONFIG_BYTES_MAX ((size_t)1 << 20)

struct config_reader {
    struct opt_set *set;
    const char *path;
    struct err *err;
    bool seen[OPT_ROWS_MAX];
    char key[OPT_NAME_BYTES]; /* the latest, as the file has it */
    yaml_parser_t parser;
    yaml_event_t event; /* owned; all zero before the first */
};

static size_t event_line(const struct config_reader *r)
{
    return r->event.start_mark.line + 1;
}

/* The event before is gone after this. */
static enum rc next_event(struct config_reader *r)
{
    const char *problem;

    yaml_event_delete(&r->event);
    if (yaml_parser_parse(&r->parser, &r->event))
        return RC_OK;
    problem = r->parser.problem;
    if (r->parser.error == YAML_MEMORY_ERROR)
        return err_set(r->err, RC_NOMEM, "%s: out of memory", r->path);
    return err_set(r->err, RC_USAGE, "%s:%zu: %s", r->path,
                   r->parser.problem_mark.line + 1,
                   problem ? problem : "this is not YAML");
}

static const char *scalar_text(const struct config_reader *r)
{
    return (const char *)r->event.data.scalar.value;
}

static bool is_null(const yaml_event_t *e)
{
    const char *text = (const char *)e->data.scalar.value;

    return e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (!*text || strcmp(text, "~") == 0 || strcmp(text, "null") == 0);
}

static enum rc unknown_key(struct config_reader *r, const char *key)
{
    char text[OPT_NAME_BYTES];
    const char *near = NULL;

    if (strlen(key) < sizeof(text)) {
        size_t i;

        for (i = 0; key[i]; i++)
            text[i] = key[i] == '_' ? '-' : key[i];
        text[i] = '\0';
        near = opt_nearest(r->set, text);
    }
    if (!near)
        return err_set(r->err, RC_USAGE, "%s:%zu: unknown key '%s'", r->path,
                       event_line(r), key);
    for (size_t i = 0; i <= strlen(near); i++)
        text[i] = near[i] == '-' ? '_' : near[i];
    return err_set(r->err, RC_USAGE,
                   "%s:%zu: unknown key '%s'; did you mean '%s'?", r->path,
                   event_line(r), key, text);
}

static enum rc read_key(struct config_reader *r, struct opt_ref *out)
{
    const char *key = scalar_text(r);

    if (r->event.type != YAML_SCALAR_EVENT)
        return err_set(r->err, RC_USAGE, "%s:%zu: a key must be a name",
                       r->path, event_line(r));
    if (!opt_find_key(r->set, key, out))
        return unknown_key(r, key);
    if (r->seen[out->index])
        return err_set(r->err, RC_USAGE, "%s:%zu: '%s' is there twice", r->path,
                       event_line(r), key);
    r->seen[out->index] = true;
    /* A key that was found is short enough. */
    snprintf(r->key, sizeof(r->key), "%s", key);
    return RC_OK;
}

static enum rc wrong_value(struct config_reader *r, const char *what)
{
    return err_set(r->err, RC_USAGE, "%s:%zu: '%s' %s", r->path, event_line(r),
                   r->key, what);
}

static enum rc read_scalar(struct config_reader *r, const struct opt_ref *ref)
{
    const char *text = scalar_text(r);
    enum rc rc;

    if (r->event.type != YAML_SCALAR_EVENT)
        return wrong_value(r, "takes plain values only");
    if (is_null(&r->event))
        return wrong_value(r, "has no value");
    if (strlen(text) != r->event.data.scalar.length)
        return wrong_value(r, "holds a NUL character");
    rc = opt_apply(r->set, ref, text, OPT_FROM_CONFIG, r->err);
    if (rc)
        err_prefix(r->err, "%s:%zu: %s", r->path, event_line(r), r->key);
    return rc;
}

static enum rc read_value(struct config_reader *r, const struct opt_ref *ref)
{
    enum rc rc;

    if (r->event.type != YAML_SEQUENCE_START_EVENT)
        return read_scalar(r, ref);
    if (ref->opt->type != OPT_TYPE_STRS)
        return wrong_value(r, "takes one value, not a list");
    for (;;) {
        rc = next_event(r);
        if (rc || r->event.type == YAML_SEQUENCE_END_EVENT)
            return rc;
        rc = read_scalar(r, ref);
        if (rc)
            return rc;
    }
}

static enum rc read_mapping(struct config_reader *r)
{
    for (;;) {
        struct opt_ref ref;
        enum rc rc = next_event(r);

        if (rc || r->event.type == YAML_MAPPING_END_EVENT)
            return rc;
        rc = read_key(r, &ref);
        if (rc)
            return rc;
        rc = next_event(r);
        if (rc)
            return rc;
        rc = read_value(r, &ref);
        if (rc)
            return rc;
    }
}

/* The one mapping of the file; a file of comments only is fine. */
static enum rc read_stream(struct config_reader *r)
{
    bool had_mapping = false;
    enum rc rc;

    for (;;) {
        rc = next_event(r);
        if (rc || r->event.type == YAML_STREAM_END_EVENT)
            return rc;
        if (r->event.type == YAML_STREAM_START_EVENT ||
            r->event.type == YAML_DOCUMENT_START_EVENT ||
            r->event.type == YAML_DOCUMENT_END_EVENT)
            continue;
        if (r->event.type == YAML_SCALAR_EVENT && is_null(&r->event))
            continue;
        if (r->event.type != YAML_MAPPING_START_EVENT || had_mapping)
            return err_set(r->err, RC_USAGE,
                           "%s:%zu: expected one list of 'name: value'",
                           r->path, event_line(r));
        had_mapping = true;
        rc = read_mapping(r);
        if (rc)
            return rc;
    }
}

enum rc opt_set_config(struct opt_set *set, const char *path, struct err *err)
{
    struct buf text = BUF_INIT(CONFIG_BYTES_MAX);
    struct config_reader r = {
        .set = set,
        .path = path,
        .err = err,
    };
    enum rc rc;

    rc = buf_read_file(&text, path, err);
    if (rc)
        goto out;
    if (!yaml_parser_initialize(&r.parser)) {
        rc = err_set(err, RC_NOMEM, "%s: out of memory", path);
        goto out;
    }
    yaml_parser_set_input_string(
        &r.parser, (const unsigned char *)buf_str(&text), text.len);
    rc = read_stream(&r);
    yaml_event_delete(&r.event);
    yaml_parser_delete(&r.parser);
out:
    buf_release(&text);
    return rc;
}
