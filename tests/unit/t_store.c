/* SPDX-License-Identifier: MIT */
#include "base/asset.h"
#include "base/mem.h"
#include "store/keep.h"
#include "store/runs.h"

#include <sqlite3.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define N_TXNS 2
#define MEMORY ((size_t)4 << 20)

struct fixture {
    char dir[64];
    struct store *store;
    struct keeper *keeper;
    struct arena arena;
    struct interval it;
    struct hist *response[N_TXNS], *service[N_TXNS], *none;
    /* What was read back. */
    size_t n_seen;
    unsigned drop_bits;
    struct interval seen;
    struct hist *seen_response;
};

static const char *const txn_names[N_TXNS] = {"one", "two"};

static struct store_head head_of(const char *name, uint64_t number)
{
    static const struct store_text settings[] = {{"vus", "4", "default"},
                                                 {"db", NULL, "default"}};
    static const struct store_text labels[] = {{"build", "a b", NULL}};

    return (struct store_head){
        .name = name,
        .number = number,
        .workload = "tpcc",
        .driver = "noop",
        .target = "noop:",
        .version = "0",
        .counted = "one",
        .scale = 1,
        .vus = 4,
        .connections = 4,
        .threads = 2,
        .seed = UINT64_MAX,
        .started_us = 1000,
        .txns = txn_names,
        .n_txns = N_TXNS,
        .settings = settings,
        .n_settings = ARRAY_LEN(settings),
        .labels = labels,
        .n_labels = ARRAY_LEN(labels),
    };
}

static void remove_folder(const char *dir)
{
    static const char *const names[] = {"dyno.db", "dyno.db-wal", "dyno.db-shm",
                                        "dyno.db.running"};
    char path[128];

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
        unlink(path);
    }
    rmdir(dir);
}

static int setup(void **state)
{
    struct fixture *f = MEM_NEW(struct fixture);
    struct err err = {0};

    assert_non_null(f);
    snprintf(f->dir, sizeof(f->dir), "store.XXXXXX");
    assert_non_null(mkdtemp(f->dir));
    assert_int_equal(store_open(f->dir, STORE_WRITE, &f->store, &err), RC_OK);
    arena_init(&f->arena, MEMORY);
    f->none = hist_new();
    f->seen_response = hist_new();
    f->it.n_txns = N_TXNS;
    f->it.lag_hist = f->none;
    for (size_t i = 0; i < N_TXNS; i++) {
        f->response[i] = hist_new();
        f->service[i] = hist_new();
        f->it.txns[i].name = txn_names[i];
        f->it.txns[i].response_hist = f->response[i];
        f->it.txns[i].service_hist = f->service[i];
        f->it.txns[i].wait_hist = f->none;
    }
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    keeper_free(f->keeper);
    store_close(f->store);
    for (size_t i = 0; i < N_TXNS; i++) {
        hist_free(f->response[i]);
        hist_free(f->service[i]);
    }
    hist_free(f->none);
    hist_free(f->seen_response);
    arena_release(&f->arena);
    remove_folder(f->dir);
    mem_free(f);
    return 0;
}

static void begin(struct fixture *f, const char *name, uint64_t number)
{
    const struct store_head head = head_of(name, number);
    struct err err = {0};

    assert_int_equal(keeper_begin(f->store, &head, &f->keeper, &err), RC_OK);
}

static void record(struct fixture *f, size_t txn, int64_t ns, int64_t wait_ns)
{
    struct interval_txn *t = &f->it.txns[txn];

    hist_record(f->response[txn], ns);
    hist_record(f->service[txn], ns - wait_ns);
    t->committed++;
    t->wait_ns += wait_ns;
    t->wait.n += wait_ns > 0;
}

static void keep(struct fixture *f, enum interval_phase phase)
{
    for (size_t i = 0; i < N_TXNS; i++) {
        hist_figures(f->response[i], &f->it.txns[i].response);
        hist_figures(f->service[i], &f->it.txns[i].service);
    }
    f->it.phase = phase;
    f->it.length_ns = 1000000000;
    keeper_interval(f->keeper, &f->it);
    f->it.number++;
    f->it.begin_ns += f->it.length_ns;
    f->it.n_samples = 0;
}

