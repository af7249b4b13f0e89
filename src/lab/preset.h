/* SPDX-License-Identifier: MIT */
/*
 * Settings for a kind of server on a machine.
 *
 * stock   what the server brings along
 * oltp    memory, connections and logs for many short transactions that write;
 *         every commit is on the disk
 * nosync  the same, but a commit does not wait for the disk: a crash of the
 *         machine may lose the last ones, never tear the data
 *
 * WAL and redo logs are bounded in all three, and there is no binary log in
 * the last two.
 */
#ifndef LAB_PRESET_H
#define LAB_PRESET_H

#include "lab/server.h"

/* PostgreSQL's own max_wal_size, MariaDB's own innodb_log_file_size. */
#define POSTGRES_STOCK_WAL ((uint64_t)1 << 30)
#define INNODB_STOCK_REDO ((uint64_t)100 << 20)

struct machine {
    uint64_t memory_bytes; /* of the machine, or of the control group */
    uint64_t cores;
    uint64_t disk_free_bytes; /* where the data will be */
};

/* dir: a folder on the data's file system. */
MUST_USE enum rc machine_look(const char *dir, struct machine *out,
                              struct err *err);

typedef void preset_fn(void *arg, const char *name, const char *value);
/* Values are valid for the call. */
void preset_each(enum server_kind kind, enum preset preset,
                 const struct machine *machine, preset_fn *fn, void *arg);

#endif
