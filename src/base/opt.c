/* SPDX-License-Identifier: MIT */
#include "base/opt.h"

#include "base/opt_int.h"
#include "base/parse.h"

#include <stdlib.h>
#include <string.h>

#define ARENA_BYTES_MAX ((size_t)4 << 20)

void opt_set_init(struct opt_set *set)
{
    *set = (struct opt_set){.arena = ARENA_INIT(ARENA_BYTES_MAX)};
}

void opt_set_release(struct opt_set *set)
{
    arena_release(&set->arena);
}

bool opt_next(const struct opt_set *set, struct opt_iter *it,
              struct opt_ref *out)
{
    while (it->group < set->n_groups) {
        const struct opt_group *group = &set->groups[it->group];
        const struct opt *opt = &group->opts[it->row];

        if (opt->name) {
            out->opt = opt;
            out->field = (char *)group->target + opt->offset;
            out->index = it->index++;
            it->row++;
            return true;
        }
        it->group++;
        it->row = 0;
    }
    return false;
}

bool opt_find(const struct opt_set *set, const char *name, size_t len,
              struct opt_ref *out)
{
    struct opt_iter it = {0};

    while (opt_next(set, &it, out))
        if (strncmp(out->opt->name, name, len) == 0 && !out->opt->name[len])
            return true;
    return false;
}

bool opt_find_key(const struct opt_set *set, const char *key,
                  struct opt_ref *out)
{
    char name[OPT_NAME_BYTES];
    size_t len = strlen(key);

    if (len >= sizeof(name) || strchr(key, '-'))
        return false;
    for (size_t i = 0; i < len; i++)
        name[i] = key[i] == '_' ? '-' : key[i];
    return opt_find(set, name, len, out);
}

bool opt_find_letter(const struct opt_set *set, char letter,
                     struct opt_ref *out)
{
    struct opt_iter it = {0};

    while (opt_next(set, &it, out))
        if (letter && out->opt->letter == letter)
            return true;
    return false;
}

const char *opt_nearest(const struct opt_set *set, const char *text)
{
    const char *names[OPT_ROWS_MAX];
    struct opt_iter it = {0};
    struct opt_ref ref;
    size_t n = 0;

    while (opt_next(set, &it, &ref))
        if (!(ref.opt->flags & OPT_HIDDEN))
            names[n++] = ref.opt->name;
    return nearest_name(text, names, n);
}

const char *opt_arg_name(const struct opt *opt)
{
    return opt->arg ? opt->arg : "VALUE";
}

void opt_set_add(struct opt_set *set, const char *title, const struct opt *opts,
                 void *target)
{
    struct opt_iter it = {0};
    struct opt_ref ref, same;

    if (set->n_groups == OPT_GROUPS_MAX)
        BUG("no room for the options '%s'", title ? title : "");
    set->groups[set->n_groups++] = (struct opt_group){
        .title = title,
        .opts = opts,
        .target = target,
    };
    while (opt_next(set, &it, &ref)) {
        const struct opt *opt = ref.opt;

        if (ref.index >= OPT_ROWS_MAX || strlen(opt->name) >= OPT_NAME_BYTES)
            BUG("no room for --%s", opt->name);
        /* A search ends at the first row, so a second would be dead. */
        if (opt_find(set, opt->name, strlen(opt->name), &same) &&
            same.index != ref.index)
            BUG("--%s is there twice", opt->name);
        if (opt_find_letter(set, opt->letter, &same) && same.index != ref.index)
            BUG("--%s and --%s share -%c", same.opt->name, opt->name,
                opt->letter);
    }
}

void opt_set_defaults(struct opt_set *set)
{
    struct err err = {0};
    struct opt_iter it = {0};
    struct opt_ref ref;

    while (opt_next(set, &it, &ref))
        if (ref.opt->def &&
            opt_apply(set, &ref, ref.opt->def, OPT_FROM_DEFAULT, &err))
            BUG("default of --%s: %s", ref.opt->name, err.text);
}

static void env_name(const char *name, char *out)
{
    memcpy(out, "DYNO_", 5);
    out += 5;
    for (; *name; name++) {
        const bool lower = *name >= 'a' && *name <= 'z';

        *out++ = *name == '-' ? '_' : (char)(lower ? *name - 32 : *name);
    }
    *out = '\0';
}

enum rc opt_set_env(struct opt_set *set, struct err *err)
{
    struct opt_iter it = {0};
    struct opt_ref ref;

    while (opt_next(set, &it, &ref)) {
        char name[OPT_NAME_BYTES + 8];
        const char *text;
        enum rc rc;

        env_name(ref.opt->name, name);
        /* Options are read before there is a second thread. */
        text = getenv(name); /* NOLINT(concurrency-mt-unsafe): see above */
        if (!text || !*text)
            continue;
        rc = opt_apply(set, &ref, text, OPT_FROM_ENV, err);
        if (rc) {
            err_prefix(err, "%s", name);
            return rc;
        }
    }
    return RC_OK;
}

enum rc opt_set_value(struct opt_set *set, const char *name, const char *text,
                      enum opt_source source, struct err *err)
{
    struct opt_ref ref;
    enum rc rc;

    if (!opt_find(set, name, strlen(name), &ref))
        return err_set(err, RC_USAGE, "unknown option '--%s'", name);
    rc = opt_apply(set, &ref, text, source, err);
    if (rc)
        err_prefix(err, "--%s", name);
    return rc;
}

bool opt_set_has(const struct opt_set *set, const char *name)
{
    struct opt_ref ref;

    return opt_find(set, name, strlen(name), &ref);
}

enum opt_source opt_set_source(const struct opt_set *set, const char *name)
{
    struct opt_ref ref;

    if (!opt_find(set, name, strlen(name), &ref))
        BUG("there is no option --%s", name);
    return set->sources[ref.index];
}

static const char *source_name(enum opt_source source)
{
    switch (source) {
    case OPT_FROM_DEFAULT:
        return "default";
    case OPT_FROM_CONFIG:
        return "config";
    case OPT_FROM_ENV:
        return "environment";
    case OPT_FROM_CLI:
        return "command line";
    }
    return "unknown";
}

void opt_set_each(const struct opt_set *set, opt_each_fn *fn, void *arg)
{
    struct opt_iter it = {0};
    struct opt_ref ref;

    while (opt_next(set, &it, &ref)) {
        const char *value = set->texts[ref.index];

        if (value && (ref.opt->flags & OPT_SECRET))
            value = "***";
        fn(arg, ref.opt, value, source_name(set->sources[ref.index]));
    }
}
