/* SPDX-License-Identifier: MIT */
#include "run/sizes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A noop target with the workload ping, and the sizes of a run on it. */
static enum rc sizes_of(uint64_t vus, const char *connections, uint64_t threads,
                        struct sizes *out, struct err *err)
{
    const struct session_args args = {
        .url = "noop:",
        .workload = workload_find("ping"),
        .seed = 1,
    };
    const struct run_cfg cfg = {.vus = vus, .connections = connections};
    const struct plan plan = {0};
    const struct sizes_args sizes_args = {&cfg, &plan, threads};
    struct session s;
    enum rc rc;

    assert_int_equal(session_open(&args, &s, NULL), RC_OK);
    rc = sizes_find(&s, &sizes_args, out, err);
    session_close(&s);
    return rc;
}

static void connections_are_a_number_a_multiple_or_a_share(void **state)
{
    static const struct {
        const char *connections;
        size_t n_conns, n_workers;
        bool pinned;
    } want[] = {
        {NULL, 100, 8, true},    {"100", 100, 8, true},  {"7", 7, 7, false},
        {"2x", 200, 8, false},   {"1/10", 10, 8, false}, {"1/3", 34, 8, false},
        {"3/2", 150, 8, false},  {"1", 1, 1, false},     {"fit", 100, 8, true},
        {"1/1000", 1, 1, false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(want); i++) {
        struct sizes z;

        assert_int_equal(sizes_of(100, want[i].connections, 8, &z, NULL),
                         RC_OK);
        assert_int_equal(z.n_users, 100);
        assert_int_equal(z.n_conns, want[i].n_conns);
        assert_int_equal(z.n_workers, want[i].n_workers);
        assert_int_equal(z.pinned, want[i].pinned);
    }
}

static void what_is_no_number_of_connections_is_refused(void **state)
{
    static const char *const bad[] = {
        "",       "0",      "0x",  "x",    "-1",  "1/0", "0/2",
        "/2",     "2/",     "1.5", "fits", "2 x", "1/x", "99999999999999999999",
        "100001", "99999x",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct err err = {0};
        struct sizes z;

        assert_int_equal(sizes_of(100, bad[i], 2, &z, &err), RC_USAGE);
        assert_non_null(strstr(err.text, "--connections: "));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connections_are_a_number_a_multiple_or_a_share),
        cmocka_unit_test(what_is_no_number_of_connections_is_refused),
    };

    return cmocka_run_group_tests_name("sizes", tests, NULL, NULL);
}
