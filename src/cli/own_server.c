/* SPDX-License-Identifier: MIT */
#include "cli/own_server.h"

#include "base/log.h"
#include "base/parse.h"
#include "lab/guard.h"
#include "lab/stage.h"
#include "run/audit_run.h"

#include <string.h>
#include <unistd.h>

static const char *const kinds[] = {"none", "postgres", "mariadb", "mysql",
                                    NULL};

const struct opt own_server_opts[] = {
    OPT_CHOICE(struct own_server, kind, "server", 0, "none", kinds,
               "postgres|mariadb|mysql",
               "run on a server of dyno's own, made for it"),
    OPT_BOOL(struct own_server, keep, "keep-server", 0, "off",
             "do not remove it afterwards"),
    OPT_BOOL(struct own_server, snapshot, "snapshot", 0, "off",
             "restore its data from a snapshot, or keep one"),
    OPT_BYTES(struct own_server, budget_bytes, "snapshot-budget", 0, NULL,
              "SIZE", "disk for all snapshots"),
    OPT_END,
};

struct staging {
    struct own_server *own;
    struct cli *cli;
    struct data_cmd *data;
    const struct run_cfg *run;
};

/* ---- the data ---- */

static enum rc load(void *arg, const char *url, struct err *err)
{
    struct staging *st = arg;
    struct guard_needs needs;
    struct session session;
    enum rc rc;

    st->data->target.db = url;
    rc = data_open(st->cli, st->data, NULL, &session, err);
    if (rc)
        return rc;
    guard_estimate(&session.ds, st->run, own_server_log_bytes(st->own, url),
                   &needs);
    st->data->beside_bytes = guard_total(&needs);
    rc = data_ensure(st->cli, st->data, &session, &st->own->load, err);
    session_close(&session);
    return rc;
}

static enum rc audit_quickly(struct session *s, struct err *err)
{
    struct audit audit;
    enum rc rc;

    audit_init(&audit, AUDIT_QUICK);
    rc = run_audit(s, &audit, err);
    for (size_t i = 0; !rc && i < audit.n_checks; i++) {
        if (audit.checks[i].verdict == AUDIT_FAILED)
            rc = err_set(err, RC_INVALID, "%s: %.200s", audit.checks[i].title,
                         audit.checks[i].detail);
    }
    return rc;
}

static enum rc verify(void *arg, const char *url, struct err *err)
{
    struct staging *st = arg;
    struct data_info info = {.status = DATA_ABSENT};
    struct session session;
    enum rc rc;

    st->data->target.db = url;
    rc = data_open(st->cli, st->data, NULL, &session, err);
    if (rc)
        return rc;
    rc = session_inspect(&session, &info, err);
    if (!rc && info.status != DATA_LOADED)
        rc = err_set(err, RC_INVALID, "the data is not complete");
    if (!rc)
        rc = session_check_data(&session, &info, err);
    if (!rc && info.seed != st->data->load.seed)
        rc = err_set(err, RC_INVALID, "the data is of another seed");
    if (!rc && session.ds.workload->audit)
        rc = audit_quickly(&session, err);
    session_close(&session);
    return rc;
}

/* ---- the key ---- */

struct wanted {
    const char *option, *value;
};

static void compare(void *arg, const struct opt *opt, const char *value,
                    const char *source)
{
    struct wanted *w = arg;

    (void)source;
    if (strcmp(opt->name, w->option) == 0)
        w->value = value;
}

static const char *value_of(void *arg, const char *option)
{
    struct wanted w = {.option = option};

    opt_set_each(&((struct cli *)arg)->opts, compare, &w);
    return w.value;
}

static enum rc make_key(struct staging *st, struct snapshot_key *out,
                        struct err *err)
{
    const struct workload *w = st->cli->workload;

    *out = (struct snapshot_key){
        .workload = w->name,
        .seed = st->data->load.seed,
        .schema = stage_schema(&st->cli->opts.arena, w, value_of, st->cli),
    };
    if (!out->schema)
        return err_set(err, RC_NOMEM, "out of memory");
    return stage_scale(w, value_of, st->cli, &out->scale, err);
}

/* ---- the server ---- */

static enum rc check(const struct own_server *own, const struct data_cmd *data,
                     struct err *err)
{
    if (data->target.db)
        return err_set(err, RC_USAGE,
                       "--server and --db exclude each other: a server of "
                       "dyno's own has a database of its own");
    if (own->snapshot && data->sql.dir)
        return err_set(err, RC_USAGE,
                       "--snapshot and --sql-dir exclude each other: "
                       "statements of your own may make other data");
    return RC_OK;
}

static enum rc make(struct own_server *own, struct cli *cli, struct err *err)
{
    own->spec.kind = own->kind - 1;
    own->spec.keep = own->keep;
    own->spec.name = arena_printf(&cli->opts.arena, "run-%d", (int)getpid());
    if (!own->spec.name)
        return err_set(err, RC_NOMEM, "out of memory");
    return server_make(&own->spec, &own->server, err);
}

static void say(const struct stage_result *r)
{
    char took[32], size[32];

    format_bytes(r->copy.n_bytes, size, sizeof(size));
    format_duration(r->copy.elapsed_ns, took, sizeof(took));
    if (r->restored)
        log_info("restored the data from a snapshot: %s in %s", size, took);
    else if (r->kept)
        log_info("kept a snapshot of the data: %s in %s", size, took);
}

enum rc own_server_begin(struct own_server *own, struct cli *cli,
                         struct data_cmd *data, const struct run_cfg *run,
                         struct err *err)
{
    struct staging st = {.own = own, .cli = cli, .data = data, .run = run};
    struct stage_args args = {
        .budget_bytes = own->budget_bytes,
        .load = load,
        .verify = verify,
        .arg = &st,
    };
    struct stage_result result;
    enum rc rc;

    if (!own->kind)
        return RC_OK;
    rc = check(own, data, err);
    if (!rc)
        rc = make(own, cli, err);
    if (rc)
        return rc;
    args.server = own->server;
    if (own->snapshot) {
        rc = make_key(&st, &args.key, err);
        if (!rc)
            rc = stage_ready(&args, &result, err);
        if (!rc)
            say(&result);
    } else {
        rc = server_start(own->server, err);
    }
    if (!rc)
        data->target.db = server_url(own->server);
    return rc;
}

uint64_t own_server_log_bytes(const struct own_server *own, const char *db)
{
    return own->server ? server_log_bytes(own->server)
                       : server_log_bytes_at(db);
}

void own_server_end(struct own_server *own)
{
    struct err err = {0};

    if (!own->server)
        return;
    if (own->keep && server_running(own->server))
        log_info("server '%s' is kept; 'dyno server destroy %s' removes it",
                 server_name(own->server), server_name(own->server));
    else if (server_destroy(own->server, &err))
        log_error("%s", err.text);
    server_close(own->server);
    own->server = NULL;
}
