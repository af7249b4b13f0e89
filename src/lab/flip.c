/* SPDX-License-Identifier: MIT */
#include "lab/flip.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/parse.h"
#include "base/stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Without a budget. */
#define INTERVAL_USUAL_NS (10 * NS_PER_S)
#define ROUNDS_USUAL 5
/* Fewer say nothing. */
#define ROUNDS_LEAST 2
/* The run before all others warms up and shows what a run costs. */
#define FIRST_INTERVAL_NS (3 * NS_PER_S)
#define OPTIONS_MAX 256
/* Of the budget, kept for what is slower than the first run was. */
#define SPARE_SHARE 20

struct flipping {
    const struct flip_args *args;
    struct flip_result *out;
    struct arena *arena;
    int64_t longest_ns; /* of a run without its interval */
    int64_t runs_ns;    /* of all that count, with theirs */
    uint64_t rounds_max;
};

/* ---- one run ---- */

static enum rc no_memory(struct err *err)
{
    return err_set(err, RC_NOMEM, "no memory for a run");
}

/* "pool" is what people call the connections that are shared. */
static const char *option_of(const char *name)
{
    return strcmp(name, "pool") ? name : "connections";
}

/* What the user gave for all runs, unless a switch decides it; and the
 * switches. */
static size_t collect_options(const struct flip_args *a,
                              const struct flip_variant *v,
                              struct variant_text *out)
{
    size_t n = 0;

    for (size_t i = 0; i < a->n_options && n < OPTIONS_MAX; i++)
        out[n++] = a->options[i];
    for (size_t i = 0; i < a->plan->n_switches && n < OPTIONS_MAX; i++) {
        const struct flip_switch *s = &a->plan->switches[i];
        const char *value = flip_value(v, s);

        /* A pool of pinned connections is what there is without one. */
        if (s->kind != FLIP_SERVER && value[0] && strcmp(value, "pinned") != 0)
            out[n++] = (struct variant_text){option_of(s->name), value};
    }
    return n;
}

static enum rc run_variant(struct flipping *f, const struct flip_variant *v,
                           uint64_t round, int64_t interval_ns,
                           struct variant_result *result, struct err *err)
{
    const struct flip_args *a = f->args;
    struct variant_text options[OPTIONS_MAX + 2];
    const struct variant_text labels[] = {{"flip", a->id}, {"switch", v->name}};
    char interval[32];
    bool load = false;
    struct variant run = {
        .workload = a->workload,
        .server = a->server,
        .results = a->results,
        .options = options,
        .labels = labels,
        .n_labels = ARRAY_LEN(labels),
        .tag = {"flip_run", arena_printf(f->arena, "%s/%" PRIu64 "/%s", a->id,
                                         round, v->name)},
        .log = a->log,
        .keep_fd = -1,
    };
    enum rc rc;

    if (!run.tag.value)
        return no_memory(err);
    rc = a->place->ops->restore(a->place, v, &run.url, &load, err);
    if (rc)
        return rc;
    format_duration(interval_ns, interval, sizeof(interval));
    run.n_options = collect_options(a, v, options);
    options[run.n_options++] = (struct variant_text){"duration", interval};
    if (load)
        options[run.n_options++] = (struct variant_text){"replace", "on"};
    rc = variant_run(&run, result, err);
    return rc ? rc : a->place->ops->rest(a->place, err);
}

/* ---- rounds ---- */

static void say(const struct flipping *f, const struct flip_run *run,
                int64_t took_ns)
{
    const struct variant_result *r = &run->result;
    char took[32], of[32];

    if (f->args->quiet)
        return;
    format_duration(took_ns / NS_PER_MS * NS_PER_MS, took, sizeof(took));
    snprintf(of, sizeof(of), " of %" PRIu64, f->out->times.rounds);
    log_info("round %" PRIu64 "%s, %s: %s%s%s (%s)", run->round + 1,
             run->round < f->out->times.rounds ? of : "",
             f->args->plan->variants[run->variant].name,
             variant_outcome_text(r->outcome), r->reason[0] ? ", " : "",
             r->reason, took);
}

static bool has_failed(const struct flipping *f, size_t variant)
{
    for (size_t i = 0; i < f->out->n_runs; i++) {
        const struct flip_run *run = &f->out->runs[i];

        if (run->variant == variant && run->result.outcome == VARIANT_FAILED)
            return true;
    }
    return false;
}

static enum rc one(struct flipping *f, size_t variant, uint64_t round,
                   struct err *err)
{
    struct flip_run *run = &f->out->runs[f->out->n_runs];
    const struct mono begun = clock_now();
    int64_t took_ns;
    enum rc rc;

    *run = (struct flip_run){.variant = variant, .round = round};
    rc = run_variant(f, &f->args->plan->variants[variant], round,
                     f->out->times.interval_ns, &run->result, err);
    if (rc)
        return rc;
    f->out->n_runs++;
    took_ns = mono_since(clock_now(), begun);
    f->runs_ns += took_ns;
    if (took_ns - f->out->times.interval_ns > f->longest_ns)
        f->longest_ns = took_ns - f->out->times.interval_ns;
    f->out->interrupted =
        run->result.outcome == VARIANT_INTERRUPTED || stop_requested();
    say(f, run, took_ns);
    if (variant <= FLIP_BASE_AGAIN && run->result.outcome == VARIANT_FAILED)
        return err_set(err, RC_INVALID,
                       "the base cannot be run: %s (all of it: '%s')",
                       run->result.reason, f->args->log);
    return RC_OK;
}

