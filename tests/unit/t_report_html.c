/* SPDX-License-Identifier: MIT */
#include "report/html_int.h"
#include "report/html_variants.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* ---- texts and numbers ---- */

static void text_cannot_become_markup(void **state)
{
    struct buf out = BUF_INIT(4096);

    (void)state;
    html_escape(&out, "<a href=\"x\" b='y'>&amp;\xff");
    assert_string_equal(buf_str(&out),
                        "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;?");
    buf_release(&out);
}

static void json_cannot_end_its_element(void **state)
{
    struct buf out = BUF_INIT(4096);
    struct json_out o = {0};
    json_t *root = json_object();

    (void)state;
    json_put_text(&o, root, "<k", "</script><!--");
    assert_int_equal(html_put_json(&out, &o, root, NULL), RC_OK);
    assert_string_equal(buf_str(&out),
                        "{\"\\u003ck\":\"\\u003c/script>\\u003c!--\"}");
    buf_release(&out);
}

static void numbers_have_four_digits_and_none_is_nan(void **state)
{
    static const double values[] = {0,     12345.6, 0.0123456, -1.00049,
                                    1e-20, 99999,   NAN,       INFINITY};
    struct buf out = BUF_INIT(4096);
    struct json_out o = {0};
    json_t *list = json_array();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(values); i++)
        html_add_number(&o, list, values[i]);
    assert_int_equal(html_put_json(&out, &o, list, NULL), RC_OK);
    assert_string_equal(buf_str(&out),
                        "[0,12350,0.01235,-1,0,100000,null,null]");
    buf_release(&out);
}

/* ---- variants ---- */

#define PROPERTIES 4

struct made_run {
    struct property properties[PROPERTIES];
    struct figures figures;
};

/* vus, label "build", label "n", setting "home"; the arrays are the test's. */
static void make_run(struct made_run *s, const char *vus, const char *build,
                     const char *n, const char *home)
{
    const struct property all[PROPERTIES] = {
        {PROPERTY_RUN, "vus", vus},
        {PROPERTY_LABEL, "build", build},
        {PROPERTY_LABEL, "n", n},
        {PROPERTY_SETTING, "home", home},
    };

    memcpy(s->properties, all, sizeof(all));
    s->figures = (struct figures){.properties = s->properties,
                                  .n_properties = PROPERTIES};
}

static void find(struct made_run *samples, size_t n, const char *const *names,
                 size_t n_names, struct arena *arena, struct variants *out)
{
    const struct axis_names axes = {names, n_names};
    struct figures *runs = ARENA_ARRAY(arena, struct figures, n);

    assert_non_null(runs);
    for (size_t i = 0; i < n; i++)
        runs[i] = samples[i].figures;
    assert_int_equal(variants_find(runs, n, &axes, arena, out, NULL), RC_OK);
}

static void what_follows_from_an_axis_is_none(void **state)
{
    struct arena arena = ARENA_INIT(1 << 20);
    struct made_run runs[4];
    struct variants v;

    (void)state;
    make_run(&runs[0], "1", "a", "1", "fixed");
    make_run(&runs[1], "8", "b", "2", "spread");
    make_run(&runs[2], "1", "a", "3", "fixed");
    make_run(&runs[3], "8", "b", "4", "spread");
    find(runs, 4, NULL, 0, &arena, &v);
    assert_int_equal(v.n_axes, 1);
    assert_string_equal(v.axes[0].name, "build");
    assert_int_equal(v.n, 2);
    assert_int_equal(v.of_run[0], v.of_run[2]);
    assert_int_equal(v.of_run[1], v.of_run[3]);
    arena_release(&arena);
}

static void a_number_of_the_run_is_an_axis_only_alone(void **state)
{
    struct arena arena = ARENA_INIT(1 << 20);
    struct made_run runs[3];
    struct variants v;

    (void)state;
    make_run(&runs[0], "1", "a", "1", "fixed");
    make_run(&runs[1], "1", "a", "2", "fixed");
    make_run(&runs[2], "1", "b", "3", "fixed");
    find(runs, 3, NULL, 0, &arena, &v);
    assert_int_equal(v.n, 2);
    assert_string_equal(v.axes[0].name, "build");
    make_run(&runs[2], "1", "a", "3", "fixed");
    find(runs, 3, NULL, 0, &arena, &v);
    assert_int_equal(v.n, 3);
    assert_string_equal(v.axes[0].name, "n");
    arena_release(&arena);
}

static void named_axes_are_taken_as_they_are(void **state)
{
    static const char *const names[] = {"home"};
    static const char *const wrong[] = {"hoem"};
    const struct axis_names wrong_axes = {wrong, 1};
    struct arena arena = ARENA_INIT(1 << 20);
    struct made_run runs[2];
    struct variants v;
    struct err err = {0};

    (void)state;
    make_run(&runs[0], "1", "a", "1", "fixed");
    make_run(&runs[1], "8", "b", "2", "fixed");
    find(runs, 2, names, 1, &arena, &v);
    assert_int_equal(v.n_axes, 1);
    assert_int_equal(v.n, 1);
    assert_int_equal(
        variants_find(&runs[0].figures, 1, &wrong_axes, &arena, &v, &err),
        RC_USAGE);
    assert_non_null(strstr(err.text, "did you mean 'home'"));
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_cannot_become_markup),
        cmocka_unit_test(json_cannot_end_its_element),
        cmocka_unit_test(numbers_have_four_digits_and_none_is_nan),
        cmocka_unit_test(what_follows_from_an_axis_is_none),
        cmocka_unit_test(a_number_of_the_run_is_an_axis_only_alone),
        cmocka_unit_test(named_axes_are_taken_as_they_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
