/* SPDX-License-Identifier: MIT */
#include "lab/matrix_options.h"

#include "base/mem.h"
#include "base/parse.h"
#include "run/sizes.h"
#include "run/threshold.h"

#include <inttypes.h>
#include <string.h>

#define NAMES_MAX (OPT_ROWS_MAX + 32)
#define KEY_BYTES 64

/* What the matrix decides itself. */
static const struct {
    const char *key, *why;
} reserved[] = {
    {"name", "a run is named NNN_server_sSCALE_vVUS_cCONNS"},
    {"db", "name the database under 'servers'"},
    {"server", "servers are named under 'servers', and chosen under 'axes'"},
    {"create_database", "the database of a server is there before a run"},
    {"results", "give it on the command line: --results"},
    {"config", "write its options into the file itself"},
    {"format", "give it on the command line"},
    {"server_name", "it is the name under 'servers'"},
    {"label", "labels are the variant's own"},
    {"replace", "'data: fresh' or 'data: kept' says what a run begins with"},
    {"continue", "an interrupted load is begun anew"},
};

static const char *why_reserved(const char *key)
{
    for (size_t i = 0; i < ARRAY_LEN(reserved); i++) {
        if (!strcmp(reserved[i].key, key))
            return reserved[i].why;
    }
    return NULL;
}

enum rc matrix_options_init(struct matrix_options *o, const struct workload *wl,
                            struct err *err)
{
    *o = (struct matrix_options){.workload = wl};
    opt_set_init(&o->set);
    o->workload_cfg = mem_calloc(1, wl->cfg_bytes ? wl->cfg_bytes : 1);
    if (!o->workload_cfg)
        return err_set(err, RC_NOMEM, "out of memory");
    opt_set_add(&o->set, "Statements", sql_opts, &o->sql);
    opt_set_add(&o->set, "Run", run_opts, &o->run);
    opt_set_add(&o->set, "Load", load_opts, &o->load);
    if (wl->opts)
        opt_set_add(&o->set, wl->name, wl->opts, o->workload_cfg);
    opt_set_defaults(&o->set);
    return RC_OK;
}

void matrix_options_release(struct matrix_options *o)
{
    opt_set_release(&o->set);
    mem_free(o->workload_cfg);
}

/* "ramp-up" is "ramp_up" in a file. */
static bool same_key(const char *name, const char *key)
{
    for (; *name && *key; name++, key++) {
        if (*key != (*name == '-' ? '_' : *name))
            return false;
    }
    return !*name && !*key;
}

const struct opt *matrix_option_find(const struct matrix_options *o,
                                     const char *key)
{
    if (why_reserved(key))
        return NULL;
    for (size_t g = 0; g < o->set.n_groups; g++) {
        for (const struct opt *opt = o->set.groups[g].opts; opt->name; opt++) {
            if (same_key(opt->name, key))
                return opt;
        }
    }
    return NULL;
}

void matrix_option_unknown(const struct matrix_options *o, const char *key,
                           const char *const *others, size_t n_others,
                           struct err *err)
{
    const char *names[NAMES_MAX], *near;
    char text[KEY_BYTES];
    size_t n = 0;

    if (why_reserved(key)) {
        err_set(err, RC_USAGE, "it is not for a matrix file: %s",
                why_reserved(key));
        return;
    }
    for (size_t i = 0; i < n_others && n < NAMES_MAX; i++)
        names[n++] = others[i];
    for (size_t g = 0; g < o->set.n_groups; g++) {
        for (const struct opt *opt = o->set.groups[g].opts; opt->name; opt++) {
            if (n < NAMES_MAX && !why_reserved(opt->name))
                names[n++] = opt->name;
        }
    }
    near = nearest_name(key, names, n);
    if (!near) {
        err_set(err, RC_USAGE,
                "no key of a matrix file and no option of 'dyno run %s'",
                o->workload->name);
        return;
    }
    snprintf(text, sizeof(text), "%s", near);
    for (char *p = text; *p; p++) {
        if (*p == '-')
            *p = '_';
    }
    err_set(err, RC_USAGE, "unknown key; did you mean '%s'?", text);
}

