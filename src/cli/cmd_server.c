/* SPDX-License-Identifier: MIT */
/* dyno's own servers: start, stop, status, list, url, log, destroy. */
#include "base/log.h"
#include "base/parse.h"
#include "cli/cli.h"
#include "lab/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LOG_CHUNK 4096

struct server_cmd {
    struct server_spec spec;
    const char *name;
    bool tcp;
    bool left_behind;
    const char *const *names; /* of the arguments */
    size_t n_names;
};

static const struct opt own_opts[] = {
    OPT_STR(struct server_cmd, name, "name", 0, NULL, "NAME",
            "start: of the server; default is its kind"),
    OPT_BOOL(struct server_cmd, tcp, "tcp", 0, "off",
             "url: by 127.0.0.1 instead of the unix socket"),
    OPT_BOOL(struct server_cmd, left_behind, "left-behind", 0, "off",
             "destroy: what dynos that died have left"),
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

static enum rc start(struct server_cmd *cmd, const char *word, struct err *err)
{
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
    else if (was_there)
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

static enum rc stop(struct server_cmd *cmd, const char *name, struct err *err)
{
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

static enum rc destroy(struct server_cmd *cmd, const char *name,
                       struct err *err)
{
    return server_remove(cmd->spec.base, name, err);
}

static enum rc print_url(struct server_cmd *cmd, const char *name,
                         struct err *err)
{
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

static enum rc print_log(struct server_cmd *cmd, const char *name,
                         struct err *err)
{
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

/* ---- list and status ---- */

struct listing {
    const char *only; /* a name, NULL: all */
    bool left_behind; /* only those */
    size_t n;
    struct server_cmd *cmd;
};

static enum rc print_row(void *arg, const struct server_info *info,
                         struct err *err)
{
    struct listing *l = arg;
    char size[32], pid[24] = "-";

    (void)err;
    if (l->n++ == 0)
        printf("%-20s %-9s %-10s %-7s %-12s %8s %6s %10s\n", "NAME", "KIND",
               "VERSION", "PRESET", "STATUS", "PID", "PORT", "DISK");
    if (info->running)
        snprintf(pid, sizeof(pid), "%" PRId64, info->pid);
    format_bytes(info->disk_bytes, size, sizeof(size));
    printf("%-20s %-9s %-10s %-7s %-12s %8s %6" PRIu64 " %10s\n", info->name,
           info->kind, info->version, info->preset,
           info->busy ? "in use" : server_status_names[info->status], pid,
           info->port, size);
    return RC_OK;
}

static enum rc list(struct server_cmd *cmd, const char *name, struct err *err)
{
    struct listing l = {.n = 0};

    (void)name;
    return server_list(cmd->spec.base, print_row, &l, err);
}

static enum rc print_status(void *arg, const struct server_info *info,
                            struct err *err)
{
    struct listing *l = arg;
    char size[32];

    (void)err;
    if (l->only && strcmp(l->only, info->name) != 0)
        return RC_OK;
    l->n++;
    format_bytes(info->disk_bytes, size, sizeof(size));
    printf("name     %s\nkind     %s\nversion  %s\npreset   %s\n"
           "status   %s%s\n",
           info->name, info->kind, info->version, info->preset,
           server_status_names[info->status],
           info->busy ? ", in use by a dyno" : "");
    if (info->running)
        printf("pid      %" PRId64 "\nport     %" PRIu64
               " of 127.0.0.1\nurl      %s\n",
               info->pid, info->port, info->url);
    printf("folder   %s\ndisk     %s\n", info->dir, size);
    return RC_OK;
}

static enum rc status(struct server_cmd *cmd, const char *name, struct err *err)
{
    struct listing l = {.only = name};
    struct server *s = NULL;
    enum rc rc = server_find(cmd->spec.base, name, &s, err);

    server_close(s);
    return rc ? rc : server_list(cmd->spec.base, print_status, &l, err);
}

/* ---- destroy --left-behind ---- */

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

/* ---- the command ---- */

typedef enum rc server_fn(struct server_cmd *cmd, const char *name,
                          struct err *err);

static const struct action {
    const char *name;
    server_fn *run;
    bool named;       /* once for each argument, of which there must be one */
    const char *what; /* the argument is called */
} actions[] = {
    {"start", start, true, "KIND|NAME"}, {"stop", stop, true, "NAME"},
    {"status", status, true, "NAME"},    {"list", list, false, ""},
    {"url", print_url, true, "NAME"},    {"log", print_log, true, "NAME"},
    {"destroy", destroy, true, "NAME"},
};

static const struct action *find_action(const char *name)
{
    const char *names[ARRAY_LEN(actions)];

    for (size_t i = 0; i < ARRAY_LEN(actions); i++) {
        names[i] = actions[i].name;
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    }
    (void)cli_unknown("action of 'dyno server'", name, names,
                      ARRAY_LEN(actions));
    return NULL;
}

static int act(struct server_cmd *cmd, const struct action *a)
{
    struct err err = {0};
    enum rc rc = RC_OK;

    if (cmd->left_behind && a->run == destroy && cmd->n_names == 0) {
        rc = server_list(cmd->spec.base, destroy_left, cmd, &err);
        return rc ? cli_fail(&err) : EXIT_DONE;
    }
    if (a->named != (cmd->n_names > 0)) {
        if (a->named)
            log_error("which? write 'dyno server %s %s'", a->name, a->what);
        else
            log_error("'%.64s' is one argument too many", cmd->names[0]);
        return EXIT_USAGE;
    }
    if (!a->named)
        rc = a->run(cmd, NULL, &err);
    for (size_t i = 0; !rc && i < cmd->n_names; i++)
        rc = a->run(cmd, cmd->names[i], &err);
    return rc ? cli_fail(&err) : EXIT_DONE;
}

static int server_main(const struct command *self, int argc, char **argv)
{
    struct server_cmd cmd = {.n_names = 0};
    const struct action *action;
    struct cli cli;
    int code;

    cli_init(&cli, self);
    opt_set_add(&cli.opts, "Server", server_opts, &cmd.spec);
    opt_set_add(&cli.opts, "Action", own_opts, &cmd);
    if (!cli_parse(&cli, CLI_ARGS, argc, argv, &code))
        goto out;
    code = EXIT_USAGE;
    if (cli.n_args == 0) {
        log_error("what about the servers? write 'dyno server start postgres', "
                  "stop, status, list, url, log or destroy");
        goto out;
    }
    action = find_action(cli.args[0]);
    if (!action)
        goto out;
    cmd.names = cli.args + 1;
    cmd.n_names = cli.n_args - 1;
    code = act(&cmd, action);
out:
    cli_release(&cli);
    return code;
}

const struct command server_command = {
    .name = "server",
    .usage = "start KIND|NAME, stop|status|url|log|destroy NAME, or list "
             "[OPTION…]",
    .summary = "dyno's own servers: start, stop, status, list, url, log, "
               "destroy",
    .run = server_main,
};
