/* SPDX-License-Identifier: MIT */
/* From the command line to scripts that can run. */
#include "base/asset.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/parse.h"
#include "workload/pgbench/pgbench.h"

#include <stdio.h>
#include <string.h>

#define SCRIPT_MAX_BYTES (4U << 20)

static const char *const protocol_names[] = {
    [PGB_AUTO] = "auto",
    [PGB_SIMPLE] = "simple",
    [PGB_EXTENDED] = "extended",
    [PGB_PREPARED] = "prepared",
    NULL,
};

#define COMMON_OPTS                                                         \
    OPT_STRS(struct pgb_cfg, defines, "define", 'D', "NAME=VALUE",          \
             "a variable of the scripts"),                                  \
        OPT_CHOICE(struct pgb_cfg, protocol, "protocol", 'M', "auto",       \
                   protocol_names, "NAME",                                  \
                   "how statements are sent; auto: simple where it is"),    \
        OPT_U64(struct pgb_cfg, scale, "scale", 's', NULL, 1, 1000000, "N", \
                "branches, and :scale; left out: what is loaded, or 1")

const struct opt pgb_script_opts[] = {
    OPT_STRS(struct pgb_cfg, files, "file", 'f', "FILE[@WEIGHT]",
             "a script, with a weight [1]"),
    COMMON_OPTS,
    OPT_BOOL(struct pgb_cfg, allow_shell, "allow-shell", 0, "off",
             "scripts may run programs (\\shell, \\setshell)"),
    OPT_END,
};

const struct opt pgb_builtin_opts[] = {
    COMMON_OPTS,
    OPT_END,
};

static const char *const special_names[] = {
    [PGB_SCALE] = "scale",
    [PGB_CLIENT_ID] = "client_id",
    [PGB_RANDOM_SEED] = "random_seed",
    [PGB_DEFAULT_SEED] = "default_seed",
};

static enum rc no_memory(struct err *err)
{
    return err_set(err, RC_NOMEM, "no memory for the scripts");
}

/* ---- the protocol ---- */

static enum rc choose_protocol(struct dataset *ds, struct err *err)
{
    const struct pgb_cfg *cfg = ds->cfg;
    struct pgb_state *st = pgb_of(ds);
    const bool has_text = db_can(ds->db, DRIVER_TEXT);

    st->discards = db_can(ds->db, DRIVER_DISCARDS);
    st->protocol = (enum pgb_protocol)cfg->protocol;
    if (st->protocol == PGB_AUTO)
        st->protocol = has_text || st->discards ? PGB_SIMPLE : PGB_PREPARED;
    if (st->protocol == PGB_SIMPLE && !has_text && !st->discards)
        return err_set(err, RC_USAGE,
                       "-M simple is not available on %s; leave it out",
                       ds->db->driver->name);
    if (st->protocol == PGB_EXTENDED && !db_can(ds->db, DRIVER_UNPREPARED) &&
        !st->discards)
        return err_set(err, RC_USAGE,
                       "-M extended is not available on %s; leave it out",
                       ds->db->driver->name);
    st->dialect = (struct pgb_dialect){
        .placeholder = ds->db->driver->placeholder,
        .as_text = st->protocol == PGB_SIMPLE,
        /* END is pgbench's own word for COMMIT. */
        .native_txns =
            has_text && ds->db->driver->placeholder == PLACEHOLDER_DOLLAR,
        .pipelines = st->discards || db_can(ds->db, DRIVER_PIPELINE),
        .allow_shell = cfg->allow_shell,
    };
    /* Statements run outside transactions too. */
    ds->db->autocommit = true;
    return RC_OK;
}

/* ---- variables ---- */

static enum rc define(struct dataset *ds, const char *text, struct err *err)
{
    struct pgb_state *st = pgb_of(ds);
    const char *eq = strchr(text, '=');
    size_t number;
    enum rc rc;

