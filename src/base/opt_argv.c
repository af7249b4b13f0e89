/* SPDX-License-Identifier: MIT */
#include "base/opt.h"
#include "base/opt_int.h"

#include <string.h>

struct argv_reader {
    struct opt_set *set;
    char **argv;
    int argc, next; /* next = what is read after the current argument */
    struct err *err;
};

static enum rc unknown_long(struct argv_reader *r, const char *name, size_t len)
{
    char text[OPT_NAME_BYTES];
    const char *near = NULL;

    if (len < sizeof(text)) {
        memcpy(text, name, len);
        text[len] = '\0';
        near = opt_nearest(r->set, text);
    }
    if (near)
        return err_set(r->err, RC_USAGE,
                       "unknown option '--%.*s'; did you mean '--%s'?",
                       (int)len, name, near);
    return err_set(r->err, RC_USAGE, "unknown option '--%.*s'", (int)len, name);
}

/* The value of a switch is optional; only these two words are taken as one,
 * so that an argument may follow a switch. */
static const char *take_switch_value(struct argv_reader *r)
{
    const char *text = r->next < r->argc ? r->argv[r->next] : "";

    if (strcmp(text, "on") != 0 && strcmp(text, "off") != 0)
        return "on";
    r->next++;
    return text;
}

/* NULL when there is none.  What starts with "--" is the next option: who
 * means it as a value writes --name=--value. */
static const char *take_value(struct argv_reader *r)
{
    const char *text = r->next < r->argc ? r->argv[r->next] : NULL;

    if (!text || strncmp(text, "--", 2) == 0)
        return NULL;
    r->next++;
    return text;
}

static enum rc set_or_complain(struct argv_reader *r, const struct opt_ref *ref,
                               const char *text)
{
    enum rc rc;

    if (!text)
        return err_set(r->err, RC_USAGE, "--%s needs a value %s",
                       ref->opt->name, opt_arg_name(ref->opt));
    rc = opt_apply(r->set, ref, text, OPT_FROM_CLI, r->err);
    if (rc)
        err_prefix(r->err, "--%s", ref->opt->name);
    return rc;
}

static enum rc take_long(struct argv_reader *r, const char *name)
{
    const size_t len = strcspn(name, "=");
    const char *text = name[len] ? name + len + 1 : NULL;
    struct opt_ref ref;

    if (opt_find(r->set, name, len, &ref)) {
        if (!text && ref.opt->type == OPT_TYPE_BOOL)
            text = take_switch_value(r);
        else if (!text)
            text = take_value(r);
        return set_or_complain(r, &ref, text);
    }
    if (strncmp(name, "no-", 3) != 0 ||
        !opt_find(r->set, name + 3, len - 3, &ref) ||
        ref.opt->type != OPT_TYPE_BOOL)
        return unknown_long(r, name, len);
    if (text)
        return err_set(r->err, RC_USAGE, "--no-%s takes no value",
                       ref.opt->name);
    return set_or_complain(r, &ref, "off");
}

/* Switches may share a dash, the last letter may have a value: -qu4. */
static enum rc take_letters(struct argv_reader *r, const char *p)
{
    for (; *p; p++) {
        struct opt_ref ref;
        enum rc rc;

        if (!opt_find_letter(r->set, *p, &ref))
            return err_set(r->err, RC_USAGE, "unknown option '-%c'", *p);
        if (ref.opt->type != OPT_TYPE_BOOL)
            return set_or_complain(r, &ref, p[1] ? p + 1 : take_value(r));
        rc = set_or_complain(r, &ref, p[1] ? "on" : take_switch_value(r));
        if (rc)
            return rc;
    }
    return RC_OK;
}

/* Three of the parameters are one array of results.
 * NOLINTNEXTLINE(readability-function-size): seven parameters, see above */
enum rc opt_set_argv(struct opt_set *set, int argc, char **argv,
                     const char **args, size_t args_cap, size_t *out_n_args,
                     struct err *err)
{
    struct argv_reader r = {
        .set = set,
        .argv = argv,
        .argc = argc,
        .err = err,
    };
    bool options_ended = false;
    size_t n_args = 0;

    while (r.next < argc) {
        const char *arg = argv[r.next++];
        enum rc rc = RC_OK;

        /* A dash alone is an argument: standard input. */
        if (options_ended || arg[0] != '-' || !arg[1]) {
            if (n_args == args_cap)
                return err_set(err, RC_USAGE, "unexpected argument '%s'", arg);
            args[n_args++] = arg;
        } else if (strcmp(arg, "--") == 0) {
            options_ended = true;
        } else if (arg[1] == '-') {
            rc = take_long(&r, arg + 2);
        } else {
            rc = take_letters(&r, arg + 1);
        }
        if (rc)
            return rc;
    }
    *out_n_args = n_args;
    return RC_OK;
}
