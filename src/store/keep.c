/* SPDX-License-Identifier: MIT */
#include "store/keep.h"

#include "base/log.h"
#include "base/mem.h"
#include "store/keep_int.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A minute of a disk that does not answer. */
#define QUEUE_MAX 64
/* Each of the two. */
#define RESERVE_BYTES (512 * 1024)

/* Room for the end of a run whose disk is full.  What the intervals take must
 * not be what the end needs, or nothing would be known of the run. */
enum reserve {
    FOR_INTERVALS, /* that wait to be written */
    FOR_TAIL,      /* summary, reports, histograms */
    N_RESERVES,
};

struct keeper {
    struct store *store;
    int64_t run;
    struct packer *packer;
    /* Nameless files: room that nobody else takes. */
    int reserve_fds[N_RESERVES];

    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* Guarded by lock: a ring, the oldest at `first`. */
    struct kept *queue;
    size_t first, n_queued;
    bool stop;
    bool failing; /* the last write failed */
    uint64_t n_lost;
    struct err err; /* of the first failure */
    /* Names of samples: added by the caller, read by the thread up to the
     * number in the interval that it writes. */
    char *names[INTERVAL_SAMPLES_MAX];
    size_t n_names;

    size_t n_named; /* the thread's own: names in the store */
    struct kept *writing;
};

/* ---- room for the end ---- */

static enum rc set_aside(struct keeper *k, enum reserve which, struct err *err)
{
    char dir[4096];
    char *slash;
    int fd;

    snprintf(dir, sizeof(dir), "%s", k->store->path);
    slash = strrchr(dir, '/');
    if (slash)
        *slash = '\0';
    fd = open(slash ? dir : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    k->reserve_fds[which] = fd;
    /* Where there are no nameless files, there is no room set aside. */
    if (fd < 0)
        return RC_OK;
    if (posix_fallocate(fd, 0, RESERVE_BYTES) == ENOSPC)
        return err_set(err, RC_DB_NO_SPACE,
                       "less than %d KB are free in results folder '%s'; make "
                       "room, or name another with --results",
                       N_RESERVES * RESERVE_BYTES / 1024, dir);
    return RC_OK;
}

static void free_reserve(struct keeper *k, enum reserve which)
{
    if (k->reserve_fds[which] >= 0)
        close(k->reserve_fds[which]);
    k->reserve_fds[which] = -1;
}

/* With what was set aside the log is moved into the file, and all of its room
 * can be used again. */
static void make_room(struct keeper *k, enum reserve which)
{
    free_reserve(k, which);
    store_checkpoint(k->store);
}

/* ---- the thread ---- */

/* True when it is no longer in the queue. */
static bool write_oldest(struct keeper *k)
{
    struct err err = {0};
    uint64_t number;
    bool first_failure;
    enum rc rc;

    *k->writing = k->queue[k->first];
    number = k->writing->it.number;
    pthread_mutex_unlock(&k->lock);
    rc = keep_interval(k->store, k->run, k->writing,
                       (const char *const *)k->names, &k->n_named, &err);
    pthread_mutex_lock(&k->lock);
    first_failure = rc && !k->failing;
    if (first_failure && !k->err.rc)
        k->err = err;
    if (!rc && k->failing)
        log_info("the results store is written again");
    k->failing = rc != RC_OK;
    if (first_failure)
        log_warn("%s; the run goes on, and what is not stored is tried again",
                 err.text);
    /* A full queue may have given it up meanwhile. */
    if (!rc && k->n_queued > 0 && k->queue[k->first].it.number == number) {
        k->first = (k->first + 1) % QUEUE_MAX;
        k->n_queued--;
    }
    pthread_cond_broadcast(&k->changed);
    return !rc;
}

static void *write_queue(void *arg)
{
    struct keeper *k = arg;
    uint64_t seen = UINT64_MAX; /* the newest at the last failure */

    pthread_mutex_lock(&k->lock);
    for (;;) {
        const size_t last = (k->first + k->n_queued - 1) % QUEUE_MAX;

        if (k->n_queued > 0 &&
            (!k->failing || k->queue[last].it.number != seen)) {
            seen = k->queue[last].it.number;
            (void)write_oldest(k);
            continue;
        }
        if (k->stop)
            break;
        pthread_cond_wait(&k->changed, &k->lock);
    }
    pthread_mutex_unlock(&k->lock);
    return NULL;
}

/* ---- begin ---- */

static enum rc start(struct keeper *k, struct err *err)
{
    int errnum;

    k->queue = MEM_ARRAY(struct kept, QUEUE_MAX);
    k->writing = MEM_NEW(struct kept);
    if (!k->queue || !k->writing)
        return err_set(err, RC_NOMEM, "no memory for keeping a run");
    /* Touched here, so that nothing grows during the run. */
    memset(k->queue, 1, QUEUE_MAX * sizeof(*k->queue));
    errnum = pthread_create(&k->thread, NULL, write_queue, k);
    if (errnum)
        return err_errno(err, RC_IO, errnum, "cannot start a thread");
    k->started = true;
    pthread_setname_np(k->thread, "store");
    return RC_OK;
}

enum rc keeper_begin(struct store *s, const struct store_head *head,
                     struct keeper **out, struct err *err)
{
    struct keeper *k = MEM_NEW(struct keeper);
    enum rc rc;