    if (!eq || !var_is_name(text, (size_t)(eq - text)))
        return err_set(err, RC_USAGE, "-D: '%s' is not NAME=VALUE", text);
    rc = var_number(&st->vars, text, (size_t)(eq - text), &number, err);
    if (!rc)
        st->vars.names[number].initial = eq + 1;
    return rc;
}

static enum rc make_vars(struct dataset *ds, struct err *err)
{
    const struct pgb_cfg *cfg = ds->cfg;
    struct pgb_state *st = pgb_of(ds);
    enum rc rc = var_table_init(&st->vars, &ds->arena, err);

    for (size_t i = 0; i < PGB_N_SPECIAL && !rc; i++) {
        rc = var_number(&st->vars, special_names[i], strlen(special_names[i]),
                        &st->special[i], err);
        if (!rc)
            st->vars.names[st->special[i]].is_set = true;
    }
    for (size_t i = 0; i < cfg->defines.n && !rc; i++)
        rc = define(ds, cfg->defines.items[i], err);
    return rc;
}

/* ---- scripts ---- */

/* Cuts "@WEIGHT" off; the file's name may hold an '@' too. */
static enum rc split_weight(struct dataset *ds, const char *arg,
                            const char **out_path, uint64_t *out_weight,
                            struct err *err)
{
    const char *at = strrchr(arg, '@');

    *out_path = arg;
    *out_weight = 1;
    if (!at || strchr(at, '/'))
        return RC_OK;
    if (parse_u64(at + 1, out_weight, NULL) || *out_weight > INT32_MAX)
        return err_set(err, RC_USAGE,
                       "-f: '%s' is no weight: write FILE@WEIGHT", at + 1);
    *out_path = arena_strndup(&ds->arena, arg, (size_t)(at - arg));
    return *out_path ? RC_OK : no_memory(err);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static enum rc read_script(struct dataset *ds, const char *path,
                           struct pgb_script *out, struct err *err)
{
    struct buf text = BUF_INIT(SCRIPT_MAX_BYTES);
    enum rc rc =
        buf_read_file(&text, strcmp(path, "-") == 0 ? "/dev/stdin" : path, err);

    if (rc == RC_IO || rc == RC_NOT_FOUND)
        rc = err->rc = RC_USAGE;
    if (!rc) {
        out->len = text.len;
        out->text = arena_strndup(&ds->arena, buf_str(&text), text.len);
        if (!out->text)
            rc = no_memory(err);
    }
    if (!rc && strlen(out->text) != out->len)
        rc = err_set(err, RC_USAGE, "%s: this is not a text", path);
    buf_release(&text);
    return rc;
}

/* "a_sql" for a.sql: a name that thresholds can use. */
static char *plain_name(struct arena *arena, const char *name, size_t nth)
{
    char *s = nth ? arena_printf(arena, "%s_%zu", name, nth + 1)
                  : arena_strdup(arena, name);

    for (char *p = s; p && *p; p++) {
        if (!var_goes_on(*p))
            *p = '_';
    }
    return s;
}

static enum rc add_file(struct dataset *ds, const char *arg, struct err *err)
{
    struct pgb_state *st = pgb_of(ds);
    struct pgb_script *script = &st->scripts[st->n_scripts];
    const char *path, *label;
    size_t nth = 0;
    enum rc rc = split_weight(ds, arg, &path, &script->weight, err);

    if (!rc)
        rc = read_script(ds, path, script, err);
    if (rc)
        return rc;
    script->name = path;
    label = base_name(path);
    for (size_t i = 0; i < st->n_scripts; i++)
        nth += strcmp(base_name(st->scripts[i].name), label) == 0;
    st->txns[st->n_scripts++] = (struct txn_type){
        .name = plain_name(&ds->arena, label, nth),
        .label =
            nth ? arena_printf(&ds->arena, "%s (%zu)", label, nth + 1) : label,
    };
    return st->txns[st->n_scripts - 1].name && st->txns[st->n_scripts - 1].label
               ? RC_OK
               : no_memory(err);
}

static enum rc add_files(struct dataset *ds, struct err *err)
{
    const struct pgb_cfg *cfg = ds->cfg;
    struct pgb_state *st = pgb_of(ds);
    enum rc rc = RC_OK;

