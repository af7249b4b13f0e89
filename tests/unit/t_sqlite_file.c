/* SPDX-License-Identifier: MIT */
/* Files of the SQLite driver: what is refused, claimed, removed, and told. */
#include "support/sqlite_fixture.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void write_file(const char *path, const char *text, size_t len)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void opening_makes_no_file_and_connecting_does(void **state)
{
    struct sqlite_fixture *f = *state;

    fixture_open(f);
    assert_false(exists(f->file));
    fixture_script(f, "CREATE TABLE t (x)");
    assert_true(exists(f->file));
}

static void refused(struct sqlite_fixture *f, const char *url, enum rc rc,
                    const char *want)
{
    struct db *db = NULL;

    assert_int_equal(fixture_open_url(f, url, &db), rc);
    assert_null(db);
    if (!strstr(f->err.text, want))
        fail_msg("%s, want %s", f->err.text, want);
}

static void bad_urls_are_refused_with_the_reason(void **state)
{
    struct sqlite_fixture *f = *state;

    refused(f, "sqlite:", RC_USAGE, "names no file");
    refused(f, "sqlite::memory:", RC_UNSUPPORTED, "name a file");
    refused(f, "sqlite:x.db?synchronous=norml", RC_USAGE,
            "sqlite: synchronous: 'norml' is none of off, normal, full, "
            "extra; did you mean 'normal'?");
    refused(f, "sqlite:x.db?cache=lots", RC_USAGE, "sqlite: cache: ");
    refused(f, "sqlite:x.db?checkpoint=0", RC_USAGE, "sqlite: checkpoint: ");
    refused(f, "sqlite:x.db?busy_timeout=-1", RC_USAGE,
            "sqlite: busy_timeout: ");
    refused(f, "sqlite:x.db?sync=off", RC_USAGE, "no parameter 'sync'");
}

static void what_is_no_database_is_refused(void **state)
{
    struct sqlite_fixture *f = *state;
    char url[FIXTURE_PATH_BYTES + 64];
    char text[4096];
    struct stat st;

    snprintf(url, sizeof(url), "sqlite:%s", f->dir);
    refused(f, url, RC_INVALID, "is a directory, not an SQLite database");
    refused(f, "sqlite:/dev/null", RC_INVALID, "is not a file");
    snprintf(url, sizeof(url), "sqlite:%s/none/x.db", f->dir);
    refused(f, url, RC_IO, "none': No such file or directory");

    memset(text, 'x', sizeof(text));
    write_file(f->file, text, 3);
    refused(f, f->url, RC_INVALID, "x.db' is not an SQLite database");
    write_file(f->file, text, sizeof(text));
    refused(f, f->url, RC_INVALID, "x.db' is not an SQLite database");
    assert_int_equal(stat(f->file, &st), 0);
    assert_int_equal(st.st_size, sizeof(text));
}

/* Overwrites one byte of the file. */
static void poke(const char *path, long at, int byte)
{
    FILE *file = fopen(path, "r+b");

    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_int_equal(fputc(byte, file), byte);
    assert_int_equal(fclose(file), 0);
}

static void damaged_and_newer_files_are_refused(void **state)
{
    struct sqlite_fixture *f = *state;

    fixture_open(f);
    fixture_script(f, "CREATE TABLE t (x)");
    db_close(f->db);
    f->db = NULL;

    poke(f->file, 19, 9);
    refused(f, f->url, RC_UNSUPPORTED, "newer file format");
    poke(f->file, 19, 2);
    poke(f->file, 47, 9);
    refused(f, f->url, RC_UNSUPPORTED, "newer file format");
    poke(f->file, 47, 4);
    poke(f->file, 100, 0x55); /* the type of the first page */
    refused(f, f->url, RC_INVALID, "x.db': database disk image is malformed");
}

/* As a user who may not, which root has to become first. */
static void without_rights(struct sqlite_fixture *f, const char *want)
{
    const bool is_root = geteuid() == 0;

    if (is_root)
        assert_int_equal(seteuid(65534), 0);
    refused(f, f->url, RC_DB_PERMISSION, want);
    if (is_root)
        assert_int_equal(seteuid(0), 0);
}

static void what_is_not_writable_is_refused(void **state)
{
    struct sqlite_fixture *f = *state;

    fixture_open(f);
    fixture_script(f, "CREATE TABLE t (x)");
    db_close(f->db);
    f->db = NULL;

    assert_int_equal(chmod(f->file, 0000), 0);
    without_rights(f, "x.db' is not readable: Permission denied");
    assert_int_equal(chmod(f->file, 0444), 0);
    without_rights(f, "x.db' is not writable: Permission denied");
    assert_int_equal(chmod(f->file, 0666), 0);
    assert_int_equal(chmod(f->dir, 0555), 0);
    without_rights(f, "' is not writable: Permission denied");
    fixture_remove(f, "");
    without_rights(f, "' is not writable: Permission denied");
}

