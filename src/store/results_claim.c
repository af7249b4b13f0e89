/* SPDX-License-Identifier: MIT */
/* Numbers and names of runs that are claimed: lock files in the folder. */
#include "store/results_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

void results_give_up(struct results *folder)
{
    if (folder->lock_fd < 0)
        return;
    /* First the name, then the lock: who waits for the lock sees that its
     * file is no longer the one of that name. */
    unlinkat(folder->fd, folder->lock_name, 0);
    close(folder->lock_fd);
    folder->lock_fd = -1;
}

/* The lock was taken on the file that has the name now. */
static bool lock_is_current(const struct results *folder, int fd,
                            const char *name)
{
    struct stat mine, named;

    return !fstat(fd, &mine) &&
           !fstatat(folder->fd, name, &named, AT_SYMLINK_NOFOLLOW) &&
           mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

/* RC_BUSY, without a text, when somebody else has it. */
static enum rc take_lock(struct results *folder, const char *name,
                         struct err *err)
{
    char file[FILE_NAME_BYTES];

    snprintf(file, sizeof(file), ".%.*s.lock", RESULTS_NAME_MAX, name);
    for (;;) {
        int fd = openat(folder->fd, file,
                        O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);

        if (fd < 0)
            return results_file_error(folder, file, errno, err);
        /* A file system without locks gives other errors: then two processes
         * are told apart only when the second one writes. */
        if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
            close(fd);
            return RC_BUSY;
        }
        if (lock_is_current(folder, fd, file)) {
            folder->lock_fd = fd;
            memcpy(folder->lock_name, file, sizeof(file));
            return RC_OK;
        }
        close(fd);
    }
}

/* The number of "NNN_….json"; 0 when it is no such name. */
static uint64_t number_of(const char *file)
{
    const size_t len = strlen(file);
    uint64_t n = 0;
    size_t i = 0;

    for (; file[i] >= '0' && file[i] <= '9'; i++) {
        if (i >= 18)
            return 0;
        n = n * 10 + (uint64_t)(file[i] - '0');
    }
    if (i < 3 || file[i] != '_' || len < 5 || strcmp(file + len - 5, ".json"))
        return 0;
    return n;
}

static enum rc highest_number(const struct results *folder, uint64_t *out,
                              struct err *err)
{
    const int fd = openat(folder->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *entry;
    uint64_t highest = 0;

    if (!list) {
        const enum rc rc = results_folder_error(folder->dir, "list", err);

        if (fd >= 0)
            close(fd);
        return rc;
    }
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is this call's own */
    while ((entry = readdir(list))) {
        const uint64_t n = number_of(entry->d_name);

        if (n > highest)
            highest = n;
    }
    closedir(list);
    *out = highest;
    return RC_OK;
}

/* ".007.lock" */
static bool is_number_lock(const char *name)
{
    const size_t digits = strspn(name + 1, "0123456789");

    return name[0] == '.' && digits >= 3 && !strcmp(name + 1 + digits, ".lock");
}

/* Of a process that was killed: its number may be one that is not claimed
 * again. */
static void remove_if_left(const struct results *folder, const char *name)
{
    const int fd = openat(folder->fd, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

    if (fd < 0)
        return;
    if (!flock(fd, LOCK_EX | LOCK_NB) && lock_is_current(folder, fd, name))
        unlinkat(folder->fd, name, 0);
    close(fd);
}

static void sweep(const struct results *folder)
{
    const int fd = openat(folder->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *entry;

    if (!list) {
        if (fd >= 0)
            close(fd);
        return;
    }
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is this call's own */
    while ((entry = readdir(list))) {
        if (is_number_lock(entry->d_name))
            remove_if_left(folder, entry->d_name);
    }
    closedir(list);
}

enum rc results_next_number(struct results *folder, uint64_t above,
                            uint64_t *out, struct err *err)
{
    uint64_t n, highest = 0;
    enum rc rc;

    results_give_up(folder);
    sweep(folder);
    rc = highest_number(folder, &highest, err);
    for (n = (highest > above ? highest : above) + 1; !rc; n++) {
        char name[32];

        snprintf(name, sizeof(name), "%03" PRIu64, n);
        rc = take_lock(folder, name, err);
        if (rc == RC_BUSY) {
            rc = RC_OK;
            continue;
        }
        if (rc)
            break;
        /* Between the look and the lock its owner may have written its file
         * and gone. */
        rc = highest_number(folder, &highest, err);
        if (!rc && highest < n) {
            *out = n;
            return RC_OK;
        }
        results_give_up(folder);
        if (highest > n)
            n = highest;
    }
    return rc;
}

/* A number or "latest" already names a run, and perhaps another one. */
static enum rc check_chosen(const char *name, struct err *err)
{
    if (strcmp(name, "latest") != 0 && name[strspn(name, "0123456789")])
        return RC_OK;
    return err_set(err, RC_USAGE,
                   "--name: '%s' would be mistaken for %s; choose another name",
                   name,
                   strcmp(name, "latest") ? "the number of a run"
                                          : "whichever run is the latest");
}

enum rc results_claim_name(struct results *folder, const char *name,
                           struct err *err)
{
    char file[FILE_NAME_BYTES];
    struct stat st;
    enum rc rc;

    rc = results_check_name(name, err);
    if (!rc)
        rc = check_chosen(name, err);
    if (rc)
        return rc;
    results_give_up(folder);
    rc = take_lock(folder, name, err);
    if (rc == RC_BUSY)
        return err_set(err, RC_BUSY,
                       "another run named '%s' is under way in '%s'; choose "
                       "another --name",
                       name, folder->dir);
    if (rc)
        return rc;
    results_json_name(name, file);
    if (!fstatat(folder->fd, file, &st, AT_SYMLINK_NOFOLLOW)) {
        results_give_up(folder);
        return results_name_taken(folder, file, err);
    }
    return RC_OK;
}
