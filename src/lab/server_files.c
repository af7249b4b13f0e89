/* SPDX-License-Identifier: MIT */
/* Files in a server's folder, and those that all servers share. */
#include "base/mem.h"
#include "lab/server_int.h"
#include "lab/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define PASSWORD_BYTES 16
#define QUOTE_BYTES 700
#define LOG_READ_BYTES ((size_t)16 << 10)
/* More of it than this is of runs long ago. */
#define LOG_KEEP_BYTES ((off_t)8 << 20)

const char *server_path(struct server *s, const char *name)
{
    return arena_printf(&s->arena, "%s/%s", s->dir, name);
}

const char *server_real_path(struct server *s, const char *path)
{
    char real[PATH_MAX];

    return realpath(path, real) ? arena_strdup(&s->arena, real) : NULL;
}

const char *server_encode(struct arena *arena, const char *text)
{
    static const char digits[] = "0123456789ABCDEF";
    char *out = arena_alloc(arena, 3 * strlen(text) + 1), *at = out;

    for (; out && *text; text++) {
        const unsigned char c = (unsigned char)*text;

        if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
            (c >= 'a' && c <= 'z') || c == '-' || c == '_' || c == '.') {
            *at++ = *text;
            continue;
        }
        *at++ = '%';
        *at++ = digits[c >> 4];
        *at++ = digits[c & 15];
    }
    return out;
}

static enum rc write_at(const char *path, const char *text, size_t len,
                        mode_t mode, const struct child_user *owner,
                        struct err *err)
{
    const int fd =
        open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode);
    bool good;

    if (fd < 0)
        return err_errno(err, RC_IO, errno, "cannot write '%s'", path);
    errno = 0;
    good = write(fd, text, len) == (ssize_t)len && !fchmod(fd, mode) &&
           (!owner || !owner->drop || !fchown(fd, owner->uid, owner->gid));
    close(fd);
    if (good)
        return RC_OK;
    return err_errno(err, errno == ENOSPC ? RC_DB_NO_SPACE : RC_IO,
                     errno ? errno : ENOSPC, "cannot write '%s'", path);
}

enum rc server_write_file(struct server *s, const char *name,
                          const struct buf *text, bool secret, struct err *err)
{
    const char *path = server_path(s, name);

    if (!path || buf_rc(text))
        return err_set(err, RC_NOMEM, "no memory for '%s'", name);
    return write_at(path, buf_str(text), text->len, secret ? 0600 : 0644,
                    secret ? &s->user : NULL, err);
}

enum rc server_give_folder(struct server *s, const char *path, struct err *err)
{
    struct stat st;

    if (mkdir(path, 0700) && errno != EEXIST)
        return err_errno(err, RC_IO, errno, "cannot make the folder '%s'",
                         path);
    if (lstat(path, &st) || !S_ISDIR(st.st_mode) ||
        (st.st_uid != geteuid() && st.st_uid != s->user.uid))
        return err_set(err, RC_BUSY, "'%s' is there and is not dyno's", path);
    if (s->user.drop && lchown(path, s->user.uid, s->user.gid))
        return err_errno(err, RC_IO, errno, "cannot give '%s' to '%s'", path,
                         s->user.name);
    return RC_OK;
}

/* ---- the password ---- */

static enum rc make_password(const char *const *paths, struct err *err)
{
    unsigned char random[PASSWORD_BYTES];
    char hex[2 * PASSWORD_BYTES + 1], text[160];
    int len;
    enum rc rc;

    if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
        return err_errno(err, RC_IO, errno, "no random numbers");
    for (size_t i = 0; i < sizeof(random); i++)
        snprintf(hex + 2 * i, 3, "%02x", random[i]);
    len = snprintf(text, sizeof(text), "[client]\npassword=%s\n", hex);
    rc = write_at(paths[1], text, (size_t)len, 0600, NULL, err);
    if (!rc) {
        len = snprintf(text, sizeof(text), "*:*:*:" SERVER_USER ":%s\n", hex);
        rc = write_at(paths[2], text, (size_t)len, 0600, NULL, err);
    }
    /* The first to be read is the last to be written. */
    if (!rc)
        rc = write_at(paths[0], hex, strlen(hex), 0600, NULL, err);
    return rc;
}

