/* SPDX-License-Identifier: MIT */
/*
 * Commands with a word behind them: "dyno server start NAME", "dyno runs list".
 */
#ifndef CLI_ACTIONS_H
#define CLI_ACTIONS_H

#include "cli/cli.h"

#define ACTION_OPTIONS_MAX 8
#define ACTIONS_MAX 16

/* What is behind the word. */
enum action_takes {
    ACTION_NOTHING,
    ACTION_ALL,  /* names, one at least; the action is called once */
    ACTION_EACH, /* the same; it is called for each */
};

/* arg: the command's; name: NULL but for ACTION_EACH. */
typedef enum rc action_fn(void *arg, const char *name, struct err *err);

struct action {
    const char *name;
    action_fn *run;
    enum action_takes takes;
    const char *usage; /* of the names: "RUN"; or NULL */
    /* An option in place of the names, called once then; or NULL. */
    const char *instead;
    const char *options[ACTION_OPTIONS_MAX]; /* beside those of all actions */
};

struct actions {
    const char *hint; /* when there is no word */
    const struct action *items;
    size_t n;
    const struct opt *tables[2]; /* of the command; the second may be NULL */
    const char *common;          /* the option that all actions take */
};

/* The action of cli->args[0], when its options and the number of its arguments
 * are right; else says why not and returns NULL: EXIT_USAGE. */
const struct action *actions_find(const struct actions *a,
                                  const struct cli *cli);
MUST_USE enum rc action_run(const struct action *action, const struct cli *cli,
                            void *arg, struct err *err);

#endif
