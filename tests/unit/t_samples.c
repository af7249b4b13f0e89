/* SPDX-License-Identifier: MIT */
#include "telemetry/samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* -1 when it is not there. */
static int64_t sample_of(const struct interval *it, const char *name)
{
    for (size_t i = 0; i < it->n_samples; i++) {
        if (strcmp(it->samples[i].name, name) == 0)
            return it->samples[i].value;
    }
    return -1;
}

static void set_counter(struct counters *c, uint64_t sum)
{
    c->n = 1;
    memcpy(c->all[0].name, "wal_bytes", 10);
    c->all[0].sum = sum;
}

static void set_wait(struct server_waits *w, uint64_t sessions,
                     uint64_t n_samples)
{
    w->n = 1;
    w->n_samples = n_samples;
    memcpy(w->all[0].name, "IO:WALSync", 11);
    w->all[0].sessions = sessions;
}

static void an_interval_has_the_growth_since_the_one_before(void **state)
{
    static struct samples s;
    static struct samples_now now;
    static struct interval first, second;

    (void)state;
    s.has_last = true;
    now.host.known = 1U << HOST_DISK_READS;
    now.host.v[HOST_DISK_READS] = 10;
    set_counter(&now.counters, 100);
    set_wait(&now.waits, 3, 1);
    now.self.cpu_ns = 5000;
    now.self.rss_bytes = 4096;
    samples_add(&s, &now, &first);
    now.host.v[HOST_DISK_READS] = 14;
    set_counter(&now.counters, 150);
    set_wait(&now.waits, 3, 2);
    now.self.cpu_ns = 9000;
    samples_add(&s, &now, &second);
    assert_int_equal(sample_of(&first, "host.disk_reads"), 10);
    assert_int_equal(sample_of(&second, "host.disk_reads"), 4);
    assert_int_equal(sample_of(&second, "host.context_switches"), -1);
    assert_int_equal(sample_of(&first, "server.wal_bytes"), 100);
    assert_int_equal(sample_of(&second, "server.wal_bytes"), 50);
    assert_int_equal(sample_of(&first, "server.waits.IO:WALSync"), 3);
    /* Looked for, and nobody waited. */
    assert_int_equal(sample_of(&second, "server.waits.IO:WALSync"), -1);
    assert_int_equal(sample_of(&second, "server.wait_samples"), 1);
    assert_int_equal(sample_of(&second, "client.cpu_us"), 4);
    assert_int_equal(sample_of(&second, "client.rss_bytes"), 4096);
}

static void without_a_server_there_is_nothing_of_it(void **state)
{
    static struct samples s;
    static struct samples_now now;
    static struct interval it;

    (void)state;
    s.has_last = true;
    samples_add(&s, &now, &it);
    for (size_t i = 0; i < it.n_samples; i++)
        assert_int_not_equal(strncmp(it.samples[i].name, "server.", 7), 0);
}

static void everything_at_once_fits_an_interval(void **state)
{
    assert_true(N_HOST_COUNTERS + N_PROCS_PARTS + COUNTERS_MAX + WAITS_MAX +
                    8 <=
                INTERVAL_SAMPLES_MAX);
    (void)state;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interval_has_the_growth_since_the_one_before),
        cmocka_unit_test(without_a_server_there_is_nothing_of_it),
        cmocka_unit_test(everything_at_once_fits_an_interval),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
