/* SPDX-License-Identifier: MIT */
/*
 * What the actions of `dyno server` share: cmd_server.c (the command, and what
 * changes servers), server_print.c (what shows them).
 */
#ifndef CLI_SERVER_H
#define CLI_SERVER_H

#include "cli/actions.h"
#include "lab/server.h"

struct server_cmd {
    struct server_spec spec;
    const char *name;
    bool tcp;
    bool left_behind;
    bool configures; /* start: a setting was given */
    bool all;        /* drop-snapshot is called without a name then */
};

/* arg: struct server_cmd. */
action_fn server_print_list, server_print_status, server_print_snapshots;

#endif
