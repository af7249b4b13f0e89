/* SPDX-License-Identifier: MIT */
/* dyno's own servers: the command; start, stop, url, log, destroy. */
#include "base/log.h"
#include "base/parse.h"
#include "cli/server.h"
#include "lab/snapshot.h"

#include <stdio.h>
#include <string.h>

#define LOG_CHUNK 4096

static const struct opt own_opts[] = {
    OPT_STR(struct server_cmd, name, "name", 0, NULL, "NAME",
            "start: of the server; default is its kind"),
    OPT_BOOL(struct server_cmd, tcp, "tcp", 0, "off",
             "url: by 127.0.0.1 instead of the unix socket"),
    OPT_BOOL(struct server_cmd, left_behind, "left-behind", 0, "off",
             "destroy: what dynos that died have left"),
    OPT_BOOL(struct server_cmd, all, "all", 0, "off",
             "drop-snapshot: all that nobody uses now"),
    OPT_END,
};

/* ---- start ---- */

static bool is_kind(const char *name, int *out)
{
    for (int i = 0; i < SERVER_KINDS; i++) {
        if (strcmp(name, server_kind_names[i]) == 0) {
            *out = i;
            return true;
        }
    }
    return false;
}

/* No server of that name either. */
static enum rc unknown_kind(const char *word, struct err *err)
{
    const char *near = nearest_name(word, server_kind_names, SERVER_KINDS);

    return err_set(err, RC_USAGE,
                   "'%.64s' is neither a kind of server (postgres, mariadb, "
                   "mysql) nor the name of one%s%s%s",
                   word, near ? "; did you mean '" : "", near ? near : "",
                   near ? "'?" : "");
}

/* A kind makes a server, a name starts one that is there. */
static enum rc open_or_make(struct server_cmd *cmd, const char *word,
                            struct server **out, struct err *err)
{
    struct server_spec *spec = &cmd->spec;
    const bool kind_given = is_kind(word, &spec->kind);
    enum rc rc;

    spec->name = cmd->name ? cmd->name : word;
    spec->keep = true;
    rc = server_open(spec->base, spec->name, out, err);
    if (!rc && kind_given && (int)server_kind(*out) != spec->kind) {
        rc = err_set(err, RC_USAGE, "server '%s' is of kind '%s', not '%s'",
                     spec->name, server_kind_names[server_kind(*out)], word);
        server_close(*out);
        return rc;
    }
    if (rc != RC_NOT_FOUND)
        return rc;
    return kind_given ? server_make(spec, out, err) : unknown_kind(word, err);
}

static enum rc start(void *arg, const char *word, struct err *err)
{
    struct server_cmd *cmd = arg;
    struct server *s = NULL;
    struct err ignored = {0};
    enum rc rc = open_or_make(cmd, word, &s, err);
    bool was_there;

    if (rc)
        return rc;
    was_there = server_has_data(s);
    if (server_running(s))
        log_info("server '%s' runs already; its settings stay as they are",
                 server_name(s));
    else if (was_there && cmd->configures)
        rc = server_configure(s, &cmd->spec, err);
    if (!rc)
        rc = server_start(s, err);
    /* One that has never run is of no use. */
    if (rc && !was_there && server_destroy(s, &ignored))
        log_warn("%s", ignored.text);
    if (!rc)
        printf("%s\n", server_url(s));
    server_close(s);
    return rc;
}

/* ---- stop, destroy, url, log ---- */

static enum rc stop(void *arg, const char *name, struct err *err)
{
    struct server_cmd *cmd = arg;
    struct server *s;
    enum rc rc = server_open(cmd->spec.base, name, &s, err);

    if (rc)
        return rc;
    if (!server_running(s))
        log_info("server '%s' does not run", name);
    rc = server_stop(s, err);
    server_close(s);
    return rc;
}

static enum rc destroy_left(void *arg, const struct server_info *info,
                            struct err *err)
{
    struct server_cmd *cmd = arg;

    if (info->busy || (info->status != SERVER_LEFT_BEHIND &&
                       info->status != SERVER_UNFINISHED))
        return RC_OK;
    log_info("removing '%s'", info->dir);
    return server_remove(cmd->spec.base, info->name, err);
}

static enum rc destroy(void *arg, const char *name, struct err *err)
{
    struct server_cmd *cmd = arg;

