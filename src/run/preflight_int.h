/* SPDX-License-Identifier: MIT */
/*
 * Private to preflight.c, preflight_machine.c and preflight_database.c.
 */
#ifndef RUN_PREFLIGHT_INT_H
#define RUN_PREFLIGHT_INT_H

#include "run/preflight.h"

void preflight_machine(const struct preflight_args *args,
                       struct preflight *out);
MUST_USE enum rc preflight_database(const struct preflight_args *args,
                                    struct preflight *out, struct err *err);
/* Free space below a path, or below the nearest folder above it that is
 * there. */
void preflight_disk(struct preflight *out, const char *name, const char *path);

#endif
