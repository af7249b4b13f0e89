/* SPDX-License-Identifier: MIT */
/*
 * What the subcommands share: the options that all have, parsing, errors,
 * exit codes.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/opt.h"
#include "workload/workload.h"

/* The first that applies, in the order 2, 1, 5, 3, 4, 0. */
enum cli_exit {
    EXIT_DONE = 0,
    EXIT_COULD_NOT = 1,
    EXIT_USAGE = 2,
    EXIT_NOT_VALID = 3,
    EXIT_THRESHOLD = 4,
    EXIT_PARTIAL = 5,
};

enum cli_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_MARKDOWN };

struct command {
    const char *name;
    const char *usage; /* "WORKLOAD [OPTION…]" */
    const char *summary;
    /* argv without the command's name; returns an exit code. */
    int (*run)(const struct command *self, int argc, char **argv);
};

struct common_cfg {
    bool help;
    bool quiet;
    bool verbose;
    const char *config;
};

#define CLI_ARGS_MAX 64

/* The command line of one command. */
struct cli {
    const struct command *command;
    struct opt_set opts;
    struct common_cfg common;
    const struct workload *workload; /* when the command takes one */
    void *workload_cfg;              /* its options */
    bool workload_by_file;           /* -f FILE needs no name */
    const char *file;                /* which describes the workload */
    const char *file_command;        /* what shall be done with it */
    const char *args[CLI_ARGS_MAX];  /* what is not an option */
    size_t n_args;
};

/* Finds the workload among the arguments and adds its options. */
#define CLI_WORKLOAD 1u
/* As CLI_WORKLOAD, but left out it is the first of the table. */
#define CLI_WORKLOAD_OR_FIRST 2u
#define CLI_WORKLOADS (CLI_WORKLOAD | CLI_WORKLOAD_OR_FIRST)
/* Takes further arguments; without it they are wrong usage. */
#define CLI_ARGS 4u

/* cli_init(), then opt_set_add() for the command's own tables, then
 * cli_parse(). */
void cli_init(struct cli *cli, const struct command *command);
void cli_release(struct cli *cli);
/*
 * Returns true to go on.  Otherwise *out_exit says how to end: --help was
 * printed, or the usage was wrong and said so.  With a flag for a workload the
 * first argument is its name and is taken off args.
 */
bool cli_parse(struct cli *cli, unsigned flags, int argc, char **argv,
               int *out_exit);

/* Prints the error; returns its exit code. */
int cli_fail(const struct err *err);
/* Prints "unknown KIND 'text'; did you mean 'near'?" as an error. */
int cli_unknown(const char *kind, const char *text, const char *const *names,
                size_t n);

/* Of --label: each is KEY=VALUE. */
MUST_USE enum rc cli_check_labels(const struct opt_strs *labels,
                                  struct err *err);

/* The URL given, or SQLite in the results folder; NULL when out of memory. */
const char *cli_target(struct cli *cli, const char *db, const char *results,
                       const char *workload);

extern const struct command run_command;
extern const struct command load_command;
extern const struct command audit_command;
extern const struct command drop_command;
extern const struct command exec_command;
extern const struct command runs_command;
extern const struct command compare_command;
extern const struct command flip_command;
extern const struct command report_command;
extern const struct command check_command;
extern const struct command server_command;
extern const struct command matrix_command;
extern const struct command baseline_command;
extern const struct command drivers_command;
extern const struct command workloads_command;

#endif