    if (cmd->left_behind)
        return server_list(cmd->spec.base, destroy_left, cmd, err);
    return server_remove(cmd->spec.base, name, err);
}

static enum rc drop_snapshot(void *arg, const char *name, struct err *err)
{
    const struct server_cmd *cmd = arg;

    return snapshot_remove(cmd->spec.base, name, err);
}

static enum rc print_url(void *arg, const char *name, struct err *err)
{
    struct server_cmd *cmd = arg;
    struct server *s;
    enum rc rc = server_find(cmd->spec.base, name, &s, err);

    if (rc)
        return rc;
    if (!server_running(s))
        log_warn("server '%s' does not run; 'dyno server start %s' starts it",
                 name, name);
    printf("%s\n", cmd->tcp ? server_tcp_url(s) : server_url(s));
    server_close(s);
    return RC_OK;
}

static enum rc print_log(void *arg, const char *name, struct err *err)
{
    struct server_cmd *cmd = arg;
    char bytes[LOG_CHUNK];
    struct server *s;
    FILE *log;
    size_t n;
    enum rc rc = server_find(cmd->spec.base, name, &s, err);

    if (rc)
        return rc;
    log = fopen(server_log_path(s), "re");
    while (log && (n = fread(bytes, 1, sizeof(bytes), log)) > 0)
        fwrite(bytes, 1, n, stdout);
    if (log && fclose(log))
        rc = err_set(err, RC_IO, "cannot read '%s'", server_log_path(s));
    server_close(s);
    return rc;
}

/* ---- the command ---- */

static const struct action actions[] = {
    {.name = "start",
     .run = start,
     .takes = ACTION_EACH,
     .usage = "KIND|NAME",
     .options = {"name", "bindir", "preset", "set", "server-config", "run-as",
                 "port"}},
    {.name = "stop", .run = stop, .takes = ACTION_EACH, .usage = "NAME"},
    {.name = "status",
     .run = server_print_status,
     .takes = ACTION_EACH,
     .usage = "NAME"},
    {.name = "list", .run = server_print_list},
    {.name = "url",
     .run = print_url,
     .takes = ACTION_EACH,
     .usage = "NAME",
     .options = {"tcp"}},
    {.name = "log", .run = print_log, .takes = ACTION_EACH, .usage = "NAME"},
    {.name = "destroy",
     .run = destroy,
     .takes = ACTION_EACH,
     .usage = "NAME",
     .instead = "left-behind"},
    {.name = "snapshots", .run = server_print_snapshots},
    {.name = "drop-snapshot",
     .run = drop_snapshot,
     .takes = ACTION_EACH,
     .usage = "NAME",
     .instead = "all"},
};

static const struct actions server_actions = {
    .hint = "what about the servers? write 'dyno server start postgres', stop, "
            "status, list, url, log, destroy, snapshots or drop-snapshot",
    .items = actions,
    .n = ARRAY_LEN(actions),
    .tables = {server_opts, own_opts},
    .common = "servers",
};

/* Of a server that is there, all settings are replaced or none. */
static bool configures(const struct cli *cli)
{
    static const char *const names[] = {"bindir", "preset", "set",
                                        "server-config", "port"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (opt_set_source(&cli->opts, names[i]) != OPT_FROM_DEFAULT)
            return true;
    }
    return false;
}

static int server_main(const struct command *self, int argc, char **argv)
{
    struct server_cmd cmd = {.name = NULL};
    const struct action *action;
    struct err err = {0};
    struct cli cli;
    int code;

    cli_init(&cli, self);
    opt_set_add(&cli.opts, "Server", server_opts, &cmd.spec);
    opt_set_add(&cli.opts, "Action", own_opts, &cmd);
    if (!cli_parse(&cli, CLI_ARGS, argc, argv, &code))
        goto out;
    cmd.configures = configures(&cli);
    action = actions_find(&server_actions, &cli);
    if (!action)
        code = EXIT_USAGE;
    else
        code =
            action_run(action, &cli, &cmd, &err) ? cli_fail(&err) : EXIT_DONE;
out:
    cli_release(&cli);
    return code;
}

const struct command server_command = {
    .name = "server",
    .usage = "start KIND|NAME, stop|status|url|log|destroy NAME, list, "
             "snapshots, or drop-snapshot NAME [OPTION…]",
    .summary = "dyno's own servers: start, stop, status, list, url, log, "
               "destroy; snapshots",
    .run = server_main,
};