static void finish(struct fixture *f, bool complete)
{
    const struct store_hist hists[] = {{"one", "response", f->response[0]}};
    const struct store_error errors[] = {
        {"one", "retryable", "40001", "no", 7, 3}};
    const struct store_check checks[] = {{"c1", "C 1", "passed", "", 10, 0}};
    const struct store_tail tail = {
        .complete = complete,
        .valid = true,
        .reason = complete ? NULL : "because",
        .ended_us = 9000000,
        .interval_us = 2000000,
        .tps = 12.5,
        .nopm = -1,
        .summary = "{}",
        .text = "text",
        .markdown = "# text",
        .hists = hists,
        .n_hists = 1,
        .errors = errors,
        .n_errors = 1,
        .checks = checks,
        .n_checks = 1,
    };
    struct err err = {0};

    assert_int_equal(keeper_settle(f->keeper, &err), RC_OK);
    assert_int_equal(keeper_finish(f->keeper, &tail, &err), RC_OK);
    keeper_free(f->keeper);
    f->keeper = NULL;
}

static struct stored_run find(struct fixture *f, const char *word)
{
    struct stored_run run = {0};
    struct err err = {0};

    if (store_find(f->store, word, &f->arena, &run, &err))
        fail_msg("%s", err.text);
    return run;
}

static enum rc see(void *arg, const struct interval *it, unsigned drop_bits,
                   struct err *err)
{
    struct fixture *f = arg;

    (void)err;
    f->n_seen++;
    f->seen = *it;
    /* The names are borrowed for the call. */
    for (size_t i = 0; i < it->n_samples; i++)
        f->seen.samples[i].name = arena_strdup(&f->arena, it->samples[i].name);
    if (drop_bits > f->drop_bits)
        f->drop_bits = drop_bits;
    hist_add(f->seen_response, it->txns[0].response_hist);
    return RC_OK;
}

static void read_back(struct fixture *f, int64_t run)
{
    struct err err = {0};

    f->n_seen = 0;
    hist_reset(f->seen_response);
    if (store_each_interval(f->store, run, see, f, &err))
        fail_msg("%s", err.text);
}

/* ---- a run ---- */

static void a_run_is_read_back_as_it_was(void **state)
{
    struct fixture *f = *state;
    struct stored_run run;
    const char *body = NULL;
    struct hist *whole = hist_new();

    begin(f, "007_noop", 7);
    keep(f, PHASE_RAMP_UP);
    for (int64_t i = 1; i <= 1000; i++)
        record(f, 0, i * i * 1000, i % 2 ? 500 : 0);
    record(f, 1, 77, 0);
    interval_sample(&f->it, "host.cpu_us", -5);
    interval_sample(&f->it, "server.wal_bytes", INT64_MAX);
    f->it.users_active = 4;
    keep(f, PHASE_MEASURE);
    finish(f, true);

    run = find(f, "7");
    assert_string_equal(run.name, "007_noop");
    assert_string_equal(run.status, "complete");
    assert_string_equal(run.seed, "18446744073709551615");
    assert_null(run.reason);
    assert_int_equal(run.valid, 1);
    assert_true(run.tps > 12.4 && run.tps < 12.6 && run.nopm < 0);
    read_back(f, run.id);
    assert_int_equal(f->n_seen, 2);
    assert_int_equal(f->drop_bits, 0);
    assert_int_equal(f->seen.phase, PHASE_MEASURE);
    assert_int_equal(f->seen.begin_ns, 1000000000);
    assert_int_equal(f->seen.users_active, 4);
    assert_int_equal(f->seen.txns[0].committed, 1000);
    assert_int_equal(f->seen.txns[0].wait_ns, 500 * 500);
    assert_memory_equal(&f->seen.txns[0].response, &f->it.txns[0].response,
                        sizeof(struct hist_figures));
    assert_memory_equal(&f->seen.txns[1].service, &f->it.txns[1].service,
                        sizeof(struct hist_figures));
    assert_memory_equal(f->seen_response, f->response[0], sizeof(struct hist));
    assert_int_equal(f->seen.n_samples, 2);
    assert_string_equal(f->seen.samples[1].name, "server.wal_bytes");
    assert_int_equal(f->seen.samples[0].value, -5);
    assert_int_equal(f->seen.samples[1].value, INT64_MAX);
    assert_int_equal(
        store_body(f->store, run.id, STORED_MARKDOWN, &f->arena, &body, NULL),
        RC_OK);
    assert_string_equal(body, "# text");
    assert_int_equal(
        store_hist(f->store, run.id, "one", "response", whole, NULL), RC_OK);
    assert_memory_equal(whole, f->response[0], sizeof(struct hist));
    hist_free(whole);
}

