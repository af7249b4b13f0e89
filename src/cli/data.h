/* SPDX-License-Identifier: MIT */
/*
 * What the commands on data (run, load, audit, drop) do alike: options of the
 * target and the load, opening, loading when needed.
 */
#ifndef CLI_DATA_H
#define CLI_DATA_H

#include "cli/cli.h"
#include "run/config.h"
#include "run/load.h"

struct data_cmd {
    bool makes_data;       /* run and load; the others need what is there */
    bool takes_files;      /* load: targets that can do nothing else */
    bool verify;           /* compare with what the seed makes */
    uint64_t beside_bytes; /* of disk, for what follows a load */
    struct target_cfg target;
    struct sql_cfg sql;
    struct load_cfg load;
};

/* Opens the session for cli->workload on the target, for this process
 * alone. */
MUST_USE enum rc data_open(struct cli *cli, const struct data_cmd *cmd,
                           const char *composition, struct session *out,
                           struct err *err);
/* Loads what is absent, or replaces what is there when asked to; data that
 * does not fit is an error.  *out says what was loaded (0 rows: nothing). */
MUST_USE enum rc data_ensure(struct cli *cli, const struct data_cmd *cmd,
                             struct session *s, struct load_result *out,
                             struct err *err);
/* Removes the file again that was made only to look what it holds. */
void data_forget(struct session *s);

#endif
