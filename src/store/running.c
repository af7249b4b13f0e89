/* SPDX-License-Identifier: MIT */
/*
 * Which runs go on.  A process holds a lock on one byte of a file beside the
 * store for each of its runs; the kernel frees it when the process ends,
 * however it ends.  A run that is "running" without a lock is dead.
 */
#include "store/store_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TAIL ".running"

/* Opens the file of locks, or makes it: only when it is needed, for what is
 * exported has no runs that go on. */
static void open_locks(struct store *s)
{
    char path[4096 + sizeof(TAIL)];

    if (s->running_fd >= 0)
        return;
    snprintf(path, sizeof(path), "%s" TAIL, s->path);
    s->running_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (s->running_fd < 0)
        s->running_fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
}

void store_running_close(struct store *s)
{
    if (s->running_fd >= 0)
        close(s->running_fd);
    s->running_fd = -1;
}

/* Locks of the open file, not of the process: they survive the closing of
 * other descriptors of the same file. */
static struct flock one_byte(short type, int64_t run)
{
    return (struct flock){
        .l_type = type, .l_whence = SEEK_SET, .l_start = run, .l_len = 1};
}

void store_running_claim(struct store *s, int64_t run)
{
    struct flock lock = one_byte(F_WRLCK, run);

    open_locks(s);
    if (s->running_fd >= 0)
        (void)fcntl(s->running_fd, F_OFD_SETLK, &lock);
}

void store_running_unclaim(struct store *s, int64_t run)
{
    struct flock lock = one_byte(F_UNLCK, run);

    if (s->running_fd >= 0)
        (void)fcntl(s->running_fd, F_OFD_SETLK, &lock);
}

/* True only when it is known: without locks nobody is called dead. */
static bool is_dead(const struct store *s, int64_t run)
{
    struct flock lock = one_byte(F_WRLCK, run);

    return s->running_fd >= 0 &&
           fcntl(s->running_fd, F_OFD_GETLK, &lock) == 0 &&
           lock.l_type == F_UNLCK;
}

static const char mark_sql[] =
    "UPDATE runs SET status = 'partial', reason = ?2, "
    "ended_us = started_us + coalesce((SELECT max(begin_us + length_us) FROM "
    "intervals WHERE run = ?1), 0), "
    "interval_us = (SELECT sum(length_us) FROM intervals WHERE run = ?1 AND "
    "phase = 'measure'), "
    "ramp_up_us = (SELECT sum(length_us) FROM intervals WHERE run = ?1 AND "
    "phase = 'ramp_up') "
    "WHERE id = ?1 AND status = 'running'";

static const char rate_sql[] =
    "UPDATE runs SET valid = 0, "
    "tps = (SELECT sum(t.committed + t.rolled_back) FROM "
    "interval_transactions t JOIN intervals i ON i.run = t.run AND i.number = "
    "t.number WHERE t.run = ?1 AND i.phase = 'measure') * 1e6 / interval_us, "
    "nopm = (SELECT sum(t.committed) FROM interval_transactions t "
    "JOIN intervals i ON i.run = t.run AND i.number = t.number "
    "JOIN transactions n ON n.run = t.run AND n.position = t.position "
    "WHERE t.run = ?1 AND i.phase = 'measure' AND n.name = runs.counted) * "
    "60e6 / interval_us WHERE id = ?1 AND status = 'partial'";

void store_mark_partial(struct store *s, int64_t run, const char *reason)
{
    if (!store_do(s, NULL, mark_sql, "it", run, reason))
        (void)!store_do(s, NULL, rate_sql, "i", run);
}

void store_mark_dead(struct store *s)
{
    sqlite3_stmt *running = NULL;
    bool row = true;

    /* Nothing depends on it: who cannot write sees them as running. */
    if (s->read_only ||
        store_prepare(s, "SELECT id FROM runs WHERE status = 'running'",
                      &running, NULL))
        return;
    while (!store_step(s, running, &row, NULL) && row) {
        const int64_t run = sqlite3_column_int64(running, 0);

        open_locks(s);
        if (is_dead(s, run))
            store_mark_partial(s, run,
                               "dyno ended without finishing it: killed, or "
                               "the machine went down");
    }
    sqlite3_finalize(running);
}
