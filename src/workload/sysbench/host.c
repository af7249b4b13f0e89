/* SPDX-License-Identifier: MIT */
#include "workload/sysbench/host.h"

#include "base/asset.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "workload/sysbench/sysbench.h"

#include <assert.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* Of the thread's CPU time, between two looks of the watchdog. */
#define TICK_NS (20 * NS_PER_MS)
/* For the error to be raised, before the state is left. */
#define GRACE_TICKS 15
/* Ignored by default, so that one too many does no harm. */
#define WATCH_SIGNAL SIGURG
#define CODE_MAX 128
/* Four times that of allocation: a cycle begun at half the limit ends below
 * it. */
#define COLLECTOR_SPEED 400

static _Thread_local struct sb_host *here;
/* Those whose script hung; freed by the end of the process. */
static struct sb_host *left;

/* ---- memory ---- */

/* Left alone, the collector waits until the heap has doubled, which may be
 * beyond the limit.  This only tells it that it is time. */
static void call_collector(struct sb_host *h)
{
    h->collected_at = h->used;
    lua_gc(h->L, LUA_GCRESTART, 0);
}

static void *allocate(void *arg, void *p, size_t had, size_t wanted)
{
    struct sb_host *h = arg;
    void *q;

    if (!p)
        had = 0;
    if (wanted == 0) {
        h->used -= had;
        mem_free(p);
        return NULL;
    }
    if (UNLIKELY(wanted > had && wanted - had > h->limit - h->used)) {
        h->refused = true;
        return NULL;
    }
    q = mem_realloc_script(p, wanted);
    if (LIKELY(q))
        h->used += wanted - had;
    else
        h->refused = true;
    if (UNLIKELY(h->used > h->limit / 2 &&
                 h->used > h->collected_at + h->limit / 16))
        call_collector(h);
    else if (UNLIKELY(h->used < h->collected_at))
        h->collected_at = h->used;
    return q;
}

void sb_host_tidy(struct sb_host *h)
{
    if (UNLIKELY(h->used > h->limit / 4 * 3) && !h->stuck)
        lua_gc(h->L, LUA_GCCOLLECT, 0);
}

/* ---- the watchdog ---- */

/* Where code is, that of Lua's library apart; compiled Lua is elsewhere. */
static struct {
    uintptr_t from, to;
} code[CODE_MAX];
static size_t n_code;
static pthread_once_t code_once = PTHREAD_ONCE_INIT;

static int note_code(struct dl_phdr_info *info, size_t size, void *arg)
{
    const char *name = info->dlpi_name;

    (void)size;
    (void)arg;
    /* Unwinding takes no lock either. */
    if (name && (strstr(name, "luajit") || strstr(name, "libgcc")))
        return 0;
    for (size_t i = 0; i < info->dlpi_phnum && n_code < CODE_MAX; i++) {
        const uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

        if (info->dlpi_phdr[i].p_type != PT_LOAD ||
            !(info->dlpi_phdr[i].p_flags & PF_X))
            continue;
        code[n_code].from = from;
        code[n_code++].to = from + info->dlpi_phdr[i].p_memsz;
    }
    return 0;
}

/* A jump out of the C library might leave a lock of its locked. */
static bool may_leave(const void *context)
{
#ifdef __x86_64__
    const ucontext_t *uc = context;
    const uintptr_t at = (uintptr_t)uc->uc_mcontext.gregs[REG_RIP];

    for (size_t i = 0; i < n_code; i++) {
        if (at >= code[i].from && at < code[i].to)
            return false;
    }
    return true;
#else
    (void)context;
    return false;
#endif
}

static void print_limit(const struct sb_host *h, char *out, size_t out_len)
{
    format_duration((int64_t)h->max_ticks * TICK_NS, out, out_len);
}

static void stop_hook(lua_State *L, lua_Debug *ar)
{
    char limit[32];

    (void)ar;
    lua_sethook(L, NULL, 0, 0);
    print_limit(sb_host_of(L), limit, sizeof(limit));
    luaL_error(L, "the script has not come back for %s of CPU time", limit);
}

/* On the thread of the host, as it burns CPU time. */
static void tick(int sig, siginfo_t *info, void *context)
{
    const int mask = LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT;
    struct sb_host *h = here;

    (void)sig;
    (void)info;
    if (!h || h->stuck)
        return;
    if (h->n_entries % 2 == 0 || h->n_entries != h->seen) {
        h->seen = h->n_entries;
        h->ticks = 0;
        return;
    }
    if (++h->ticks < h->max_ticks)
        return;
    if (h->ticks < h->max_ticks + GRACE_TICKS) {
        lua_sethook(h->L, stop_hook, mask, 1);
    } else if (may_leave(context)) {
        h->stuck = true;
        siglongjmp(h->jump, 1);
    }
}

static void find_code(void)
{
    struct sigaction action = {
        .sa_sigaction = tick, .sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER};

    dl_iterate_phdr(note_code, NULL);
    sigaction(WATCH_SIGNAL, &action, NULL);
}

static enum rc watch(struct sb_host *h, int64_t limit_ns, struct err *err)
{
    const struct itimerspec every = {
        .it_interval.tv_nsec = TICK_NS,
        .it_value.tv_nsec = TICK_NS,
    };
    struct sigevent event = {
        .sigev_notify = SIGEV_THREAD_ID,
        .sigev_signo = WATCH_SIGNAL,
    };
    sigset_t set;