    if (cfg->files.n == 0)
        return err_set(err, RC_USAGE,
                       "which script? write 'dyno run -f FILE', or 'dyno run "
                       "pgbench:tpcb-like'");
    if (cfg->files.n > PGB_SCRIPTS_MAX)
        return err_set(err, RC_USAGE, "more than %d scripts", PGB_SCRIPTS_MAX);
    for (size_t i = 0; i < cfg->files.n && !rc; i++)
        rc = add_file(ds, cfg->files.items[i], err);
    st->workload = *ds->workload;
    st->workload.txns = st->txns;
    st->workload.n_txns = st->workload.counted_txn = st->n_scripts;
    ds->workload = &st->workload;
    return rc;
}

/* "pgbench:select-only" and "tpcb" have their script inside dyno. */
static enum rc add_builtin(struct dataset *ds, struct err *err)
{
    struct pgb_state *st = pgb_of(ds);
    const char *colon = strchr(ds->workload->name, ':');
    const char *name = colon ? colon + 1 : ds->workload->name;
    const struct asset *asset;
    char path[80];

    snprintf(path, sizeof(path), "%s/%s.sql",
             colon ? "sql/pgbench/scripts" : "examples", name);
    asset = asset_find(path);
    if (!asset)
        return err_set(err, RC_NOT_FOUND, "there is no %s", path);
    st->scripts[st->n_scripts++] = (struct pgb_script){
        .name = name,
        .text = asset->data,
        .len = asset->len,
        .weight = 1,
    };
    return RC_OK;
}

static enum rc parse_scripts(struct dataset *ds, struct err *err)
{
    struct pgb_state *st = pgb_of(ds);
    enum rc rc = RC_OK;

    for (size_t i = 0; i < st->n_scripts && !rc; i++) {
        rc = pgb_parse(&ds->arena, &st->dialect, &st->vars, &st->scripts[i],
                       &st->totals, err);
        st->weights += st->scripts[i].weight;
    }
    if (!rc && st->weights == 0)
        rc = err_set(err, RC_USAGE, "all scripts have the weight 0");
    if (!rc)
        rc = pgb_check_vars(st->scripts, st->n_scripts, &st->dialect, &st->vars,
                            err);
    return rc;
}

static enum rc find_from_rows(struct dataset *ds, struct err *err)
{
    struct pgb_state *st = pgb_of(ds);

    st->from_rows = ARENA_ARRAY(&ds->arena, bool, st->vars.n);
    if (!st->from_rows)
        return no_memory(err);
    for (size_t i = 0; i < st->vars.n; i++)
        st->from_rows[i] = pgb_comes_from_rows(st->scripts, st->n_scripts,
                                               st->vars.names[i].name);
    return RC_OK;
}

enum rc pgb_open(struct dataset *ds, struct err *err)
{
    const struct pgb_cfg *cfg = ds->cfg;
    struct pgb_state *st = ARENA_NEW(&ds->arena, struct pgb_state);
    enum rc rc;

    if (!st)
        return no_memory(err);
    ds->state = st;
    ds->scale = cfg->scale;
    if (!ds->scale && !ds->workload->scale_name)
        ds->scale = 1;
    st->scripts = ARENA_ARRAY(&ds->arena, struct pgb_script, PGB_SCRIPTS_MAX);
    if (!st->scripts)
        return no_memory(err);
    rc = choose_protocol(ds, err);
    if (!rc)
        rc = make_vars(ds, err);
    if (!rc)
        rc = ds->workload->scale_name ? add_builtin(ds, err)
                                      : add_files(ds, err);
    if (!rc)
        rc = parse_scripts(ds, err);
    return rc ? rc : find_from_rows(ds, err);
}

void pgb_close(struct dataset *ds)
{
    ds->state = NULL;
}
