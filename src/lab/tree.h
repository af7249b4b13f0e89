/* SPDX-License-Identifier: MIT */
/*
 * Folders with all that is in them.  Symbolic links are never followed: what
 * is in a folder may belong to another user than the caller.
 *
 * Errors: RC_NOT_FOUND, RC_DB_NO_SPACE, RC_DB_PERMISSION, RC_CANCELLED (a
 * request to stop), else RC_IO; each names the path.
 */
#ifndef LAB_TREE_H
#define LAB_TREE_H

#include "base/err.h"

#include <sys/types.h>

/* The folder and those above it, where they are missing. */
MUST_USE enum rc tree_make(const char *path, mode_t mode, struct err *err);
/* What is not there is removed already; *also a file. */
MUST_USE enum rc tree_remove(const char *path, struct err *err);
/* As it is on the disk: holes and shared blocks count as they are. */
uint64_t tree_disk_bytes(const char *path);

/* Whether a file (path below the folder, its length) is left out. */
typedef bool tree_skip_fn(void *arg, const char *root, const char *path,
                          uint64_t n_bytes);

struct tree_copied {
    uint64_t n_files, n_bytes; /* the content, holes left out */
    uint64_t n_shared;         /* files that share blocks with their origin */
    uint64_t n_skipped, skipped_bytes;
};

/*
 * Copies to a folder that is not there yet: owners, modes and times of change
 * too; blocks are shared where the file system can.  skip may be NULL.  A
 * symbolic link is RC_UNSUPPORTED: what it points to would not be in the copy.
 * After a failure nothing of the copy is left.
 */
MUST_USE enum rc tree_copy(const char *from, const char *to, tree_skip_fn *skip,
                           void *arg, struct tree_copied *out, struct err *err);
/* "." and "..". */
bool tree_is_dots(const char *name);
/* Nothing of the content below path waits to be written any more.  Only these
 * files: what others write to the file system is not waited for.  It is no
 * promise that outlives a loss of power. */
void tree_write_out(const char *path);

#endif
