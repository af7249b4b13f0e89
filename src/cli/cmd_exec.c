/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "cli/cli.h"
#include "report/rows.h"
#include "run/config.h"
#include "run/session.h"

#include <stdio.h>

#define SCRIPT_MAX_BYTES (64U << 20)

struct exec_cmd {
    struct target_cfg target;
    struct opt_strs files;
    int format;   /* enum rows_format */
    int on_error; /* enum on_error */
};

static const char *const on_error_names[] = {
    [ON_ERROR_CONTINUE] = "continue",
    [ON_ERROR_ABORT] = "abort",
    NULL,
};

static const struct opt exec_opts[] = {
    OPT_STRS(struct exec_cmd, files, "file", 'f', "FILE",
             "statements from a file, '-' for standard input"),
    OPT_CHOICE(struct exec_cmd, format, "format", 0, "table", rows_format_names,
               "table|csv|json", "of the rows"),
    OPT_CHOICE(struct exec_cmd, on_error, "on-error", 0, "abort",
               on_error_names, "continue|abort",
               "after a statement that failed"),
    OPT_END,
};

struct script {
    struct buf text;
    struct result_sink sink;
    struct result_sink rows; /* with --on-error continue: behind sink */
    size_t n_failed;
    bool open; /* columns were given, and n_rows since */
    int64_t n_rows;
};

/* ---- --on-error continue: failures are told, and counted ---- */

static enum rc give_columns(void *arg, const char *const *names, size_t n)
{
    struct script *s = arg;

    s->open = true;
    s->n_rows = 0;
    return s->rows.columns(s->rows.arg, names, n);
}

static enum rc give_row(void *arg, const struct value *cells, size_t n)
{
    struct script *s = arg;

    s->n_rows++;
    return s->rows.row(s->rows.arg, cells, n);
}

static enum rc give_done(void *arg, bool has_rows, int64_t n_rows)
{
    struct script *s = arg;

    s->open = false;
    return s->rows.done(s->rows.arg, has_rows, n_rows);
}

static enum rc give_failed(void *arg, const struct err *err)
{
    struct script *s = arg;

    cli_fail(err);
    s->n_failed++;
    /* What came before the failure is an answer that ends here. */
    return s->open ? give_done(s, true, s->n_rows) : RC_OK;
}

static void pass_failures(struct script *s)
{
    s->rows = s->sink;
    s->sink = (struct result_sink){
        .arg = s,
        .columns = give_columns,
        .row = give_row,
        .done = give_done,
        .failed = give_failed,
    };
}

/* ---- the command ---- */

static enum rc run_script(struct session *s, struct conn *c, void *arg,
                          struct err *err)
{
    struct script *script = arg;

    (void)s;
    coro_assert_inside();
    return conn_script(c, buf_str(&script->text), script->text.len,
                       &script->sink, err);
}

/* Arguments first, then files, each a statement or several. */
static enum rc gather(const struct cli *cli, const struct exec_cmd *cmd,
                      struct buf *text, struct err *err)
{
    for (size_t i = 0; i < cli->n_args; i++) {
        buf_puts(text, cli->args[i]);
        buf_puts(text, ";\n");
    }
    for (size_t i = 0; i < cmd->files.n; i++) {
        const bool std_in = !strcmp(cmd->files.items[i], "-");
        const enum rc rc = buf_read_file(
            text, std_in ? "/dev/stdin" : cmd->files.items[i], err);

        if (rc)
            return rc;
        buf_putc(text, '\n');
    }
    if (buf_rc(text))
        return err_set(err, buf_rc(text), "more than %u MiB of statements",
                       SCRIPT_MAX_BYTES >> 20);
    if (text->len == 0)
        return err_set(err, RC_USAGE,
                       "nothing to execute; write 'dyno exec \"SELECT 1\"' "
                       "or 'dyno exec -f FILE'");
    return RC_OK;
}

static enum rc exec_on(struct cli *cli, const struct exec_cmd *cmd,
                       struct script *script, struct err *err)
{
    const struct session_args args = {
        .create = cmd->target.create_database,
        .url = cli_target(cli, cmd->target.db, cmd->target.results, "tpcc"),
    };
    struct rows *rows = NULL;
    struct session session;
    enum rc rc;

    if (!args.url)
        return err_set(err, RC_NOMEM, "no memory for the target's name");
    rc = rows_new((enum rows_format)cmd->format, stdout, &rows, err);
    if (rc)
        return rc;
    script->sink = rows_sink(rows);
    if (cmd->on_error == ON_ERROR_CONTINUE)
        pass_failures(script);
    rc = session_open(&args, &session, err);
    if (!rc) {
        rc = session_call(&session, run_script, script, err);
        if (rc && err->text[0] == '\0')
            err_set(err, rc, "the result cannot be written");
        if (!rc && script->n_failed > 0)
            rc = err_set(err, RC_DB_ERROR, "%zu of the statements failed",
                         script->n_failed);
        session_close(&session);
    }
    rows_free(rows);
    return rc;
}

static int exec_main(const struct command *self, int argc, char **argv)
{
    struct script script = {.text = BUF_INIT(SCRIPT_MAX_BYTES)};
    struct exec_cmd cmd = {0};
    struct err err = {0};
    struct cli cli;
    enum rc rc;
    int code;

    cli_init(&cli, self);
    opt_set_add(&cli.opts, "Target", target_opts, &cmd.target);
    opt_set_add(&cli.opts, "Statements", exec_opts, &cmd);
    if (cli_parse(&cli, CLI_ARGS, argc, argv, &code)) {
        rc = gather(&cli, &cmd, &script.text, &err);
        if (!rc)
            rc = exec_on(&cli, &cmd, &script, &err);
        code = rc ? cli_fail(&err) : EXIT_DONE;
    }
    buf_release(&script.text);
    cli_release(&cli);
    return code;
}

const struct command exec_command = {
    .name = "exec",
    .usage = "SQL… | -f FILE [OPTION…]",
    .summary = "run statements once, print the result",
    .run = exec_main,
};