    h->max_ticks = (unsigned)(limit_ns / TICK_NS);
    if (h->max_ticks == 0)
        h->max_ticks = 1;
    pthread_once(&code_once, find_code);
    sigemptyset(&set);
    sigaddset(&set, WATCH_SIGNAL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    event.sigev_notify_thread_id = (int)syscall(SYS_gettid);
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &h->timer))
        return err_set(err, RC_IO, "no timer for scripts");
    h->timed = true;
    timer_settime(h->timer, 0, &every, NULL);
    return RC_OK;
}

void sb_host_stuck_text(const struct sb_host *h, struct err *err)
{
    char limit[32];

    print_limit(h, limit, sizeof(limit));
    err_set(err, RC_INVALID,
            "a script did not come back for %s of CPU time and was left "
            "there; its thread has no Lua any more",
            limit);
}

/* ---- calling ---- */

struct sb_host *sb_host_of(lua_State *L)
{
    struct sb_host *h;

    lua_getallocf(L, (void **)&h);
    return h;
}

int sb_host_resume(struct sb_host *h, struct sb_user *u, int n_args)
{
    int status;

    h->user = u;
    if (UNLIKELY(sigsetjmp(h->jump, 0)))
        return LUA_ERRERR;
    h->n_entries++;
    status = lua_resume(u->lua, n_args);
    h->n_entries++;
    return status;
}

static int call_protected(struct sb_host *h, lua_CFunction fn, void *arg)
{
    int status;

    if (sigsetjmp(h->jump, 0))
        return LUA_ERRERR;
    h->n_entries++;
    status = lua_cpcall(h->L, fn, arg);
    h->n_entries++;
    return status;
}

enum rc sb_host_call(struct sb_host *h, lua_CFunction fn, void *arg,
                     struct err *err)
{
    const int status = call_protected(h, fn, arg);
    const char *text;

    if (status == 0)
        return RC_OK;
    if (h->stuck) {
        sb_host_stuck_text(h, err);
        return RC_INVALID;
    }
    text = lua_type(h->L, -1) == LUA_TSTRING ? lua_tostring(h->L, -1)
                                             : "an error that is no text";
    sb_show_place(h, text, err);
    lua_pop(h->L, 1);
    if (status == LUA_ERRMEM && err)
        err->rc = RC_NOMEM;
    return status == LUA_ERRMEM ? RC_NOMEM : RC_INVALID;
}

/* ---- its life ---- */

static int make(lua_State *L)
{
    static const char name[] = "assets/sysbench/prelude.lua";
    const struct asset *asset = asset_find(name);
    struct sb_host *h = lua_touserdata(L, 1);

    luaL_openlibs(L);
    lua_newtable(L);
    h->chunks_ref = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_newtable(L);
    h->sources_ref = luaL_ref(L, LUA_REGISTRYINDEX);
    if (!asset)
        return luaL_error(L, "%s is missing", name);
    if (luaL_loadbuffer(L, asset->data, asset->len, "=prelude"))
        return lua_error(L);
    lua_newtable(L);
    sb_api_sql(L);
    sb_api_rand(L);
    sb_api_dyno(L);
    sb_api_load(L);
    lua_pushstring(L, h->state->driver_name);
    lua_setfield(L, -2, "driver_name");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "event");
    h->event_ref = luaL_ref(L, LUA_REGISTRYINDEX);
    h->functions_ref = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

static void host_free(struct sb_host *h)
{
    if (h->timed)
        timer_delete(h->timer);
    /* What it holds when it is stuck nobody can say any more. */
    if (h->stuck) {
        h->next = left;
        left = h;
        return;
    }
    if (h->L)
        lua_close(h->L);
    mem_free(h);
}

static enum rc host_new(struct sb_state *st, struct sb_host **out,
                        struct err *err)
{
    struct sb_host *h = MEM_NEW(struct sb_host);
    enum rc rc;

    if (!h)
        return err_set(err, RC_NOMEM, "no memory for Lua");
    h->state = st;
    h->limit = (size_t)st->cfg->lua_memory;
    h->L = lua_newstate(allocate, h);
    if (!h->L) {
        mem_free(h);
        return err_set(err, RC_NOMEM, "no memory for Lua");
    }
    lua_gc(h->L, LUA_GCSETSTEPMUL, COLLECTOR_SPEED);
    here = h;
    rc = watch(h, st->cfg->script_limit_ns, err);
    if (!rc)
        rc = sb_host_call(h, make, h, err);
    if (rc) {
        here = NULL;
        host_free(h);
        return rc;
    }
    *out = h;
    return RC_OK;
}

enum rc sb_host_here(struct sb_state *st, struct sb_host **out, struct err *err)
{
    enum rc rc;

    if (here && here->state == st) {
        *out = here;
        return RC_OK;
    }
    rc = host_new(st, out, err);
    if (rc)
        return rc;
    pthread_mutex_lock(&st->lock);
    (*out)->next = st->hosts;
    st->hosts = *out;
    pthread_mutex_unlock(&st->lock);
    return RC_OK;
}

void sb_hosts_free(struct sb_state *st)
{
    struct sb_host *h = st->hosts;

    st->hosts = NULL;
    here = NULL;
    while (h) {
        struct sb_host *next = h->next;

        host_free(h);
        h = next;
    }
}
