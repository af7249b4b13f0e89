/* SPDX-License-Identifier: MIT */
/*
 * Database servers of dyno's own: made, configured, started, stopped and
 * removed by it.
 *
 * Each is a folder BASE/NAME: what is known of it (state.yaml), its data, its
 * log, its socket.  It listens on a unix socket that only its user and root
 * reach, and on a port of 127.0.0.1 with a password; nowhere else.  PostgreSQL
 * and MariaDB refuse root, so root's servers run as another user.
 *
 * A handle (struct server) holds the lock of the folder: one process at a time
 * changes a server.  What a crash leaves behind is found by server_list():
 * the folder is there before anything else is, and no process runs before its
 * number is in it.
 *
 *     server_make(&spec, &s, err)      a folder, locked
 *     server_start(s, err)             data when there is none, configuration,
 *                                      process; returns when it answers
 *     … session_open(server_url(s)) …
 *     server_stop(s, err)              in order; start again as often as wanted
 *     server_destroy(s, err)           process and folder are gone
 *     server_close(s)                  the handle; in every case, last
 */
#ifndef LAB_SERVER_H
#define LAB_SERVER_H

#include "base/opt.h"

enum server_kind { SERVER_POSTGRES, SERVER_MARIADB, SERVER_MYSQL };
#define SERVER_KINDS 3
extern const char *const server_kind_names[SERVER_KINDS + 1]; /* ends in NULL */

/* Settings made for this machine (preset.h). */
enum preset { PRESET_STOCK, PRESET_OLTP, PRESET_NOSYNC };
extern const char *const server_preset_names[]; /* ends in NULL */

/* What is wanted; zero and NULL are the defaults.  Borrowed for the call. */
struct server_spec {
    int kind;           /* enum server_kind */
    const char *name;   /* of its folder; NULL: the kind's */
    const char *bindir; /* with its programs; NULL: the newest installed */
    int preset;         /* enum preset */
    struct opt_strs settings; /* "name=value", stronger than config */
    const char *config; /* file in the server's own form, stronger than the
                         * preset; copied */
    const char *base;   /* folder of all servers; NULL: server_base() */
    const char *run_as; /* as root: the user; NULL: postgres, mysql, nobody */
    uint64_t port;      /* 0: a free one */
    /* Goes on when this process ends; else the server ends with it, and
     * server_list() calls its folder left behind. */
    bool keep;
};

/* Rows for a command line: --bindir, --preset, --set, …; all but kind, name
 * and keep. */
extern const struct opt server_opts[];

/* DYNO_SERVERS apart: /var/lib/dyno for root, else $XDG_STATE_HOME/dyno or
 * ~/.local/state/dyno; NULL when there is no home. */
const char *server_base(struct arena *arena);
/* Letters, digits, '.', '_', '-', at most 63, no leading '.' or '-'; else
 * RC_USAGE. */
MUST_USE enum rc server_check_name(const char *name, struct err *err);

struct server;

/* Checks what can be checked without a server (programs, version, settings,
 * user, folder, port) and makes the folder.  RC_BUSY: there is one of that name
 * already. */
MUST_USE enum rc server_make(const struct server_spec *spec,
                             struct server **out, struct err *err);
/* One that is there.  RC_NOT_FOUND names the nearest; RC_BUSY: another process
 * works on it. */
MUST_USE enum rc server_open(const char *base, const char *name,
                             struct server **out, struct err *err);
/* As server_open(), without the lock: to ask, not to change. */
MUST_USE enum rc server_find(const char *base, const char *name,
                             struct server **out, struct err *err);
/* Opens and destroys it; also what is left of one whose making did not end
 * (the name that server_list() gave). */
MUST_USE enum rc server_remove(const char *base, const char *name,
                               struct err *err);
/* The server stays as it is.  NULL is fine. */
void server_close(struct server *s);

/* Other settings (bindir, preset, settings, config, port, keep) from the next
 * start on; kind, name, base and run_as stay. */
MUST_USE enum rc server_configure(struct server *s,
                                  const struct server_spec *spec,
                                  struct err *err);
/* Does nothing when it runs.  On failure nothing of it runs, and the text has
 * the last lines of its log.  RC_CANCELLED when a stop was requested. */
MUST_USE enum rc server_start(struct server *s, struct err *err);
/* In order, so that the data is complete; RC_TIMEOUT: it has not ended yet. */
MUST_USE enum rc server_stop(struct server *s, struct err *err);
/* Of one that runs: what its logs hold of the past goes, so that they do not
 * pile up from run to run. */
MUST_USE enum rc server_purge_logs(struct server *s, struct err *err);
/* At once, data and all.  Where the folder cannot be removed entirely the rest
 * is found by server_list(). */
MUST_USE enum rc server_destroy(struct server *s, struct err *err);

/* ---- questions; borrowed until the next call that changes the server ---- */

bool server_running(const struct server *s);
enum server_kind server_kind(const struct server *s);
const char *server_name(const struct server *s);
const char *server_version(const struct server *s); /* "15.20" */
const char *server_dir(const struct server *s);
const char *server_data_dir(const struct server *s);
const char *server_log_path(const struct server *s);
/* Targets for --db: by the unix socket, by 127.0.0.1. */
const char *server_url(const struct server *s);
const char *server_tcp_url(const struct server *s);
/* Of the server's first process; 0: it does not run. */
int64_t server_pid(const struct server *s);
/* Of disk, that its WAL, redo and binary logs may take beyond what they have
 * now, with its settings. */
uint64_t server_log_bytes(const struct server *s);
/* The same of the server that runs behind this URL; 0: it is none of dyno's. */
uint64_t server_log_bytes_at(const char *url);
/* Data is there. */
bool server_has_data(const struct server *s);

/* ---- all of them ---- */

enum server_status {
    SERVER_RUNNING,
    SERVER_STOPPED,
    SERVER_LEFT_BEHIND, /* of a dyno that has ended without removing it */
    SERVER_UNFINISHED,  /* its making did not end */
};
extern const char *const server_status_names[]; /* "running", … */

/* Texts are valid for the call. */
struct server_info {
    const char *name, *kind, *version, *preset, *dir, *url;
    enum server_status status;
    bool running; /* its process is there; also of one left behind */
    bool busy;    /* a dyno is at work on it now */
    int64_t pid;
    uint64_t port;
    uint64_t disk_bytes;
};

/* Ordered by name; base NULL: server_base().  A base that is not there has
 * none. */
typedef enum rc server_info_fn(void *arg, const struct server_info *info,
                               struct err *err);
MUST_USE enum rc server_list(const char *base, server_info_fn *fn, void *arg,
                             struct err *err);

#endif
