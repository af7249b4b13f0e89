/* SPDX-License-Identifier: MIT */
#include "cli/matrix_table_int.h"
#include "report/run_list.h"

#include <inttypes.h>
#include <string.h>

static bool is_number_column(const struct table *t, size_t col)
{
    return col >= t->n_axes && col + 1 < t->n_cols;
}

void table_print_text(const struct table *t, FILE *out)
{
    const size_t n = t->plan->n_cells + 1;

    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < t->n_cols; c++) {
            int width = 0;

            for (size_t k = 0; k < n; k++) {
                const int len = (int)strlen(t->cells[k * t->n_cols + c]);

                width = len > width ? len : width;
            }
            if (c + 1 == t->n_cols)
                width = 0;
            fprintf(out, is_number_column(t, c) ? "%s%*s" : "%s%-*s",
                    c > 0 ? "  " : "", width, t->cells[i * t->n_cols + c]);
        }
        fputc('\n', out);
    }
}

static void markdown_cell(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (strchr("|\\`*_<>[]", *text))
            fputc('\\', out);
        fputc(*text, out);
    }
}

void table_print_markdown(const struct table *t, FILE *out)
{
    for (size_t i = 0; i <= t->plan->n_cells; i++) {
        for (size_t c = 0; c < t->n_cols; c++) {
            fputs("| ", out);
            markdown_cell(t->cells[i * t->n_cols + c], out);
            fputc(' ', out);
        }
        fputs("|\n", out);
        for (size_t c = 0; i == 0 && c < t->n_cols; c++)
            fputs(is_number_column(t, c) ? "| ---: " : "| --- ", out);
        if (i == 0)
            fputs("|\n", out);
    }
}

void table_print_csv(const struct table *t, FILE *out)
{
    for (size_t i = 0; i <= t->plan->n_cells; i++) {
        for (size_t c = 0; c < t->n_cols; c++) {
            const char *text = t->cells[i * t->n_cols + c];

            if (c > 0)
                fputc(',', out);
            csv_field(strcmp(text, NO_DATA) ? text : "", out);
        }
        fputs("\r\n", out);
    }
}

void table_print_remarks(const struct table *t, FILE *out)
{
    const struct matrix_plan *p = t->plan;
    bool first = true;

    for (size_t k = 0; k < p->n_runs; k++) {
        const struct matrix_record *r = &t->state->records[k];
        char text[512];

        if (r->step != STEP_ENDED ||
            (r->outcome == VARIANT_VALID && !r->reason[0]))
            continue;
        if (first)
            fputc('\n', out);
        first = false;
        matrix_cell_text(p->m, p->runs[k].cell, false, text, sizeof(text));
        fprintf(out, "- run %zu (%s): %s%s%s%s%s\n", k + 1, text,
                variant_outcome_text(r->outcome), r->reason[0] ? ": " : "",
                r->reason, r->name[0] ? "; " : "", r->name);
    }
}

void table_print_base(const struct table *t, FILE *out)
{
    const struct matrix *m = t->plan->m;
    bool any = false;

    for (size_t i = 0; i < m->n_axes; i++) {
        if (m->base.n_values[i] == 0)
            continue;
        fprintf(out, "%s%s=%s", any ? ", " : "\nrelative to ", m->axes[i].key,
                m->base.values[i][0]);
        any = true;
    }
    if (any)
        fputs(", else alike\n", out);
}

void matrix_plan_print(const struct matrix_plan *plan, FILE *out)
{
    for (size_t k = 0; k < plan->n_runs; k++) {
        const struct matrix_run *run = &plan->runs[k];
        char text[512];

        matrix_cell_text(plan->m, run->cell, true, text, sizeof(text));
        fprintf(out, "%4zu  %s", k + 1, text);
        if (plan->m->repeat > 1)
            fprintf(out, " repeat=%" PRIu64, run->repeat);
        fputc('\n', out);
    }
}
