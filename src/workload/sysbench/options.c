/* SPDX-License-Identifier: MIT */
/* From the command line to a script that can run: its options are known once it
 * has been run up to its end. */
#include "base/mem.h"
#include "base/parse.h"
#include "workload/sysbench/sql.h"
#include "workload/sysbench/workload.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SQLS_MAX (64U << 20)
#define MEMORY_DEFAULT "256MiB"
#define LIMIT_DEFAULT "10s"
/* While options are read, before they can say otherwise. */
#define MEMORY_AT_FIRST (256U << 20)
#define LIMIT_AT_FIRST_NS (2 * INT64_C(1000000000))

static const char *const rand_types[] = {"uniform", "gaussian", "special",
                                         "pareto",  "zipfian",  NULL};

const struct opt sb_opts[] = {
    OPT_CHOICE(struct sb_cfg, rand_type, "rand-type", 0, "special", rand_types,
               "NAME", "the distribution of sysbench.rand.default()"),
    OPT_U64(struct sb_cfg, rand_spec_iter, "rand-spec-iter", 0, "12", 1, 1000,
            "N", "draws that a value of gaussian and special is made of"),
    OPT_U64(struct sb_cfg, rand_spec_pct, "rand-spec-pct", 0, "1", 0, 100, "N",
            "percent of the range that special values are in"),
    OPT_U64(struct sb_cfg, rand_spec_res, "rand-spec-res", 0, "75", 0, 99, "N",
            "percent of the draws that are special values"),
    OPT_STR(struct sb_cfg, rand_pareto_h, "rand-pareto-h", 0, "0.2", "H",
            "shape of pareto, between 0 and 1"),
    OPT_STR(struct sb_cfg, rand_zipfian_exp, "rand-zipfian-exp", 0, "0.8", "S",
            "shape of zipfian, 0 or more"),
    OPT_STR(struct sb_cfg, ignore_errors, "ignore-errors", 0, "auto", "LIST",
            "codes after which an event is tried again, all, none"),
    OPT_BYTES(struct sb_cfg, lua_memory, "lua-memory", 0, MEMORY_DEFAULT,
              "BYTES", "of Lua, for the scripts of one thread"),
    OPT_DUR_FROM(struct sb_cfg, script_limit_ns, "script-limit", 0,
                 LIMIT_DEFAULT, 100000000, "TIME",
                 "of CPU, after which a script that hangs is ended"),
    OPT_BOOL(struct sb_cfg, allow_shell, "allow-shell", 0, "off",
             "scripts may run programs (os.execute, io.popen)"),
    OPT_END,
};

bool sb_is_script(const char *word)
{
    const size_t len = strlen(word);

    return word[0] != '-' && len > 4 && strcmp(word + len - 4, ".lua") == 0;
}

/* ---- what all commands need ---- */

static enum rc no_memory(struct err *err)
{
    return err_set(err, RC_NOMEM, "no memory for the script");
}

static void make_query_steps(struct sb_state *st)
{
    static const char *const names[SB_N_KINDS] = {
        "queries that read", "queries that write", "other queries"};

    for (size_t i = 0; i < SB_N_KINDS; i++)
        st->query_steps[i] =
            (struct step){.name = names[i], .n_statements = 1, .raw = true};
}

static void state_init(struct sb_state *st, const struct sb_cfg *cfg,
                       const struct dataset *ds)
{
    struct rng run;

    st->cfg = cfg;
    st->ds = ds;
    st->n_users = 1;
    st->command = cfg->command;
    st->driver_name = "none";
    rng_init(&run, ds->seed, 0, RNG_RUN);
    st->unique_offset = rng_next(&run);
    make_query_steps(st);
    pthread_mutex_init(&st->lock, NULL);
    arena_init(&st->sqls_arena, SQLS_MAX);
}

static void state_release(struct sb_state *st)
{
    sb_hosts_free(st);
    if (st->control)
        sb_vu_free(&st->control->base);
    arena_release(&st->sqls_arena);
    pthread_mutex_destroy(&st->lock);
}

/* ---- the options of the script ---- */

struct reading {
    struct sb_user *u;
    struct arena *arena;
    struct sb_cfg *cfg;
    struct opt *rows;
    struct sb_opt *opts;
};

static enum sb_opt_kind kind_of(const char *name)
{
    if (strcmp(name, "boolean") == 0)
        return SB_FLAG;
    if (strcmp(name, "number") == 0)
        return SB_NUMBER;
    return strcmp(name, "table") == 0 ? SB_LIST : SB_TEXT;
}

