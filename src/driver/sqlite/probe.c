/* SPDX-License-Identifier: MIT */
/*
 * Looks at a file before it is used, so that what is wrong with it is said
 * once, clearly, before anything was changed.
 */
#include "driver/sqlite/sqlite_int.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* https://www.sqlite.org/fileformat2.html */
#define HEADER_BYTES 100
#define HEADER_MAGIC "SQLite format 3"
#define HEADER_WRITE_VERSION 18
#define HEADER_READ_VERSION 19
#define HEADER_SCHEMA_FORMAT 47 /* last byte of four */
#define NEWEST_VERSION 2
#define NEWEST_SCHEMA_FORMAT 4

static enum rc errno_class(int errnum)
{
    switch (errnum) {
    case EACCES:
    case EPERM:
    case EROFS:
        return RC_DB_PERMISSION;
    case ENOSPC:
    case EDQUOT:
        return RC_DB_NO_SPACE;
    default:
        return RC_IO;
    }
}

/* The folder gets FILE-wal and FILE-shm, so it must be writable too. */
static enum rc check_folder(struct sqlite_db *db, struct err *err)
{
    const char *slash = strrchr(db->path, '/');
    size_t len = slash == db->path ? 1 : (size_t)(slash - db->path);
    const char *folder = arena_strndup(&db->arena, db->path, len);
    struct stat st;

    if (!folder)
        return err_set(err, RC_NOMEM, "out of memory");
    if (stat(folder, &st) < 0)
        return err_errno(err, errno_class(errno), errno, "'%s': folder '%s'",
                         db->shown, folder);
    if (!S_ISDIR(st.st_mode))
        return err_set(err, RC_IO, "'%s': '%s' is no folder", db->shown,
                       folder);
    if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) < 0)
        return err_errno(err, errno_class(errno), errno,
                         "'%s': folder '%s' is not writable", db->shown,
                         folder);
    return RC_OK;
}

static enum rc check_file(const struct sqlite_db *db, const struct stat *st,
                          struct err *err)
{
    if (S_ISDIR(st->st_mode))
        return err_set(err, RC_INVALID,
                       "'%s' is a directory, not an SQLite database",
                       db->shown);
    if (!S_ISREG(st->st_mode))
        return err_set(err, RC_INVALID,
                       "'%s' is not a file, so no SQLite database", db->shown);
    if (faccessat(AT_FDCWD, db->path, R_OK, AT_EACCESS) < 0)
        return err_errno(err, errno_class(errno), errno, "'%s' is not readable",
                         db->shown);
    if (faccessat(AT_FDCWD, db->path, W_OK, AT_EACCESS) < 0)
        return err_errno(err, errno_class(errno), errno, "'%s' is not writable",
                         db->shown);
    return RC_OK;
}

static enum rc not_a_database(const struct sqlite_db *db, struct err *err)
{
    return err_set(err, RC_INVALID, "'%s' is not an SQLite database",
                   db->shown);
}

/* Read through SQLite's own descriptor: closing one of ours would drop the
 * POSIX locks that this process may have on the file. */
static enum rc check_header(const struct sqlite_db *db, sqlite3 *handle,
                            struct err *err)
{
    unsigned char header[HEADER_BYTES];
    sqlite3_file *file = NULL;
    sqlite3_int64 size = 0;

    sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (!file || !file->pMethods ||
        file->pMethods->xFileSize(file, &size) != SQLITE_OK || size == 0)
        return RC_OK;
    if (size < HEADER_BYTES)
        return not_a_database(db, err);
    if (file->pMethods->xRead(file, header, HEADER_BYTES, 0) != SQLITE_OK)
        return err_set(err, RC_IO, "'%s' cannot be read", db->shown);
    if (memcmp(header, HEADER_MAGIC, sizeof(HEADER_MAGIC)) != 0)
        return not_a_database(db, err);
    if (header[HEADER_WRITE_VERSION] > NEWEST_VERSION ||
        header[HEADER_READ_VERSION] > NEWEST_VERSION ||
        header[HEADER_SCHEMA_FORMAT] > NEWEST_SCHEMA_FORMAT)
        return err_set(err, RC_UNSUPPORTED,
                       "'%s' has a newer file format than SQLite %s knows",
                       db->shown, sqlite3_libversion());
    return RC_OK;
}

static enum rc fail_handle(const struct sqlite_db *db, sqlite3 *handle,
                           int code, struct err *err)
{
    enum rc rc = sqlite_classify(code);

    if ((code & 0xff) == SQLITE_NOTADB)
        return not_a_database(db, err);
    if (rc == RC_DB_NO_SPACE ||
        (handle && rc == RC_IO && sqlite3_system_errno(handle) == ENOSPC))
        return err_set(err, RC_DB_NO_SPACE,
                       "'%s': the disk is full, and opening it needs some room "
                       "for the files beside it (-wal, -shm): make room, or "
                       "remove the three yourself",
                       db->shown);
    err_set(err, rc, "'%s': %s", db->shown,
            handle ? sqlite3_errmsg(handle) : sqlite3_errstr(code));
    if (err)
        err->native = code;
    return rc;
}

static enum rc check_content(const struct sqlite_db *db, struct err *err)
{
    sqlite3 *handle = NULL;
    enum rc rc = RC_OK;
    int code;

    code = sqlite3_open_v2(db->path, &handle,
                           SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
                               SQLITE_OPEN_EXRESCODE,
                           NULL);
    if (code == SQLITE_OK) {
        sqlite3_busy_timeout(handle,
                             (int)(db->opts.busy_timeout_ns / NS_PER_MS));
        rc = check_header(db, handle, err);
    }
    if (code == SQLITE_OK && !rc)
        code = sqlite3_exec(handle, "SELECT count(*) FROM sqlite_schema", NULL,
                            NULL, NULL);
    if (code != SQLITE_OK)
        rc = fail_handle(db, handle, code, err);
    else if (!rc && sqlite3_db_readonly(handle, "main") == 1)
        rc = err_set(err, RC_DB_PERMISSION, "'%s' is not writable", db->shown);
    sqlite3_close(handle);
    return rc;
}

enum rc sqlite_probe(struct sqlite_db *db, struct err *err)
{
    struct stat st;
    bool exists = stat(db->path, &st) == 0;
    enum rc rc;

    if (!exists && errno != ENOENT && errno != ENOTDIR)
        return err_errno(err, errno_class(errno), errno, "'%s'", db->shown);
    rc = exists ? check_file(db, &st, err) : RC_OK;
    if (!rc)
        rc = check_folder(db, err);
    if (!rc && exists && st.st_size > 0)
        rc = check_content(db, err);
    return rc;
}
