/* SPDX-License-Identifier: MIT */
/* Scripts for sysbench: dyno run FILE.lua. */
#ifndef WORKLOAD_SYSBENCH_WORKLOAD_H
#define WORKLOAD_SYSBENCH_WORKLOAD_H

#include "workload/workload.h"

extern const struct workload sysbench_workload;

#endif
