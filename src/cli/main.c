/* SPDX-License-Identifier: MIT */
#include "base/log.h"
#include "base/stop.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct command *const commands[] = {
    &run_command,      &load_command,    &audit_command,     &drop_command,
    &exec_command,     &check_command,   &runs_command,      &compare_command,
    &report_command,   &flip_command,    &server_command,    &matrix_command,
    &baseline_command, &drivers_command, &workloads_command,
};

static void print_usage(FILE *out)
{
    fprintf(out, "dyno: a dynamometer for databases\n\n"
                 "usage: dyno COMMAND [OPTION…]\n\n");
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(out, "\n'dyno COMMAND --help' says more; 'dyno --version' which "
                 "build this is.\nThe first result: dyno run tpcc\n");
}

static int unknown_command(const char *name)
{
    const char *names[ARRAY_LEN(commands)];

    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        names[i] = commands[i]->name;
    return cli_unknown("command", name, names, ARRAY_LEN(names));
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (!strcmp(commands[i]->name, name))
            return commands[i];
    }
    return NULL;
}

static bool is_one_of(const char *text, const char *a, const char *b,
                      const char *c)
{
    return !strcmp(text, a) || !strcmp(text, b) || !strcmp(text, c);
}

/* What did not reach standard output was not done. */
static int delivered(int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    log_error("cannot write to standard output%s%s", errno ? ": " : "",
              errno ? strerrordesc_np(errno) : "");
    return code == EXIT_DONE ? EXIT_COULD_NOT : code;
}

int main(int argc, char **argv)
{
    const struct command *command;

    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    if (is_one_of(argv[1], "--help", "-h", "help")) {
        print_usage(stdout);
        return delivered(EXIT_DONE);
    }
    if (is_one_of(argv[1], "--version", "-V", "version")) {
        printf("dyno %s\n", DYNO_VERSION);
        return delivered(EXIT_DONE);
    }
    command = find_command(argv[1]);
    if (!command)
        return unknown_command(argv[1]);
    stop_install();
    return delivered(command->run(command, argc - 2, argv + 2));
}
