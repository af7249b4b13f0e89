/* SPDX-License-Identifier: MIT */
#include "lab/journal.h"

#include "base/buf.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define FILE_BYTES_MAX ((size_t)64 << 20)

struct journal {
    char *path;
    int fd;
};

/* The file's name is on the disk too. */
static void sync_folder(const char *path)
{
    char *copy = mem_strdup(path);
    char *slash = copy ? strrchr(copy, '/') : NULL;
    int fd;

    if (slash)
        slash[1] = '\0';
    fd = open(slash ? copy : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    mem_free(copy);
    if (fd < 0)
        return;
    (void)fsync(fd);
    close(fd);
}

/* Cuts off what a crash left of a line. */
static enum rc trim(struct journal *j, struct err *err)
{
    struct buf text = BUF_INIT(FILE_BYTES_MAX);
    const char *last;
    enum rc rc = buf_read_file(&text, j->path, err);

    if (!rc && text.len > 0 && text.data[text.len - 1] != '\n') {
        last = memrchr(text.data, '\n', text.len);
        if (ftruncate(j->fd, last ? last + 1 - text.data : 0))
            rc = err_errno(err, RC_IO, errno, "cannot write '%s'", j->path);
    }
    buf_release(&text);
    return rc;
}

enum rc journal_open(const char *path, struct journal **out, struct err *err)
{
    struct journal *j = MEM_NEW(struct journal);
    enum rc rc = RC_OK;

    if (!j)
        return err_set(err, RC_NOMEM, "out of memory");
    j->path = mem_strdup(path);
    j->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (!j->path)
        rc = err_set(err, RC_NOMEM, "out of memory");
    else if (j->fd < 0)
        rc = err_errno(err, RC_IO, errno, "cannot write '%s'", path);
    else if (flock(j->fd, LOCK_EX | LOCK_NB))
        rc = errno == EWOULDBLOCK
                 ? err_set(err, RC_BUSY, "'%s' is in use by another process",
                           path)
                 : err_errno(err, RC_IO, errno, "cannot lock '%s'", path);
    if (!rc)
        rc = trim(j, err);
    if (rc) {
        journal_close(j);
        return rc;
    }
    sync_folder(path);
    *out = j;
    return RC_OK;
}

void journal_close(struct journal *j)
{
    if (!j)
        return;
    if (j->fd >= 0)
        close(j->fd);
    mem_free(j->path);
    mem_free(j);
}

int journal_fd(const struct journal *j)
{
    return j->fd;
}

static enum rc write_line(struct journal *j, const char *line, size_t len,
                          struct err *err)
{
    const off_t before = lseek(j->fd, 0, SEEK_END);
    size_t done = 0;

    while (done < len) {
        const ssize_t n = write(j->fd, line + done, len - done);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            const int errnum = errno;

            /* Half a line would spoil the next one. */
            if (before >= 0 && ftruncate(j->fd, before))
                err_prefix(err, "%s", j->path);
            return err_errno(err, errnum == ENOSPC ? RC_DB_NO_SPACE : RC_IO,
                             errnum, "cannot write '%s'", j->path);
        }
        done += (size_t)n;
    }
    if (fdatasync(j->fd))
        return err_errno(err, RC_IO, errno, "cannot write '%s' to the disk",
                         j->path);
    return RC_OK;
}

enum rc journal_add(struct journal *j, struct err *err, const char *fmt, ...)
{
    char line[JOURNAL_LINE_MAX + 2];
    size_t len;
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(line, JOURNAL_LINE_MAX + 1, fmt, ap);
    va_end(ap);
    len = strlen(line);
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)line[i] < ' ')
            line[i] = ' ';
    }
    line[len++] = '\n';
    return write_line(j, line, len, err);
}

enum rc journal_each(struct journal *j, journal_line_fn *fn, void *arg,
                     struct err *err)
{
    struct buf text = BUF_INIT(FILE_BYTES_MAX);
    enum rc rc = buf_read_file(&text, j->path, err);
    char *line = text.data;

    while (!rc && line && *line) {
        char *end = strchr(line, '\n');

        if (!end)
            break;
        *end = '\0';
        rc = fn(arg, line, err);
        line = end + 1;
    }
    buf_release(&text);
    return rc;
}
