/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/utf8.h"
#include "store/results_int.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum rc class_of(int errnum)
{
    if (errnum == EACCES || errnum == EPERM || errnum == EROFS)
        return RC_DB_PERMISSION;
    if (errnum == ENOSPC || errnum == EDQUOT)
        return RC_DB_NO_SPACE;
    return RC_IO;
}

enum rc results_folder_error(const char *dir, const char *what, struct err *err)
{
    const int errnum = errno;

    return err_errno(err, class_of(errnum), errnum,
                     "cannot %s results folder '%s'", what, dir);
}

enum rc results_file_error(const struct results *folder, const char *file,
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
        rc = results_folder_error(dir, "create", err);
        goto fail;
    }
    folder->fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->fd < 0) {
        rc = results_folder_error(dir, "open", err);
        goto fail;
    }
    errno = 0;
    if (try_writing(folder->fd)) {
        rc = results_folder_error(dir, "write in", err);
        goto fail;
    }
    *out = folder;
    return RC_OK;
fail:
    results_close(folder);
    return rc;
}

void results_close(struct results *folder)
{
    if (!folder)
        return;
    results_give_up(folder);
    if (folder->fd >= 0)
        close(folder->fd);
    mem_free(folder->dir);
    mem_free(folder);
}

const char *results_dir(const struct results *folder)
{
    return folder->dir;
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
    if (!utf8_valid(name))
        return err_set(err, RC_USAGE, "the name of the run is not valid UTF-8");
    return RC_OK;
}

void results_json_name(const char *name, char *out)
{
    snprintf(out, FILE_NAME_BYTES, "%.*s.json", RESULTS_NAME_MAX, name);
}

enum rc results_name_taken(const struct results *folder, const char *file,
                           struct err *err)
{
    return err_set(err, RC_BUSY,
                   "results file '%s/%s' is there already and is not "
                   "overwritten; choose another --name",
                   folder->dir, file);
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
    results_json_name(name, file);
    temp_name(name, temp);
    fd = openat(folder->fd, temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                0666);
    if (fd < 0)
        return results_file_error(folder, file, errno, err);
    errnum = write_all(fd, text, strlen(text));
    if (close(fd) && !errnum)
        errnum = errno;
    if (!errnum)
        errnum = move_to(folder->fd, temp, file);
    if (errnum) {
        unlinkat(folder->fd, temp, 0);
        return errnum == EEXIST ? results_name_taken(folder, file, err)
                                : results_file_error(folder, file, errnum, err);
    }
    /* The name itself is on the disk; a file system that cannot is no reason
     * to call the result lost. */
    (void)fsync(folder->fd);
    return RC_OK;
}
