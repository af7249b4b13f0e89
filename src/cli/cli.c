/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"

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
    log_error("%s", err->text);
    return err->rc == RC_USAGE ? EXIT_USAGE : EXIT_COULD_NOT;
}

int cli_unknown(const char *kind, const char *text, const char *const *names,
                size_t n)
{
    const char *near = nearest_name(text, names, n);

    if (near)
        log_error("unknown %s '%s'; did you mean '%s'?", kind, text, near);
    else
        log_error("unknown %s '%s'; 'dyno --help' lists what there is", kind,
                  text);
    return EXIT_USAGE;
}

static void print_help(const struct cli *cli)
{
    printf("usage: dyno %s %s\n\n%s\n", cli->command->name,
           cli->command->usage, cli->command->summary);
    opt_set_help(&cli->opts, stdout);
}

/* ---- the workload ---- */

/* Its options must be known before the command line is parsed, so it is looked
 * for first: the first argument, or any that names a workload. */
static const struct workload *spot_workload(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        const struct workload *w = workload_find(argv[i]);

        if (w)
            return w;
    }
    return NULL;
}

static bool add_workload(struct cli *cli, unsigned flags, int argc,
                         char **argv)
{
    cli->workload = spot_workload(argc, argv);
    if (!cli->workload && (flags & CLI_WORKLOAD_OR_FIRST))
        cli->workload = workload_table[0];
    if (!cli->workload)
        return true;
    cli->workload_cfg = mem_calloc(1, cli->workload->cfg_bytes);
    if (!cli->workload_cfg)
        return false;
    opt_set_add(&cli->opts, "Workload", cli->workload->opts,
                cli->workload_cfg);
    return true;
}

static int check_workload(struct cli *cli, unsigned flags)
{
    const char *names[16];
    size_t n = workload_count < ARRAY_LEN(names) ? workload_count
                                                 : ARRAY_LEN(names);

    for (size_t i = 0; i < n; i++)
        names[i] = workload_table[i]->name;
    if (cli->n_args == 0 && (flags & CLI_WORKLOAD_OR_FIRST))
        return EXIT_DONE;
    if (cli->n_args == 0) {
        log_error("which workload? write 'dyno %s %s'; 'dyno workloads' "
                  "lists them",
                  cli->command->name, names[0]);
        return EXIT_USAGE;
    }
    if (!workload_find(cli->args[0]))
        return cli_unknown("workload", cli->args[0], names, n);
    cli->n_args--;
    memmove(cli->args, cli->args + 1, cli->n_args * sizeof(cli->args[0]));
    return EXIT_DONE;
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
    const bool with_workload = flags != 0;
    struct err err = {0};

    if (with_workload && !add_workload(cli, flags, argc, argv)) {
        err_set(&err, RC_NOMEM, "no memory for the options");
        *out_exit = cli_fail(&err);
        return false;
    }
    opt_set_add(&cli->opts, "Common", common_opts, &cli->common);
    if (parse_all(cli, argc, argv, &err)) {
        *out_exit = cli_fail(&err);
        return false;
    }
    if (cli->common.help) {
        print_help(cli);
        *out_exit = EXIT_DONE;
        return false;
    }
    if (cli->common.quiet)
        log_set_level(LOG_WARN);
    else if (cli->common.verbose)
        log_set_level(LOG_DEBUG);
    *out_exit = with_workload ? check_workload(cli, flags) : EXIT_DONE;
    return *out_exit == EXIT_DONE;
}


const char *cli_target(struct cli *cli, const char *db, const char *results,
                       const char *workload)
{
    if (db)
        return db;
    return arena_printf(&cli->opts.arena, "sqlite:%s/%s.sqlite", results,
                        workload);
}
