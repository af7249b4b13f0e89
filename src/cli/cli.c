/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"

#include <stdio.h>
#include <string.h>

/* For a word of the command line in a message. */
#define WORD_BYTES 32

static const struct opt common_opts[] = {
    OPT_STR(struct common_cfg, config, "config", 0, NULL, "FILE",
            "YAML file of options: name_with_underscores: value"),
    OPT_BOOL(struct common_cfg, quiet, "quiet", 'q', "off",
             "no progress, no information"),
    OPT_BOOL(struct common_cfg, verbose, "verbose", 'v', "off",
             "more information"),
    OPT_BOOL(struct common_cfg, help, "help", 'h', "off", "this help"),
    OPT_END,
};

void cli_init(struct cli *cli, const struct command *command)
{
    *cli = (struct cli){.command = command};
    opt_set_init(&cli->opts);
}

void cli_release(struct cli *cli)
{
    opt_set_release(&cli->opts);
    mem_free(cli->workload_cfg);
}

int cli_fail(const struct err *err)
{
    if (err->sqlstate[0])
        log_error("%s (SQLSTATE %.5s)", err->text, err->sqlstate);
    else
        log_error("%s", err->text);
    return err->rc == RC_USAGE ? EXIT_USAGE : EXIT_COULD_NOT;
}

/* A word of the command line for a message.  It may be a URL in the wrong
 * place, and that may hold a password: then only its beginning is shown. */
static const char *as_shown(const char *word, char *buf, size_t size)
{
    if (!strchr(word, '@') && !strstr(word, "//"))
        return word;
    snprintf(buf, size, "%.*s:...", (int)strcspn(word, ":@/"), word);
    return buf;
}

int cli_unknown(const char *kind, const char *text, const char *const *names,
                size_t n)
{
    const char *near = nearest_name(text, names, n);
    char buf[WORD_BYTES];

    text = as_shown(text, buf, sizeof(buf));
    if (near)
        log_error("unknown %s '%s'; did you mean '%s'?", kind, text, near);
    else
        log_error("unknown %s '%s'; 'dyno %s' lists what there is", kind, text,
                  strcmp(kind, "workload") ? "--help" : "workloads");
    return EXIT_USAGE;
}

static void print_help(const struct cli *cli)
{
    printf("usage: dyno %s %s\n\n%s\n\n", cli->command->name,
           cli->command->usage, cli->command->summary);
    opt_set_help(&cli->opts, stdout);
}

/* ---- the workload ---- */

/* "-f script.sql" is a workload by itself. */
static bool spot_file(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "-f", 2) == 0 ||
            strncmp(argv[i], "--file", strlen("--file")) == 0)
            return true;
    }
    return false;
}

/* "oltp_read_write.lua", or NULL; what follows it is a command of its own. */
static const struct workload *spot_script(int argc, char **argv, int *out_at)
{
    for (int i = 0; i < argc; i++) {
        for (size_t k = 0; k < workload_count; k++) {
            const struct workload *w = workload_table[k];

            if (w->is_file && w->is_file(argv[i])) {
                *out_at = i;
                return w;
            }
        }
    }
    return NULL;
}

/* --table_size is --table-size: scripts name their options with '_'. */
static void write_dashes(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) != 0)
            continue;
        for (char *p = argv[i]; *p && *p != '='; p++) {
            if (*p == '_')
                *p = '-';
        }
    }
}

/* Options of the script that dyno has too are written --opt-NAME. */
static bool part_names(struct cli *cli, const struct opt *opts)
{
    static const char *const common[] = {"config", "quiet", "verbose", "help"};
    struct opt *row;

    /* describe() made the rows in the arena of this command line. */
    for (row = (struct opt *)(void *)(uintptr_t)opts; row->name; row++) {
        bool taken = opt_set_has(&cli->opts, row->name);

        for (size_t i = 0; i < ARRAY_LEN(common); i++)
            taken = taken || strcmp(common[i], row->name) == 0;
        if (taken)
            row->name = arena_printf(&cli->opts.arena, "opt-%s", row->name);
        if (!row->name)
            return false;
    }
    return true;
}

/* A script says itself which options it has. */
static enum rc add_script(struct cli *cli, int argc, char **argv, int at,
                          struct err *err)
{
    const struct workload *w = cli->workload;
    const char *command =
        at + 1 < argc && argv[at + 1][0] != '-' ? argv[at + 1] : "run";
    const struct opt *opts;
    const char *title;
    enum rc rc;

    write_dashes(argc, argv);
    cli->file = argv[at];
    cli->file_command = command;
    cli->workload_cfg = mem_calloc(1, w->cfg_bytes);
    title = arena_printf(&cli->opts.arena, "Script %s", cli->file);
    if (!cli->workload_cfg || !title)
        return err_set(err, RC_NOMEM, "no memory for the options");
    rc = w->describe(&cli->opts.arena, cli->file, command, &opts,
                     cli->workload_cfg, err);
    if (rc)
        return rc;
    if (!part_names(cli, opts))
        return err_set(err, RC_NOMEM, "no memory for the options");
    opt_set_add(&cli->opts, title, opts, cli->workload_cfg);
    return RC_OK;
}

/* Its options must be known before the command line is parsed, so it is looked
 * for first: the first argument, or any that names a workload. */
static const struct workload *spot_workload(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        const struct workload *w = workload_find(argv[i]);

        if (w)
            return w;
    }
    return spot_file(argc, argv) ? workload_find("pgbench") : NULL;
}

/* Without one, the first stands in: its options are in the help, and none of
 * them hides that the name is missing or misspelt. */
static enum rc add_workload(struct cli *cli, int argc, char **argv,
                            struct err *err)
{
    const char *title;
    int at;

