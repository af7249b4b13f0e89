/* SPDX-License-Identifier: MIT */
#include "cli/matrix_table.h"

#include "base/mem.h"
#include "cli/matrix_table_int.h"
#include "report/cell.h"

#include <string.h>

#define ARENA_MAX ((size_t)256 << 20)

/* ---- figures ---- */

/* The transaction that is counted, or else the most frequent one. */
static enum rc find_p99(struct table *t, const struct stored_run *run,
                        double *out, struct err *err)
{
    const char *path;

    if (!run->counted || run->nopm <= 0)
        return RC_OK;
    path = arena_printf(&t->arena, "$.transactions.%s.response_us.p99",
                        run->counted);
    if (!path)
        return err_set(err, RC_NOMEM, "out of memory");
    return store_summary_number(t->store, run->id, path, out, err);
}

static enum rc add_run(struct table *t, struct row *row, size_t k,
                       struct err *err)
{
    const struct matrix_record *r = &t->state->records[k];
    struct stored_run run;
    double p99_us = -1, cpu_us = -1;
    enum rc rc = store_find(t->store, r->name, &t->arena, &run, err);

    if (rc == RC_NOT_FOUND) {
        *err = (struct err){0};
        return RC_OK; /* removed by somebody since */
    }
    if (!rc)
        rc = find_p99(t, &run, &p99_us, err);
    if (!rc)
        rc = store_summary_number(
            t->store, run.id, "$.server.cpu_us_per_transaction", &cpu_us, err);
    if (rc || row->n == COMPARE_REPEATS_MAX)
        return rc;
    row->runs[row->n++] = (struct compare_run){.when = (double)k};
    row->runs[row->n - 1].value = run.nopm > 0 ? run.nopm : run.tps;
    row->nopm += run.nopm > 0 ? run.nopm : 0;
    row->tps += run.tps;
    if (p99_us >= 0) {
        row->p99_ns += p99_us * 1e3;
        row->n_p99++;
    }
    if (cpu_us >= 0) {
        row->cpu_us += cpu_us;
        row->n_cpu++;
    }
    return RC_OK;
}

static struct row *row_of(struct table *t, const struct matrix_cell *cell)
{
    return &t->rows[cell - t->plan->cells];
}

static enum rc collect(struct table *t, struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t k = 0; !rc && k < t->plan->n_runs; k++) {
        const struct matrix_record *r = &t->state->records[k];
        struct row *row = row_of(t, t->plan->runs[k].cell);

        row->n_planned++;
        if (r->step != STEP_ENDED)
            continue;
        row->n_ended++;
        if (r->outcome > row->worst)
            row->worst = r->outcome;
        if (t->store && r->name[0] &&
            (r->outcome == VARIANT_VALID || r->outcome == VARIANT_THRESHOLD))
            rc = add_run(t, row, k, err);
    }
    t->by_nopm = true;
    for (size_t i = 0; i < t->plan->n_cells; i++) {
        if (t->rows[i].n > 0 && t->rows[i].nopm <= 0)
            t->by_nopm = false;
    }
    for (size_t i = 0; i < t->plan->n_cells && !t->by_nopm; i++) {
        for (size_t k = 0; k < t->rows[i].n; k++)
            t->rows[i].runs[k].value = t->rows[i].tps / (double)t->rows[i].n;
    }
    return rc;
}

static double throughput(const struct table *t, const struct row *row)
{
    return (t->by_nopm ? row->nopm : row->tps) / (double)row->n;
}

/* "1.23", and with repeats on both sides "1.19-1.27". */
static void relative(struct table *t, const struct row *b,
                     const struct matrix_cell *base, char ratio[CELL_BYTES],
                     char interval[CELL_BYTES])
{
    const struct row *a = base ? row_of(t, base) : NULL;
    struct compare_result result;
    struct compare_run *both;
    struct err ignored = {0};

    snprintf(ratio, CELL_BYTES, a || b->n == 0 ? NO_DATA : "1");
    snprintf(interval, CELL_BYTES, NO_DATA);
    if (!a || a->n == 0 || b->n == 0 || throughput(t, a) <= 0)
        return;
    snprintf(ratio, CELL_BYTES, "%.3f", throughput(t, b) / throughput(t, a));
    both = MEM_ARRAY(struct compare_run, a->n + b->n);
    if (!both || a->n < 2 || b->n < 2 || a->n + b->n > COMPARE_REPEATS_MAX) {
        mem_free(both);
        return;
    }
    memcpy(both, a->runs, a->n * sizeof(*both));
    memcpy(both + a->n, b->runs, b->n * sizeof(*both));
    for (size_t k = 0; k < b->n; k++)
        both[a->n + k].side = 1;
    if (!compare_repeats(both, a->n + b->n, 0.95, &result, &ignored) &&
        result.verdict != COMPARE_NO_DATA) {
        snprintf(ratio, CELL_BYTES, "%.3f", result.ratio);
        snprintf(interval, CELL_BYTES, "%.3f-%.3f", result.low, result.high);
    }
    mem_free(both);
}

/* ---- cells ---- */