    if (!k)
        return err_set(err, RC_NOMEM, "no memory for keeping a run");
    k->store = s;
    for (size_t i = 0; i < N_RESERVES; i++)
        k->reserve_fds[i] = -1;
    pthread_mutex_init(&k->lock, NULL);
    pthread_cond_init(&k->changed, NULL);
    rc = set_aside(k, FOR_INTERVALS, err);
    if (!rc)
        rc = set_aside(k, FOR_TAIL, err);
    if (!rc)
        rc = packer_new(&k->packer, err);
    if (!rc)
        rc = keep_head(s, head, &k->run, err);
    if (!rc)
        rc = start(k, err);
    if (rc) {
        if (k->run)
            keeper_drop(k);
        keeper_free(k);
        return rc;
    }
    *out = k;
    return RC_OK;
}

/* ---- an interval ---- */

/* The place of a name; a new one is added.  There are fewer places than
 * samples only when names change from interval to interval. */
static bool find_place(struct keeper *k, const char *name, uint16_t *out)
{
    size_t i = 0;

    while (i < k->n_names && strcmp(k->names[i], name) != 0)
        i++;
    if (i == k->n_names) {
        if (i == INTERVAL_SAMPLES_MAX)
            return false;
        k->names[i] = mem_strdup(name);
        if (!k->names[i])
            return false;
        k->n_names++;
    }
    *out = (uint16_t)i;
    return true;
}

static void take_samples(struct keeper *k, struct kept *kept,
                         const struct interval *it)
{
    size_t n = 0;

    for (size_t i = 0; i < it->n_samples; i++) {
        if (!find_place(k, it->samples[i].name, &kept->places[n]))
            continue;
        kept->it.samples[n++] = it->samples[i];
    }
    kept->it.n_samples = n;
    kept->n_names = k->n_names;
}

void keeper_interval(struct keeper *k, const struct interval *it)
{
    uint8_t packed[HISTOGRAMS_BYTES_MAX];
    const size_t n_packed = pack_interval(k->packer, it, packed);
    struct kept *to;

    pthread_mutex_lock(&k->lock);
    if (k->n_queued == QUEUE_MAX) {
        k->first = (k->first + 1) % QUEUE_MAX;
        k->n_queued--;
        k->n_lost++;
    }
    to = &k->queue[(k->first + k->n_queued) % QUEUE_MAX];
    to->it = *it;
    take_samples(k, to, it);
    memcpy(to->histograms, packed, n_packed);
    to->n_histograms = n_packed;
    k->n_queued++;
    pthread_cond_broadcast(&k->changed);
    pthread_mutex_unlock(&k->lock);
}

/* ---- the end ---- */

static void join(struct keeper *k)
{
    if (!k->started)
        return;
    pthread_mutex_lock(&k->lock);
    k->stop = true;
    pthread_cond_broadcast(&k->changed);
    pthread_mutex_unlock(&k->lock);
    pthread_join(k->thread, NULL);
    k->started = false;
}

enum rc keeper_settle(struct keeper *k, struct err *err)
{
    uint64_t lost;

    join(k);
    /* No other thread any more; the lock is for the functions' sake. */
    pthread_mutex_lock(&k->lock);
    if (k->n_queued > 0)
        make_room(k, FOR_INTERVALS);
    /* The log must not grow into the room that the file needs. */
    while (k->n_queued > 0 && write_oldest(k))
        store_checkpoint(k->store);
    lost = k->n_lost + k->n_queued;
    pthread_mutex_unlock(&k->lock);
    if (lost == 0)
        return RC_OK;
    return err_set(err, k->err.rc ? k->err.rc : RC_IO,
                   "%llu intervals are not stored: %s",
                   (unsigned long long)lost, k->err.text);
}

enum rc keeper_finish(struct keeper *k, const struct store_tail *tail,
                      struct err *err)
{
    enum rc rc = keep_tail(k->store, k->run, tail, err);

    if (!rc)
        return RC_OK;
    make_room(k, FOR_TAIL);
    rc = keep_tail(k->store, k->run, tail, err);
    if (rc)
        store_mark_partial(k->store, k->run,
                           tail->reason     ? tail->reason
                           : err && err->rc ? err->text
                                            : "its end could not be stored");
    return rc;
}

void keeper_drop(struct keeper *k)
{
    struct err err = {0};

    join(k);
    if (store_do(k->store, &err, "DELETE FROM runs WHERE id = ?", "i", k->run))
        log_warn("%s", err.text);
}

void keeper_free(struct keeper *k)
{
    if (!k)
        return;
    join(k);
    for (size_t i = 0; i < N_RESERVES; i++)
        free_reserve(k, (enum reserve)i);
    if (k->run)
        store_running_unclaim(k->store, k->run);
    packer_free(k->packer);
    for (size_t i = 0; i < k->n_names; i++)
        mem_free(k->names[i]);
    pthread_cond_destroy(&k->changed);
    pthread_mutex_destroy(&k->lock);
    mem_free(k->queue);
    mem_free(k->writing);
    mem_free(k);
}
