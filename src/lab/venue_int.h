/* SPDX-License-Identifier: MIT */
/*
 * Private to venue.c and venue_own.c: the places of a venue.
 */
#ifndef LAB_VENUE_INT_H
#define LAB_VENUE_INT_H

#include "base/buf.h"
#include "lab/matrix_options.h"
#include "lab/server.h"
#include "lab/venue.h"

#define KEY_BYTES_MAX ((size_t)65536)

/* One server of the experiment. */
struct place {
    const struct matrix_server *server;
    char *data;         /* key of what is on it; NULL: not known */
    struct server *own; /* NULL: not dyno's, or not made yet */
    char *settings;     /* with which it was configured */
};

struct venue {
    struct venue_args args;
    const struct workload *workload;
    struct place places[MATRIX_SERVERS_MAX];
    size_t n_places;
    struct server *kept; /* the run's, whose data the next run may find */
};

/* The data of two wants of one key is the same; NULL: no memory.
 * mem_free() it. */
char *venue_data_key(const struct venue_want *want);
/* The same of the server's settings. */
char *venue_settings_key(const struct venue_want *want);

/* The server's folder, checked; what a dyno of this experiment that died has
 * left of it goes first. */
MUST_USE enum rc venue_own_make(struct venue *v, struct place *p,
                                const struct venue_want *want, struct err *err);
/* It runs with what is wanted on it.  data: its key. */
MUST_USE enum rc venue_own_ready(struct venue *v, struct place *p,
                                 const struct venue_want *want,
                                 const char *data, struct err *err);
void venue_own_destroy(struct place *p);

#endif
