/* SPDX-License-Identifier: MIT */
#include "workload/kv/kv.h"
#include "workload/pgbench/workloads.h"
#include "workload/ping/ping.h"
#include "workload/sysbench/workload.h"
#include "workload/tpcc/workload.h"
#include "workload/workload.h"

const struct workload *const workload_table[] = {
    &tpcc_workload,
    &ping_workload,
    &kv_workload,
    &tpcb_workload,
    &pgbench_tpcb_like_workload,
    &pgbench_simple_update_workload,
    &pgbench_select_only_workload,
    &pgbench_workload,
    &sysbench_workload,
};
const size_t workload_count = ARRAY_LEN(workload_table);

const struct workload *workload_find(const char *name)
{
    for (size_t i = 0; i < workload_count; i++) {
        if (!strcmp(workload_table[i]->name, name))
            return workload_table[i];
    }
    return NULL;
}
