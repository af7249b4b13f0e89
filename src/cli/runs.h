/* SPDX-License-Identifier: MIT */
/*
 * What the actions of `dyno runs` share: cmd_runs.c (the command, list, show),
 * runs_move.c (export, import, rm).
 */
#ifndef CLI_RUNS_H
#define CLI_RUNS_H

#include "cli/actions.h"
#include "store/runs.h"

enum runs_format { RUNS_TEXT, RUNS_JSON, RUNS_CSV, RUNS_MARKDOWN };

struct runs_cmd {
    const char *results, *name, *workload, *output;
    int format; /* enum runs_format */
    struct opt_strs labels;
    uint64_t latest;
    int series, telemetry, histograms; /* 0: none */
    bool yes;

    const char *const *names; /* what is behind the action */
    size_t n_names;
    struct store *store;
    struct arena arena;
};

/* arg: struct runs_cmd. */
action_fn runs_export, runs_import, runs_remove;

#endif
