/* SPDX-License-Identifier: MIT */
#include "base/log.h"
#include "cli/runs.h"
#include "report/series_csv.h"
#include "store/results.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum rc find(struct runs_cmd *cmd, size_t i, struct stored_run *out,
                    struct err *err)
{
    return store_find(cmd->store, cmd->names[i], &cmd->arena, out, err);
}

/* ---- export ---- */

static enum rc is_free(const char *path, struct err *err)
{
    if (!*path)
        return err_set(err, RC_USAGE, "--output: the file has no name");
    if (access(path, F_OK) != 0)
        return RC_OK;
    return err_set(err, RC_BUSY,
                   "'%s' is there already and is not overwritten; choose "
                   "another --output",
                   path);
}

typedef enum rc print_fn(struct store *s, const struct stored_run *run,
                         FILE *out, struct err *err);

static bool to_stdout(const struct runs_cmd *cmd)
{
    return !cmd->output || !strcmp(cmd->output, "-");
}

static enum rc print_to(struct runs_cmd *cmd, const struct stored_run *run,
                        print_fn *print, FILE *out, struct err *err)
{
    enum rc rc = print(cmd->store, run, out, err);

    if (!rc && (fflush(out) || ferror(out)))
        rc = err_errno(err, RC_IO, errno, "cannot write '%s'",
                       to_stdout(cmd) ? "standard output" : cmd->output);
    return rc;
}

/* One run as text, to standard output or a file. */
static enum rc export_text(struct runs_cmd *cmd, print_fn *print,
                           struct err *err)
{
    struct stored_run run;
    FILE *out;
    enum rc rc;

    if (cmd->n_names > 1)
        return err_set(err, RC_USAGE,
                       "only one run at a time is exported as text");
    rc = find(cmd, 0, &run, err);
    if (rc)
        return rc;
    if (to_stdout(cmd))
        return print_to(cmd, &run, print, stdout, err);
    rc = is_free(cmd->output, err);
    if (rc)
        return rc;
    out = fopen(cmd->output, "wxe");
    if (!out)
        return err_errno(err, RC_IO, errno, "cannot write '%s'", cmd->output);
    rc = print_to(cmd, &run, print, out, err);
    fclose(out);
    if (rc)
        unlink(cmd->output);
    return rc;
}

static const char *archive_name(struct runs_cmd *cmd, struct err *err)
{
    struct stored_run run;

    if (cmd->output)
        return cmd->output;
    if (cmd->n_names > 1) {
        err_set(err, RC_USAGE, "name the file for %zu runs with --output",
                cmd->n_names);
        return NULL;
    }
    return find(cmd, 0, &run, err)
               ? NULL
               : arena_printf(&cmd->arena, "%s.dyno", run.name);
}

static enum rc copy_named(struct runs_cmd *cmd, struct store *to,
                          struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < cmd->n_names; i++) {
        struct stored_run run;
        const char *name;

        rc = find(cmd, i, &run, err);
        if (!rc)
            rc = store_copy(cmd->store, &run, to, &cmd->arena, &name, err);
    }
    return rc;
}

static void remove_archive(struct runs_cmd *cmd, const char *path)
{
    static const char *const tails[] = {"", "-wal", "-shm", ".running"};

    for (size_t i = 0; i < ARRAY_LEN(tails); i++) {
        const char *name = arena_printf(&cmd->arena, "%s%s", path, tails[i]);

        if (name)
            unlink(name);
    }
}

/* A store of its own, with these runs. */
static enum rc export_archive(struct runs_cmd *cmd, struct err *err)
{
    const char *path = archive_name(cmd, err);
    struct store *to;
    enum rc rc;

    if (cmd->output && to_stdout(cmd))
        return err_set(err, RC_USAGE,
                       "--output: an archive of runs is a file and cannot go "
                       "to standard output");
    if (!path)
        return err && err->rc ? err->rc : RC_NOMEM;
    rc = is_free(path, err);
    if (rc)
        return rc;
    rc = store_open_file(path, STORE_WRITE, &to, err);
    if (!rc) {
        rc = copy_named(cmd, to, err);
        store_close(to);
    }
    if (rc) {
        remove_archive(cmd, path);
        return rc;
    }
    log_info("exported to '%s'", path);
    return RC_OK;
}

enum rc runs_export(void *arg, const char *no_name, struct err *err)
{
    struct runs_cmd *cmd = arg;
    const int n =
        (cmd->series > 0) + (cmd->telemetry > 0) + (cmd->histograms > 0);

    (void)no_name;
    if (n > 1)
        return err_set(err, RC_USAGE,
                       "--series, --telemetry and --histograms are exported "
                       "one at a time");
    if (cmd->series)
        return export_text(cmd, series_csv, err);
    if (cmd->telemetry)
        return export_text(cmd, telemetry_csv, err);
    if (cmd->histograms)
        return export_text(cmd, series_hlog, err);
    return export_archive(cmd, err);
}