static const char *keep(lua_State *L, struct arena *arena, const char *text)
{
    const char *kept = arena_strdup(arena, text);

    if (!kept)
        luaL_error(L, "no memory for options");
    return kept;
}

static char *dashes(char *name)
{
    for (char *p = name; p && *p; p++) {
        if (*p == '_')
            *p = '-';
    }
    return name;
}

/* Arguments: the index of a list {name, help, kind, default}. */
static void read_option(lua_State *L, struct reading *r, size_t i)
{
    static const char *const args[] = {[SB_TEXT] = "TEXT",
                                       [SB_NUMBER] = "N",
                                       [SB_FLAG] = "on|off",
                                       [SB_LIST] = "LIST"};
    struct sb_opt *o = &r->opts[i];
    char *name;

    for (int k = 1; k <= 4; k++)
        lua_rawgeti(L, -k, k);
    o->kind = kind_of(luaL_checkstring(L, -2));
    o->name = keep(L, r->arena, luaL_checkstring(L, -4));
    name = dashes(arena_strdup(r->arena, o->name));
    if (!name || strlen(name) > 40 || strpbrk(name, " =\t"))
        luaL_error(L, "the option '%s' has no name that can be written",
                   o->name);
    r->rows[i] = (struct opt){
        .name = name,
        .arg = args[o->kind],
        .help = keep(L, r->arena, luaL_checkstring(L, -3)),
        .def = lua_isnil(L, -1) ? NULL : keep(L, r->arena, lua_tostring(L, -1)),
        .type = o->kind == SB_FLAG ? OPT_TYPE_BOOL : OPT_TYPE_STR,
        .offset = o->kind == SB_FLAG
                      ? offsetof(struct sb_cfg, flags) + i * sizeof(bool)
                      : offsetof(struct sb_cfg, texts) + i * sizeof(char *),
    };
    if (o->kind == SB_FLAG && !r->rows[i].def)
        r->rows[i].def = "off";
    lua_pop(L, 4);
}

static int read_options(lua_State *L)
{
    struct reading *r = lua_touserdata(L, 1);
    const size_t n_own = ARRAY_LEN(sb_opts) - 1;
    struct sb_opt *opts;
    struct opt *rows;
    size_t n;

    lua_rawgeti(L, LUA_REGISTRYINDEX, r->u->host->functions_ref);
    lua_getfield(L, -1, "options");
    lua_rawgeti(L, LUA_REGISTRYINDEX, r->u->table_ref);
    lua_call(L, 1, 1);
    n = lua_objlen(L, -1);
    if (n > SB_OPTS_MAX)
        return luaL_error(L, "more than %d options", SB_OPTS_MAX);
    rows = ARENA_ARRAY(r->arena, struct opt, n_own + n + 1);
    opts = ARENA_ARRAY(r->arena, struct sb_opt, n + 1);
    if (!rows || !opts)
        return luaL_error(L, "no memory for options");
    /* The script's come first: they are looked for most. */
    memcpy(rows + n, sb_opts, n_own * sizeof(*rows));
    r->rows = rows;
    r->opts = opts;
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, -1, (int)i + 1);
        read_option(L, r, i);
        lua_pop(L, 1);
    }
    r->cfg->n_opts = n;
    r->cfg->opts = opts;
    lua_rawgeti(L, LUA_REGISTRYINDEX, r->u->table_ref);
    lua_getfield(L, -1, "env");
    lua_getfield(L, -1, "check");
    r->cfg->has_check = lua_isfunction(L, -1);
    return 0;
}

/* The script up to its end, without a database. */
static enum rc run_main(struct sb_user *u, struct err *err)
{
    enum rc rc = sb_user_make(u, err);

    if (rc)
        return rc;
    return sb_user_main(u, err);
}

enum rc sb_describe(struct arena *arena, const char *path, const char *command,
                    const struct opt **out_opts, void *target, struct err *err)
{
    struct sb_cfg *cfg = target;
    struct sb_cfg first = {.path = path,
                           .command = command,
                           .lua_memory = MEMORY_AT_FIRST,
                           .script_limit_ns = LIMIT_AT_FIRST_NS,
                           .rand_pareto_h = "0.2",
                           .rand_zipfian_exp = "0.8"};
    struct dataset ds = {.cfg = &first};
    struct sb_state *st = MEM_NEW(struct sb_state);
    struct reading reading = {.arena = arena, .cfg = cfg};
    struct vu *vu = NULL;
    enum rc rc;

    if (!st)
        return no_memory(err);
    state_init(st, &first, &ds);
    ds.state = st;
    rc = sb_vu_new(&ds, 0, &vu, err);
    if (!rc) {
        reading.u = sb_user_of(vu);
        st->control = reading.u;
        rc = run_main(reading.u, err);
    }
    if (!rc)
        rc = sb_host_call(reading.u->host, read_options, &reading, err);
    if (!rc) {
        cfg->path = path;
        cfg->command = command;
        *out_opts = reading.rows;
    } else if (rc == RC_INVALID) {
        rc = err->rc = RC_USAGE;
    }
    state_release(st);
    mem_free(st);
    return rc;
}

