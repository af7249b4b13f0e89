/* SPDX-License-Identifier: MIT */
/* Who may use the file, and who made it. */
#include "base/log.h"
#include "driver/sqlite/sqlite_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define LINE_MAX_BYTES 256

void sqlite_mark_created(struct sqlite_db *db)
{
    struct stat st;

    if (stat(db->path, &st) == 0) {
        db->created = true;
        db->created_dev = st.st_dev;
        db->created_ino = st.st_ino;
    }
}

/* A line of /proc/locks: "7: FLOCK  ADVISORY  WRITE 812 08:01:131090 0 EOF". */
static long line_owner(const char *line, const char *inode)
{
    const char *at = strstr(line, inode);
    const char *write = strstr(line, "WRITE ");

    if (!strstr(line, "FLOCK") || !at || !write || write > at)
        return 0;
    return strtol(write + strlen("WRITE "), NULL, 10);
}

/* Process that holds the lock, 0 when it cannot be told (another host, a
 * container, a file system whose numbers differ). */
static long lock_owner(int fd)
{
    char inode[64], line[LINE_MAX_BYTES];
    struct stat st;
    long pid = 0;
    FILE *f;

    if (fstat(fd, &st) < 0)
        return 0;
    snprintf(inode, sizeof(inode), " %02x:%02x:%ju ", major(st.st_dev),
             minor(st.st_dev), (uintmax_t)st.st_ino);
    f = fopen("/proc/locks", "re");
    if (!f)
        return 0;
    while (pid <= 0 && fgets(line, sizeof(line), f))
        pid = line_owner(line, inode);
    fclose(f);
    return pid > 0 ? pid : 0;
}

static enum rc refuse(const struct sqlite_db *db, int fd, struct err *err)
{
    long pid = lock_owner(fd);

    if (pid > 0)
        return err_set(err, RC_BUSY, "'%s' is in use by another dyno (pid %ld)",
                       db->shown, pid);
    return err_set(err, RC_BUSY, "'%s' is in use by another dyno", db->shown);
}

static int open_or_create(struct sqlite_db *db)
{
    int fd = open(db->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

    if (fd >= 0) {
        sqlite_mark_created(db);
        return fd;
    }
    return errno == EEXIST ? open(db->path, O_RDWR | O_CLOEXEC) : -1;
}

/*
 * SQLite's own locks come and go with each transaction; this one is of another
 * kind (flock, not fcntl), so the two do not meet.  The descriptor is opened
 * before any connection and closed after the last: POSIX drops all fcntl locks
 * of a process on a file as soon as it closes any descriptor of it, SQLite's
 * too.
 */
enum rc sqlite_claim(struct db *base, struct err *err)
{
    struct sqlite_db *db = sqlite_db_of(base);
    enum rc rc = RC_OK;
    int fd;

    if (db->claim_fd >= 0)
        return RC_OK;
    fd = open_or_create(db);
    if (fd < 0)
        return err_errno(err, errno == EACCES ? RC_DB_PERMISSION : RC_IO, errno,
                         "'%s'", db->shown);
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
        db->claim_fd = fd;
        return RC_OK;
    }
    if (errno == EWOULDBLOCK)
        rc = refuse(db, fd, err);
    else
        rc = err_errno(err, RC_IO, errno, "'%s': lock", db->shown);
    close(fd);
    return rc;
}

/* Bytes of a file's header, each zero until somebody makes a table or gives
 * the file a number of his own. */
#define HEADER_BYTES 100
static const unsigned char stays_zero[][2] = {
    {40, 44}, /* schema cookie */
    {60, 64}, /* PRAGMA user_version */
    {68, 72}, /* PRAGMA application_id */
};

static bool holds_nothing(const struct sqlite_db *db, const struct stat *st)
{
    unsigned char header[HEADER_BYTES] = {0};
    const int fd = st->st_size ? open(db->path, O_RDONLY | O_CLOEXEC) : -1;
    bool nothing = true;

    if (st->st_size == 0)
        return true;
    if (fd < 0)
        return false;
    nothing = pread(fd, header, sizeof(header), 0) == sizeof(header);
    for (size_t i = 0; nothing && i < ARRAY_LEN(stays_zero); i++) {
        for (size_t k = stays_zero[i][0]; k < stays_zero[i][1]; k++)
            nothing = nothing && header[k] == 0;
    }
    close(fd);
    return nothing;
}

void sqlite_forget_empty(struct sqlite_db *db)
{
    const char *wal = arena_printf(&db->arena, "%s-wal", db->path);
    bool removed = false;
    struct stat st;

    if (!db->created || !wal || stat(wal, &st) == 0 ||
        stat(db->path, &st) < 0 || !holds_nothing(db, &st))
        return;
    if (sqlite_discard(&db->base, &removed, NULL))
        log_warn("the empty file '%s' stays where it is", db->shown);
}

static enum rc remove_one(struct sqlite_db *db, const char *tail,
                          struct err *err)
{
    const char *path = arena_printf(&db->arena, "%s%s", db->path, tail);

    if (!path)
        return err_set(err, RC_NOMEM, "out of memory");
    if (unlink(path) < 0 && errno != ENOENT)
        return err_errno(err, RC_IO, errno, "remove '%s%s'", db->shown, tail);
    return RC_OK;
}

enum rc sqlite_discard(struct db *base, bool *out_removed, struct err *err)
{
    struct sqlite_db *db = sqlite_db_of(base);
    struct stat st;
    enum rc rc;

    /* What has taken the name since is not ours. */
    if (!db->created || stat(db->path, &st) < 0 ||
        st.st_dev != db->created_dev || st.st_ino != db->created_ino)
        return RC_OK;
    rc = remove_one(db, "-wal", err);
    if (!rc)
        rc = remove_one(db, "-shm", err);
    if (!rc)
        rc = remove_one(db, "-journal", err);
    if (!rc)
        rc = remove_one(db, "", err);
    if (!rc) {
        db->created = false;
        *out_removed = true;
    }
    return rc;
}
