/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "lab/flip_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct flip_plan plan;
    struct arena arena;
    struct err err;
};

static void begin(struct fixture *f)
{
    *f = (struct fixture){.plan = {.n_switches = 0}};
    arena_init(&f->arena, (size_t)1 << 20);
}

static void add(struct fixture *f, const char *text)
{
    assert_int_equal(flip_switch_add(&f->plan, text, &f->arena, &f->err),
                     RC_OK);
}

static void refuses(const char *text, const char *says)
{
    struct fixture f;

    begin(&f);
    add(&f, "prepare=on,off");
    assert_int_equal(flip_switch_add(&f.plan, text, &f.arena, &f.err),
                     RC_USAGE);
    if (!strstr(f.err.text, says))
        fail_msg("'%s' does not say '%s'", f.err.text, says);
    arena_release(&f.arena);
}

static void a_variant_changes_one_switch_alone(void **state)
{
    struct fixture f;
    const struct flip_variant *v;

    (void)state;
    begin(&f);
    add(&f, "composition=batched,literal,procs");
    add(&f, "mix=new_order=1|new_order=1,payment=1");
    add(&f, "isolation=,serializable");
    assert_int_equal(flip_plan_make(&f.plan, &f.arena, &f.err), RC_OK);
    assert_int_equal(f.plan.n_variants, 6);
    v = f.plan.variants;
    assert_string_equal(v[FLIP_BASE].name, "base");
    assert_string_equal(v[FLIP_BASE_AGAIN].name, "base again");
    assert_string_equal(v[3].name, "composition=procs");
    assert_string_equal(v[4].name, "mix=new_order=1,payment=1");
    for (size_t i = 0; i < f.plan.n_variants; i++) {
        size_t n_changed = 0;

        for (size_t k = 0; k < f.plan.n_switches; k++) {
            const struct flip_switch *s = &f.plan.switches[k];

            n_changed += strcmp(flip_value(&v[i], s), s->values[0]) != 0;
        }
        assert_int_equal(n_changed, i >= FLIP_FIRST_SWITCH);
    }
    assert_string_equal(flip_value(&v[3], &f.plan.switches[0]), "procs");
    arena_release(&f.arena);
}

static void a_switch_that_is_none_is_refused(void **state)
{
    (void)state;
    refuses("composition", "is not NAME=A,B");
    refuses("=a,b", "is not NAME=A,B");
    refuses("composition=batched", "has one value");
    refuses("composition=a,b,a", "has 'a' twice");
    refuses("prepare=on,off", "is there twice");
    refuses("vus=1,2,3,4,5,6,7,8,9", "more than 8 values");
}

static void a_round_has_each_variant_once_in_an_order_of_its_own(void **state)
{
    size_t first[FLIP_VARIANTS_MAX], order[FLIP_VARIANTS_MAX];
    struct fixture f;
    bool other = false;

    (void)state;
    begin(&f);
    add(&f, "a=1,2,3,4,5,6,7");
    assert_int_equal(flip_plan_make(&f.plan, &f.arena, &f.err), RC_OK);
    flip_plan_order(&f.plan, 7, 0, first);
    for (uint64_t round = 0; round < 5; round++) {
        uint64_t seen = 0;

        flip_plan_order(&f.plan, 7, round, order);
        for (size_t i = 0; i < f.plan.n_variants; i++)
            seen |= UINT64_C(1) << order[i];
        assert_int_equal(seen, (UINT64_C(1) << f.plan.n_variants) - 1);
        other = other || memcmp(order, first, sizeof(order[0]) * 8) != 0;
    }
    assert_true(other);
    flip_plan_order(&f.plan, 7, 0, order);
    assert_memory_equal(order, first, sizeof(order[0]) * f.plan.n_variants);
    arena_release(&f.arena);
}

static void a_budget_is_spent_on_rounds_first(void **state)
{
    static const struct {
        int64_t left_s, overhead_s;
        uint64_t rounds; /* as given, 0: none */
        int64_t interval_s;
        uint64_t want_rounds;
        int64_t want_interval_s;
    } rows[] = {
        {500, 2, 0, 0, 10, 3},   /* 10 runs of 5 s: 3 s at least */
        {800, 8, 0, 0, 5, 8},    /* as long as what a run costs beside it */
        {600, 8, 0, 0, 5, 4},    /* shorter, for the fifth round */
        {200, 2, 0, 0, 4, 3},    /* fewer rounds, when it must be */
        {5000, 2, 0, 0, 20, 23}, /* longer only with all rounds there are */
        {500, 2, 3, 0, 3, 14},   /* as asked for */
        {500, 2, 0, 8, 5, 8},    {240, 2, 0, 6, 3, 6},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct flip_times t = {.rounds = rows[i].rounds,
                               .interval_ns = rows[i].interval_s * NS_PER_S};

        assert_int_equal(flip_fit(10, rows[i].left_s * NS_PER_S,
                                  rows[i].overhead_s * NS_PER_S, &t, NULL),
                         RC_OK);
        assert_int_equal(t.rounds, rows[i].want_rounds);
        assert_int_equal(t.interval_ns / NS_PER_S, rows[i].want_interval_s);
    }
}

static void a_budget_that_is_too_small_says_what_is_needed(void **state)
{
    struct flip_times t = {.rounds = 0}, given = {.interval_ns = NS_PER_S};
    struct err err = {0};

    (void)state;
    assert_int_equal(flip_fit(10, 100 * NS_PER_S, 2 * NS_PER_S, &t, &err),
                     RC_USAGE);
    /* 10 runs, 3 rounds, 2 + 3 s. */
    assert_non_null(strstr(err.text, "take 2m31s"));
    assert_int_equal(flip_fit(10, 20 * NS_PER_S, 2 * NS_PER_S, &given, &err),
                     RC_USAGE);
    t = (struct flip_times){.rounds = 0};
    assert_int_equal(flip_fit(10, -5 * NS_PER_S, 2 * NS_PER_S, &t, &err),
                     RC_USAGE);
}

static void a_budget_that_cannot_do_is_refused_before_anything(void **state)
{
    const struct flip_times none = {.rounds = 0};
    struct err err = {0};

    (void)state;
    assert_int_equal(flip_check_budget(8, 3 * NS_PER_S, &none, &err), RC_USAGE);
    assert_non_null(strstr(err.text, "--time-budget: 8 runs, 3 times, take "));
    assert_int_equal(flip_check_budget(8, 900 * NS_PER_S, &none, &err), RC_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_variant_changes_one_switch_alone),
        cmocka_unit_test(a_switch_that_is_none_is_refused),
        cmocka_unit_test(a_round_has_each_variant_once_in_an_order_of_its_own),
        cmocka_unit_test(a_budget_is_spent_on_rounds_first),
        cmocka_unit_test(a_budget_that_is_too_small_says_what_is_needed),
        cmocka_unit_test(a_budget_that_cannot_do_is_refused_before_anything),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
