/* SPDX-License-Identifier: MIT */
/*
 * What the files of `dyno flip` share: cmd_flip.c (the command),
 * flip_switches.c (what is flipped, what all runs are given), flip_findings.c
 * (from stored runs to the report).
 */
#ifndef CLI_FLIP_H
#define CLI_FLIP_H

#include "cli/cli.h"
#include "cli/data.h"
#include "lab/flip.h"
#include "report/flip_report.h"

#define FLIP_OPTIONS_MAX 160

struct flip_cmd {
    /* Options. */
    struct opt_strs switches;
    int64_t budget_ns;
    uint64_t rounds;
    int format; /* enum cli_format */
    struct target_cfg target;
    struct sql_cfg sql;
    struct run_cfg run;
    struct load_cfg load;
    int server; /* 0: none; enum server_kind + 1 */
    struct server_spec spec;

    struct arena arena;
    struct flip_plan plan;
    struct variant_text options[FLIP_OPTIONS_MAX];
    size_t n_options;
    const char *id, *log;
};

/* Fills plan and options. */
MUST_USE enum rc flip_switches(struct cli *cli, struct flip_cmd *cmd,
                               const char *driver, bool own_server,
                               struct err *err);
/* Prints the report; *out_exit is the exit code. */
MUST_USE enum rc flip_print(const struct flip_cmd *cmd,
                            const struct flip_result *result, int *out_exit,
                            struct err *err);

#endif