/* ---- connections by users ---- */

/* "vus", "vus/D", "vus*N", "N*vus", "N*vus/D"; false for another form. */
static bool parse_by_users(const char *text, uint64_t *out_n, uint64_t *out_d)
{
    const char *vus = strstr(text, "vus");
    char number[24];
    size_t len;

    *out_n = 1;
    *out_d = 1;
    if (!vus)
        return false;
    len = (size_t)(vus - text);
    if (len > 0) {
        if (text[len - 1] != '*' || len > sizeof(number))
            return false;
        memcpy(number, text, len - 1);
        number[len - 1] = '\0';
        if (parse_u64(number, out_n, NULL))
            return false;
    }
    vus += 3;
    if (*vus == '*' && len == 0) {
        len = strcspn(vus + 1, "/");
        if (len == 0 || len >= sizeof(number))
            return false;
        memcpy(number, vus + 1, len);
        number[len] = '\0';
        if (parse_u64(number, out_n, NULL))
            return false;
        vus += 1 + len;
    }
    if (*vus == '/')
        return !parse_u64(vus + 1, out_d, NULL) && *out_d > 0 && *out_n > 0;
    return !*vus && *out_n > 0;
}

const char *matrix_option_argument(const char *option, const char *text,
                                   struct arena *arena)
{
    uint64_t n, d;

    if (strcmp(option, "connections") != 0 || !parse_by_users(text, &n, &d))
        return text;
    if (d == 1)
        return arena_printf(arena, "%" PRIu64 "x", n);
    return arena_printf(arena, "%" PRIu64 "/%" PRIu64, n, d);
}

static enum rc connections(const char *text, struct arena *arena,
                           const char **out, struct err *err)
{
    struct conns_wish wish;
    struct err ignored = {0};

    *out = matrix_option_argument("connections", text, arena);
    if (!*out)
        return err_set(err, RC_NOMEM, "out of memory");
    if (conns_parse(*out, &wish, &ignored))
        return err_set(err, RC_USAGE,
                       "'%s' is no number of connections; write 8, vus, vus/2, "
                       "2*vus or fit",
                       text);
    return RC_OK;
}

/* ---- values ---- */

/* The key is named already: "--vus: " goes. */
static void drop_option_name(struct err *err)
{
    const char *colon = strstr(err->text, ": ");

    if (!strncmp(err->text, "--", 2) && colon)
        memmove(err->text, colon + 2, strlen(colon + 2) + 1);
}

enum rc matrix_option_value(struct matrix_options *o, const struct opt *opt,
                            const char *text, struct arena *arena,
                            const char **out, struct err *err)
{
    struct threshold threshold;
    enum rc rc = RC_OK;

    *out = text;
    if (!strcmp(opt->name, "connections"))
        return connections(text, arena, out, err);
    if (!strcmp(opt->name, "threshold"))
        rc = threshold_parse(text, o->workload, &threshold, err);
    else if (opt->type != OPT_TYPE_STRS)
        rc = opt_set_value(&o->set, opt->name, text, OPT_FROM_CLI, err);
    if (rc)
        drop_option_name(err);
    return rc;
}

/* ---- loads ---- */

static bool table_has(const struct opt *opts, const char *name)
{
    for (; opts && opts->name; opts++) {
        if (!strcmp(opts->name, name))
            return true;
    }
    return false;
}

bool matrix_option_loads(const struct workload *wl, const char *option)
{
    return table_has(load_opts, option) || table_has(sql_opts, option) ||
           table_has(wl->opts, option);
}

bool matrix_option_is_loader(const char *option)
{
    return table_has(load_opts, option);
}