/* ---- import ---- */

/* Beside its rows a run has its summary as a file. */
static enum rc write_summary(struct runs_cmd *cmd, struct results *folder,
                             const char *name, struct err *err)
{
    struct stored_run run;
    const char *json;
    enum rc rc;

    rc = store_find(cmd->store, name, &cmd->arena, &run, err);
    if (!rc)
        rc = store_body(cmd->store, run.id, STORED_SUMMARY, &cmd->arena, &json,
                        err);
    if (!rc && json)
        rc = results_write(folder, name, json, err);
    return rc;
}

static enum rc import_run(struct runs_cmd *cmd, struct results *folder,
                          struct store *from, const struct stored_run *run,
                          struct err *err)
{
    struct err file_err = {0};
    const char *name;
    enum rc rc;

    rc = store_copy(from, run, cmd->store, &cmd->arena, &name, err);
    if (rc)
        return rc;
    if (!name) {
        log_info("run '%s' is there already", run->name);
        return RC_OK;
    }
    if (strcmp(name, run->name) != 0)
        log_info("run '%s' is imported as '%s': the name is taken", run->name,
                 name);
    else
        log_info("run '%s' is imported", name);
    if (write_summary(cmd, folder, name, &file_err))
        log_warn("%s", file_err.text);
    return RC_OK;
}

static enum rc import_file(struct runs_cmd *cmd, struct results *folder,
                           const char *path, struct err *err)
{
    static const struct store_filter all = {.name = NULL};
    struct stored_run *runs;
    struct store *from;
    size_t n;
    enum rc rc;

    rc = store_open_file(path, STORE_READ, &from, err);
    if (rc)
        return rc;
    rc = store_list(from, &all, &cmd->arena, &runs, &n, err);
    for (size_t i = 0; !rc && i < n; i++) {
        if (strcmp(runs[i].status, "running") != 0)
            rc = import_run(cmd, folder, from, &runs[i], err);
        else
            log_warn("run '%s' goes on and is left out", runs[i].name);
    }
    store_close(from);
    return rc;
}

enum rc runs_import(void *arg, const char *no_name, struct err *err)
{
    struct runs_cmd *cmd = arg;
    struct results *folder;
    enum rc rc;

    (void)no_name;
    rc = results_open(cmd->results, &folder, err);
    if (rc)
        return rc;
    rc = store_open(cmd->results, STORE_WRITE, &cmd->store, err);
    for (size_t i = 0; !rc && i < cmd->n_names; i++)
        rc = import_file(cmd, folder, cmd->names[i], err);
    results_close(folder);
    return rc;
}

/* ---- remove ---- */

static enum rc ask(struct runs_cmd *cmd, struct err *err)
{
    char answer[16] = "";

    if (cmd->yes)
        return RC_OK;
    if (!isatty(STDIN_FILENO))
        return err_set(err, RC_USAGE,
                       "removed runs do not come back; add --yes when that is "
                       "meant");
    fprintf(stderr, "remove %zu run%s for good? [y/N] ", cmd->n_names,
            cmd->n_names > 1 ? "s" : "");
    if (fgets(answer, sizeof(answer), stdin) &&
        (answer[0] == 'y' || answer[0] == 'Y'))
        return RC_OK;
    return err_set(err, RC_CANCELLED, "nothing is removed");
}

static enum rc remove_one(struct runs_cmd *cmd, size_t i, struct err *err)
{
    struct stored_run run;
    const char *file;
    enum rc rc;

    rc = find(cmd, i, &run, err);
    if (!rc)
        rc = store_remove(cmd->store, &run, err);
    if (rc)
        return rc;
    file = arena_printf(&cmd->arena, "%s/%s.json", cmd->results, run.name);
    if (!file)
        return err_set(err, RC_NOMEM, "out of memory");
    if (unlink(file) && errno != ENOENT)
        return err_errno(err, RC_IO, errno, "cannot remove '%s'", file);
    log_info("run '%s' is removed", run.name);
    return RC_OK;
}

enum rc runs_remove(void *arg, const char *no_name, struct err *err)
{
    struct runs_cmd *cmd = arg;
    struct stored_run run;
    enum rc rc = RC_OK;

    (void)no_name;
    /* All or none: a name that is wrong shows before anything is gone. */
    for (size_t i = 0; !rc && i < cmd->n_names; i++)
        rc = find(cmd, i, &run, err);
    if (!rc)
        rc = ask(cmd, err);
    for (size_t i = 0; !rc && i < cmd->n_names; i++)
        rc = remove_one(cmd, i, err);
    return rc;
}
