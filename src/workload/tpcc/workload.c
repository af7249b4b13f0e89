/* SPDX-License-Identifier: MIT */
/*
 * TPC-C as a workload: options, the life of a dataset and of its users.
 */
#include "workload/tpcc/workload.h"

#include "base/log.h"
#include "base/mem.h"
#include "workload/tpcc/audit_checks.h"
#include "workload/tpcc/audit_outputs.h"
#include "workload/tpcc/composition.h"
#include "workload/tpcc/scripts.h"

static const char *const home_names[] = {"fixed", "spread", NULL};
static const char *const load_by_names[] = {"auto", "tables", "warehouses",
                                            NULL};
static const char *const partition_names[] = {"range", "hash", NULL};
static const char *const call_names[] = {"function", "procedure", NULL};

static const struct opt tpcc_opts[] = {
    OPT_U64(struct tpcc_cfg, warehouses, "warehouses", 'w', NULL, 1, 1000000,
            "N", "scale; left out: what is loaded, or 1"),
    OPT_CHOICE(struct tpcc_cfg, home, "home", 0, "fixed", home_names,
               "fixed|spread", "a user's home warehouse stays, or walks"),
    OPT_STR(struct tpcc_cfg, mix, "mix", 0,
            "new_order=45,payment=43,order_status=4,delivery=4,stock_level=4",
            "NAME=SHARE,…", "by weights; or 'deck' (23 cards), 'lookup'"),
    OPT_CHOICE(struct tpcc_cfg, call, "call", 0, "function", call_names,
               "function|procedure", "what composition procs calls"),
    OPT_BOOL(struct tpcc_cfg, foreign_keys, "foreign-keys", 0, "off",
             "load with the ten foreign keys"),
    OPT_STR(struct tpcc_cfg, storage, "storage", 0, NULL, "NAME",
            "load into this table access method or engine"),
    OPT_STR(struct tpcc_cfg, table_options, "table-options", 0, NULL, "TEXT",
            "load with this behind each CREATE TABLE"),
    OPT_BOOL(struct tpcc_cfg, unlogged, "unlogged", 0, "off",
             "load into unlogged tables"),
    OPT_STR(struct tpcc_cfg, partitions, "partitions", 0, "off", "N|auto|off",
            "load into N partitions of each large table"),
    OPT_CHOICE(struct tpcc_cfg, partition_by, "partition-by", 0, "range",
               partition_names, "range|hash", "of the warehouse's number"),
    OPT_CHOICE(struct tpcc_cfg, load_by, "load-by", 0, "auto", load_by_names,
               "tables|warehouses", "what the streams of a load divide"),
    OPT_END,
};

static const char *const step_files[TPCC_N_STEPS] = {
#define X(name, file) [STEP_##name] = (file),
    TPCC_STEP_MAP(X)
#undef X
};

/* Keying and mean think time (clause 5.2.5.7). */
#define PACE(keying_s, think_s)                   \
    {                                             \
        (keying_s) * NS_PER_S, (think_s)*NS_PER_S \
    }
static const struct txn_pace paces[TPCC_N_TXNS] = {
    [TPCC_NEW_ORDER] = PACE(18, 12),   [TPCC_PAYMENT] = PACE(3, 12),
    [TPCC_ORDER_STATUS] = PACE(2, 10), [TPCC_DELIVERY] = PACE(2, 5),
    [TPCC_STOCK_LEVEL] = PACE(2, 5),
};

/* What open() makes: the shared state and what goes with it. */
struct tpcc_state {
    struct tpcc tpcc; /* first member: ds->state is a struct tpcc */
    const struct composition *composition;
    struct mix mix;
    struct step steps[TPCC_N_STEPS];
    struct input_skews skews;
    struct input_tally drawn; /* by all users: see add_up() */
    struct output_map outputs;
};

static struct tpcc_state *state_of(const struct dataset *ds)
{
    return CONTAINER_OF(tpcc_of(ds), struct tpcc_state, tpcc);
}

static void tpcc_close(struct dataset *ds)
{
    mem_free(ds->state);
    ds->state = NULL;
}

/* The mix has look-ups only, which are the same in every composition. */
static bool only_looks_up(const struct tpcc_state *state)
{
    return state->mix.parts[0].txn >= TPCC_LOOKUP_WAREHOUSE;
}

/* The steps that a user of this run needs: its composition's, or look-ups. */
static struct step_range steps_needed(const struct tpcc_state *state)
{
    struct step_range r = state->composition->steps;

