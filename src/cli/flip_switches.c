/* SPDX-License-Identifier: MIT */
/* What `dyno flip` flips, and what all of its runs are given. */
#include "base/mem.h"
#include "base/parse.h"
#include "cli/flip.h"
#include "run/sizes.h"

#include <string.h>

/* One experiment of many runs has these once, or not at all. */
static const char *const refused[] = {
    "name", "label", "threshold", "checks", "iterations", "stages", "continue",
};

/* Not for the runs: the command's own, or set for each. */
static const char *const own[] = {
    "switch",   "time-budget",   "rounds", "format",  "db",
    "results",  "config",        "quiet",  "verbose", "help",
    "duration", "replace",       "server", "bindir",  "preset",
    "set",      "server-config", "run-as", "base",    "port",
};

/* Flipped when no switch is named; what a target cannot is said by its run. */
static const struct {
    const char *workload; /* NULL: any */
    const char *text;
    bool of_data;  /* shapes it */
    bool embedded; /* also makes sense for a database in the process */
} usual[] = {
    {"tpcc", "composition=batched,literal,procs", false, true},
    {NULL, "pool=pinned,1/2", false, false},
    {NULL, "prepare=on,off", false, false},
    {NULL, "isolation=read-committed,repeatable-read", false, false},
    {"tpcc", "foreign-keys=off,on", true, true},
    {"tpcc", "partitions=off,auto", true, false},
};

static bool is_one_of(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(name, names[i]))
            return true;
    }
    return false;
}

/* ---- values are tried out ---- */

/* The options of a run, to be thrown away. */
struct trial {
    struct opt_set set;
    struct sql_cfg sql;
    struct run_cfg run;
    struct load_cfg load;
    void *workload;
};

static enum rc trial_init(struct trial *t, const struct workload *w,
                          struct err *err)
{
    *t = (struct trial){.workload = mem_calloc(1, w->cfg_bytes + 1)};
    if (!t->workload)
        return err_set(err, RC_NOMEM, "no memory for the options");
    opt_set_init(&t->set);
    opt_set_add(&t->set, "Statements", sql_opts, &t->sql);
    opt_set_add(&t->set, "Run", run_opts, &t->run);
    opt_set_add(&t->set, "Load", load_opts, &t->load);
    opt_set_add(&t->set, "Workload", w->opts, t->workload);
    opt_set_defaults(&t->set);
    return RC_OK;
}

static void trial_release(struct trial *t)
{
    opt_set_release(&t->set);
    mem_free(t->workload);
}

static bool trial_knows(const struct trial *t, const char *name)
{
    for (size_t g = 0; g < t->set.n_groups; g++) {
        for (const struct opt *o = t->set.groups[g].opts; o->name; o++) {
            if (!strcmp(o->name, name))
                return true;
        }
    }
    return false;
}

static const char *nearest_option(const struct trial *t, const char *name)
{
    const char *names[OPT_ROWS_MAX];
    size_t n = 0;

    for (size_t g = 0; g < t->set.n_groups; g++) {
        for (const struct opt *o = t->set.groups[g].opts; o->name; o++) {
            if (n < ARRAY_LEN(names))
                names[n++] = o->name;
        }
    }
    return nearest_name(name, names, n);
}

static enum rc try_values(struct trial *t, const struct flip_switch *s,
                          const char *option, struct err *err)
{
    struct conns_wish wish;
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < s->n_values; i++) {
        const char *value = s->values[i];

        if (value[0] && strcmp(value, "pinned") != 0)
            rc = opt_set_value(&t->set, option, value, OPT_FROM_CLI, err);
        /* It is a text until a run begins. */
        if (!rc && value[0] && !strcmp(option, "connections") &&
            strcmp(value, "pinned") != 0)
            rc = conns_parse(value, &wish, err);
    }
    if (rc)
        err_prefix(err, "--switch %s", s->name);
    return rc;
}

/* ---- what a switch is ---- */

/* Another value needs another load. */
static bool shapes_data(const struct workload *w, const char *option)
{
    if (!strcmp(option, "scale") || !strcmp(option, "seed") ||
        (w->scale_name && !strcmp(option, w->scale_name)))
        return true;
    for (size_t i = 0; w->schema && w->schema[i]; i++) {
        if (!strcmp(option, w->schema[i]))
            return true;
    }
    return false;
}

static enum rc unknown_switch(const struct trial *t, const char *name,
                              struct err *err)
{
    const char *near = nearest_option(t, name);

    if (near)
        return err_set(err, RC_USAGE,
                       "--switch: 'dyno run' has no option '%s'; did you mean "
                       "'%s'?",
                       name, near);
    return err_set(err, RC_USAGE,
                   "--switch: 'dyno run' has no option '%s'; settings of a "
                   "server are flipped on one of dyno's own (--server)",
                   name);
}

