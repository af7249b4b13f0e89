/* SPDX-License-Identifier: MIT */
#include "cli/data.h"

#include "base/log.h"

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
        .create = cmd->target.create_database,
        .claim = true,
    };

    if (!args.url)
        return err_set(err, RC_NOMEM, "no memory for the target's name");
    return session_open(&args, out, err);
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