enum rc server_password(struct server *s, const char **out, struct err *err)
{
    const char *const paths[] = {
        arena_printf(&s->arena, "%s/.password", s->base),
        arena_printf(&s->arena, "%s/.my.cnf", s->base),
        arena_printf(&s->arena, "%s/.pgpass", s->base),
    };
    struct buf text = BUF_INIT(256);
    enum rc rc = RC_OK;

    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        if (!paths[i])
            return err_set(err, RC_NOMEM, "out of memory");
    }
    if (access(paths[0], F_OK))
        rc = make_password(paths, err);
    if (!rc)
        rc = buf_read_file(&text, paths[0], err);
    *out = rc ? NULL : arena_strdup(&s->arena, buf_str(&text));
    buf_release(&text);
    return rc || *out ? rc : err_set(err, RC_NOMEM, "out of memory");
}

/* Nothing but these: no server, no snapshot. */
static bool is_own_file(const char *name)
{
    return strcmp(name, ".password") == 0 || strcmp(name, ".my.cnf") == 0 ||
           strcmp(name, ".pgpass") == 0 || tree_is_dots(name);
}

enum rc server_base_lock(const struct server *s, int how, int *out_fd)
{
    *out_fd = open(s->base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return *out_fd >= 0 && flock(*out_fd, how) == 0 ? RC_OK : RC_BUSY;
}

void server_base_tidy(const char *base)
{
    const struct dirent *e;
    bool needed = false;
    DIR *dir = NULL;
    const int fd = open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    /* Nobody makes a server meanwhile. */
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        dir = opendir(base);
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is ours alone */
    while (dir && (e = readdir(dir)))
        needed |= !is_own_file(e->d_name);
    if (dir && !needed) {
        unlinkat(dirfd(dir), ".password", 0);
        unlinkat(dirfd(dir), ".my.cnf", 0);
        unlinkat(dirfd(dir), ".pgpass", 0);
    }
    if (dir)
        closedir(dir);
    if (fd >= 0)
        close(fd);
}

/* ---- the log ---- */

enum rc server_log_open(struct server *s, int *out_fd, struct err *err)
{
    struct stat st;
    const int fd =
        open(s->log_path,
             O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0640);

    *out_fd = fd;
    if (fd < 0)
        return err_errno(err, RC_IO, errno, "cannot write '%s'", s->log_path);
    if (fstat(fd, &st) == 0) {
        if (st.st_size > LOG_KEEP_BYTES && ftruncate(fd, 0) == 0)
            st.st_size = 0;
        s->log_begin = (uint64_t)st.st_size;
    }
    return RC_OK;
}

/* The last lines, on one. */
static void fold(char *text)
{
    char *to = text;

    for (const char *at = text; *at; at++) {
        if (*at == '\r')
            continue;
        *to++ = *at == '\n' || *at == '\t' ? ' ' : *at;
    }
    *to = '\0';
    while (to > text && to[-1] == ' ')
        *--to = '\0';
}

void server_log_quote(const struct server *s, struct err *err)
{
    char text[LOG_READ_BYTES + 1], what[ERR_TEXT_MAX];
    const char *from = text, *error;
    const int fd = open(s->log_path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    off_t at;
    ssize_t n = 0;

    if (fd < 0 || !err)
        return;
    if (fstat(fd, &st) == 0) {
        at = st.st_size - (off_t)LOG_READ_BYTES;
        if (at < (off_t)s->log_begin)
            at = (off_t)s->log_begin;
        n = pread(fd, text, LOG_READ_BYTES, at);
    }
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    fold(text);
    /* MariaDB and MySQL say much after what matters. */
    error = strstr(text, "[ERROR]");
    if (error)
        from = error;
    else if (strlen(text) > QUOTE_BYTES)
        from = text + strlen(text) - QUOTE_BYTES;
    if (!*from)
        return;
    snprintf(what, sizeof(what), "%s", err->text);
    err_set(err, err->rc, "%.250s; its log %s: %s%.*s", what,
            error ? "says" : "ends with", error || from == text ? "" : "…",
            QUOTE_BYTES, from);
}
