/* SPDX-License-Identifier: MIT */
#include "lab/wal.h"

#include "base/base.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES 8192
#define NAME_HEX 24 /* timeline, "log", segment: eight digits each */

/* ---- PostgreSQL ---- */

/* The beginning of a page of WAL, the same since version 9.3. */
struct wal_page {
    uint16_t magic, info;
    uint32_t timeline;
    uint64_t address; /* of the page in the log */
};

static const char *segment_name(const char *path)
{
    static const char folder[] = "pg_wal/";
    const char *name = path + sizeof(folder) - 1;

    if (strncmp(path, folder, sizeof(folder) - 1) != 0 ||
        strlen(name) != NAME_HEX ||
        strspn(name, "0123456789ABCDEF") != NAME_HEX)
        return NULL;
    return name;
}

/* Where a segment of that name begins in the log. */
static uint64_t segment_address(const char *name, uint64_t n_bytes)
{
    char part[9] = {0};
    uint64_t high, low;

    memcpy(part, name + 8, 8);
    high = strtoull(part, NULL, 16);
    memcpy(part, name + 16, 8);
    low = strtoull(part, NULL, 16);
    return (high << 32) + low * n_bytes;
}

/*
 * A segment that is used begins with its own address.  One that was recycled,
 * renamed to be written over some time, begins with that of its former life,
 * and one made in advance with nothing.
 */
bool wal_skip_postgres(void *arg, const char *root, const char *path,
                       uint64_t n_bytes)
{
    const char *name = segment_name(path);
    struct wal_page page = {0};
    char full[PATH_BYTES];
    ssize_t n;
    int fd;

    (void)arg;
    if (!name || n_bytes == 0)
        return false;
    snprintf(full, sizeof(full), "%s/%s", root, path);
    fd = open(full, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return false;
    n = pread(fd, &page, sizeof(page), 0);
    close(fd);
    return n == (ssize_t)sizeof(page) &&
           page.address != segment_address(name, n_bytes);
}

/* ---- MariaDB, MySQL ---- */

static bool ends_in(const char *text, const char *end)
{
    const size_t len = strlen(text), end_len = strlen(end);

    return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

/* "NAME.000001", six digits: Aria's own log has eight. */
static bool is_binary_log(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && strlen(dot + 1) == 6 && strspn(dot + 1, "0123456789") == 6;
}

bool wal_skip_mysql(void *arg, const char *root, const char *path,
                    uint64_t n_bytes)
{
    (void)arg;
    (void)root;
    (void)n_bytes;
    if (strchr(path, '/'))
        return false;
    return is_binary_log(path) || ends_in(path, ".index") ||
           ends_in(path, ".pid") || strcmp(path, "ib_buffer_pool") == 0;
}

size_t wal_binary_logs(const char *data_dir, uint64_t *out_bytes)
{
    DIR *dir = opendir(data_dir);
    const struct dirent *e;
    struct stat st;
    size_t n = 0;

    *out_bytes = 0;
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is ours alone */
    while (dir && (e = readdir(dir))) {
        if (!is_binary_log(e->d_name) ||
            fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW))
            continue;
        *out_bytes += (uint64_t)st.st_size;
        n++;
    }
    if (dir)
        closedir(dir);
    return n;
}