static void a_second_process_cannot_claim(void **state)
{
    struct sqlite_fixture *f = *state;
    struct db *other = NULL;
    int status = 0;
    pid_t pid;

    fixture_open(f);
    assert_int_equal(db_claim(f->db, &f->err), RC_OK);
    assert_int_equal(db_claim(f->db, &f->err), RC_OK);
    pid = fork();
    if (pid == 0) {
        bool busy = fixture_open_url(f, f->url, &other) == RC_OK &&
                    db_claim(other, &f->err) == RC_BUSY &&
                    strstr(f->err.text, "x.db' is in use by another dyno");

        _exit(busy ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);

    db_close(f->db);
    f->db = NULL;
    fixture_open(f);
    assert_int_equal(db_claim(f->db, &f->err), RC_OK);
}

static void discard_removes_what_was_made_here(void **state)
{
    struct sqlite_fixture *f = *state;
    bool removed = true;

    fixture_open(f);
    assert_int_equal(db_discard(f->db, &removed, &f->err), RC_OK);
    assert_false(removed);
    fixture_script(f, "CREATE TABLE t (x)");
    assert_int_equal(db_discard(f->db, &removed, &f->err), RC_OK);
    assert_true(removed);
    assert_false(exists(f->file));
}

static void discard_removes_a_file_made_by_the_claim(void **state)
{
    struct sqlite_fixture *f = *state;
    bool removed = false;

    fixture_open(f);
    assert_int_equal(db_claim(f->db, &f->err), RC_OK);
    fixture_script(f, "CREATE TABLE t (x)");
    assert_int_equal(db_discard(f->db, &removed, &f->err), RC_OK);
    assert_true(removed);
    assert_false(exists(f->file));
}

static void discard_keeps_what_was_there_before(void **state)
{
    struct sqlite_fixture *f = *state;
    bool removed = true;

    write_file(f->file, "", 0);
    fixture_open(f);
    assert_int_equal(db_claim(f->db, &f->err), RC_OK);
    fixture_script(f, "CREATE TABLE t (x)");
    assert_int_equal(db_discard(f->db, &removed, &f->err), RC_OK);
    assert_false(removed);
    assert_true(exists(f->file));
}

struct fact_list {
    char text[2048];
};

static void add_fact(void *arg, const char *name, const char *value)
{
    struct fact_list *list = arg;
    size_t len = strlen(list->text);

    snprintf(list->text + len, sizeof(list->text) - len, "%s=%s\n", name,
             value);
}

static CORO_FN enum rc read_facts(struct work *w, struct conn *c,
                                  struct err *err)
{
    struct fact_list list = {""};
    enum rc rc = conn_facts(c, add_fact, &list, err);
    static const char *const want[] = {
        "product=SQLite\n",           "journal_mode=wal\n",
        "synchronous=off\n",          "cache_size=32768 KiB a connection\n",
        "wal_autocheckpoint=77\n",    "page_size=4096\n",
        "temp_store=memory\n",        "busy_timeout=1s\n",
        "threads=writers take turns",
    };

    for (size_t i = 0; i < ARRAY_LEN(want) && !rc; i++) {
        if (!strstr(list.text, want[i]))
            rc = err_set(err, RC_INVALID, "no %s in %s", want[i], list.text);
    }
    w->done = 1;
    return rc;
}

static void the_settings_in_force_are_told(void **state)
{
    struct sqlite_fixture *f = *state;
    struct work w = {.fn = read_facts};

    snprintf(f->url, sizeof(f->url),
             "sqlite:%s?synchronous=off&cache=64MB&checkpoint=77"
             "&busy_timeout=1s",
             f->file);
    fixture_open(f);
    f->db->expected_conns = 2;
    w.db = f->db;
    work_ok(&w);
    assert_int_equal(w.done, 1);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        T(opening_makes_no_file_and_connecting_does),
        T(bad_urls_are_refused_with_the_reason),
        T(what_is_no_database_is_refused),
        T(damaged_and_newer_files_are_refused),
        T(what_is_not_writable_is_refused),
        T(a_second_process_cannot_claim),
        T(discard_removes_what_was_made_here),
        T(discard_removes_a_file_made_by_the_claim),
        T(discard_keeps_what_was_there_before),
        T(the_settings_in_force_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
