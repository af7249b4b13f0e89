/* SPDX-License-Identifier: MIT */
#include "lab/tree.h"

#include "lab/tree_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES 512

enum rc tree_failed(int errnum, const char *what, const char *path,
                    struct err *err)
{
    enum rc rc = RC_IO;

    if (errnum == ENOENT)
        rc = RC_NOT_FOUND;
    else if (errnum == ENOSPC || errnum == EDQUOT)
        rc = RC_DB_NO_SPACE;
    else if (errnum == EACCES || errnum == EPERM || errnum == EROFS)
        rc = RC_DB_PERMISSION;
    return err_errno(err, rc, errnum, "cannot %s '%s'", what, path);
}

bool tree_is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

DIR *tree_list(int at_fd, const char *name)
{
    const int fd =
        openat(at_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);

    if (!dir && fd >= 0)
        close(fd);
    return dir;
}

enum rc tree_make(const char *path, mode_t mode, struct err *err)
{
    char part[TREE_PATH_BYTES];
    size_t len = strlen(path);

    if (len == 0 || len >= sizeof(part))
        return err_set(err, RC_USAGE, "the folder's name '%.64s%s' is %s", path,
                       len > 64 ? "…" : "", len ? "too long" : "empty");
    for (size_t i = 1; i <= len; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, mode) && errno != EEXIST)
            return tree_failed(errno, "make the folder", part, err);
    }
    return RC_OK;
}

/* ---- removing ---- */

/* Returns 0, or the errno of the first failure. */
static int remove_at(int at_fd, const char *name)
{
    DIR *dir;
    const struct dirent *e;
    int failed = 0;

    if (unlinkat(at_fd, name, 0) == 0 || errno == ENOENT)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return errno;
    dir = tree_list(at_fd, name);
    if (!dir)
        return errno;
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is ours alone */
    while ((e = readdir(dir))) {
        const int rc =
            tree_is_dots(e->d_name) ? 0 : remove_at(dirfd(dir), e->d_name);

        if (!failed)
            failed = rc;
    }
    closedir(dir);
    if (!failed && unlinkat(at_fd, name, AT_REMOVEDIR) && errno != ENOENT)
        failed = errno;
    return failed;
}

enum rc tree_remove(const char *path, struct err *err)
{
    const int failed = remove_at(AT_FDCWD, path);

    return failed ? tree_failed(failed, "remove", path, err) : RC_OK;
}

/* ---- size ---- */

static uint64_t bytes_at(int at_fd, const char *name)
{
    const struct dirent *e;
    uint64_t sum;
    struct stat st;
    DIR *dir;

    if (fstatat(at_fd, name, &st, AT_SYMLINK_NOFOLLOW))
        return 0;
    sum = (uint64_t)st.st_blocks * BLOCK_BYTES;
    if (!S_ISDIR(st.st_mode))
        return sum;
    dir = tree_list(at_fd, name);
    if (!dir)
        return sum;
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is ours alone */
    while ((e = readdir(dir))) {
        if (!tree_is_dots(e->d_name))
            sum += bytes_at(dirfd(dir), e->d_name);
    }
    closedir(dir);
    return sum;
}

uint64_t tree_disk_bytes(const char *path)
{
    return bytes_at(AT_FDCWD, path);
}

/* ---- writing out ---- */

static void write_out_file(int at_fd, const char *name, unsigned flags)
{
    const int fd = openat(at_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

    if (fd < 0)
        return;
    (void)sync_file_range(fd, 0, 0, flags);
    close(fd);
}

static void write_out_at(int at_fd, const char *name, unsigned flags)
{
    const struct dirent *e;
    struct stat st;
    DIR *dir;

    if (fstatat(at_fd, name, &st, AT_SYMLINK_NOFOLLOW))
        return;
    if (S_ISREG(st.st_mode))
        write_out_file(at_fd, name, flags);
    dir = S_ISDIR(st.st_mode) ? tree_list(at_fd, name) : NULL;
    if (!dir)
        return;
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is ours alone */
    while ((e = readdir(dir))) {
        if (!tree_is_dots(e->d_name))
            write_out_at(dirfd(dir), e->d_name, flags);
    }
    closedir(dir);
}

/* All files begin before one is waited for. */
void tree_write_out(const char *path)
{
    write_out_at(AT_FDCWD, path, SYNC_FILE_RANGE_WRITE);
    write_out_at(AT_FDCWD, path,
                 SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
                     SYNC_FILE_RANGE_WAIT_AFTER);
}
