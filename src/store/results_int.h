/* SPDX-License-Identifier: MIT */
/*
 * Private to results.c (the folder, its files) and results_claim.c (numbers
 * and names that are claimed).
 */
#ifndef STORE_RESULTS_INT_H
#define STORE_RESULTS_INT_H

#include "store/results.h"

#include <limits.h>

#define FILE_NAME_BYTES (NAME_MAX + 1)

struct results {
    char *dir;
    int fd;
    int lock_fd; /* -1: nothing is claimed */
    char lock_name[FILE_NAME_BYTES];
};

/* Errors of errno, or of the errno given. */
enum rc results_folder_error(const char *dir, const char *what,
                             struct err *err);
enum rc results_file_error(const struct results *folder, const char *file,
                           int errnum, struct err *err);
enum rc results_name_taken(const struct results *folder, const char *file,
                           struct err *err);
/* "NAME.json"; out holds FILE_NAME_BYTES. */
void results_json_name(const char *name, char *out);
/* What was claimed is free again. */
void results_give_up(struct results *folder);

#endif
