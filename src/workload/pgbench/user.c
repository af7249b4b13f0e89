/* SPDX-License-Identifier: MIT */
/* A user: variables, random streams, which script comes next. */
#include "base/mem.h"
#include "workload/pgbench/pgbench.h"

#include <stdio.h>
#include <string.h>

/* Values beside the text of a statement, to begin with. */
#define VALUES_ROOM 256

/* ---- its variables ---- */

/* The text of -D; a plain integer is one at once. */
static bool set_initial(struct var *v, const char *text)
{
    char printed[VAR_PRINTED_MAX];
    struct scalar s;

    if (scalar_read(text, strlen(text), &s) && s.type == SCALAR_INT) {
        scalar_print(&s, printed);
        if (strcmp(printed, text) == 0) {
            v->kind = VAR_SCALAR;
            v->value = s;
            return true;
        }
    }
    return var_set_text(v, text, strlen(text));
}

static void set_int(struct var *v, int64_t i)
{
    v->kind = VAR_SCALAR;
    v->value = s_int(i);
}

static bool init_vars(struct pgb_user *u)
{
    const struct pgb_state *st = u->state;
    const struct dataset *ds = u->base.ds;
    struct rng run;
    int64_t special[PGB_N_SPECIAL];

    rng_init(&run, ds->seed, 0, RNG_RUN);
    special[PGB_SCALE] = (int64_t)ds->scale;
    special[PGB_CLIENT_ID] = (int64_t)u->base.number;
    special[PGB_RANDOM_SEED] = (int64_t)ds->seed;
    special[PGB_DEFAULT_SEED] = (int64_t)rng_next(&run);
    for (size_t i = 0; i < st->vars.n; i++) {
        const struct var_name *name = &st->vars.names[i];

        if (name->initial && !set_initial(&u->vars[i], name->initial))
            return false;
        /* Nothing will come, and what is computed from it has to go on. */
        if (st->discards && st->from_rows[i] && !name->initial)
            set_int(&u->vars[i], 0);
    }
    for (size_t i = 0; i < PGB_N_SPECIAL; i++) {
        if (!st->vars.names[st->special[i]].initial)
            set_int(&u->vars[st->special[i]], special[i]);
    }
    return true;
}

static bool save(struct pgb_user *u)
{
    const struct pgb_state *st = u->state;

    for (size_t i = 0; i < st->vars.n; i++) {
        const struct var *v = &u->vars[i];
        struct var *to = &u->vars_before[i];

        if (st->from_rows[i] && v->kind == VAR_TEXT &&
            !var_set_text(to, v->text, v->len))
            return false;
        to->kind = v->kind;
        to->value = v->value;
        to->len = v->len;
    }
    return true;
}

bool pgb_restore(struct pgb_user *u)
{
    const struct pgb_state *st = u->state;

    u->inputs = u->inputs_before;
    for (size_t i = 0; i < st->vars.n; i++) {
        const struct var *from = &u->vars_before[i];
        struct var *v = &u->vars[i];

        if (st->from_rows[i] && from->kind == VAR_TEXT &&
            !var_set_text(v, from->text, from->len))
            return false;
        v->kind = from->kind;
        v->value = from->value;
        v->len = from->len;
    }
    return true;
}

/* ---- its life ---- */

/* The longest text of a statement. */
static size_t longest_text(const struct pgb_state *st)
{
    size_t longest = 0;

    for (size_t i = 0; i < st->n_scripts; i++) {
        for (size_t k = 0; k < st->scripts[i].n_cmds; k++) {
            const struct pgb_sql *sql = st->scripts[i].cmds[k].sql;
            const size_t len =
                sql ? sql->text_len + sql->n_pieces * VAR_PRINTED_MAX : 0;

            if (len > longest)
                longest = len;
        }
    }
    return longest + VALUES_ROOM;
}

static enum rc no_memory(uint64_t number, struct err *err)
{
    return err_set(err, RC_NOMEM, "no memory for user %llu",
                   (unsigned long long)number);
}

enum rc pgb_vu_new(struct dataset *ds, uint64_t number, struct vu **out,
                   struct err *err)
{
    struct pgb_state *st = pgb_of(ds);
    const size_t n_vars = st->vars.n, n_args = st->totals.n_args;
    struct pgb_user *u = mem_calloc_aligned(1, sizeof(*u));

    if (!u)
        return no_memory(number, err);
    u->base = (struct vu){.ds = ds, .number = number};
    u->state = st;
    rng_init(&u->choice, ds->seed, number, RNG_CHOICE);
    rng_init(&u->inputs, ds->seed, number, RNG_INPUT);
    u->vars = MEM_ARRAY(struct var, n_vars);
    u->vars_before = MEM_ARRAY(struct var, n_vars);
    u->args = MEM_ARRAY(struct value, n_args + 1);
    u->printed = mem_calloc(n_args + 1, sizeof(*u->printed));
    u->text_cap = longest_text(st);
    u->text = mem_calloc(u->text_cap, 1);
    if (!u->vars || !u->vars_before || !u->args || !u->printed || !u->text ||
        !init_vars(u)) {
        pgb_vu_free(&u->base);
        return no_memory(number, err);
    }
    *out = &u->base;
    return RC_OK;
}

static void free_vars(struct var *vars, size_t n)
{
    for (size_t i = 0; vars && i < n; i++)
        mem_free(vars[i].text);
    mem_free(vars);
}

void pgb_vu_free(struct vu *vu)
{
    struct pgb_user *u;

    if (!vu)
        return;
    u = pgb_user(vu);
    free_vars(u->vars, u->state->vars.n);
    free_vars(u->vars_before, u->state->vars.n);
    mem_free(u->args);
    mem_free(u->printed);
    mem_free(u->text);
    mem_free(u);
}

/* ---- one transaction ---- */

size_t pgb_draw(struct vu *vu)
{
    struct pgb_user *u = pgb_user(vu);
    const struct pgb_state *st = u->state;
    uint64_t left;
    size_t i = 0;

    if (st->n_scripts > 1) {
        left = rng_below(&u->choice, st->weights);
        while (left >= st->scripts[i].weight)
            left -= st->scripts[i++].weight;
    }
    u->script = &st->scripts[i];
    u->inputs_before = u->inputs;
    /* Without memory for the copies a retry fails, as it should. */
    u->tried = !save(u);
    return i;
}

/* ---- faults ---- */

enum rc pgb_fault(struct pgb_user *u, const char *at, const char *text)
{
    u->fault = text;
    u->fault_at = at ? at : u->cmd->at;
    return RC_INVALID;
}

bool pgb_error(const struct vu *vu, struct err *err)
{
    const struct pgb_user *u =
        (const struct pgb_user *)(const void *)vu; /* the first member */

    if (!u->fault)
        return false;
    err_set(err, RC_INVALID, "%s", u->fault);
    pgb_name_place(u->script, u->fault_at, err);
    return true;
}