/* Whether another round fits into what is left, when its runs take as long as
 * those before did on average. */
static bool has_time(const struct flipping *f)
{
    const struct flip_args *a = f->args;
    const int64_t left_ns = a->budget_ns - mono_since(clock_now(), a->begun);

    return a->budget_ns == 0 || f->runs_ns / (int64_t)f->out->n_runs *
                                        (int64_t)a->plan->n_variants <=
                                    left_ns;
}

/* The plan; then, when runs were quicker than the first one, what else fits. */
static bool another_round(const struct flipping *f, uint64_t r)
{
    if (r < ROUNDS_LEAST)
        return r < f->out->times.rounds;
    return r < f->rounds_max && has_time(f);
}

static enum rc one_round(struct flipping *f, uint64_t r, struct err *err)
{
    const size_t n = f->args->plan->n_variants;
    size_t order[FLIP_VARIANTS_MAX];
    enum rc rc = RC_OK;

    flip_plan_order(f->args->plan, f->args->seed, r, order);
    for (size_t i = 0; !rc && i < n && !f->out->interrupted; i++) {
        if (!has_failed(f, order[i]))
            rc = one(f, order[i], r, err);
    }
    return rc;
}

static enum rc all_rounds(struct flipping *f, struct err *err)
{
    struct flip_result *out = f->out;
    enum rc rc = RC_OK;

    while (!rc && another_round(f, out->rounds)) {
        rc = one_round(f, out->rounds, err);
        if (out->interrupted)
            return rc;
        out->rounds += !rc;
    }
    if (!rc && out->rounds < out->times.rounds)
        log_warn("%" PRIu64 " of %" PRIu64 " rounds fit into the time",
                 out->rounds, out->times.rounds);
    if (out->rounds > out->times.rounds)
        out->times.rounds = out->rounds;
    return rc;
}

/* ---- before the rounds ---- */

/* A run of the base that does not count; what it costs beside its interval is
 * what the others will. */
static enum rc first_run(struct flipping *f, struct err *err)
{
    const int64_t asked_ns = f->args->times.interval_ns;
    const int64_t interval_ns = asked_ns > 0 && asked_ns < FIRST_INTERVAL_NS
                                    ? asked_ns
                                    : FIRST_INTERVAL_NS;
    const struct mono begun = clock_now();
    struct variant_result result;
    enum rc rc;

    if (!f->args->quiet)
        log_info("a first run of the base, which does not count");
    rc = run_variant(f, &f->args->plan->variants[FLIP_BASE], UINT64_MAX,
                     interval_ns, &result, err);
    if (rc)
        return rc;
    f->longest_ns = mono_since(clock_now(), begun) - interval_ns;
    f->out->interrupted =
        result.outcome == VARIANT_INTERRUPTED || stop_requested();
    if (result.outcome == VARIANT_FAILED)
        return err_set(err, RC_INVALID,
                       "the base cannot be run: %s (all of it: '%s')",
                       result.reason, f->args->log);
    if (result.run == 0)
        return RC_OK;
    return variant_forget(f->args->results, &result, err);
}

static enum rc find_times(struct flipping *f, struct err *err)
{
    const struct flip_args *a = f->args;
    struct flip_times *t = &f->out->times;
    int64_t left_ns;
    enum rc rc = RC_OK;

    if (a->budget_ns == 0) {
        t->rounds = t->rounds ? t->rounds : ROUNDS_USUAL;
        t->interval_ns = t->interval_ns ? t->interval_ns : INTERVAL_USUAL_NS;
    } else {
        left_ns = a->budget_ns - mono_since(clock_now(), a->begun);
        rc = flip_fit(a->plan->n_variants, left_ns - left_ns / SPARE_SHARE,
                      f->longest_ns, t, err);
    }
    if (!rc)
        t->interval_ns -= t->interval_ns % (10 * NS_PER_MS);
    return rc;
}

enum rc flip_run_all(const struct flip_args *args, struct arena *arena,
                     struct flip_result *out, struct err *err)
{
    struct flipping f = {.args = args, .out = out, .arena = arena};
    char interval[32];
    enum rc rc;

    *out = (struct flip_result){.times = args->times};
    rc = args->budget_ns > 0
             ? flip_check_budget(args->plan->n_variants, args->budget_ns,
                                 &args->times, err)
             : RC_OK;
    if (!rc)
        rc = args->place->ops->prepare(args->place, args->plan, err);
    if (!rc)
        rc = first_run(&f, err);
    if (!rc && !out->interrupted)
        rc = find_times(&f, err);
    if (rc || out->interrupted)
        return rc;
    f.rounds_max = args->budget_ns > 0 && args->times.rounds == 0
                       ? FLIP_ROUNDS_MAX
                       : out->times.rounds;
    out->runs = ARENA_ARRAY(arena, struct flip_run,
                            f.rounds_max * args->plan->n_variants);
    if (!out->runs)
        return no_memory(err);
    format_duration(out->times.interval_ns, interval, sizeof(interval));
    if (!args->quiet)
        log_info("%" PRIu64 " rounds of %zu runs, intervals of %s",
                 out->times.rounds, args->plan->n_variants, interval);
    rc = all_rounds(&f, err);
    out->took_ns = mono_since(clock_now(), args->begun);
    return rc;
}
