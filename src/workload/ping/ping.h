/* SPDX-License-Identifier: MIT */
/*
 * ping: one trivial prepared statement for each transaction, on no data: a
 * number goes to the server and must come back.  It measures the client and
 * the way to the server.
 */
#ifndef WORKLOAD_PING_PING_H
#define WORKLOAD_PING_PING_H

#include "workload/workload.h"

extern const struct workload ping_workload;

#endif
