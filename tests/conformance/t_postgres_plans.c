/* SPDX-License-Identifier: MIT */
/*
 * Every statement of TPC-C finds its rows by an index, with its whole key: the
 * types of the parameters, as the driver leaves them to the server, allow it.
 */
#include "base/asset.h"
#include "support/pg_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FOLDER "sql/tpcc/postgres/"
#define PLAN_BYTES 8192

static CORO_FN void run_asset(struct pg_fixture *f, const char *name)
{
    const struct asset *asset = asset_find(name);

    assert_non_null(asset);
    pg_run(f, f->a, asset->data);
}

struct plan {
    char text[PLAN_BYTES];
    size_t len;
};

static enum rc note_line(void *arg, const struct value *cells, size_t n)
{
    struct plan *plan = arg;

    (void)n;
    if (plan->len < sizeof(plan->text))
        plan->len += (size_t)snprintf(plan->text + plan->len,
                                      sizeof(plan->text) - plan->len, "%.*s\n",
                                      (int)cells[0].len, cells[0].s);
    return RC_OK;
}

/* Of a prepared statement, whatever its parameters. */
static CORO_FN void explain(struct pg_fixture *f, unsigned number,
                            size_t n_params, struct plan *out)
{
    const struct result_sink sink = {.arg = out, .row = note_line};
    char sql[512];
    size_t len =
        (size_t)snprintf(sql, sizeof(sql), "EXPLAIN EXECUTE d%u", number);

    for (size_t i = 0; i < n_params; i++)
        len += (size_t)snprintf(sql + len, sizeof(sql) - len, "%sNULL",
                                i == 0 ? " (" : ", ");
    if (n_params > 0)
        len += (size_t)snprintf(sql + len, sizeof(sql) - len, ")");
    *out = (struct plan){.len = 0};
    pg_check(f, conn_script(f->a, sql, len, &sink, &f->err));
}

/* A key column that is not in the index condition is in a filter.  Joins of
 * empty tables may filter instead of looking up. */
static bool filters_by_key(const char *plan)
{
    const char *line = plan;

    while ((line = strstr(line, "  Filter:"))) {
        const char *end = strchr(line, '\n');
        const char *id = strstr(line, "_id ");

        if (id && (!end || id < end))
            return true;
        line++;
    }
    return false;
}

/* Statements are named d0, d1, … in the order in which they are prepared. */
static CORO_FN void check_step(struct pg_fixture *f, const char *name,
                               bool simple, unsigned *number)
{
    struct step *step = ARENA_NEW(&f->arena, struct step);
    static struct plan plan;
    struct stmt *s;

    assert_non_null(step);
    pg_check(f,
             step_load(&f->arena, "tpcc", f->db->driver, name, step, &f->err));
    pg_check(f, conn_prepare(f->a, step, &s, &f->err));
    for (size_t i = 0; i < step->n_statements; i++) {
        explain(f, (*number)++, step->statements[i].n_params, &plan);
        if (strstr(plan.text, "Seq Scan") ||
            (simple && filters_by_key(plan.text)))
            fail_msg("%s:\n%s", name, plan.text);
    }
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static CORO_FN void check_steps(struct pg_fixture *f)
{
    unsigned number = 0;
    size_t n = 0;

    pg_run(f, f->a,
           "DROP SCHEMA IF EXISTS plans CASCADE; CREATE SCHEMA plans; "
           "SET search_path = plans; SET enable_seqscan = off; "
           "SET enable_bitmapscan = off; "
           "SET plan_cache_mode = force_generic_plan");
    run_asset(f, FOLDER "schema.sql");
    run_asset(f, FOLDER "indexes.sql");
    run_asset(f, FOLDER "foreign_keys.sql");
    for (size_t i = 0; i < asset_count; i++) {
        const char *name = asset_table[i].name;
        char step[80];

        if (strncmp(name, FOLDER, strlen(FOLDER)) != 0 ||
            !strchr(name + strlen(FOLDER), '/'))
            continue;
        name += strlen(FOLDER);
        /* Calls have no plan, and what they call is not installed here. */
        if (starts_with(name, "procs/"))
            continue;
        snprintf(step, sizeof(step), "%.*s", (int)(strlen(name) - 4), name);
        check_step(f, step,
                   !starts_with(name, "batched/") &&
                       !starts_with(name, "single/"),
                   &number);
        n++;
    }
    assert_in_range(n, 33, 1000);
    run_asset(f, FOLDER "drop.sql");
    pg_run(f, f->a, "DROP SCHEMA plans");
}

static void every_statement_uses_its_whole_key(void **state)
{
    struct pg_fixture *f = pg_fixture(state);

    pg_open_default(f);
    pg_in_loop(f, check_steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_statement_uses_its_whole_key,
                                        pg_setup, pg_teardown),
    };

    return cmocka_run_group_tests(tests, pg_group_setup, pg_group_teardown);
}