    cli->workload = spot_script(argc, argv, &at);
    if (cli->workload)
        return add_script(cli, argc, argv, at, err);
    cli->workload = spot_workload(argc, argv);
    cli->workload_by_file =
        cli->workload == workload_find("pgbench") && spot_file(argc, argv);
    if (!cli->workload)
        cli->workload = workload_table[0];
    title = arena_printf(&cli->opts.arena, "Workload %s", cli->workload->name);
    cli->workload_cfg = mem_calloc(1, cli->workload->cfg_bytes);
    if (!title || !cli->workload_cfg)
        return err_set(err, RC_NOMEM, "no memory for the options");
    opt_set_add(&cli->opts, title, cli->workload->opts, cli->workload_cfg);
    return RC_OK;
}

static void take_args(struct cli *cli, size_t n)
{
    cli->n_args -= n;
    memmove(cli->args, cli->args + n, cli->n_args * sizeof(cli->args[0]));
}

/* The script and its command are taken off. */
static int take_script(struct cli *cli)
{
    if (strcmp(cli->args[0], cli->file) != 0) {
        log_error("write the script before the options: 'dyno %s %s'",
                  cli->command->name, cli->file);
        return EXIT_USAGE;
    }
    take_args(cli, 1);
    if (cli->n_args == 0)
        return EXIT_DONE;
    if (strcmp(cli->args[0], cli->file_command) != 0) {
        log_error("write '%s' right behind the script: 'dyno %s %s %s'",
                  cli->args[0], cli->command->name, cli->file, cli->args[0]);
        return EXIT_USAGE;
    }
    take_args(cli, 1);
    return EXIT_DONE;
}

/* The first argument names the workload and is taken off. */
static int take_workload(struct cli *cli, unsigned flags)
{
    const char *names[16] = {NULL};
    size_t n =
        workload_count < ARRAY_LEN(names) ? workload_count : ARRAY_LEN(names);
    const struct workload *found;

    for (size_t i = 0; i < n; i++)
        names[i] = workload_table[i]->name;
    if (cli->n_args == 0 &&
        ((flags & CLI_WORKLOAD_OR_FIRST) || cli->workload_by_file))
        return EXIT_DONE;
    if (cli->n_args == 0) {
        log_error("which workload? write 'dyno %s %s'; 'dyno workloads' "
                  "lists them",
                  cli->command->name, names[0]);
        return EXIT_USAGE;
    }
    if (cli->file)
        return take_script(cli);
    found = workload_find(cli->args[0]);
    if (!found)
        return cli_unknown("workload", cli->args[0], names, n);
    if (found != cli->workload) {
        log_error("write the workload before the options: 'dyno %s %s'",
                  cli->command->name, found->name);
        return EXIT_USAGE;
    }
    take_args(cli, 1);
    return EXIT_DONE;
}

static int check_args(struct cli *cli, unsigned flags)
{
    const int code =
        flags & CLI_WORKLOADS ? take_workload(cli, flags) : EXIT_DONE;

    char buf[WORD_BYTES];

    if (code || (flags & CLI_ARGS) || cli->n_args == 0)
        return code;
    log_error("'%s' is one argument too many; 'dyno %s --help' says what "
              "there is",
              as_shown(cli->args[0], buf, sizeof(buf)), cli->command->name);
    return EXIT_USAGE;
}

/* Help for something that is not there would be about something else. */
static int check_help(struct cli *cli, unsigned flags)
{
    if (!(flags & CLI_WORKLOADS) || cli->n_args == 0 ||
        workload_find(cli->args[0]))
        return EXIT_DONE;
    return take_workload(cli, flags);
}

/* ---- parsing ---- */

static enum rc parse_all(struct cli *cli, int argc, char **argv,
                         struct err *err)
{
    enum rc rc;

    opt_set_defaults(&cli->opts);
    rc = opt_set_argv(&cli->opts, argc, argv, cli->args, CLI_ARGS_MAX,
                      &cli->n_args, err);
    if (!rc && !cli->common.help)
        rc = opt_set_env(&cli->opts, err);
    if (!rc && !cli->common.help && cli->common.config)
        rc = opt_set_config(&cli->opts, cli->common.config, err);
    return rc;
}

bool cli_parse(struct cli *cli, unsigned flags, int argc, char **argv,
               int *out_exit)
{
    struct err err = {0};

    if ((flags & CLI_WORKLOADS) && add_workload(cli, argc, argv, &err)) {
        *out_exit = cli_fail(&err);
        return false;
    }
    opt_set_add(&cli->opts, "Common", common_opts, &cli->common);
    if (parse_all(cli, argc, argv, &err)) {
        *out_exit = cli_fail(&err);
        return false;
    }
    if (cli->common.help) {
        *out_exit = check_help(cli, flags);
        if (*out_exit == EXIT_DONE)
            print_help(cli);
        return false;
    }
    if (cli->common.quiet)
        log_set_level(LOG_WARN);
    else if (cli->common.verbose)
        log_set_level(LOG_DEBUG);
    *out_exit = check_args(cli, flags);
    return *out_exit == EXIT_DONE;
}

enum rc cli_check_labels(const struct opt_strs *labels, struct err *err)
{
    for (size_t i = 0; i < labels->n; i++) {
        const char *eq = strchr(labels->items[i], '=');

        if (!eq || eq == labels->items[i])
            return err_set(err, RC_USAGE, "--label: '%s' is not KEY=VALUE",
                           labels->items[i]);
    }
    return RC_OK;
}

const char *cli_target(struct cli *cli, const char *db, const char *results,
                       const char *workload)
{
    if (db)
        return db;
    return arena_printf(&cli->opts.arena, "sqlite:%s/%s.sqlite", results,
                        workload);
}
