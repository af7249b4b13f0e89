/* SPDX-License-Identifier: MIT */
/* Stored runs as one HTML file. */
#include "base/log.h"
#include "base/parse.h"
#include "cli/cli.h"
#include "cli/pick.h"
#include "report/html.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define ARENA_MAX ((size_t)256 << 20)

struct report_cmd {
    const char *results, *output, *title, *workload;
    struct opt_strs axes;
    uint64_t latest;
    bool force;

    const char *const *words;
    size_t n_words;
    struct store *store;
    struct arena arena;
    struct picked runs;
};

static const struct opt report_opts[] = {
    OPT_STR(struct report_cmd, results, "results", 0, "dyno-results", "DIR",
            "folder of stored runs"),
    OPT_STR(struct report_cmd, output, "output", 'o', NULL, "FILE",
            "left out: RUN.html, or report.html for several; -: standard "
            "output"),
    OPT_BOOL(struct report_cmd, force, "force", 0, "off",
             "replace a file that is there"),
    OPT_STR(struct report_cmd, title, "title", 0, NULL, "TEXT",
            "heading of the report"),
    OPT_STRS(struct report_cmd, axes, "axis", 0, "NAME",
             "what variants differ in; may be repeated"),
    OPT_STR(struct report_cmd, workload, "workload", 0, NULL, "NAME",
            "only runs of this workload"),
    OPT_U64(struct report_cmd, latest, "latest", 0, NULL, 1, PICKED_MAX, "N",
            "the latest N instead of runs that are named"),
    OPT_END,
};

/* ---- which runs ---- */

/* Each run once, whatever words name it. */
static enum rc add_runs(struct report_cmd *cmd, const struct picked *p,
                        const char *word, struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < p->n; i++) {
        bool there = false;

        for (size_t k = 0; k < cmd->runs.n; k++)
            there |= cmd->runs.runs[k].id == p->runs[i].id;
        if (!there)
            rc = pick_run(&cmd->runs, &p->runs[i], word, err);
    }
    return rc;
}

static enum rc choose_latest(struct report_cmd *cmd, struct err *err)
{
    const struct store_filter filter = {.workload = cmd->workload,
                                        .latest = cmd->latest};
    enum rc rc = pick_filter(cmd->store, &filter, &cmd->arena, &cmd->runs, err);

    if (!rc && cmd->runs.n == 0)
        rc = err_set(err, RC_NOT_FOUND, "there is no such run in '%s'",
                     store_path(cmd->store));
    return rc;
}

static enum rc choose_runs(struct report_cmd *cmd, struct err *err)
{
    enum rc rc;

    if (cmd->latest)
        return choose_latest(cmd, err);
    rc = picked_init(&cmd->runs, &cmd->arena, err);
    for (size_t i = 0; !rc && i < cmd->n_words; i++) {
        struct picked p;

        rc = pick_word(cmd->store, cmd->words[i], cmd->workload, &cmd->arena,
                       &p, err);
        if (!rc)
            rc = add_runs(cmd, &p, cmd->words[i], err);
    }
    return rc;
}

/* ---- the file ---- */

/* An imported run may have any name; the file must not leave this folder, hide
 * or look like an option. */
static const char *name_of_file(struct report_cmd *cmd)
{
    char *name;

    if (cmd->output)
        return cmd->output;
    if (cmd->runs.n > 1)
        return "report.html";
    name = arena_printf(&cmd->arena, "%.200s.html", cmd->runs.runs[0].name);
    for (char *p = name; p && *p; p++) {
        if (*p == '/' || (unsigned char)*p < ' ' ||
            (p == name && (*p == '.' || *p == '-')))
            *p = '_';
    }
    return name;
}

static enum rc cannot_write(const char *path, struct err *err)
{
    return err_errno(err, RC_IO, errno, "cannot write the report to '%s'",
                     path);
}

static enum rc write_file(int fd, const char *path, const struct buf *page,
                          struct err *err)
{
    const char *text = page->data;
    size_t len = page->len;

