/* SPDX-License-Identifier: MIT */
#include "report/figures.h"

#include "report/figures_int.h"
#include "report/stored.h"

#include <jansson.h>

#include <string.h>

#define PER_TRANSACTION "_per_transaction"

const struct figure_time figure_times[] = {
    {"mean", 0},   {"p50", 0.5},  {"p90", 0.9},
    {"p95", 0.95}, {"p99", 0.99}, {"p999", 0.999},
};
const size_t n_figure_times = ARRAY_LEN(figure_times);

/* What reads the summary; the first failure sticks. */
struct reading {
    struct arena *arena;
    struct figures *f;
    size_t cap;
    bool failed;
};

/* ---- the summary ---- */

static enum rc parse_summary(const struct stored_run *run, const char *text,
                             json_t **out, struct err *err)
{
    json_error_t error;

    *out = json_loads(text, 0, &error);
    if (*out)
        return RC_OK;
    return err_set(err, RC_INVALID,
                   "the stored summary of run '%s' is broken: %s (line %d)",
                   run->name, error.text, error.line);
}

static enum rc load_summary(struct store *s, const struct stored_run *run,
                            struct arena *arena, json_t **out, struct err *err)
{
    const char *text = NULL;
    const enum rc rc = stored_summary(s, run, arena, &text, err);

    *out = NULL;
    return rc ? rc : parse_summary(run, text, out, err);
}

/* ---- figures ---- */

/* Takes numbers only; a figure that is not there was not measured. */
static void add_value(struct reading *r, enum figure_kind kind,
                      const char *name, const json_t *value)
{
    struct figures *f = r->f;

    if (!json_is_number(value) || f->n == r->cap)
        return;
    if (!name) {
        r->failed = true;
        return;
    }
    f->all[f->n++] = (struct figure){
        .name = name, .kind = kind, .value = json_number_value(value)};
}

static void add_rates(struct reading *r, json_t *root)
{
    static const char *const keys[] = {"nopm", "tps"};
    json_t *throughput = json_object_get(root, "throughput");

    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        json_t *value = json_object_get(throughput, keys[i]);

        /* Nothing completed: there is no throughput to compare. */
        if (json_number_value(value) > 0)
            add_value(r, FIGURE_RATE,
                      arena_printf(r->arena, "throughput.%s", keys[i]), value);
    }
}

static void add_times(struct reading *r, json_t *root)
{
    const char *name;
    json_t *txn;

    json_object_foreach(json_object_get(root, "transactions"), name, txn)
    {
        json_t *times = json_object_get(txn, "response_us");

        for (size_t i = 0; i < n_figure_times; i++)
            add_value(r, FIGURE_TIME,
                      arena_printf(r->arena, "transactions.%s.response_us.%s",
                                   name, figure_times[i].key),
                      json_object_get(times, figure_times[i].key));
    }
}

static bool is_per_transaction(const char *key)
{
    const size_t len = strlen(key), tail = strlen(PER_TRANSACTION);

    return len > tail && !strcmp(key + len - tail, PER_TRANSACTION);
}

static void add_costs(struct reading *r, json_t *root, const char *part)
{
    const char *key;
    json_t *value;

    json_object_foreach(json_object_get(root, part), key, value)
    {
        if (is_per_transaction(key))
            add_value(r, FIGURE_COST,
                      arena_printf(r->arena, "%s.%s", part, key), value);
    }
}

/* User and system together, as people speak of it. */
static void add_cpu(struct reading *r, json_t *root, const char *part)
{
    json_t *server = json_object_get(root, "server");
    const char *keys[] = {
        arena_printf(r->arena, "cpu_%s_user_us" PER_TRANSACTION, part),
        arena_printf(r->arena, "cpu_%s_system_us" PER_TRANSACTION, part)};
    double sum = 0;
    json_t *value;

    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        value = keys[i] ? json_object_get(server, keys[i]) : NULL;
        if (!json_is_number(value))
            return;
        sum += json_number_value(value);
    }
    value = json_real(sum);
    add_value(r, FIGURE_COST,
              arena_printf(r->arena, "server.cpu_%s_us" PER_TRANSACTION, part),
              value);
    json_decref(value);
}

