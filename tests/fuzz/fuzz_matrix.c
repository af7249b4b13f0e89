/* SPDX-License-Identifier: MIT */
/* Any text as a matrix file: refused with a place, or a plan that holds
 * together. */
#include "base/log.h"
#include "lab/matrix_plan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void check(bool ok)
{
    if (!ok)
        abort();
}

static void check_plan(const struct matrix *m)
{
    struct matrix_plan plan;
    struct err err = {0};
    char text[64];

    if (matrix_plan_make(m, &plan, &err)) {
        check(err.text[0]);
        return;
    }
    check(plan.n_cells > 0 && plan.n_runs == plan.n_cells * m->repeat);
    for (size_t k = 0; k < plan.n_runs; k++) {
        const struct matrix_run *run = &plan.runs[k];

        check(run->cell->server && run->repeat >= 1 &&
              run->repeat <= m->repeat);
        check(!matrix_check_name(run->cell->server->name, NULL));
        matrix_cell_text(m, run->cell, true, text, sizeof(text));
        check(text[0] && matrix_cell_base(&plan, run->cell) != run->cell);
    }
    (void)matrix_plan_hash(&plan);
    matrix_plan_release(&plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct matrix *m = NULL;
    struct err err = {0};

    log_set_level(LOG_ERROR);
    if (matrix_parse((const char *)data, size, "plan.yaml", &m, &err)) {
        check(err.text[0]);
        return 0;
    }
    check(m->n_servers > 0 && m->name && m->workload);
    /* The base of each cell is looked for among all. */
    if (m->n_axes <= 6 && m->repeat <= 8)
        check_plan(m);
    matrix_free(m);
    return 0;
}
