/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <stdio.h>

static void print_workload(const struct workload *w)
{
    printf("%-10s %s\n", w->name, w->summary);
    for (size_t i = 0; i < w->n_txns; i++)
        printf("           %-20s %s\n", w->txns[i].name, w->txns[i].label);
}

static int workloads_main(const struct command *self, int argc, char **argv)
{
    struct cli cli;
    int code;

    cli_init(&cli, self);
    if (cli_parse(&cli, 0, argc, argv, &code)) {
        for (size_t i = 0; i < workload_count; i++)
            print_workload(workload_table[i]);
    }
    cli_release(&cli);
    return code;
}

const struct command workloads_command = {
    .name = "workloads",
    .usage = "[OPTION…]",
    .summary = "the workloads that this build knows",
    .run = workloads_main,
};
