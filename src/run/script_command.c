/* SPDX-License-Identifier: MIT */
#include "run/script_command.h"

#include "base/mem.h"
#include "base/stop.h"
#include "engine/crew.h"

#include <pthread.h>
#include <stdatomic.h>

#define LOOK_NS (50 * NS_PER_MS)
/* After a failure or a request to stop: before the loops are cancelled. */
#define CANCEL_GRACE_NS (2 * NS_PER_S)

struct commands;

/* One user.  The lock keeps the connection from being closed while another
 * thread cancels what it does. */
struct hand {
    struct commands *all;
    size_t number;
    pthread_mutex_t lock;
    struct conn *conn;
};

struct commands {
    struct session *session;
    const struct script_args *args;
    struct hand *hands;
    size_t n;
    atomic_bool stop;
    pthread_mutex_t lock; /* of the first error */
    enum rc rc;
    struct err err;
};

static void set_conn(struct hand *h, struct conn *c)
{
    pthread_mutex_lock(&h->lock);
    h->conn = c;
    pthread_mutex_unlock(&h->lock);
}

static void note(struct commands *all, enum rc rc, const struct err *err)
{
    pthread_mutex_lock(&all->lock);
    if (!all->rc) {
        all->rc = rc;
        all->err = *err;
    }
    pthread_mutex_unlock(&all->lock);
    atomic_store_explicit(&all->stop, true, memory_order_relaxed);
}

static void hand_main(void *arg)
{
    struct hand *h = arg;
    struct commands *all = h->all;
    struct dataset *ds = &all->session->ds;
    struct conn *c = NULL;
    struct err err = {0};
    enum rc rc;

    coro_assert_inside();
    rc = conn_open(all->session->db, loop_current(), &c, &err);
    set_conn(h, c);
    if (!rc)
        rc = ds->workload->command(ds, all->args->command, h->number, all->n, c,
                                   &err);
    if (rc)
        note(all, rc, &err);
    set_conn(h, NULL);
    conn_close(c);
}

static enum rc start(void *arg, size_t worker, struct loop *loop,
                     struct err *err)
{
    struct commands *all = arg;

    return loop_spawn(loop, hand_main, &all->hands[worker], err);
}

static void cancel_all(struct commands *all)
{
    for (size_t i = 0; i < all->n; i++) {
        pthread_mutex_lock(&all->hands[i].lock);
        if (all->hands[i].conn)
            conn_cancel(all->hands[i].conn);
        pthread_mutex_unlock(&all->hands[i].lock);
    }
}

/* Until they have ended, or have been told to. */
static void watch(struct commands *all, struct crew *crew)
{
    struct mono give_up = MONO_NEVER;

    while (crew_running(crew) > 0) {
        if (crew_wait(crew, mono_add(clock_now(), LOOK_NS)) == RC_OK)
            return;
        if (give_up.ns == MONO_NEVER.ns &&
            (stop_requested() ||
             atomic_load_explicit(&all->stop, memory_order_relaxed))) {
            cancel_all(all);
            give_up = mono_add(clock_now(), CANCEL_GRACE_NS);
        }
        if (clock_now().ns <= give_up.ns)
            continue;
        crew_cancel(crew);
        if (mono_since(clock_now(), give_up) > CANCEL_GRACE_NS)
            return;
    }
}

static enum rc run(struct commands *all, struct err *err)
{
    struct crew *crew;
    enum rc rc = crew_new(all->n, start, all, &crew, err);

    if (rc)
        return rc;
    watch(all, crew);
    if (crew_free(crew) > 0)
        return err_set(err, RC_TIMEOUT,
                       "'%s' does not come to an end; the database or the "
                       "script hangs",
                       all->args->command);
    if (all->rc && err)
        *err = all->err;
    if (!all->rc && stop_requested())
        return err_set(err, RC_CANCELLED, "interrupted");
    return all->rc;
}

enum rc script_command(struct session *s, const struct script_args *args,
                       struct err *err)
{
    struct commands *all = MEM_NEW(struct commands);
    enum rc rc;

    if (!all)
        return err_set(err, RC_NOMEM, "out of memory");
    all->session = s;
    all->args = args;
    all->n = (size_t)args->n_users;
    all->hands = MEM_ARRAY(struct hand, all->n);
    if (!all->hands) {
        mem_free(all);
        return err_set(err, RC_NOMEM, "out of memory");
    }
    pthread_mutex_init(&all->lock, NULL);
    for (size_t i = 0; i < all->n; i++) {
        all->hands[i].all = all;
        all->hands[i].number = i;
        pthread_mutex_init(&all->hands[i].lock, NULL);
    }
    s->db->expected_conns = (unsigned)all->n;
    rc = run(all, err);
    /* Threads that hang may still touch it. */
    if (rc == RC_TIMEOUT)
        return rc;
    for (size_t i = 0; i < all->n; i++)
        pthread_mutex_destroy(&all->hands[i].lock);
    pthread_mutex_destroy(&all->lock);
    mem_free(all->hands);
    mem_free(all);
    return rc;
}
