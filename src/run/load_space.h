/* SPDX-License-Identifier: MIT */
/* Before a load: what it will take, and whether the disk has it. */
#ifndef RUN_LOAD_SPACE_H
#define RUN_LOAD_SPACE_H

#include "run/session.h"

/*
 * Says how much disk and time the load of s->ds.scale is going to take, where
 * that has been measured.  RC_DB_NO_SPACE with the numbers when the disk is to
 * be seen from here and too small.  beside_bytes: what a run after the load
 * will take beside the data, 0: there is none.
 */
MUST_USE enum rc load_space_check(struct session *s, bool quiet,
                                  uint64_t beside_bytes, struct err *err);

#endif
