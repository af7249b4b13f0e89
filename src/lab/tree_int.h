/* SPDX-License-Identifier: MIT */
/* Shared by tree.c and tree_copy.c. */
#ifndef LAB_TREE_INT_H
#define LAB_TREE_INT_H

#include "lab/tree.h"

#include <dirent.h>

#define TREE_PATH_BYTES 4096

enum rc tree_failed(int errnum, const char *what, const char *path,
                    struct err *err);
/* NULL, with errno, when it is no folder. */
DIR *tree_list(int at_fd, const char *name);

#endif
