/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "store/results.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define DIR_TEMPLATE "results-XXXXXX"

static char root[sizeof(DIR_TEMPLATE)];

static int make_root(void **state)
{
    (void)state;
    memcpy(root, DIR_TEMPLATE, sizeof(root));
    return mkdtemp(root) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int flag,
                      struct FTW *ftw)
{
    (void)st;
    (void)flag;
    (void)ftw;
    return remove(path);
}

static int remove_root(void **state)
{
    (void)state;
    return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static struct results *opened(const char *dir)
{
    struct results *folder = NULL;
    struct err err = {0};

    if (results_open(dir, &folder, &err))
        fail_msg("%s", err.text);
    return folder;
}

static size_t count_files(const char *dir)
{
    DIR *list = opendir(dir);
    size_t n = 0;

    assert_non_null(list);
    while (readdir(list))
        n++;
    closedir(list);
    return n - 2;
}

static void put_file(const char *name)
{
    char path[300];
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", root, name);
    f = fopen(path, "w");
    assert_non_null(f);
    fputs("old", f);
    fclose(f);
}

static void assert_file(const char *name, const char *want)
{
    char path[300], got[100] = "";
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", root, name);
    f = fopen(path, "r");
    assert_non_null(f);
    assert_int_equal(fread(got, 1, sizeof(got) - 1, f), strlen(want));
    fclose(f);
    assert_string_equal(got, want);
}

static void folders_are_made_down_to_the_last(void **state)
{
    struct results *folder;
    char dir[100];

    (void)state;
    snprintf(dir, sizeof(dir), "%s/a/b//c/", root);
    folder = opened(dir);
    assert_string_equal(results_dir(folder), dir);
    assert_int_equal(count_files(dir), 0);
    results_close(folder);
    results_close(opened(dir));
}

static void a_folder_that_cannot_be_is_named_with_the_reason(void **state)
{
    struct results *folder = NULL;
    struct err err = {0};
    char dir[100];

    (void)state;
    put_file("plain");
    snprintf(dir, sizeof(dir), "%s/plain", root);
    assert_int_equal(results_open(dir, &folder, &err), RC_IO);
    assert_non_null(strstr(err.text, dir));
    assert_non_null(strstr(err.text, "Not a directory"));
    snprintf(dir, sizeof(dir), "%s/plain/below", root);
    assert_int_equal(results_open(dir, &folder, &err), RC_IO);
    assert_non_null(strstr(err.text, "Not a directory"));
    assert_int_equal(results_open("", &folder, &err), RC_USAGE);
    assert_null(folder);
}

static void a_folder_that_is_not_writable_is_refused(void **state)
{
    const bool is_root = geteuid() == 0;
    struct results *folder = NULL;
    struct err err = {0};
    enum rc rc;

    (void)state;
    assert_int_equal(chmod(root, 0555), 0);
    /* Nobody, whom permissions bind. */
    if (is_root && seteuid(65534))
        skip();
    rc = results_open(root, &folder, &err);
    if (is_root)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(root, 0755), 0);
    assert_int_equal(rc, RC_DB_PERMISSION);
    assert_non_null(strstr(err.text, root));
    assert_non_null(strstr(err.text, "Permission denied"));
}

static void numbers_follow_the_highest_file(void **state)
{
    struct results *folder = opened(root);
    uint64_t n = 0;

    (void)state;
    assert_int_equal(results_next_number(folder, 0, &n, NULL), RC_OK);
    assert_int_equal(n, 1);
    put_file("007_sqlite_s1_v4_c4.json");
    put_file("0012_x.json");
    put_file("99_short.json");
    put_file("500_no_summary.csv");
    put_file("600.json");
    put_file("tpcc.db");
    put_file("99999999999999999999_x.json");
    assert_int_equal(results_next_number(folder, 0, &n, NULL), RC_OK);
    assert_int_equal(n, 13);
    put_file("999_x.json");
    assert_int_equal(results_next_number(folder, 0, &n, NULL), RC_OK);
    assert_int_equal(n, 1000);
    results_close(folder);
}