    while (len > 0) {
        const ssize_t n = write(fd, text, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return cannot_write(path, err);
        text += n;
        len -= (size_t)n;
    }
    return RC_OK;
}

static enum rc is_there(const char *path, struct err *err)
{
    return err_set(err, RC_BUSY,
                   "'%s' is there already and is not overwritten; choose "
                   "another --output, or add --force",
                   path);
}

/* Over a file that is there only with --force; some file systems have no
 * links. */
static enum rc move_to(const struct report_cmd *cmd, const char *temp,
                       const char *path, struct err *err)
{
    if (!cmd->force && link(temp, path) == 0) {
        unlink(temp);
        return RC_OK;
    }
    if (!cmd->force && errno == EEXIST)
        return is_there(path, err);
    return rename(temp, path) ? cannot_write(path, err) : RC_OK;
}

/* Complete or not at all. */
static enum rc write_page(struct report_cmd *cmd, const char *path,
                          const struct buf *page, struct err *err)
{
    const char *temp =
        arena_printf(&cmd->arena, "%s.%ld.tmp", path, (long)getpid());
    enum rc rc;
    int fd;

    if (!temp)
        return err_set(err, RC_NOMEM, "no memory for the report");
    fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return cannot_write(path, err);
    rc = write_file(fd, path, page, err);
    if (close(fd) && !rc)
        rc = cannot_write(path, err);
    if (!rc)
        rc = move_to(cmd, temp, path, err);
    if (rc)
        unlink(temp);
    return rc;
}

/* Before the work, not after. */
static enum rc is_free(const struct report_cmd *cmd, const char *path,
                       struct err *err)
{
    return cmd->force || access(path, F_OK) != 0 ? RC_OK : is_there(path, err);
}

static enum rc make_report(struct report_cmd *cmd, struct err *err)
{
    struct html_args args = {
        .title = cmd->title, .axes = cmd->axes.items, .n_axes = cmd->axes.n};
    struct buf page = BUF_INIT(HTML_BYTES_MAX);
    const char *path;
    bool to_stdout;
    char size[32];
    enum rc rc = choose_runs(cmd, err);

    if (rc)
        return rc;
    args.runs = cmd->runs.runs;
    args.n_runs = cmd->runs.n;
    path = name_of_file(cmd);
    if (!path)
        return err_set(err, RC_NOMEM, "no memory for the report");
    to_stdout = !strcmp(path, "-");
    rc = to_stdout ? RC_OK : is_free(cmd, path, err);
    if (!rc)
        rc = report_html(cmd->store, &args, &page, err);
    if (!rc)
        rc = to_stdout
                 ? write_file(STDOUT_FILENO, "standard output", &page, err)
                 : write_page(cmd, path, &page, err);
    if (!rc && !to_stdout) {
        format_bytes(page.len, size, sizeof(size));
        log_info("report of %zu run%s: '%s', %s", cmd->runs.n,
                 cmd->runs.n == 1 ? "" : "s", path, size);
    }
    buf_release(&page);
    return rc;
}

static int report_main(const struct command *self, int argc, char **argv)
{
    struct report_cmd cmd = {0};
    struct err err = {0};
    struct cli cli;
    enum rc rc;
    int code;

    arena_init(&cmd.arena, ARENA_MAX);
    cli_init(&cli, self);
    opt_set_add(&cli.opts, "Report", report_opts, &cmd);
    if (!cli_parse(&cli, CLI_ARGS, argc, argv, &code))
        goto out;
    cmd.words = cli.args;
    cmd.n_words = cli.n_args;
    if ((cmd.n_words == 0) == (cmd.latest == 0)) {
        log_error(cmd.n_words == 0
                      ? "a report of which runs? write 'dyno report RUN…' "
                        "with names, patterns, numbers, 'latest' or labels "
                        "as KEY=VALUE, or --latest N"
                      : "name runs or give --latest, not both");
        code = EXIT_USAGE;
        goto out;
    }
    rc = store_open(cmd.results, STORE_READ, &cmd.store, &err);
    if (!rc)
        rc = make_report(&cmd, &err);
    store_close(cmd.store);
    code = rc ? cli_fail(&err) : EXIT_DONE;
out:
    cli_release(&cli);
    arena_release(&cmd.arena);
    return code;
}

const struct command report_command = {
    .name = "report",
    .usage = "RUN… [OPTION…]",
    .summary = "stored runs as one HTML file",
    .run = report_main,
};