    if (only_looks_up(state))
        r = (struct step_range){STEP_LOOKUP_WAREHOUSE,
                                STEP_LOOKUP_NEW_ORDER + 1};
    return r;
}

static enum rc load_step(struct dataset *ds, struct tpcc_state *state, size_t i,
                         struct err *err)
{
    const enum rc rc = step_load(&ds->arena, "tpcc", ds->db->driver,
                                 step_files[i], &state->steps[i], err);

    if (!rc)
        output_map_step(&state->outputs, (enum tpcc_step)i, &state->steps[i]);
    return rc;
}

/* Those of this run, for a dialect need not have them all. */
static enum rc load_steps(struct dataset *ds, struct tpcc_state *state,
                          struct err *err)
{
    const struct step_range r = steps_needed(state);
    enum rc rc;

    if (db_can(ds->db, DRIVER_DISCARDS) || db_can(ds->db, DRIVER_FILES))
        return RC_OK;
    if (!script_find(ds, step_files[state->composition->steps.from]))
        return err_set(err, RC_USAGE,
                       "--composition: '%s' is not available on %s; use "
                       "literal or batched",
                       ds->composition, ds->db->driver->name);
    rc = load_step(ds, state, STEP_COUNT_ORDERS, err);
    for (size_t i = r.from; !rc && i < r.end; i++) {
        rc = load_step(ds, state, i, err);
        ds->db->n_statements += rc ? 0 : (unsigned)state->steps[i].n_statements;
    }
    return rc;
}

/* Inside the process a statement costs no round trip, and batching only adds
 * work; over a network round trips are what counts. */
static const char *default_composition(const struct db *db)
{
    return db_can(db, DRIVER_EMBEDDED) ? "literal" : "batched";
}

/* Where functions cannot commit there are only procedures. */
static bool calls_procedures(const struct dataset *ds,
                             const struct composition *how)
{
    if (!how->by_procedure)
        return false;
    return tpcc_cfg(ds)->call == TPCC_CALL_PROCEDURE ||
           (!script_find(ds, step_files[how->steps.from]) &&
            script_find(ds, step_files[how->by_procedure->steps.from]));
}

static enum rc tpcc_open(struct dataset *ds, struct err *err)
{
    const struct tpcc_cfg *cfg = tpcc_cfg(ds);
    const struct composition *composition;
    struct tpcc_state *state;
    enum rc rc;

    if (!ds->composition)
        ds->composition = default_composition(ds->db);
    composition = composition_find(ds->composition);
    if (!composition)
        return err_set(err, RC_USAGE,
                       "--composition: '%s' is none of " COMPOSITION_NAMES,
                       ds->composition);
    rc = composition_check(composition, ds->db, err);
    if (rc)
        return rc;
    state = MEM_NEW(struct tpcc_state);
    if (!state)
        return err_set(err, RC_NOMEM, "no memory for the workload");
    ds->state = &state->tpcc;
    if (calls_procedures(ds, composition))
        composition = composition->by_procedure;
    state->composition = composition;
    ds->db->autocommit = composition->autocommit;
    state->tpcc.steps = state->steps;
    state->tpcc.mix = &state->mix;
    if (!ds->scale)
        ds->scale = cfg->warehouses;
    rc = tpcc_check_switches(ds, err);
    if (!rc)
        rc = mix_parse(cfg->mix, &state->mix, err);
    if (!rc)
        rc = load_steps(ds, state, err);
    if (rc) {
        tpcc_close(ds);
    } else if (!only_looks_up(state)) {
        ds->note = composition->note;
        ds->paced_users = TPCC_DISTRICTS; /* terminals, clause 4.2.2 */
    }
    return rc;
}

static CORO_FN enum rc install_composition(struct dataset *ds, struct conn *c,
                                           struct err *err)
{
    const struct composition *how = state_of(ds)->composition;

    if (only_looks_up(state_of(ds)) || db_can(ds->db, DRIVER_DISCARDS))
        return RC_OK;
    return how->install ? how->install(ds, c, err) : RC_OK;
}

