/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/stop.h"
#include "lab/tree_int.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK_BYTES ((size_t)1 << 20)

struct copy {
    const char *from, *to;
    tree_skip_fn *skip;
    void *arg;
    struct tree_copied *out;
    struct err *err;
    char *bytes;                /* where the kernel cannot copy by itself */
    char path[TREE_PATH_BYTES]; /* below both */
    bool no_sharing, no_range;
};

static enum rc failed(const struct copy *c, int errnum, const char *what)
{
    char full[2 * TREE_PATH_BYTES];

    snprintf(full, sizeof(full), "%s/%s", c->from, c->path);
    return tree_failed(errnum, what, full, c->err);
}

/* ---- one file ---- */

static ssize_t write_all(int fd, const char *bytes, size_t n, off_t at)
{
    size_t done = 0;

    while (done < n) {
        const ssize_t got =
            pwrite(fd, bytes + done, n - done, at + (off_t)done);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

/* Some bytes from at on, at most n; -1 with errno. */
static ssize_t copy_some(struct copy *c, int from, int to, off_t at, size_t n)
{
    off_t in = at, out = at;
    ssize_t got;

    if (!c->no_range) {
        got = copy_file_range(from, &in, to, &out, n, 0);
        if (got >= 0 || (errno != EXDEV && errno != EINVAL && errno != ENOSYS &&
                         errno != EOPNOTSUPP))
            return got;
        c->no_range = true;
    }
    if (!c->bytes) {
        c->bytes = mem_calloc(1, CHUNK_BYTES);
        if (!c->bytes) {
            errno = ENOMEM;
            return -1;
        }
    }
    got = pread(from, c->bytes, n < CHUNK_BYTES ? n : CHUNK_BYTES, at);
    return got > 0 ? write_all(to, c->bytes, (size_t)got, at) : got;
}

/* [at, end) has no hole. */
static enum rc copy_extent(struct copy *c, int from, int to, off_t at,
                           off_t end)
{
    while (at < end) {
        const size_t left = (size_t)(end - at);
        const ssize_t got =
            copy_some(c, from, to, at, left < CHUNK_BYTES ? left : CHUNK_BYTES);

        if (got < 0 && errno != EINTR)
            return failed(c, errno, "copy");
        if (got == 0)
            return RC_OK; /* it was cut off meanwhile */
        if (got > 0) {
            at += got;
            c->out->n_bytes += (uint64_t)got;
        }
        if (stop_requested())
            return err_set(c->err, RC_CANCELLED, "interrupted");
    }
    return RC_OK;
}

static enum rc copy_content(struct copy *c, int from, int to, off_t size)
{
    off_t at = 0;
    enum rc rc = RC_OK;

    if (!c->no_sharing && ioctl(to, FICLONE, from) == 0) {
        c->out->n_shared++;
        c->out->n_bytes += (uint64_t)size;
        return RC_OK;
    }
    c->no_sharing = true;
    while (!rc && at < size) {
        const off_t data = lseek(from, at, SEEK_DATA);
        off_t hole;

        if (data < 0)
            break; /* a hole up to the end */
        hole = lseek(from, data, SEEK_HOLE);
        if (hole < 0)
            return failed(c, errno, "read");
        rc = copy_extent(c, from, to, data, hole);
        at = hole;
    }
    if (!rc && ftruncate(to, size))
        rc = failed(c, errno, "copy");
    return rc;
}

/* Mode, owner, times. */
static enum rc copy_looks(struct copy *c, int to, const struct stat *st)
{
    const struct timespec times[2] = {st->st_atim, st->st_mtim};

    if ((geteuid() == 0 && fchown(to, st->st_uid, st->st_gid)) ||
        fchmod(to, st->st_mode & 07777) || futimens(to, times))
        return failed(c, errno, "copy");
    return RC_OK;
}

static enum rc copy_file(struct copy *c, int from_at, int to_at,
                         const char *name, const struct stat *st)
{
    enum rc rc;
    int from, to = -1;

    if (c->skip && c->skip(c->arg, c->from, c->path, (uint64_t)st->st_size)) {
        c->out->n_skipped++;
        c->out->skipped_bytes += (uint64_t)st->st_size;
        return RC_OK;
    }
    from = openat(from_at, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (from >= 0)
        to = openat(to_at, name,
                    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    rc = to < 0 ? failed(c, errno, "copy") : RC_OK;
    if (!rc)
        rc = copy_content(c, from, to, st->st_size);
    if (!rc)
        rc = copy_looks(c, to, st);
    if (from >= 0)
        close(from);
    if (to >= 0 && close(to) && !rc)
        rc = failed(c, errno, "copy");
    c->out->n_files += !rc;
    return rc;
}

/* ---- folders ---- */

static enum rc copy_folder(struct copy *c, DIR *from, int to);

static enum rc copy_below(struct copy *c, int from_at, int to_at,
                          const char *name, const struct stat *st)
{
    DIR *from = tree_list(from_at, name);
    int to = -1;
    enum rc rc;

    if (from && mkdirat(to_at, name, 0700) == 0)
        to = openat(to_at, name,
                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    rc = to < 0 ? failed(c, errno, "copy") : copy_folder(c, from, to);
    if (!rc)
        rc = copy_looks(c, to, st);
    if (to >= 0)
        close(to);
    if (from)
        closedir(from);
    return rc;
}

static enum rc copy_entry(struct copy *c, int from_at, int to_at,
                          const char *name)
{
    struct stat st;

    if (fstatat(from_at, name, &st, AT_SYMLINK_NOFOLLOW))
        return failed(c, errno, "read");
    if (S_ISDIR(st.st_mode))
        return copy_below(c, from_at, to_at, name, &st);
    if (S_ISREG(st.st_mode))
        return copy_file(c, from_at, to_at, name, &st);
    if (S_ISLNK(st.st_mode))
        return err_set(c->err, RC_UNSUPPORTED,
                       "'%s/%s' is a link to something outside, which a copy "
                       "would not hold",
                       c->from, c->path);
    return RC_OK; /* sockets and pipes are of the moment */
}

static enum rc copy_folder(struct copy *c, DIR *from, int to)
{
    const size_t len = strlen(c->path);
    const struct dirent *e;
    enum rc rc = RC_OK;

    /* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is ours alone */
    while (!rc && (e = readdir(from))) {
        if (tree_is_dots(e->d_name))
            continue;
        if (len + strlen(e->d_name) + 2 > sizeof(c->path))
            return failed(c, ENAMETOOLONG, "copy from below");
        snprintf(c->path + len, sizeof(c->path) - len, "%s%s", len ? "/" : "",
                 e->d_name);
        rc = copy_entry(c, dirfd(from), to, e->d_name);
        c->path[len] = '\0';
    }
    return rc;
}

enum rc tree_copy(const char *from, const char *to, tree_skip_fn *skip,
                  void *arg, struct tree_copied *out, struct err *err)
{
    struct copy *c = MEM_NEW(struct copy);
    struct stat st;
    DIR *dir = NULL;
    int fd = -1;
    enum rc rc;

    if (!c)
        return err_set(err, RC_NOMEM, "no memory to copy '%s'", from);
    *out = (struct tree_copied){0};
    *c = (struct copy){.from = from,
                       .to = to,
                       .skip = skip,
                       .arg = arg,
                       .out = out,
                       .err = err};
    dir = tree_list(AT_FDCWD, from);
    if (!dir || fstat(dirfd(dir), &st)) {
        rc = tree_failed(errno, "read", from, err);
        goto out;
    }
    if (mkdir(to, 0700)) {
        rc = tree_failed(errno, "make", to, err);
        goto out;
    }
    fd = open(to, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    rc = fd < 0 ? tree_failed(errno, "open", to, err) : copy_folder(c, dir, fd);
    if (!rc)
        rc = copy_looks(c, fd, &st);
    if (rc && tree_remove(to, NULL))
        err_prefix(err, "'%s' is left behind", to);
out:
    if (fd >= 0)
        close(fd);
    if (dir)
        closedir(dir);
    mem_free(c->bytes);
    mem_free(c);
    return rc;
}
