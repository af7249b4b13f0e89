/* SPDX-License-Identifier: MIT */
#include "lab/flip_plan.h"

#include "base/clock.h"
#include "base/parse.h"
#include "base/rng.h"

#include <string.h>

/* Shorter intervals say more about their beginning than about the load. */
#define INTERVAL_MIN_NS (3 * NS_PER_S)
/* Longer ones are for those who have time for the most rounds. */
#define INTERVAL_LONG_NS (30 * NS_PER_S)
#define ROUNDS_USUAL 5
#define ROUNDS_MOST 20
/* No run costs less beside its interval. */
#define RUN_LEAST_NS (100 * NS_PER_MS)

/* ---- switches ---- */

static enum rc add_value(struct flip_switch *s, const char *value,
                         struct err *err)
{
    for (size_t i = 0; i < s->n_values; i++) {
        if (!strcmp(s->values[i], value))
            return err_set(err, RC_USAGE, "--switch: '%s' has '%s' twice",
                           s->name, value);
    }
    if (s->n_values == FLIP_VALUES_MAX)
        return err_set(err, RC_USAGE, "--switch: '%s' has more than %d values",
                       s->name, FLIP_VALUES_MAX);
    s->values[s->n_values++] = value;
    return RC_OK;
}

static enum rc add_values(struct flip_switch *s, const char *text,
                          struct arena *arena, struct err *err)
{
    const char *const separator = strchr(text, '|') ? "|" : ",";
    enum rc rc = RC_OK;

    for (;;) {
        const size_t len = strcspn(text, separator);
        const char *value = arena_strndup(arena, text, len);

        if (!value)
            return err_set(err, RC_NOMEM, "no memory for the switches");
        rc = add_value(s, value, err);
        if (rc || !text[len])
            return rc;
        text += len + 1;
    }
}

enum rc flip_switch_add(struct flip_plan *plan, const char *text,
                        struct arena *arena, struct err *err)
{
    struct flip_switch *s = &plan->switches[plan->n_switches];
    const char *eq = strchr(text, '=');
    enum rc rc;

    if (!eq || eq == text)
        return err_set(err, RC_USAGE,
                       "--switch: '%s' is not NAME=A,B; an example: "
                       "prepare=on,off",
                       text);
    if (plan->n_switches == FLIP_SWITCHES_MAX)
        return err_set(err, RC_USAGE, "more than %d switches",
                       FLIP_SWITCHES_MAX);
    *s = (struct flip_switch){
        .name = arena_strndup(arena, text, (size_t)(eq - text))};
    if (!s->name)
        return err_set(err, RC_NOMEM, "no memory for the switches");
    for (size_t i = 0; i < plan->n_switches; i++) {
        if (!strcmp(plan->switches[i].name, s->name))
            return err_set(err, RC_USAGE,
                           "--switch: '%s' is there twice; put its values "
                           "into one",
                           s->name);
    }
    rc = add_values(s, eq + 1, arena, err);
    if (rc)
        return rc;
    if (s->n_values < 2)
        return err_set(err, RC_USAGE,
                       "--switch: '%s' has one value; the base has the first, "
                       "the others are flipped to",
                       s->name);
    plan->n_switches++;
    return RC_OK;
}

/* ---- variants ---- */

static enum rc add_variant(struct flip_plan *plan, const char *name,
                           const struct flip_switch *flip, size_t value,
                           struct err *err)
{
    if (!name)
        return err_set(err, RC_NOMEM, "no memory for the variants");
    if (plan->n_variants == FLIP_VARIANTS_MAX)
        return err_set(err, RC_USAGE, "more than %d values to flip to",
                       FLIP_VARIANTS_MAX - FLIP_FIRST_SWITCH);
    plan->variants[plan->n_variants++] =
        (struct flip_variant){.name = name, .flip = flip, .value = value};
    return RC_OK;
}

enum rc flip_plan_make(struct flip_plan *plan, struct arena *arena,
                       struct err *err)
{
    enum rc rc;

    plan->n_variants = 0;
    rc = add_variant(plan, "base", NULL, 0, err);
    if (!rc)
        rc = add_variant(plan, "base again", NULL, 0, err);
    for (size_t i = 0; !rc && i < plan->n_switches; i++) {
        const struct flip_switch *s = &plan->switches[i];

        for (size_t k = 1; !rc && k < s->n_values; k++)
            rc = add_variant(
                plan,
                arena_printf(arena, "%s=%s", s->name,
                             s->values[k][0] ? s->values[k] : "default"),
                s, k, err);
    }
    return rc;
}

