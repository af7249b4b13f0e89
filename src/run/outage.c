/* SPDX-License-Identifier: MIT */
#include "run/outage.h"

/* A transaction may take its time; so long a silence is said. */
#define SILENCE_NS (1 * NS_PER_S)

void outage_begin(struct outage *o, const struct outage_look *look)
{
    *o = (struct outage){
        .on = true,
        .opened = look->now,
        .looked = look->now,
        .connected = look->now,
        .moved = look->now,
        .n_ended = look->n_ended,
        .arriving = look->n_open == 0 && look->n_begun == 0,
    };
}

static void note_longest(struct outage *o, struct mono from, int64_t ns)
{
    if (ns <= o->result.longest_ns)
        return;
    o->result.longest_ns = ns;
    o->result.longest_from_ns = mono_since(from, o->opened);
}

static void end_silence(struct outage *o, struct mono now)
{
    const int64_t ns = mono_since(now, o->moved);

    if (ns >= SILENCE_NS) {
        o->result.silent_ns += ns;
        note_longest(o, o->moved, ns);
    }
    o->moved = now;
}

static void end_disconnection(struct outage *o, struct mono now)
{
    note_longest(o, o->connected, mono_since(now, o->connected));
    o->connected = now;
}

void outage_see(struct outage *o, const struct outage_look *look)
{
    const bool idle = look->n_begun == look->n_ended && look->n_open > 0;

    if (!o->on)
        return;
    o->arriving = o->arriving && look->n_open == 0 && look->n_begun == 0;
    if (o->arriving)
        o->connected = look->now;
    else if (look->n_open == 0)
        o->result.no_connection_ns += mono_since(look->now, o->looked);
    else if (o->connected.ns < o->looked.ns)
        end_disconnection(o, look->now);
    else
        o->connected = look->now;
    /* With nothing to do there was no silence until now. */
    if (o->was_idle)
        o->moved = look->now;
    if (look->n_ended != o->n_ended)
        end_silence(o, look->now);
    o->was_idle = idle;
    o->n_ended = look->n_ended;
    o->looked = look->now;
}

void outage_end(struct outage *o, struct mono closed)
{
    if (!o->on)
        return;
    o->on = false;
    if (o->connected.ns < o->looked.ns)
        end_disconnection(o, closed);
    end_silence(o, closed);
}