static void samples_may_come_and_go(void **state)
{
    struct fixture *f = *state;

    begin(f, "mine", 0);
    interval_sample(&f->it, "a", 1);
    keep(f, PHASE_MEASURE);
    interval_sample(&f->it, "b", 2);
    keep(f, PHASE_MEASURE);
    interval_sample(&f->it, "c", 3);
    interval_sample(&f->it, "a", 4);
    keep(f, PHASE_MEASURE);
    finish(f, true);
    read_back(f, find(f, "mine").id);
    assert_int_equal(f->n_seen, 3);
    assert_int_equal(f->seen.n_samples, 2);
    assert_string_equal(f->seen.samples[0].name, "a");
    assert_int_equal(f->seen.samples[0].value, 4);
    assert_string_equal(f->seen.samples[1].name, "c");
}

/* The same numbers every time, and nothing for zlib in them. */
static uint32_t chance(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* Every bucket has another count: the worst that can be. */
static void the_widest_histogram_fits_with_less_precision(void **state)
{
    struct fixture *f = *state;
    uint32_t seed = 1;
    uint64_t n;

    begin(f, "wide", 0);
    for (size_t i = 0; i < HIST_BUCKETS - 1; i++) {
        const int64_t ns = hist_bucket_low(i);

        if (ns > HIST_MAX_NS)
            break;
        n = chance(&seed) % 97;
        for (size_t k = 0; k <= n; k++)
            record(f, 0, ns, ns > 10 ? 3 : 0);
    }
    n = hist_count(f->response[0]);
    keep(f, PHASE_MEASURE);
    finish(f, true);
    read_back(f, find(f, "wide").id);
    assert_true(f->drop_bits > 0);
    assert_int_equal(hist_count(f->seen_response), n);
    assert_int_equal(f->seen.txns[0].response.p99_ns,
                     hist_percentile(f->response[0], 99));
}

static void a_run_without_an_end_is_partial(void **state)
{
    struct fixture *f = *state;
    struct stored_run run;
    struct err err = {0};

    begin(f, "mine", 0);
    record(f, 0, 1000, 0);
    keep(f, PHASE_MEASURE);
    assert_string_equal(find(f, "mine").status, "running");
    keeper_free(f->keeper);
    f->keeper = NULL;
    store_close(f->store);
    f->store = NULL;
    assert_int_equal(store_open(f->dir, STORE_READ, &f->store, &err), RC_OK);
    run = find(f, "mine");
    assert_string_equal(run.status, "partial");
    assert_non_null(run.reason);
    assert_true(run.tps > 0.9 && run.tps < 1.1);
    assert_true(run.nopm > 59 && run.nopm < 61);
    read_back(f, run.id);
    assert_int_equal(f->n_seen, 1);
}

static void a_run_that_goes_on_is_not_taken_for_dead(void **state)
{
    struct fixture *f = *state;
    struct store *other;
    struct stored_run run;

    begin(f, "mine", 0);
    assert_int_equal(store_open(f->dir, STORE_READ, &other, NULL), RC_OK);
    assert_int_equal(store_find(other, "latest", &f->arena, &run, NULL), RC_OK);
    assert_string_equal(run.status, "running");
    assert_int_equal(store_remove(other, &run, NULL), RC_BUSY);
    store_close(other);
}

static void a_dropped_run_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    bool there = true;

    begin(f, "mine", 0);
    keep(f, PHASE_MEASURE);
    keeper_drop(f->keeper);
    assert_int_equal(store_has_name(f->store, "mine", &there, NULL), RC_OK);
    assert_false(there);
}

