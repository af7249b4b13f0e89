/* SPDX-License-Identifier: MIT */
/*
 * Lua on one thread: a state that all users of the thread share, each with a
 * Lua thread and globals of its own.  The database is never called from inside
 * Lua: what asks for it yields, and the coroutine of the user goes on, so no
 * frame of Lua's is on a stack that switches.
 *
 * Its memory has a limit.  A script that does not come back is ended by a timer
 * on the thread's CPU time: first by an error raised in it, and when it runs
 * compiled code, which never looks up, by leaving its state for good.
 */
#ifndef WORKLOAD_SYSBENCH_HOST_H
#define WORKLOAD_SYSBENCH_HOST_H

#include "base/err.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

struct sb_state;
struct sb_user;

/* Types that are looked for often. */
enum sb_type { SB_TYPE_STMT, SB_TYPE_PARAM, SB_N_TYPES };

struct sb_host {
    lua_State *L;
    struct sb_state *state;
    struct sb_user *user;          /* who runs now */
    struct sb_host *next;          /* in the list of the dataset */
    int functions_ref, event_ref;  /* the prelude's; its event() */
    int result_ref;                /* of what has no rows that anybody reads */
    int chunks_ref, sources_ref;   /* what was loaded, by path */
    const void *types[SB_N_TYPES]; /* their metatables */
    bool keeps_rows;               /* some source reads them */
    size_t used, limit, collected_at; /* bytes */
    bool refused;                     /* memory was, since this was cleared */

    /* The watchdog. */
    volatile uint64_t n_entries; /* odd: inside Lua */
    uint64_t seen;               /* by the last tick */
    unsigned ticks, max_ticks;   /* with the same number */
    bool timed;
    timer_t timer;
    sigjmp_buf jump;
    volatile bool stuck; /* left for good */
};

/* That of the calling thread, made when there is none. */
enum rc sb_host_here(struct sb_state *st, struct sb_host **out,
                     struct err *err);
/* Frees all of a dataset; no thread uses them any more. */
void sb_hosts_free(struct sb_state *st);
/* The one that runs this Lua. */
struct sb_host *sb_host_of(lua_State *L);

/* lua_resume() under the watch. */
int sb_host_resume(struct sb_host *h, struct sb_user *u, int n_args);
/* Calls fn(arg) where running out of memory is an error; its text goes to
 * err. */
enum rc sb_host_call(struct sb_host *h, lua_CFunction fn, void *arg,
                     struct err *err);
/* Between two events, when there is room for doubt. */
void sb_host_tidy(struct sb_host *h);
void sb_host_stuck_text(const struct sb_host *h, struct err *err);

/* ---- load.c ---- */

/* Leaves on the stack the script's main function in globals env (an index), or
 * raises an error. */
void sb_load_chunk(lua_State *L, const char *path, int env);

#endif
