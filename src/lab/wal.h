/* SPDX-License-Identifier: MIT */
/* The log files in a data folder that a stopped server does not need. */
#ifndef LAB_WAL_H
#define LAB_WAL_H

#include "lab/tree.h"

/* Of PostgreSQL: segments made in advance, their content being old or none.
 * arg is not used. */
tree_skip_fn wal_skip_postgres;
/* Of MariaDB and MySQL: binary logs, and what is left of a running server. */
tree_skip_fn wal_skip_mysql;

/* How many binary logs there are in a data folder of MariaDB or MySQL, and what
 * they take. */
size_t wal_binary_logs(const char *data_dir, uint64_t *out_bytes);

#endif