/* ---- opening ---- */

static enum rc check_number(const char *name, const char *text, struct err *err)
{
    char *end;

    strtod(text, &end);
    while (isspace((unsigned char)*end))
        end++;
    if (end != text && !*end)
        return RC_OK;
    return err_set(err, RC_USAGE, "--%s: '%s' is no number", name, text);
}

static enum rc check_options(const struct sb_cfg *cfg, struct err *err)
{
    const double h = strtod(cfg->rand_pareto_h, NULL);
    char name[64];
    enum rc rc = check_number("rand-pareto-h", cfg->rand_pareto_h, err);

    if (!rc)
        rc = check_number("rand-zipfian-exp", cfg->rand_zipfian_exp, err);
    if (!rc && !(h > 0 && h < 1))
        rc = err_set(err, RC_USAGE,
                     "--rand-pareto-h: '%s' is not between 0 and 1",
                     cfg->rand_pareto_h);
    if (!rc && strtod(cfg->rand_zipfian_exp, NULL) < 0)
        rc = err_set(err, RC_USAGE, "--rand-zipfian-exp: less than 0");
    for (size_t i = 0; i < cfg->n_opts && !rc; i++) {
        if (cfg->opts[i].kind != SB_NUMBER || !cfg->texts[i])
            continue;
        snprintf(name, sizeof(name), "%s", cfg->opts[i].name);
        rc = check_number(dashes(name), cfg->texts[i], err);
    }
    return rc;
}

static const char *script_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* The workload with the script's name for its transactions. */
static enum rc make_workload(struct dataset *ds, struct sb_state *st,
                             struct err *err)
{
    const char *base = script_name(st->cfg->path);
    char *label =
        arena_strndup(&ds->arena, base, strlen(base) - strlen(".lua"));
    char *name = label ? arena_strdup(&ds->arena, label) : NULL;

    if (!name)
        return no_memory(err);
    for (char *p = name; *p; p++) {
        if (!isalnum((unsigned char)*p))
            *p = '_';
    }
    st->txn = (struct txn_type){.name = name, .label = label};
    st->workload = *ds->workload;
    st->workload.txns = &st->txn;
    st->workload.n_txns = st->workload.counted_txn = 1;
    if (!st->cfg->has_check)
        st->workload.audit = NULL;
    ds->workload = &st->workload;
    return RC_OK;
}

/* How sysbench calls them. */
static const char *driver_name(const struct driver *driver)
{
    if (strcmp(driver->dialect, "postgres") == 0)
        return "pgsql";
    return driver->name;
}

enum rc sb_open(struct dataset *ds, struct err *err)
{
    const struct sb_cfg *cfg = ds->cfg;
    struct sb_state *st;
    enum rc rc;

    if (!cfg->path)
        return err_set(err, RC_USAGE,
                       "which script? write 'dyno run FILE.lua', or 'dyno run "
                       "FILE.lua prepare'");
    rc = check_options(cfg, err);
    if (rc)
        return rc;
    st = ARENA_NEW(&ds->arena, struct sb_state);
    if (!st)
        return no_memory(err);
    if (!ds->scale)
        ds->scale = 1;
    state_init(st, cfg, ds);
    st->driver_name = driver_name(ds->db->driver);
    st->discards = db_can(ds->db, DRIVER_DISCARDS);
    st->native_txns = ds->db->driver->in_txn != NULL;
    sb_dist_init(&st->dist, cfg);
    ds->state = st;
    /* Statements run outside transactions too. */
    ds->db->autocommit = true;
    if (!st->discards && !ds->db->driver->exec_text)
        return err_set(err, RC_USAGE, "scripts for sysbench cannot run on %s",
                       ds->db->driver->name);
    return make_workload(ds, st, err);
}

void sb_close(struct dataset *ds)
{
    state_release(sb_of(ds));
    ds->state = NULL;
}
