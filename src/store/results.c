/* SPDX-License-Identifier: MIT */
#include "store/results.h"

#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_NAME_BYTES (NAME_MAX + 1)

struct results {
    char *dir;
    int fd;
    int lock_fd; /* -1: nothing is claimed */
    char lock_name[FILE_NAME_BYTES];
};

static enum rc class_of(int errnum)
{
    if (errnum == EACCES || errnum == EPERM || errnum == EROFS)
        return RC_DB_PERMISSION;
    if (errnum == ENOSPC || errnum == EDQUOT)
        return RC_DB_NO_SPACE;
    return RC_IO;
}

static enum rc folder_error(const char *dir, const char *what, struct err *err)
{
    const int errnum = errno;

    return err_errno(err, class_of(errnum), errnum,
                     "cannot %s results folder '%s'", what, dir);
}

static enum rc file_error(const struct results *folder, const char *file,
                          int errnum, struct err *err)
{
    return err_errno(err, class_of(errnum), errnum,
                     "cannot write results file '%s/%s'", folder->dir, file);
}

/* mkdir -p; path is changed meanwhile and restored. */
static int make_folders(char *path)
{
    for (char *p = path + 1; *p; p++) {
        int failed;

        if (*p != '/')
            continue;
        *p = '\0';
        failed = mkdir(path, 0777) && errno != EEXIST;
        *p = '/';
        /* A parent that cannot be made may be there all the same (a read-only
         * file system says EROFS): the last one decides. */
        if (failed && errno != EACCES && errno != EROFS && errno != EPERM)
            return -1;
    }
    return mkdir(path, 0777) && errno != EEXIST ? -1 : 0;
}

static void temp_name(const char *name, char *out)
{
    snprintf(out, FILE_NAME_BYTES, ".%.*s.%ld.tmp", RESULTS_NAME_MAX, name,
             (long)getpid());
}

/* access() does not know of quotas, full disks and read-only mounts under
 * root: only writing tells. */
static int try_writing(int dir_fd)
{
    char name[FILE_NAME_BYTES];
    int fd, failed;

    temp_name("probe", name);
    fd = openat(dir_fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return -1;
    failed = write(fd, "\n", 1) != 1;
    if (failed && !errno)
        errno = ENOSPC;
    if (failed) {
        const int errnum = errno;

        close(fd);
        unlinkat(dir_fd, name, 0);
        errno = errnum;
        return -1;
    }
    close(fd);
    return unlinkat(dir_fd, name, 0);
}

enum rc results_open(const char *dir, struct results **out, struct err *err)
{
    struct results *folder;
    enum rc rc;

    if (!dir[0])
        return err_set(err, RC_USAGE, "the results folder has no name");
    folder = MEM_NEW(struct results);
    if (!folder)
        return err_set(err, RC_NOMEM, "no memory for results folder '%s'", dir);
    folder->fd = -1;
    folder->lock_fd = -1;
    folder->dir = mem_strdup(dir);
    if (!folder->dir) {
        rc = err_set(err, RC_NOMEM, "no memory for results folder '%s'", dir);
        goto fail;
    }
    if (make_folders(folder->dir)) {
        rc = folder_error(dir, "create", err);
        goto fail;
    }
    folder->fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->fd < 0) {
        rc = folder_error(dir, "open", err);
        goto fail;
    }
    errno = 0;
    if (try_writing(folder->fd)) {
        rc = folder_error(dir, "write in", err);
        goto fail;
    }
    *out = folder;
    return RC_OK;
fail:
    results_close(folder);
    return rc;
}

static void give_up_claim(struct results *folder)
{
    if (folder->lock_fd < 0)
        return;
    /* First the name, then the lock: who waits for the lock sees that its
     * file is no longer the one of that name. */
    unlinkat(folder->fd, folder->lock_name, 0);
    close(folder->lock_fd);
    folder->lock_fd = -1;
}

void results_close(struct results *folder)
{
    if (!folder)
        return;
    give_up_claim(folder);
    if (folder->fd >= 0)
        close(folder->fd);
    mem_free(folder->dir);
    mem_free(folder);
}

