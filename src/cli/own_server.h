/* SPDX-License-Identifier: MIT */
/*
 * dyno run --server KIND: a server for one run, with the data on it; removed
 * afterwards unless it is kept.
 */
#ifndef CLI_OWN_SERVER_H
#define CLI_OWN_SERVER_H

#include "cli/data.h"
#include "lab/server.h"

/* Zero-initialise; the options fill it. */
struct own_server {
    int kind; /* enum server_kind plus one; 0: none is wanted */
    struct server_spec spec;
    bool keep, snapshot;
    uint64_t budget_bytes;
    /* From own_server_begin() on. */
    struct server *server;
    struct load_result load; /* 0 rows: nothing was loaded */
};

extern const struct opt own_server_opts[];

/* Starts it, loads or restores the data, and names it as data->target.db.
 * Does nothing when none is wanted. */
MUST_USE enum rc own_server_begin(struct own_server *own, struct cli *cli,
                                  struct data_cmd *data,
                                  const struct run_cfg *run, struct err *err);
/* That the logs of it may take yet, or of the server of dyno's own, started
 * before, that --db names; 0 when it is neither. */
uint64_t own_server_log_bytes(const struct own_server *own, const char *db);
/* Whatever was begun; also twice. */
void own_server_end(struct own_server *own);

#endif
