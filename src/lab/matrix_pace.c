/* SPDX-License-Identifier: MIT */
#include "lab/matrix_pace.h"

#include "base/log.h"
#include "base/parse.h"
#include "lab/matrix_loop.h"

#include <stdio.h>
#include <string.h>

#define TEXT_BYTES 256
/* Before anything was measured: start, audit, report. */
#define BESIDE_NS (10 * NS_PER_S)

const char *matrix_cell_option(const struct matrix *m,
                               const struct matrix_cell *cell,
                               const char *option)
{
    const struct matrix_server *s = cell->server;

    for (size_t i = 0; i < m->n_axes; i++) {
        if (m->axes[i].kind == AXIS_OPTION && cell->values[i] &&
            !strcmp(m->axes[i].name, option))
            return cell->values[i];
    }
    for (size_t i = s->n_options; i > 0; i--) {
        if (!strcmp(s->options[i - 1].name, option))
            return s->options[i - 1].value;
    }
    for (size_t i = m->n_options; i > 0; i--) {
        if (!strcmp(m->options[i - 1].name, option))
            return m->options[i - 1].value;
    }
    return NULL;
}

static int64_t duration_of(const struct matrix *m,
                           const struct matrix_cell *cell, const char *option,
                           int64_t otherwise_ns)
{
    const char *text = matrix_cell_option(m, cell, option);
    int64_t ns = otherwise_ns;

    if (text && parse_duration(text, &ns, NULL))
        return otherwise_ns;
    return ns;
}

/* "1m:10,5m:50" */
static int64_t stages_ns(const char *text)
{
    int64_t sum = 0;

    while (*text) {
        const size_t len = strcspn(text, ":,");
        char part[64];
        int64_t ns = 0;

        snprintf(part, sizeof(part), "%.*s", (int)len, text);
        if (!parse_duration(part, &ns, NULL))
            sum += ns;
        text += strcspn(text, ",");
        text += *text == ',';
    }
    return sum;
}

int64_t matrix_cell_ns(const struct matrix *m, const struct matrix_cell *cell)
{
    const char *stages = matrix_cell_option(m, cell, "stages");
    const int64_t ramp_ns = duration_of(m, cell, "ramp-up", 10 * NS_PER_S);

    if (stages)
        return ramp_ns + stages_ns(stages);
    if (matrix_cell_option(m, cell, "iterations"))
        return 0;
    return ramp_ns + duration_of(m, cell, "duration", 60 * NS_PER_S);
}

/* What runs took beside ramp-up and interval, on average. */
static int64_t beside_ns(const struct matrix_plan *plan,
                         const struct matrix_state *state)
{
    int64_t sum = 0, n = 0;

    for (size_t k = 0; k < plan->n_runs; k++) {
        const struct matrix_record *r = &state->records[k];
        const int64_t ns =
            r->seconds * NS_PER_S - matrix_cell_ns(plan->m, plan->runs[k].cell);

        if (r->step != STEP_ENDED || r->seconds == 0 ||
            r->outcome == VARIANT_FAILED)
            continue;
        sum += ns > 0 ? ns : 0;
        n++;
    }
    return n > 0 ? sum / n : BESIDE_NS;
}

int64_t matrix_pace_left_ns(const struct matrix_plan *plan,
                            const struct matrix_state *state)
{
    const int64_t each_ns = beside_ns(plan, state);
    int64_t sum = 0;

    for (size_t k = 0; k < plan->n_runs; k++) {
        if (state->records[k].step != STEP_ENDED)
            sum += matrix_cell_ns(plan->m, plan->runs[k].cell) + each_ns;
    }
    return sum;
}

/* ---- lines ---- */

void matrix_pace_init(struct matrix_pace *p, const struct matrix_plan *plan,
                      const struct matrix_state *state)
{
    *p = (struct matrix_pace){.plan = plan, .state = state};
    p->began = clock_now();
}

/* "2h05m" would do; whole seconds are enough. */
static void format_rough(int64_t ns, char *out, size_t out_len)
{
    format_duration(ns / NS_PER_S * NS_PER_S, out, out_len);
}

void matrix_pace_begin(struct matrix_pace *p, size_t k)
{
    char text[TEXT_BYTES], left[32];

    p->k = k;
    p->began = clock_now();
    matrix_cell_text(p->plan->m, p->plan->runs[k].cell, false, text,
                     sizeof(text));
    format_rough(matrix_pace_left_ns(p->plan, p->state), left, sizeof(left));
    log_info("[%zu/%zu] %s; ETA %s", k + 1, p->plan->n_runs, text, left);
}

void matrix_pace_poll(void *arg)
{
    const struct matrix_pace *p = arg;
    const int64_t spent_ns = mono_since(clock_now(), p->began);
    int64_t left_ns = matrix_pace_left_ns(p->plan, p->state) - spent_ns;
    char spent[32], left[32];

    /* Elsewhere the lines at the begin and the end of each run do. */
    if (!log_is_terminal() || !log_enabled(LOG_INFO))
        return;
    format_rough(spent_ns, spent, sizeof(spent));
    format_rough(left_ns > 0 ? left_ns : 0, left, sizeof(left));
    log_progress("[%zu/%zu] since %s; whole plan: ETA %s", p->k + 1,
                 p->plan->n_runs, spent, left);
}

void matrix_pace_end(struct matrix_pace *p, const char *log)
{
    const struct matrix_record *r = &p->state->records[p->k];
    const char *name = r->name[0] ? r->name : "no run";
    char took[32];

    log_progress_end();
    format_rough(r->seconds * NS_PER_S, took, sizeof(took));
    if (r->outcome == VARIANT_VALID && !r->reason[0]) {
        log_info("[%zu/%zu] %s: valid, %s", p->k + 1, p->plan->n_runs, name,
                 took);
        return;
    }
    log_warn("[%zu/%zu] %s: %s%s%s (%s)", p->k + 1, p->plan->n_runs, name,
             variant_outcome_text(r->outcome), r->reason[0] ? ": " : "",
             r->reason, log);
}