static void find_axes(struct table *t)
{
    const struct matrix *m = t->plan->m;

    for (size_t i = 0; i < m->n_axes; i++) {
        bool differs = m->axes[i].kind == AXIS_SERVER;

        for (size_t c = 1; c < t->plan->n_cells && !differs; c++) {
            const char *a = t->plan->cells[0].values[i];
            const char *b = t->plan->cells[c].values[i];

            differs = a != b && (!a || !b || strcmp(a, b) != 0);
        }
        if (differs)
            t->axes[t->n_axes++] = i;
    }
    t->n_cols = t->n_axes + FIGURES;
}

static const char *state_text(struct table *t, const struct row *row)
{
    if (row->n_ended < row->n_planned)
        return row->n_ended == 0 ? "not run"
                                 : arena_printf(&t->arena, "%zu of %zu run",
                                                row->n_ended, row->n_planned);
    if (row->n_planned == 1 || row->worst == VARIANT_VALID)
        return variant_outcome_text(row->worst);
    return arena_printf(&t->arena, "%zu of %zu valid", row->n, row->n_planned);
}

static void put(struct table *t, size_t row, size_t col, const char *text)
{
    t->cells[row * t->n_cols + col] = text ? text : NO_DATA;
}

static void put_copy(struct table *t, size_t row, size_t col, const char *text)
{
    put(t, row, col, arena_strdup(&t->arena, text));
}

static void put_figures(struct table *t, size_t i)
{
    const struct row *row = &t->rows[i];
    const size_t at = t->n_axes;
    char text[CELL_BYTES], interval[CELL_BYTES];

    snprintf(text, sizeof(text), "%zu", row->n);
    put_copy(t, i + 1, at, text);
    snprintf(text, sizeof(text), NO_DATA);
    if (row->n > 0)
        snprintf(text, sizeof(text), "%.1f", throughput(t, row));
    put_copy(t, i + 1, at + 1, text);
    relative(t, row, matrix_cell_base(t->plan, &t->plan->cells[i]), text,
             interval);
    put_copy(t, i + 1, at + 2, text);
    put_copy(t, i + 1, at + 3, interval);
    snprintf(text, sizeof(text), NO_DATA);
    if (row->n_p99 > 0)
        snprintf(text, sizeof(text), "%.2f",
                 row->p99_ns / (double)row->n_p99 / 1e6);
    put_copy(t, i + 1, at + 4, text);
    snprintf(text, sizeof(text), NO_DATA);
    if (row->n_cpu > 0)
        snprintf(text, sizeof(text), "%.0f", row->cpu_us / (double)row->n_cpu);
    put_copy(t, i + 1, at + 5, text);
    put(t, i + 1, at + 6, state_text(t, row));
}

static enum rc make_cells(struct table *t, struct err *err)
{
    static const char *const names[FIGURES] = {
        "runs",   "NOPM",      "relative", "95% interval",
        "p99 ms", "CPU us/tx", "state"};
    const struct matrix *m = t->plan->m;

    find_axes(t);
    t->cells = ARENA_ARRAY(&t->arena, const char *,
                           (t->plan->n_cells + 1) * t->n_cols);
    if (!t->cells)
        return err_set(err, RC_NOMEM, "out of memory");
    for (size_t c = 0; c < t->n_axes; c++)
        put(t, 0, c, m->axes[t->axes[c]].key);
    for (size_t c = 0; c < FIGURES; c++)
        put(t, 0, t->n_axes + c, names[c]);
    if (!t->by_nopm)
        put(t, 0, t->n_axes + 1, "TPS");
    for (size_t i = 0; i < t->plan->n_cells; i++) {
        for (size_t c = 0; c < t->n_axes; c++)
            put(t, i + 1, c, t->plan->cells[i].values[t->axes[c]]);
        put_figures(t, i);
    }
    return RC_OK;
}

enum rc matrix_table_print(const struct matrix_plan *plan,
                           const struct matrix_state *state,
                           enum matrix_format format, FILE *out,
                           struct err *err)
{
    struct table t = {.plan = plan, .state = state};
    enum rc rc;

    arena_init(&t.arena, ARENA_MAX);
    t.rows = MEM_ARRAY(struct row, plan->n_cells);
    if (!t.rows)
        return err_set(err, RC_NOMEM, "out of memory");
    rc = store_open(state->results, STORE_READ, &t.store, err);
    if (rc == RC_NOT_FOUND) {
        *err = (struct err){0};
        rc = RC_OK; /* no run got as far as being kept */
    }
    if (!rc)
        rc = collect(&t, err);
    if (!rc)
        rc = make_cells(&t, err);
    if (!rc && format == MATRIX_CSV)
        table_print_csv(&t, out);
    if (!rc && format == MATRIX_MARKDOWN)
        table_print_markdown(&t, out);
    if (!rc && format == MATRIX_TEXT)
        table_print_text(&t, out);
    if (!rc && format != MATRIX_CSV) {
        table_print_base(&t, out);
        table_print_remarks(&t, out);
    }
    store_close(t.store);
    mem_free(t.rows);
    arena_release(&t.arena);
    return rc;
}