const char *flip_value(const struct flip_variant *v,
                       const struct flip_switch *s)
{
    return s->values[v->flip == s ? v->value : 0];
}

void flip_plan_order(const struct flip_plan *plan, uint64_t seed,
                     uint64_t round, size_t *out)
{
    struct rng r;

    rng_init(&r, seed, round, RNG_RUN);
    for (size_t i = 0; i < plan->n_variants; i++) {
        const size_t k = (size_t)rng_below(&r, i + 1);

        out[i] = out[k];
        out[k] = i;
    }
}

/* ---- time ---- */

static enum rc too_short(size_t n_runs, int64_t overhead_ns,
                         const struct flip_times *t, struct err *err)
{
    const int64_t interval_ns =
        t->interval_ns ? t->interval_ns : INTERVAL_MIN_NS;
    const int64_t rounds = t->rounds ? (int64_t)t->rounds : FLIP_ROUNDS_MIN;
    char needs[32], each[32];

    format_duration((overhead_ns + interval_ns) * (int64_t)n_runs * rounds /
                            NS_PER_S * NS_PER_S +
                        NS_PER_S,
                    needs, sizeof(needs));
    format_duration(overhead_ns / NS_PER_S * NS_PER_S + NS_PER_S, each,
                    sizeof(each));
    return err_set(err, RC_USAGE,
                   "--time-budget: %zu runs, %d times, take %s from now on "
                   "(up to %s each beside the interval); give it more, or "
                   "fewer switches",
                   n_runs, (int)rounds, needs, each);
}

/* An interval about as long as what each run costs beside it:
 * docs/design/flip.md has the reason. */
static int64_t wanted_interval(int64_t overhead_ns)
{
    if (overhead_ns < INTERVAL_MIN_NS)
        return INTERVAL_MIN_NS;
    return overhead_ns < INTERVAL_LONG_NS ? overhead_ns : INTERVAL_LONG_NS;
}

/* How many rounds of such intervals fit in; 0: none. */
static uint64_t rounds_that_fit(int64_t left_ns, int64_t n_runs, int64_t run_ns,
                                uint64_t most)
{
    const int64_t fit = left_ns > 0 ? left_ns / n_runs / run_ns : 0;

    return fit < (int64_t)most ? (uint64_t)fit : most;
}

enum rc flip_fit(size_t n_runs, int64_t left_ns, int64_t overhead_ns,
                 struct flip_times *inout, struct err *err)
{
    const struct flip_times given = *inout;
    const int64_t n = (int64_t)n_runs;
    const int64_t wanted_ns =
        given.interval_ns ? given.interval_ns : wanted_interval(overhead_ns);

    if (!given.rounds)
        inout->rounds =
            rounds_that_fit(left_ns, n, overhead_ns + wanted_ns, ROUNDS_MOST);
    if (!given.rounds && !given.interval_ns && inout->rounds < ROUNDS_USUAL)
        /* Shorter ones, for as many rounds as there should be. */
        inout->rounds = rounds_that_fit(
            left_ns, n, overhead_ns + INTERVAL_MIN_NS, ROUNDS_USUAL);
    if (inout->rounds < (given.rounds ? 1 : FLIP_ROUNDS_MIN))
        return too_short(n_runs, overhead_ns, &given, err);
    if (!given.interval_ns)
        inout->interval_ns = left_ns / n / (int64_t)inout->rounds - overhead_ns;
    if (inout->interval_ns < (given.interval_ns ? 0 : INTERVAL_MIN_NS) ||
        (inout->interval_ns + overhead_ns) * n * (int64_t)inout->rounds >
            left_ns)
        return too_short(n_runs, overhead_ns, &given, err);
    return RC_OK;
}

enum rc flip_check_budget(size_t n_runs, int64_t budget_ns,
                          const struct flip_times *given, struct err *err)
{
    struct flip_times t = *given;

    /* Nothing is loaded, started or looked at for nothing. */
    return flip_fit(n_runs, budget_ns, RUN_LEAST_NS, &t, err);
}