/* The constants of the run, clause 2.1.6.1: one value for all users. */
static CORO_FN enum rc tpcc_run_begin(struct dataset *ds, struct conn *c,
                                      uint64_t n_vus, struct err *err)
{
    struct tpcc_state *state = state_of(ds);
    struct tpcc *t = &state->tpcc;
    struct rng rng;
    enum rc rc;

    t->meta.warehouses = ds->scale;
    if (!db_can(ds->db, DRIVER_DISCARDS)) {
        rc = tpcc_check_loaded(ds, c, err);
        if (!rc)
            rc = tpcc_meta_read(ds, c, &t->meta, err);
        if (rc)
            return rc;
    }
    rng_init(&rng, ds->seed, 0, RNG_RUN);
    t->c_last = c_run_draw(&rng, t->meta.c_load);
    t->c_id = rng_below(&rng, NURAND_A_CUSTOMER + 1);
    t->c_item = rng_below(&rng, NURAND_A_ITEM + 1);
    t->n_vus = n_vus;
    rc = input_skews_init(&state->skews, t, err);
    if (rc)
        return rc;
    rc = install_composition(ds, c, err);
    if (rc || !mix_writes(&state->mix) || db_can(ds->db, DRIVER_DISCARDS))
        return rc;
    return tpcc_meta_count_run(ds, c, err);
}

static CORO_FN enum rc tpcc_committed(struct dataset *ds, struct conn *c,
                                      int64_t *out, struct err *err)
{
    struct rowset rs;
    enum rc rc;

    *out = 0;
    if (db_can(ds->db, DRIVER_DISCARDS))
        return RC_OK;
    rc = conn_query(c, &tpcc_of(ds)->steps[STEP_COUNT_ORDERS], NULL, 0, &rs,
                    err);
    if (rc)
        return rc;
    if (rs.n_rows != 1)
        return err_set(err, RC_INVALID, "table 'district' cannot be summed");
    *out = rowset_at(&rs, 0, 0)->i;
    return RC_OK;
}

/* Ten users of one warehouse have the ten districts for Stock-Level. */
static void place_vu(const struct dataset *ds, struct tpcc_vu *vu)
{
    const uint64_t w = ds->scale;

    vu->source.w_id = (int32_t)(1 + vu->base.number % w);
    vu->source.stock_level_d_id =
        (int32_t)(1 + vu->base.number / w % TPCC_DISTRICTS);
}

/* So many samples of all users together, if each is to have at least a few. */
#define OUTPUTS_OF_ALL 1024
#define OUTPUTS_MIN 4
#define OUTPUTS_MAX 256

/* The first is early, so that a short run has some too. */
static enum rc keep_outputs(struct tpcc_vu *vu, struct err *err)
{
    const struct tpcc_state *state = state_of(vu->base.ds);
    const uint64_t n_vus = state->tpcc.n_vus ? state->tpcc.n_vus : 1;
    struct output_log *log = &vu->outputs;
    struct rng r;

    rng_init(&r, vu->base.ds->seed, vu->base.number, RNG_AUDIT);
    *log = (struct output_log){
        .map = &state->outputs,
        .steps = state->steps,
        .max = (size_t)(OUTPUTS_OF_ALL / n_vus),
        .distance = 4,
        .until = 1 + rng_below(&r, 4),
    };
    if (log->max < OUTPUTS_MIN)
        log->max = OUTPUTS_MIN;
    if (log->max > OUTPUTS_MAX)
        log->max = OUTPUTS_MAX;
    /* One more: the one being filled. */
    log->samples = mem_calloc_aligned(log->max + 1, sizeof(*log->samples));
    if (!log->samples)
        return err_set(err, RC_NOMEM, "no memory for user %llu",
                       (unsigned long long)vu->base.number);
    return RC_OK;
}

static enum rc tpcc_vu_new(struct dataset *ds, uint64_t number, struct vu **out,
                           struct err *err)
{
    struct tpcc_vu *vu = mem_calloc_aligned(1, sizeof(*vu));

    if (!vu)
        return err_set(err, RC_NOMEM, "no memory for user %llu",
                       (unsigned long long)number);
    vu->base = (struct vu){.ds = ds, .number = number};
    vu->first_step = state_of(ds)->composition->steps.from;
    input_source_init(&vu->source, tpcc_of(ds), &state_of(ds)->skews);
    rng_init(&vu->choice, ds->seed, number, RNG_CHOICE);
    rng_init(&vu->source.rng, ds->seed, number, RNG_INPUT);
    mix_state_init(&vu->mix);
    place_vu(ds, vu);
    *out = &vu->base;
    return keep_outputs(vu, err);
}

