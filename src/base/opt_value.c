/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/opt_int.h"
#include "base/parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A value between parsing and storing; STR and STRS stay text. */
union opt_value {
    uint64_t u64;
    int64_t ns;
    double share;
    bool flag;
    int choice;
};

static void format_limit(enum opt_type type, uint64_t limit, char *out,
                         size_t out_len)
{
    if (type == OPT_TYPE_DURATION)
        format_duration((int64_t)limit, out, out_len);
    else if (type == OPT_TYPE_BYTES)
        format_bytes(limit, out, out_len);
    else
        snprintf(out, out_len, "%" PRIu64, limit);
}

static enum rc check_range(const struct opt *opt, uint64_t value,
                           const char *text, struct err *err)
{
    const uint64_t max = opt->max > 0 ? opt->max : UINT64_MAX;
    char lo[32], hi[32];

    if (value >= opt->min && value <= max)
        return RC_OK;
    format_limit(opt->type, opt->min, lo, sizeof(lo));
    if (max == UINT64_MAX)
        return err_set(err, RC_USAGE, "%s is below %s", text, lo);
    format_limit(opt->type, max, hi, sizeof(hi));
    return err_set(err, RC_USAGE, "%s is not in %s..%s", text, lo, hi);
}

static enum rc parse_choice(const struct opt *opt, const char *text, int *out,
                            struct err *err)
{
    struct buf list = BUF_INIT(ERR_TEXT_MAX / 2);
    const char *near;
    size_t n = 0;

    for (; opt->choices[n]; n++) {
        if (strcmp(opt->choices[n], text) == 0) {
            *out = (int)n;
            buf_release(&list);
            return RC_OK;
        }
        buf_printf(&list, "%s%s", n > 0 ? ", " : "", opt->choices[n]);
    }
    near = nearest_name(text, opt->choices, n);
    if (near)
        err_set(err, RC_USAGE, "'%s' is none of %s; did you mean '%s'?", text,
                buf_str(&list), near);
    else
        err_set(err, RC_USAGE, "'%s' is none of %s", text, buf_str(&list));
    buf_release(&list);
    return RC_USAGE;
}

static enum rc parse_value(const struct opt *opt, const char *text,
                           union opt_value *out, struct err *err)
{
    enum rc rc;

    switch (opt->type) {
    case OPT_TYPE_U64:
        rc = parse_u64(text, &out->u64, err);
        return rc ? rc : check_range(opt, out->u64, text, err);
    case OPT_TYPE_BYTES:
        rc = parse_bytes(text, &out->u64, err);
        return rc ? rc : check_range(opt, out->u64, text, err);
    case OPT_TYPE_DURATION:
        rc = parse_duration(text, &out->ns, err);
        return rc ? rc : check_range(opt, (uint64_t)out->ns, text, err);
    case OPT_TYPE_SHARE:
        return parse_share(text, &out->share, err);
    case OPT_TYPE_BOOL:
        return parse_bool(text, &out->flag, err);
    case OPT_TYPE_CHOICE:
        return parse_choice(opt, text, &out->choice, err);
    case OPT_TYPE_STR:
    case OPT_TYPE_STRS:
        return RC_OK;
    }
    BUG("--%s has no type", opt->name);
}

/* The first value of a stronger source replaces what weaker ones gave. */
static enum rc append(struct opt_set *set, const struct opt_ref *ref,
                      const char *copy, enum opt_source source, struct err *err)
{
    struct opt_strs *strs = ref->field;
    const bool first = source != set->sources[ref->index] || strs->n == 0;
    const char *joined = copy;

    if (!first) {
        if (strs->n == OPT_STRS_MAX)
            return err_set(err, RC_USAGE, "more than %d values", OPT_STRS_MAX);
        joined =
            arena_printf(&set->arena, "%s, %s", set->texts[ref->index], copy);
        if (!joined)
            return err_set(err, RC_NOMEM, "out of memory");
    }
    if (first)
        strs->n = 0;
    strs->items[strs->n++] = copy;
    set->texts[ref->index] = joined;
    return RC_OK;
}

static void store(const struct opt_ref *ref, const union opt_value *value,
                  const char *copy)
{
    switch (ref->opt->type) {
    case OPT_TYPE_U64:
    case OPT_TYPE_BYTES:
        *(uint64_t *)ref->field = value->u64;
        return;
    case OPT_TYPE_DURATION:
        *(int64_t *)ref->field = value->ns;
        return;
    case OPT_TYPE_SHARE:
        *(double *)ref->field = value->share;
        return;
    case OPT_TYPE_BOOL:
        *(bool *)ref->field = value->flag;
        return;
    case OPT_TYPE_CHOICE:
        *(int *)ref->field = value->choice;
        return;
    case OPT_TYPE_STR:
        *(const char **)ref->field = copy;
        return;
    case OPT_TYPE_STRS:
        return; /* append() did it */
    }
}

enum rc opt_apply(struct opt_set *set, const struct opt_ref *ref,
                  const char *text, enum opt_source source, struct err *err)
{
    union opt_value value = {0};
    const char *copy;
    enum rc rc;

    /* Also when a stronger source wins: a mistake should not hide until the
     * other one is taken away. */
    rc = parse_value(ref->opt, text, &value, err);
    if (rc)
        return rc;
    if (source < set->sources[ref->index])
        return RC_OK;
    /* The report shows one spelling of a switch. */
    if (ref->opt->type == OPT_TYPE_BOOL)
        text = value.flag ? "on" : "off";
    copy = arena_strdup(&set->arena, text);
    if (!copy)
        return err_set(err, RC_NOMEM, "out of memory");
    if (ref->opt->type == OPT_TYPE_STRS) {
        rc = append(set, ref, copy, source, err);
        if (rc)
            return rc;
    } else {
        store(ref, &value, copy);
        set->texts[ref->index] = copy;
    }
    set->sources[ref->index] = source;
    return RC_OK;
}
