/* SPDX-License-Identifier: MIT */
#include "run/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void rates_are_read_exactly(void **state)
{
    static const struct {
        const char *text;
        uint64_t n;
        int64_t period_s;
    } want[] = {
        {"7", 7000, 1000},      {"7/s", 7000, 1000},       {"0.5/s", 500, 1000},
        {"90/m", 90000, 60000}, {"1.25/h", 1250, 3600000},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(want); i++) {
        struct rate rate;

        assert_int_equal(rate_parse(want[i].text, &rate, NULL), RC_OK);
        assert_int_equal(rate.n, want[i].n);
        assert_int_equal(rate.period_ns, want[i].period_s * NS_PER_S);
    }
}

static void users_of_stages_come_and_go(void **state)
{
    const struct run_cfg cfg = {.stages = "1m:10,30s:50,2m:20"};
    struct plan p;

    (void)state;
    assert_int_equal(plan_make(&cfg, &p, NULL), RC_OK);
    assert_true(plan_stages_users(&p));
    assert_int_equal(plan_most_users(&p), 50);
    assert_int_equal(p.duration_ns, 210 * NS_PER_S);
    assert_int_equal(plan_stage_at(&p, -5), 0);
    assert_int_equal(plan_stage_at(&p, 60 * NS_PER_S - 1), 0);
    assert_int_equal(plan_stage_at(&p, 60 * NS_PER_S), 1);
    assert_int_equal(plan_stage_at(&p, 90 * NS_PER_S), 2);
    assert_int_equal(plan_stage_at(&p, 9000 * NS_PER_S), 2);
    assert_int_equal(plan_stage_begin(&p, 2), 90 * NS_PER_S);
}

static void refuse(const struct run_cfg *cfg, const char *option)
{
    struct err err = {0};
    struct plan p;

    if (plan_make(cfg, &p, &err) != RC_USAGE || !strstr(err.text, option))
        fail_msg("rate %s, stages %s, pacing %s: %s",
                 cfg->rate ? cfg->rate : "-", cfg->stages ? cfg->stages : "-",
                 cfg->pacing ? cfg->pacing : "-", err.text);
}

static void what_is_no_load_is_refused_by_name(void **state)
{
    static const char *const rates[] = {
        "",     "0",     "0/s",  "/s",           "x",
        "-1/s", "1/",    "1/d",  "1./s",         "1.0001/s",
        ".5/s", "1e3/s", "1 /s", "2000000000/s", "99999999999999999999/s",
    };
    static const char *const stages[] = {
        "",     "1m",     ":5",          "1m:",           "0s:5",
        "1m:0", "1m:5,",  ",1m:5",       "1m:5;2m:6",     "1m:x",
        "x:5",  "1m:5/x", "1m:5,1m:5/s", "9999999999h:1", "1m:5:6",
    };
    static const char *const pacings[] = {"", "on", "0", "-1", "2000", "1x"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rates); i++)
        refuse(&(struct run_cfg){.rate = rates[i]}, "--rate");
    for (size_t i = 0; i < ARRAY_LEN(stages); i++)
        refuse(&(struct run_cfg){.stages = stages[i]}, "--stages");
    for (size_t i = 0; i < ARRAY_LEN(pacings); i++)
        refuse(&(struct run_cfg){.pacing = pacings[i]}, "--pacing");
}

static void what_does_not_go_together_is_refused(void **state)
{
    (void)state;
    refuse(&(struct run_cfg){.rate = "5/s", .stages = "1m:5"}, "--stages");
    refuse(&(struct run_cfg){.rate = "5/s", .pacing = "spec"}, "--pacing");
    refuse(&(struct run_cfg){.stages = "1m:5", .iterations = 9},
           "--iterations");
    refuse(&(struct run_cfg){.stages = "1m:5", .vus = 9}, "--vus");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_read_exactly),
        cmocka_unit_test(users_of_stages_come_and_go),
        cmocka_unit_test(what_is_no_load_is_refused_by_name),
        cmocka_unit_test(what_does_not_go_together_is_refused),
    };

    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
