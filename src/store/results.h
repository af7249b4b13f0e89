/* SPDX-License-Identifier: MIT */
/*
 * The results folder: one NAME.json for each run.  Opened before a run starts,
 * so that a folder that cannot take the result is found then and not after an
 * hour.  A file appears complete or not at all, and none is ever overwritten.
 *
 * Several processes may use one folder: a number or name is claimed by a lock
 * file (".001.lock") that the kernel frees when its owner dies; what is left
 * of it is reused.
 *
 * Errors: RC_DB_PERMISSION, RC_DB_NO_SPACE, RC_BUSY (name taken), RC_USAGE
 * (name not usable), else RC_IO; each names the folder or file.
 */
#ifndef STORE_RESULTS_H
#define STORE_RESULTS_H

#include "base/err.h"

#define RESULTS_NAME_MAX 200 /* bytes, without ".json" */

struct results;

/* Makes the folder, with those above it, when it is not there; tries to write
 * in it. */
MUST_USE enum rc results_open(const char *dir, struct results **out,
                              struct err *err);
/* Gives up what was claimed; NULL is fine. */
void results_close(struct results *folder);
const char *results_dir(const struct results *folder);

/* Claims the number after the highest of the files NNN_*.json, above `above`.
 * What was claimed before through this folder is given up. */
MUST_USE enum rc results_next_number(struct results *folder, uint64_t above,
                                     uint64_t *out, struct err *err);
/* Claims a name that a user chose: usable, and no file has it. */
MUST_USE enum rc results_claim_name(struct results *folder, const char *name,
                                    struct err *err);
/* Whether a name can be a file's: not empty, no '/', no control characters, no
 * leading dot, at most RESULTS_NAME_MAX bytes; else RC_USAGE. */
MUST_USE enum rc results_check_name(const char *name, struct err *err);

struct results_label {
    uint64_t number;
    const char *server; /* the driver's name */
    uint64_t scale, n_vus, n_conns;
};

/* "001_sqlite_s1_v4_c4"; out holds RESULTS_NAME_MAX + 1 bytes. */
void results_name(const struct results_label *label, char *out, size_t out_len);

/* Writes NAME.json; on failure nothing of it is left. */
MUST_USE enum rc results_write(struct results *folder, const char *name,
                               const char *text, struct err *err);

#endif
