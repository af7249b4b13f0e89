/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <stdio.h>

static int drivers_main(const struct command *self, int argc, char **argv)
{
    struct cli cli;
    int code;

    cli_init(&cli, self);
    if (cli_parse(&cli, 0, argc, argv, &code)) {
        for (size_t i = 0; i < driver_count; i++)
            printf("%-10s %s\n  %s\n", driver_table[i]->name,
                   driver_table[i]->summary, driver_table[i]->url);
    }
    cli_release(&cli);
    return code;
}

const struct command drivers_command = {
    .name = "drivers",
    .usage = "[OPTION…]",
    .summary = "the databases that this build knows",
    .run = drivers_main,
};