static enum rc classify(struct cli *cli, struct trial *t, struct flip_switch *s,
                        bool own_server, struct err *err)
{
    const char *option = strcmp(s->name, "pool") ? s->name : "connections";
    char *dashed = arena_strdup(&cli->opts.arena, option);

    if (!dashed)
        return err_set(err, RC_NOMEM, "no memory for the switches");
    for (char *p = dashed; *p; p++) {
        if (*p == '_')
            *p = '-';
    }
    if (!trial_knows(t, dashed)) {
        s->kind = FLIP_SERVER;
        return own_server ? RC_OK : unknown_switch(t, s->name, err);
    }
    if (is_one_of(dashed, refused, ARRAY_LEN(refused)) ||
        is_one_of(dashed, own, ARRAY_LEN(own)))
        return err_set(err, RC_USAGE, "--switch: '%s' cannot be flipped",
                       s->name);
    if (opt_set_source(&cli->opts, dashed) == OPT_FROM_CLI)
        return err_set(err, RC_USAGE,
                       "--%s is a switch too; its first value is the base's",
                       dashed);
    if (strcmp(s->name, "pool") != 0)
        s->name = dashed;
    s->kind = shapes_data(cli->workload, dashed) ? FLIP_DATA : FLIP_RUN;
    return try_values(t, s, dashed, err);
}

/* A default that the user decided otherwise is not flipped. */
static bool is_decided(const struct cli *cli, const char *text)
{
    char name[32];

    snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, "="), text);
    if (!strcmp(name, "pool"))
        snprintf(name, sizeof(name), "connections");
    return opt_set_source(&cli->opts, name) != OPT_FROM_DEFAULT;
}

static enum rc add_usual(struct cli *cli, struct flip_cmd *cmd,
                         const char *driver, bool own_server, struct err *err)
{
    const bool embedded = !strcmp(driver, "sqlite");
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < ARRAY_LEN(usual); i++) {
        if ((usual[i].workload &&
             strcmp(usual[i].workload, cli->workload->name) != 0) ||
            (usual[i].of_data && !own_server && !cmd->load.replace) ||
            (embedded && !usual[i].embedded) || is_decided(cli, usual[i].text))
            continue;
        rc = flip_switch_add(&cmd->plan, usual[i].text, &cmd->arena, err);
    }
    if (!rc && cmd->plan.n_switches == 0)
        return err_set(err, RC_USAGE,
                       "nothing is left to flip; name a --switch");
    return rc;
}

static enum rc add_switches(struct cli *cli, struct flip_cmd *cmd,
                            const char *driver, bool own_server,
                            struct err *err)
{
    struct trial t;
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < cmd->switches.n; i++)
        rc = flip_switch_add(&cmd->plan, cmd->switches.items[i], &cmd->arena,
                             err);
    if (!rc && cmd->switches.n == 0)
        rc = add_usual(cli, cmd, driver, own_server, err);
    if (!rc)
        rc = trial_init(&t, cli->workload, err);
    if (rc)
        return rc;
    for (size_t i = 0; !rc && i < cmd->plan.n_switches; i++)
        rc = classify(cli, &t, &cmd->plan.switches[i], own_server, err);
    trial_release(&t);
    return rc;
}

/* ---- what all runs are given ---- */

struct giving {
    struct flip_cmd *cmd;
    struct err *err;
    enum rc rc;
};

static void give(struct flip_cmd *cmd, const char *name, const char *value)
{
    if (cmd->n_options < FLIP_OPTIONS_MAX)
        cmd->options[cmd->n_options++] = (struct variant_text){name, value};
}

static void give_option(void *arg, const struct opt *opt, const char *value,
                        const char *source)
{
    struct giving *g = arg;

    if (g->rc || !value || !strcmp(source, "default"))
        return;
    if (is_one_of(opt->name, refused, ARRAY_LEN(refused)))
        g->rc = err_set(g->err, RC_USAGE,
                        "--%s does not go with an experiment of many runs",
                        opt->name);
    else if (!is_one_of(opt->name, own, ARRAY_LEN(own)))
        give(g->cmd, opt->name, value);
}

/* Shorter than for one run: there are many. */
static enum rc give_options(struct cli *cli, struct flip_cmd *cmd,
                            struct err *err)
{
    static const struct variant_text defaults[] = {
        {"ramp-up", "2s"}, {"audit", "quick"}, {"progress", "0"}};
    struct giving g = {.cmd = cmd, .err = err};

    opt_set_each(&cli->opts, give_option, &g);
    for (size_t i = 0; i < ARRAY_LEN(defaults); i++) {
        if (opt_set_source(&cli->opts, defaults[i].name) == OPT_FROM_DEFAULT)
            give(cmd, defaults[i].name, defaults[i].value);
    }
    return g.rc;
}

enum rc flip_switches(struct cli *cli, struct flip_cmd *cmd, const char *driver,
                      bool own_server, struct err *err)
{
    enum rc rc = add_switches(cli, cmd, driver, own_server, err);

    if (!rc)
        rc = flip_plan_make(&cmd->plan, &cmd->arena, err);
    return rc ? rc : give_options(cli, cmd, err);
}
