/* SPDX-License-Identifier: MIT */
/*
 * Scripts and steps outside the run path, by name below sql/tpcc/<dialect>/.
 */
#ifndef WORKLOAD_TPCC_SCRIPTS_H
#define WORKLOAD_TPCC_SCRIPTS_H

#include "base/asset.h"
#include "base/buf.h"
#include "workload/workload.h"

#define SCRIPT_MAX_BYTES (1U << 20)

/* In a script: what stands for text. */
struct script_mark {
    const char *mark, *text;
};

/* NULL when the target's dialect has none of that name. */
const struct asset *script_find(const struct dataset *ds, const char *name);
/* Appends the script with each mark replaced; text is not looked at again. */
void script_replace(const char *script, const struct script_mark *marks,
                    size_t n_marks, struct buf *out);
/* The same by name; RC_UNSUPPORTED when there is none. */
enum rc script_text(const struct dataset *ds, const char *name,
                    const struct script_mark *marks, size_t n_marks,
                    struct buf *out, struct err *err);
/* Runs a script in which mark stands for text. */
CORO_FN enum rc script_run(struct dataset *ds, struct conn *c, const char *name,
                           const struct script_mark *mark, struct err *err);
/* The same with several marks. */
CORO_FN enum rc script_run_marks(struct dataset *ds, struct conn *c,
                                 const char *name,
                                 const struct script_mark *marks,
                                 size_t n_marks, struct err *err);
/* How many statements a script has, 0 when there is none of that name. */
size_t script_count(const struct dataset *ds, const char *name);
/* Runs one of them, counted from 0. */
CORO_FN enum rc script_run_one(struct dataset *ds, struct conn *c,
                               const char *name, size_t i, struct err *err);
/* Runs a step; args are as many as its parameters, out may be NULL. */
CORO_FN enum rc script_step(struct dataset *ds, struct conn *c,
                            const char *name, const struct value *args,
                            struct rowset *out, struct err *err);

#endif
