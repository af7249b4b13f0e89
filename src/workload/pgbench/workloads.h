/* SPDX-License-Identifier: MIT */
/*
 * What this folder gives to the registry: "pgbench" runs the scripts that -f
 * names; the others have a script and the tables of pgbench.
 */
#ifndef WORKLOAD_PGBENCH_WORKLOADS_H
#define WORKLOAD_PGBENCH_WORKLOADS_H

struct workload;

extern const struct workload pgbench_workload;
extern const struct workload pgbench_tpcb_like_workload;
extern const struct workload pgbench_simple_update_workload;
extern const struct workload pgbench_select_only_workload;
extern const struct workload tpcb_workload;

#endif