static void a_name_is_taken_once(void **state)
{
    struct fixture *f = *state;
    const struct store_head head = head_of("mine", 0);
    struct keeper *second = NULL;
    struct err err = {0};

    begin(f, "mine", 0);
    finish(f, true);
    assert_int_equal(keeper_begin(f->store, &head, &second, &err), RC_BUSY);
    assert_non_null(strstr(err.text, "'mine'"));
    assert_null(second);
}

/* More than the queue holds, while the store is locked by somebody else. */
static void what_cannot_be_written_waits(void **state)
{
    struct fixture *f = *state;
    char path[128];
    sqlite3 *other;

    begin(f, "mine", 0);
    snprintf(path, sizeof(path), "%s/dyno.db", f->dir);
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL),
                     SQLITE_OK);
    for (int i = 0; i < 30; i++)
        keep(f, PHASE_MEASURE);
    sqlite3_exec(other, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(other);
    finish(f, true);
    read_back(f, find(f, "mine").id);
    assert_int_equal(f->n_seen, 30);
}

/* ---- versions ---- */

static void pragma(const struct fixture *f, const char *sql)
{
    char path[128];
    sqlite3 *db;

    snprintf(path, sizeof(path), "%s/dyno.db", f->dir);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void a_newer_version_is_refused(void **state)
{
    struct fixture *f = *state;
    struct err err = {0};

    store_close(f->store);
    f->store = NULL;
    pragma(f, "PRAGMA user_version = 99");
    assert_int_equal(store_open(f->dir, STORE_WRITE, &f->store, &err),
                     RC_UNSUPPORTED);
    assert_non_null(strstr(err.text, "newer dyno"));
    assert_null(f->store);
}

/* A store as version 1 made it, with a run. */
static void an_older_version_is_migrated(void **state)
{
    struct fixture *f = *state;
    const struct asset *sql = asset_find("sql/store/sqlite/version_1.sql");
    struct err err = {0};
    char path[128];

    assert_non_null(sql);
    store_close(f->store);
    f->store = NULL;
    snprintf(path, sizeof(path), "%s/dyno.db", f->dir);
    assert_int_equal(unlink(path), 0);
    pragma(f, sql->data);
    pragma(f, "PRAGMA application_id = 0x64796e6f; PRAGMA user_version = 1; "
              "INSERT INTO runs (uuid, name, status, workload, driver, "
              "target, in_process, no_database, scale, vus, connections, "
              "threads, seed, data_seed, started_us, version, host, pid) "
              "VALUES ('u', 'mine', 'complete', 'tpcc', 'noop', 'noop:', 1, "
              "1, 1, 4, 4, 2, '1', '1', 5, '0', 'h', 1)");
    if (store_open(f->dir, STORE_READ, &f->store, &err))
        fail_msg("%s", err.text);
    assert_string_equal(find(f, "mine").status, "complete");
    pragma(f, "SELECT data FROM statements");
    /* And is as good as new. */
    begin(f, "other", 0);
    finish(f, true);
    assert_string_equal(find(f, "other").status, "complete");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_run_is_read_back_as_it_was),
        TEST(samples_may_come_and_go),
        TEST(the_widest_histogram_fits_with_less_precision),
        TEST(a_run_without_an_end_is_partial),
        TEST(a_run_that_goes_on_is_not_taken_for_dead),
        TEST(a_dropped_run_leaves_nothing),
        TEST(a_name_is_taken_once),
        TEST(what_cannot_be_written_waits),
        TEST(a_newer_version_is_refused),
        TEST(an_older_version_is_migrated),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