static struct tpcc_vu *tpcc_vu(struct vu *vu)
{
    return CONTAINER_OF(vu, struct tpcc_vu, base);
}

static void tpcc_vu_free(struct vu *vu)
{
    if (!vu)
        return;
    mem_free(tpcc_vu(vu)->outputs.samples);
    mem_free(tpcc_vu(vu));
}

static CORO_FN enum rc tpcc_vu_prepare(struct vu *base, struct conn *c,
                                       struct err *err)
{
    const struct tpcc_state *state = state_of(base->ds);
    const struct step_range range = steps_needed(state);

    if (db_can(base->ds->db, DRIVER_DISCARDS))
        return RC_OK;
    for (size_t i = range.from; i < range.end; i++) {
        const enum rc rc = conn_prepare_as(c, i, &state->steps[i], err);

        if (rc)
            return rc;
    }
    return RC_OK;
}

/* --home spread: user i walks warehouses i, i + U, … so that all are used. */
static void walk_home(struct tpcc_vu *vu)
{
    const struct dataset *ds = vu->base.ds;
    const struct tpcc *t = tpcc_of(ds);
    const uint64_t w = ds->scale;
    uint64_t next = vu->base.number + vu->home_step * t->n_vus;

    if (next >= w) {
        vu->home_step = 0;
        next = vu->base.number % w;
    }
    vu->home_step++;
    vu->source.w_id = (int32_t)(1 + next);
}

static size_t tpcc_draw(struct vu *base)
{
    struct tpcc_vu *vu = tpcc_vu(base);
    struct input_source *src = &vu->source;

    vu->txn = mix_next(&state_of(base->ds)->mix, &vu->mix, &vu->choice);
    src->tally.txns[vu->txn]++;
    if (tpcc_cfg(base->ds)->home == TPCC_HOME_SPREAD)
        walk_home(vu);
    switch (vu->txn) {
    case TPCC_NEW_ORDER:
        input_new_order(src, &vu->in.new_order);
        break;
    case TPCC_PAYMENT:
        input_payment(src, &vu->in.payment);
        break;
    case TPCC_ORDER_STATUS:
        input_order_status(src, &vu->in.order_status);
        break;
    case TPCC_DELIVERY:
        input_delivery(src, &vu->in.delivery);
        break;
    case TPCC_STOCK_LEVEL:
        input_stock_level(src, &vu->in.stock_level);
        break;
    case TPCC_LOOKUP_WAREHOUSE:
    case TPCC_LOOKUP_DISTRICT:
    case TPCC_LOOKUP_CUSTOMER:
    case TPCC_LOOKUP_STOCK:
    case TPCC_LOOKUP_ORDER_LINE:
    case TPCC_LOOKUP_NEW_ORDER:
    case TPCC_N_TXNS:
        input_lookup(src, vu->txn, &vu->in.lookup);
        break;
    }
    return (size_t)vu->txn;
}

static CORO_FN enum rc execute(struct tpcc_vu *vu, struct conn *c,
                               bool *rolled_back)
{
    const struct composition *how = state_of(vu->base.ds)->composition;

    switch (vu->txn) {
    case TPCC_NEW_ORDER:
        return how->new_order(vu, c, rolled_back);
    case TPCC_PAYMENT:
        return how->payment(vu, c);
    case TPCC_ORDER_STATUS:
        return how->order_status(vu, c);
    case TPCC_DELIVERY:
        return how->delivery(vu, c);
    case TPCC_STOCK_LEVEL:
        return how->stock_level(vu, c);
    case TPCC_LOOKUP_WAREHOUSE:
    case TPCC_LOOKUP_DISTRICT:
    case TPCC_LOOKUP_CUSTOMER:
    case TPCC_LOOKUP_STOCK:
    case TPCC_LOOKUP_ORDER_LINE:
    case TPCC_LOOKUP_NEW_ORDER:
    case TPCC_N_TXNS:
        break;
    }
    return lookup_execute(vu, c);
}

/* The customer of this transaction is asked for by last name. */
static bool asks_by_name(const struct tpcc_vu *vu)
{
    return (vu->txn == TPCC_PAYMENT && vu->in.payment.customer.last_len > 0) ||
           (vu->txn == TPCC_ORDER_STATUS &&
            vu->in.order_status.customer.last_len > 0);
}