static void add_waits(struct reading *r, json_t *root)
{
    json_t *waits = json_object_get(json_object_get(root, "server"), "waits");

    for (size_t i = 0; i < json_array_size(waits); i++) {
        json_t *one = json_array_get(waits, i);
        const char *event = json_string_value(json_object_get(one, "event"));

        if (event)
            add_value(r, FIGURE_WAIT, arena_strdup(r->arena, event),
                      json_object_get(one, "sessions"));
    }
}

static size_t most_figures(json_t *root)
{
    static const char *const parts[] = {"server", "client", "host"};
    size_t n = 16 + n_figure_times *
                        json_object_size(json_object_get(root, "transactions"));

    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        n += json_object_size(json_object_get(root, parts[i]));
    return n + json_array_size(
                   json_object_get(json_object_get(root, "server"), "waits"));
}

static void add_all(struct reading *r, json_t *root)
{
    add_rates(r, root);
    add_times(r, root);
    add_value(r, FIGURE_COST, "round_trips_per_transaction",
              json_object_get(root, "round_trips_per_transaction"));
    add_value(r, FIGURE_COST, "statements_per_transaction",
              json_object_get(root, "statements_per_transaction"));
    add_cpu(r, root, "foreground");
    add_cpu(r, root, "background");
    add_cpu(r, root, "other");
    add_costs(r, root, "client");
    add_costs(r, root, "server");
    add_costs(r, root, "host");
    add_waits(r, root);
}

/* ---- the verdict on the run ---- */

static void add_verdict(struct reading *r, json_t *root)
{
    json_t *reasons = json_object_get(root, "invalid_reasons");
    json_t *warnings = json_object_get(root, "warnings");
    struct figures *f = r->f;

    f->valid = json_is_true(json_object_get(root, "valid"));
    f->reasons = "";
    for (size_t i = 0; i < json_array_size(reasons); i++) {
        const char *one = json_string_value(json_array_get(reasons, i));

        f->reasons = arena_printf(r->arena, "%s%s%s", f->reasons,
                                  f->reasons[0] ? ", " : "", one ? one : "?");
        if (!f->reasons) {
            f->reasons = "";
            r->failed = true;
        }
    }
    for (size_t i = 0; i < json_array_size(warnings); i++) {
        const char *one = json_string_value(json_array_get(warnings, i));

        f->not_steady |= one && !strcmp(one, "not_steady");
        f->client_bound |= one && !strcmp(one, "client_bound");
    }
    f->planned_rate = json_is_object(json_object_get(root, "rate")) ||
                      json_is_object(json_object_get(root, "pacing"));
    f->has_data = figures_find(f, "throughput.tps") != NULL;
}

/* ---- all ---- */

static enum rc read_summary(json_t *root, struct arena *arena,
                            struct figures *f, struct err *err)
{
    struct reading r = {.arena = arena, .f = f, .cap = most_figures(root)};

    f->all = ARENA_ARRAY(arena, struct figure, r.cap);
    if (!f->all)
        return err_set(err, RC_NOMEM, "no memory for a stored run");
    add_all(&r, root);
    add_verdict(&r, root);
    if (r.failed)
        return err_set(err, RC_NOMEM, "no memory for a stored run");
    return RC_OK;
}

enum rc figures_read(struct store *s, const struct stored_run *run,
                     bool with_series, struct arena *arena, struct figures *out,
                     struct err *err)
{
    json_t *root;
    enum rc rc;

    *out = (struct figures){.run = *run};
    rc = load_summary(s, run, arena, &root, err);
    if (!rc)
        rc = read_summary(root, arena, out, err);
    json_decref(root);
    if (!rc)
        rc = figures_add_properties(s, arena, out, err);
    if (!rc && with_series)
        rc = figures_add_series(s, arena, out, err);
    return rc;
}

const struct figure *figures_find(const struct figures *f, const char *name)
{
    for (size_t i = 0; i < f->n; i++) {
        if (!strcmp(f->all[i].name, name))
            return &f->all[i];
    }
    return NULL;
}
