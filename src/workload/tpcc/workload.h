/* SPDX-License-Identifier: MIT */
#ifndef WORKLOAD_TPCC_WORKLOAD_H
#define WORKLOAD_TPCC_WORKLOAD_H

#include "workload/workload.h"

extern const struct workload tpcc_workload;

#endif