const char *results_dir(const struct results *folder)
{
    return folder->dir;
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
            return file_error(folder, file, errno, err);
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
        const enum rc rc = folder_error(folder->dir, "list", err);

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

    give_up_claim(folder);
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
        give_up_claim(folder);
        if (highest > n)
            n = highest;
    }
    return rc;
}

enum rc results_check_name(const char *name, struct err *err)
{
    const size_t len = strlen(name);

    if (len == 0)
        return err_set(err, RC_USAGE, "the name of the run is empty");
    if (len > RESULTS_NAME_MAX)
        return err_set(err, RC_USAGE,
                       "the name of the run has %zu bytes, at most %d fit", len,
                       RESULTS_NAME_MAX);
    if (name[0] == '.')
        return err_set(err, RC_USAGE,
                       "the name of the run '%s' begins with a dot", name);
    for (const char *p = name; *p; p++) {
        if (*p == '/')
            return err_set(err, RC_USAGE,
                           "the name of the run '%s' holds a '/'; set the "
                           "folder with --results",
                           name);
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            return err_set(err, RC_USAGE,
                           "the name of the run holds a control character");
    }
    return RC_OK;
}

static void json_file_name(const char *name, char *out)
{
    snprintf(out, FILE_NAME_BYTES, "%.*s.json", RESULTS_NAME_MAX, name);
}

static enum rc name_is_taken(const struct results *folder, const char *file,
                             struct err *err)
{
    return err_set(err, RC_BUSY,
                   "results file '%s/%s' is there already and is not "
                   "overwritten; choose another --name",
                   folder->dir, file);
}

enum rc results_claim_name(struct results *folder, const char *name,
                           struct err *err)
{
    char file[FILE_NAME_BYTES];
    struct stat st;
    enum rc rc;

    rc = results_check_name(name, err);
    if (rc)
        return rc;
    give_up_claim(folder);
    rc = take_lock(folder, name, err);
    if (rc == RC_BUSY)
        return err_set(err, RC_BUSY,
                       "another run named '%s' is under way in '%s'; choose "
                       "another --name",
                       name, folder->dir);
    if (rc)
        return rc;
    json_file_name(name, file);
    if (!fstatat(folder->fd, file, &st, AT_SYMLINK_NOFOLLOW)) {
        give_up_claim(folder);
        return name_is_taken(folder, file, err);
    }
    return RC_OK;
}

void results_name(const struct results_label *label, char *out, size_t out_len)
{
    snprintf(out, out_len,
             "%03" PRIu64 "_%.60s_s%" PRIu64 "_v%" PRIu64 "_c%" PRIu64,
             label->number, label->server, label->scale, label->n_vus,
             label->n_conns);
}

/* The errno of the failure, 0 when all is written and on the disk. */
static int write_all(int fd, const char *text, size_t len)
{
    while (len > 0) {
        const ssize_t n = write(fd, text, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        text += n;
        len -= (size_t)n;
    }
    return fsync(fd) ? errno : 0;
}

/* rename(), but never over a file; the errno of the failure. */
static int move_to(int dir_fd, const char *from, const char *to)
{
    if (!renameat2(dir_fd, from, dir_fd, to, RENAME_NOREPLACE))
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
    /* The file system does not know the flag. */
    if (linkat(dir_fd, from, dir_fd, to, 0))
        return errno;
    unlinkat(dir_fd, from, 0);
    return 0;
}

enum rc results_write(struct results *folder, const char *name,
                      const char *text, struct err *err)
{
    char file[FILE_NAME_BYTES], temp[FILE_NAME_BYTES];
    enum rc rc;
    int fd, errnum;

    rc = results_check_name(name, err);
    if (rc)
        return rc;
    json_file_name(name, file);
    temp_name(name, temp);
    fd = openat(folder->fd, temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                0666);
    if (fd < 0)
        return file_error(folder, file, errno, err);
    errnum = write_all(fd, text, strlen(text));
    if (close(fd) && !errnum)
        errnum = errno;
    if (!errnum)
        errnum = move_to(folder->fd, temp, file);
    if (errnum) {
        unlinkat(folder->fd, temp, 0);
        return errnum == EEXIST ? name_is_taken(folder, file, err)
                                : file_error(folder, file, errnum, err);
    }
    /* The name itself is on the disk; a file system that cannot is no reason
     * to call the result lost. */
    (void)fsync(folder->fd);
    return RC_OK;
}
