/* SPDX-License-Identifier: MIT */
#include "cli/actions.h"

#include "base/buf.h"
#include "base/log.h"
#include "base/parse.h"

#include <string.h>

#define LIST_BYTES_MAX 512

static const struct action *find(const struct actions *a, const char *command,
                                 const char *word)
{
    struct buf list = BUF_INIT(LIST_BYTES_MAX);
    const char *names[ACTIONS_MAX];
    const char *near;

    for (size_t i = 0; i < a->n && i < ARRAY_LEN(names); i++) {
        names[i] = a->items[i].name;
        if (!strcmp(names[i], word))
            return &a->items[i];
    }
    near = nearest_name(word, names, a->n);
    for (size_t i = 0; i < a->n && !near; i++)
        buf_printf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    if (near)
        log_error("'dyno %s %.64s' is unknown; did you mean '%s'?", command,
                  word, near);
    else
        log_error("'dyno %s %.64s' is unknown; there are %s", command, word,
                  buf_str(&list));
    buf_release(&list);
    return NULL;
}

static bool takes(const struct actions *a, const struct action *action,
                  const char *option)
{
    for (size_t i = 0; i < ARRAY_LEN(action->options) && action->options[i];
         i++) {
        if (!strcmp(action->options[i], option))
            return true;
    }
    return !strcmp(option, a->common) ||
           (action->instead && !strcmp(option, action->instead));
}

/* An option that would have no effect is a misunderstanding. */
static bool options_fit(const struct actions *a, const struct action *action,
                        const struct cli *cli)
{
    for (size_t t = 0; t < ARRAY_LEN(a->tables) && a->tables[t]; t++) {
        for (const struct opt *o = a->tables[t]; o->name; o++) {
            if (opt_set_source(&cli->opts, o->name) != OPT_FROM_CLI ||
                takes(a, action, o->name))
                continue;
            log_error("--%s is no option of 'dyno %s %s'", o->name,
                      cli->command->name, action->name);
            return false;
        }
    }
    return true;
}

static bool is_instead(const struct action *action, const struct cli *cli)
{
    return action->instead &&
           opt_set_source(&cli->opts, action->instead) == OPT_FROM_CLI;
}

static bool names_fit(const struct action *action, const struct cli *cli)
{
    const size_t n = cli->n_args - 1;

    if (action->takes == ACTION_NOTHING || is_instead(action, cli)) {
        if (n > 0)
            log_error("'%.64s' is one argument too many", cli->args[1]);
        return n == 0;
    }
    if (n == 0)
        log_error("which? write 'dyno %s %s %s'%s%s", cli->command->name,
                  action->name, action->usage, action->instead ? ", or --" : "",
                  action->instead ? action->instead : "");
    return n > 0;
}

const struct action *actions_find(const struct actions *a,
                                  const struct cli *cli)
{
    const struct action *action;

    if (cli->n_args == 0) {
        log_error("%s", a->hint);
        return NULL;
    }
    action = find(a, cli->command->name, cli->args[0]);
    if (!action || !options_fit(a, action, cli) || !names_fit(action, cli))
        return NULL;
    return action;
}

enum rc action_run(const struct action *action, const struct cli *cli,
                   void *arg, struct err *err)
{
    enum rc rc = RC_OK;

    if (action->takes != ACTION_EACH || is_instead(action, cli))
        return action->run(arg, NULL, err);
    for (size_t i = 1; !rc && i < cli->n_args; i++)
        rc = action->run(arg, cli->args[i], err);
    return rc;
}
