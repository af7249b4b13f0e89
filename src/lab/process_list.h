/* SPDX-License-Identifier: MIT */
/* Processes as /proc shows them. */
#ifndef LAB_PROCESS_LIST_H
#define LAB_PROCESS_LIST_H

#include "lab/child.h"

/* When it started; 0: it is not there, or has ended. */
uint64_t process_start_ticks(int64_t pid);
/* Its children; returns how many there are, at most cap are given. */
size_t process_children(int64_t pid, struct process *out, size_t cap);

#endif
