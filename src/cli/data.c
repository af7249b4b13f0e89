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
    return rc ? rc : session_open(&args, out, err);
}

static enum rc replace(struct session *s, const struct data_info *info,
                       struct err *err)
{
    if (info->status == DATA_ABSENT)
        return RC_OK;
    if (info->status == DATA_FOREIGN)
        return session_check_data(s, info, err);
    return drop_dataset(s, err);
}

enum rc data_ensure(struct cli *cli, const struct data_cmd *cmd,
                    struct session *s, struct load_result *out, struct err *err)
{
    const struct load_args args = {
        .threads = cmd->load.threads,
        .quiet = cli->common.quiet,
    };
    struct data_info info;
    enum rc rc;

    *out = (struct load_result){0};
    rc = session_inspect(s, &info, err);
    if (!rc && cmd->load.replace && s->ds.workload->load_begin) {
        rc = replace(s, &info, err);
        if (!rc && !s->ds.scale)
            s->ds.scale = info.scale;
        info.status = DATA_ABSENT;
    }
    if (!rc)
        rc = session_check_data(s, &info, err);
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
