/* SPDX-License-Identifier: MIT */
#include "cli/data.h"

#include "base/log.h"
#include "store/results.h"

#include <unistd.h>

/* The default target lives in the results folder: made for those who load,
 * missed by the others. */
static enum rc ready_folder(struct cli *cli, const struct data_cmd *cmd,
                            struct err *err)
{
    const char *dir = cmd->target.results;
    struct results *folder;
    enum rc rc;

    if (cmd->target.db || access(dir, F_OK) == 0)
        return RC_OK;
    if (!cmd->makes_data)
        return err_set(err, RC_NOT_FOUND,
                       "there is no folder '%s', so nothing is loaded; load "
                       "with 'dyno load %s', or name the target with --db",
                       dir, cli->workload->name);
    rc = results_open(dir, &folder, err);
    if (!rc)
        results_close(folder);
    return rc;
}

enum rc data_open(struct cli *cli, const struct data_cmd *cmd,
                  const char *composition, struct session *out, struct err *err)
{
    const struct session_args args = {
        .url = cli_target(cli, cmd->target.db, cmd->target.results,
                          cli->workload->name),
        .workload = cli->workload,
        .workload_cfg = cli->workload_cfg,
        .options = &cli->opts,
        .composition = composition,
        .seed = cmd->load.seed,
        .sql_dir = cmd->sql.dir,
        .create = cmd->target.create_database,
        .claim = true,
    };

    enum rc rc;

    if (!args.url)
        return err_set(err, RC_NOMEM, "no memory for the target's name");
    rc = ready_folder(cli, cmd, err);
    if (!rc)
        rc = session_open(&args, out, err);
    if (rc || cmd->takes_files || !db_can(out->db, DRIVER_FILES))
        return rc;
    rc = err_set(err, RC_USAGE,
                 "'%s' holds files, for 'dyno load' alone; load them into a "
                 "database with the scripts beside them",
                 out->target.shown);
    data_forget(out);
    session_close(out);
    return rc;
}

static enum rc replace(struct session *s, const struct data_info *info,
                       struct load_args *args, struct err *err)
{
    enum rc rc;

    if (info->status == DATA_ABSENT)
        return RC_OK;
    if (info->status == DATA_FOREIGN)
        return session_check_data(s, info, err);
    if (!s->ds.scale)
        s->ds.scale = info->scale;
    /* What is there stays until nothing speaks against what shall come. */
    rc = load_check(s, args, err);
    if (rc)
        return rc;
    args->checked = true;
    return drop_dataset(s, err);
}

/* Whether there is a load to go on with, and it is the one that is meant. */
static enum rc check_resume(struct session *s, const struct data_info *info,
                            bool seed_given, bool *out, struct err *err)
{
    *out = info->status == DATA_PARTIAL;
    if (info->status == DATA_ABSENT)
        log_info("there is no load to go on with: this is the first");
    if (*out && seed_given && s->ds.seed != info->seed)
        return err_set(err, RC_INVALID,
                       "--continue: the load that did not end is of seed %llu, "
                       "not %llu; leave --seed out",
                       (unsigned long long)info->seed,
                       (unsigned long long)s->ds.seed);
    if (*out && s->ds.scale && info->scale && s->ds.scale != info->scale)
        return err_set(err, RC_INVALID,
                       "--continue: the load that did not end is of %llu %s, "
                       "not %llu; leave the number out",
                       (unsigned long long)info->scale,
                       s->ds.workload->scale_name,
                       (unsigned long long)s->ds.scale);
    return RC_OK;
}

enum rc data_ensure(struct cli *cli, const struct data_cmd *cmd,
                    struct session *s, struct load_result *out, struct err *err)
{
    struct load_args args = {
        .threads = cmd->load.threads,
        .quiet = cli->common.quiet,
        .any_disk = !cmd->load.disk_check,
        .beside_bytes = cmd->beside_bytes,
    };
    const bool seed_given =
        opt_set_source(&cli->opts, "seed") != OPT_FROM_DEFAULT;
    struct data_info info;
    enum rc rc;

    *out = (struct load_result){0};
    s->ds.verify = cmd->verify;
    if (cmd->load.replace && cmd->load.resume)
        return err_set(err, RC_USAGE,
                       "--replace and --continue exclude each other");
    if ((cmd->load.replace || cmd->load.resume) && db_can(s->db, DRIVER_FILES))
        return err_set(err, RC_USAGE,
                       "--%s: files are neither dropped nor gone on with; name "
                       "another folder, or remove '%s' yourself",
                       cmd->load.replace ? "replace" : "continue",
                       s->target.rest);
    rc = session_inspect(s, &info, err);
    if (!rc && cmd->load.resume)
        rc = check_resume(s, &info, seed_given, &args.resume, err);
    if (!rc && cmd->load.replace && s->ds.workload->load_begin) {
        rc = replace(s, &info, &args, err);
        info.status = DATA_ABSENT;
    }
    if (!rc && !args.resume)
        rc = session_check_data(s, &info, err);
    if (!rc && info.status == DATA_LOADED && cmd->verify && seed_given &&
        s->ds.seed != info.seed)
        rc = err_set(err, RC_INVALID,
                     "--verify: the data is of seed %llu, not %llu; leave "
                     "--seed out",
                     (unsigned long long)info.seed,
                     (unsigned long long)s->ds.seed);
    if (!rc && info.status == DATA_LOADED && cmd->verify)
        rc = verify_dataset(s, &args, err);
    if (rc || info.status == DATA_LOADED)
        return rc;
    return load_dataset(s, &args, out, err);
}

void data_forget(struct session *s)
{
    struct err err = {0};
    bool removed = false;

    if (db_discard(s->db, &removed, &err))
        log_warn("%s", err.text);
}