static CORO_FN enum rc tpcc_execute(struct vu *base, struct conn *c,
                                    bool *rolled_back)
{
    struct tpcc_vu *vu = tpcc_vu(base);
    enum rc rc;

    /* Nothing to send to: the inputs are drawn, and that is what is timed. */
    if (db_can(c->db, DRIVER_DISCARDS)) {
        *rolled_back = vu->txn == TPCC_NEW_ORDER && vu->in.new_order.rollback;
        return RC_OK;
    }
    vu->sample = output_begin(vu);
    rc = execute(vu, c, rolled_back);
    if (UNLIKELY(vu->sample != NULL))
        output_end(vu, rc, *rolled_back);
    /* Rows that are not as they must be, or the same said by a routine. */
    if (UNLIKELY(rc == RC_INVALID || rc == RC_DB_ERROR)) {
        vu->source.tally.unanswered++;
        vu->source.tally.names_unanswered += asks_by_name(vu);
    }
    return rc;
}

/* What these users drew, together. */
static const struct input_tally *add_up(const struct dataset *ds,
                                        struct vu *const *vus, size_t n_vus)
{
    struct input_tally *sum = &state_of(ds)->drawn;

    *sum = (struct input_tally){.rollbacks = 0};
    for (size_t i = 0; i < n_vus; i++)
        input_tally_add(sum, &tpcc_vu(vus[i])->source.tally);
    return sum;
}

static void tpcc_inputs(const struct dataset *ds, struct vu *const *vus,
                        size_t n_vus, input_fn *fn, void *arg)
{
    input_tally_report(add_up(ds, vus, n_vus), &state_of(ds)->skews, fn, arg);
}

static void tpcc_audit_inputs(const struct dataset *ds, struct vu *const *vus,
                              size_t n_vus, struct audit *audit)
{
    const struct inputs_drawn drawn = {
        .tpcc = tpcc_of(ds),
        .mix = &state_of(ds)->mix,
        .skews = &state_of(ds)->skews,
        .tally = add_up(ds, vus, n_vus),
    };

    audit_inputs(audit, &drawn);
}

static CORO_FN enum rc tpcc_audit_outputs(struct dataset *ds, struct conn *c,
                                          struct vu *const *vus, size_t n_vus,
                                          struct audit *audit, struct err *err)
{
    struct outputs_shown *shown = outputs_shown_new(ds, c, audit);
    enum rc rc;

    if (!shown)
        return err_set(err, RC_NOMEM, "no memory for the audit");
    for (size_t i = 0; i < n_vus; i++)
        outputs_add(shown, &tpcc_vu(vus[i])->outputs,
                    &tpcc_vu(vus[i])->source.tally);
    rc = outputs_audit(shown, err);
    outputs_shown_free(shown);
    return rc;
}

static const char *const schema[] = {
    "foreign-keys", "storage", "table-options", "unlogged", "partitions",
    "partition-by", NULL,
};

const struct workload tpcc_workload = {
    .name = "tpcc",
    .summary = "order entry derived from TPC-C: five transactions, nine tables",
    .scale_name = "warehouses",
    .txns = tpcc_txn_types,
    .n_txns = TPCC_N_TXNS,
    .counted_txn = TPCC_NEW_ORDER,
    .paces = paces,
    .shares_conns = true,
    .opts = tpcc_opts,
    .cfg_bytes = sizeof(struct tpcc_cfg),
    .schema = schema,
    .open = tpcc_open,
    .close = tpcc_close,
    .inspect = tpcc_inspect,
    .n_rows = tpcc_n_rows,
    .load_check = tpcc_load_check,
    .load_probe = tpcc_load_probe,
    .load_needs = tpcc_load_needs,
    .load_begin = tpcc_load_begin,
    .load_resume = tpcc_load_resume,
    .verify_begin = tpcc_verify_begin,
    .load_phase = tpcc_load_phase,
    .load_piece = tpcc_load_piece,
    .load_end = tpcc_load_end,
    .drop = tpcc_drop,
    .run_begin = tpcc_run_begin,
    .committed = tpcc_committed,
    .vu_new = tpcc_vu_new,
    .vu_free = tpcc_vu_free,
    .vu_prepare = tpcc_vu_prepare,
    .draw = tpcc_draw,
    .execute = tpcc_execute,
    .inputs = tpcc_inputs,
    .checks = tpcc_checks,
    .n_checks = N_CHECKS,
    .audit_inputs = tpcc_audit_inputs,
    .audit_outputs = tpcc_audit_outputs,
    .audit = tpcc_audit,
};