static void a_number_in_use_is_not_given_twice(void **state)
{
    struct results *first = opened(root), *second = opened(root);
    uint64_t a = 0, b = 0;

    (void)state;
    assert_int_equal(results_next_number(first, 0, &a, NULL), RC_OK);
    assert_int_equal(results_next_number(second, 0, &b, NULL), RC_OK);
    assert_int_equal(a, 1);
    assert_int_equal(b, 2);
    /* Given up without a result: free again. */
    results_close(first);
    first = opened(root);
    assert_int_equal(results_next_number(first, 0, &a, NULL), RC_OK);
    assert_int_equal(a, 1);
    results_close(first);
    results_close(second);
    assert_int_equal(count_files(root), 0);
}

static void what_a_killed_process_claimed_is_free(void **state)
{
    struct results *folder;
    uint64_t n = 0;
    pid_t child = fork();
    int status;

    (void)state;
    if (child == 0) {
        if (results_open(root, &folder, NULL) ||
            results_next_number(folder, 0, &n, NULL))
            _exit(1);
        kill(getpid(), SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    folder = opened(root);
    assert_int_equal(results_next_number(folder, 0, &n, NULL), RC_OK);
    assert_int_equal(n, 1);
    results_close(folder);
    assert_int_equal(count_files(root), 0);
}

/* Takes n numbers and writes a file for each. */
static void take_numbers(int n_numbers)
{
    for (int i = 0; i < n_numbers; i++) {
        struct results *folder;
        char name[RESULTS_NAME_MAX + 1];
        struct results_label label = {.server = "noop"};

        if (results_open(root, &folder, NULL) ||
            results_next_number(folder, 0, &label.number, NULL))
            _exit(1);
        results_name(&label, name, sizeof(name));
        /* Fails when another one wrote the same number. */
        if (results_write(folder, name, "{}\n", NULL))
            _exit(2);
        results_close(folder);
    }
    _exit(0);
}

static void processes_at_once_get_different_numbers(void **state)
{
    enum { CHILDREN = 4, NUMBERS = 25 };
    pid_t children[CHILDREN];

    (void)state;
    for (int i = 0; i < CHILDREN; i++) {
        children[i] = fork();
        if (children[i] == 0)
            take_numbers(NUMBERS);
    }
    for (int i = 0; i < CHILDREN; i++) {
        int status;

        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    assert_int_equal(count_files(root), CHILDREN * NUMBERS);
}

static void names_tell_what_ran(void **state)
{
    struct results_label label = {1, "sqlite", 10, 4, 2};
    char name[RESULTS_NAME_MAX + 1];

    (void)state;
    results_name(&label, name, sizeof(name));
    assert_string_equal(name, "001_sqlite_s10_v4_c2");
    label.number = label.scale = label.n_vus = label.n_conns = UINT64_MAX;
    results_name(&label, name, sizeof(name));
    assert_int_equal(results_check_name(name, NULL), RC_OK);
}

static void names_that_are_no_file_names_are_refused(void **state)
{
    static const struct {
        const char *name, *why;
    } cases[] = {
        {"", "is empty"},
        {".hidden", "begins with a dot"},
        {"..", "begins with a dot"},
        {"a/b", "holds a '/'; set the folder with --results"},
        {"a\nb", "control character"},
        {"a\x7f", "control character"},
    };
    char longest[RESULTS_NAME_MAX + 2];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err err = {0};

        assert_int_equal(results_check_name(cases[i].name, &err), RC_USAGE);
        assert_non_null(strstr(err.text, cases[i].why));
    }
    memset(longest, 'x', sizeof(longest));
    longest[RESULTS_NAME_MAX] = '\0';
    assert_int_equal(results_check_name(longest, NULL), RC_OK);
    longest[RESULTS_NAME_MAX] = 'x';
    longest[RESULTS_NAME_MAX + 1] = '\0';
    assert_int_equal(results_check_name(longest, NULL), RC_USAGE);
    assert_int_equal(results_check_name("tägliche Läufe 1..3", NULL), RC_OK);
}

static void the_longest_name_can_be_written(void **state)
{
    struct results *folder = opened(root);
    char name[RESULTS_NAME_MAX + 1];
    struct err err = {0};

    (void)state;
    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    assert_int_equal(results_claim_name(folder, name, &err), RC_OK);
    assert_int_equal(results_write(folder, name, "{}", &err), RC_OK);
    results_close(folder);
    assert_int_equal(count_files(root), 1);
}

static void a_name_is_claimed_before_the_run(void **state)
{
    struct results *first = opened(root), *second = opened(root);
    struct err err = {0};

    (void)state;
    assert_int_equal(results_claim_name(first, "nightly", &err), RC_OK);
    assert_int_equal(results_claim_name(second, "nightly", &err), RC_BUSY);
    assert_non_null(strstr(err.text, "another run named 'nightly'"));
    assert_int_equal(results_write(first, "nightly", "{}", &err), RC_OK);
    results_close(first);
    assert_int_equal(results_claim_name(second, "nightly", &err), RC_BUSY);
    assert_non_null(strstr(err.text, "nightly.json' is there already"));
    assert_int_equal(results_claim_name(second, "a/b", &err), RC_USAGE);
    results_close(second);
    assert_int_equal(count_files(root), 1);
}

static void no_file_is_overwritten(void **state)
{
    struct results *folder = opened(root);
    struct err err = {0};

    (void)state;
    assert_int_equal(results_write(folder, "run", "{\"a\": 1}\n", &err), RC_OK);
    assert_file("run.json", "{\"a\": 1}\n");
    assert_int_equal(results_write(folder, "run", "{}\n", &err), RC_BUSY);
    assert_non_null(strstr(err.text, "is not overwritten"));
    assert_file("run.json", "{\"a\": 1}\n");
    assert_int_equal(results_write(folder, "../run", "{}\n", &err), RC_USAGE);
    assert_int_equal(count_files(root), 1);
    results_close(folder);
}

/* A limit of the size of files stands for the full disk. */
static void a_full_disk_leaves_nothing_behind(void **state)
{
    struct results *folder = opened(root);
    struct rlimit old, limit;
    struct err err = {0};
    char *text = mem_calloc(1, 100000);
    enum rc rc;

    (void)state;
    assert_non_null(text);
    memset(text, 'x', 99999);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = old;
    limit.rlim_cur = 5000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    rc = results_write(folder, "run", text, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(rc, RC_IO);
    assert_non_null(strstr(err.text, "run.json': File too large"));
    assert_int_equal(count_files(root), 0);
    /* And when there is room again it works. */
    assert_int_equal(results_write(folder, "run", "{}", &err), RC_OK);
    mem_free(text);
    results_close(folder);
}

static void running_out_of_memory_is_an_error(void **state)
{
    struct results *folder = NULL;
    enum rc rc = RC_NOMEM;

    (void)state;
    for (uint64_t nth = 1; rc; nth++) {
        mem_fail_nth(nth);
        rc = results_open(root, &folder, NULL);
        mem_fail_nth(0);
        assert_true(rc == RC_NOMEM || nth > 1);
    }
    results_close(folder);
}

#define IN_FOLDER(test) \
    cmocka_unit_test_setup_teardown(test, make_root, remove_root)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        IN_FOLDER(folders_are_made_down_to_the_last),
        IN_FOLDER(a_folder_that_cannot_be_is_named_with_the_reason),
        IN_FOLDER(a_folder_that_is_not_writable_is_refused),
        IN_FOLDER(numbers_follow_the_highest_file),
        IN_FOLDER(a_number_in_use_is_not_given_twice),
        IN_FOLDER(what_a_killed_process_claimed_is_free),
        IN_FOLDER(processes_at_once_get_different_numbers),
        cmocka_unit_test(names_tell_what_ran),
        cmocka_unit_test(names_that_are_no_file_names_are_refused),
        IN_FOLDER(the_longest_name_can_be_written),
        IN_FOLDER(a_name_is_claimed_before_the_run),
        IN_FOLDER(no_file_is_overwritten),
        IN_FOLDER(a_full_disk_leaves_nothing_behind),
        IN_FOLDER(running_out_of_memory_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
