/* SPDX-License-Identifier: MIT */
/* Shared by server*.c and kind_*.c. */
#ifndef LAB_SERVER_INT_H
#define LAB_SERVER_INT_H

#include "base/buf.h"
#include "lab/child.h"
#include "lab/port.h"
#include "lab/server.h"

#define SERVER_NAME_MAX 63
#define SERVER_PATH_BYTES 4096
#define SERVER_ARENA_MAX ((size_t)4 << 20)
#define SERVER_STATE_FILE "state.yaml"
/* Folders whose making did not end. */
#define SERVER_NEW_PREFIX ".new-"
/* Others in the base: snapshots, passwords. */
#define SERVER_USER "dyno"
#define SERVER_DATABASE "dyno"

/* What is kept of a server between processes: flat YAML. */
struct server_state {
    int kind, preset;
    const char *version; /* of the program, when the data was made */
    const char *bindir, *basedir;
    const char *run_as; /* NULL: the caller */
    const char *socket_dir;
    struct opt_strs settings;
    bool has_config; /* config.user is there */
    bool keep;
    bool made;       /* the data is complete */
    bool port_given; /* by the user: no other will do */
    uint64_t port;
    uint64_t pid, start_ticks;
    const char *boot; /* that the process belongs to */
};

struct server {
    struct opt_set known; /* of the state, as it was read; its texts */
    struct arena arena;   /* of all other texts */
    struct server_state state;
    const struct kind *kind;
    struct child_user user;
    const char *base, *name, *dir, *data_dir, *log_path;
    const char *url, *tcp_url;
    int lock_fd;
    uint64_t log_begin; /* of this start */
};

/* ---- what differs between kinds: kind_postgres.c, kind_mysql.c ---- */

struct kind {
    const char *name;         /* "postgres" */
    const char *product;      /* "PostgreSQL" */
    const char *setting;      /* an example for messages */
    const char *const *users; /* candidates of --run-as */
    int stop_signal;          /* in order, whoever is connected */
    int quit_signal;          /* at once */
    const char *socket_file;  /* printf form with the port, in socket_dir */
    /* Settings that are dyno's own. */
    const char *const *reserved;
    /* Those that shape the data. */
    const char *const *shaping;
    /* Finds the programs in bindir, or by itself when that is NULL, and the
     * version; sets state.bindir, basedir, version. */
    enum rc (*find)(struct server *s, const char *bindir, struct err *err);
    /* Makes the data in the empty folder. */
    enum rc (*init)(struct server *s, struct err *err);
    /* Writes the configuration. */
    enum rc (*configure)(struct server *s, struct err *err);
    /* Fills argv (of cap entries) for the server. */
    enum rc (*command)(struct server *s, const char **argv, size_t cap,
                       struct err *err);
    /* The parts of versions that must be equal for the data to fit. */
    unsigned version_parts;
    enum rc (*make_urls)(struct server *s, struct err *err);
    const char *rotate_sql; /* of the logs; NULL: no need */
    const char *purge_sql;
    /* What a new server takes, measured, without logs that it makes in full at
     * once. */
    uint64_t empty_bytes;
    bool logs_at_once;
};

extern const struct kind postgres_kind;
extern const struct kind mariadb_kind;
extern const struct kind mysql_kind;
const struct kind *server_kind_of(enum server_kind kind);

/* ---- server_spec.c ---- */

/* RC_USAGE: it is not NAME=VALUE, or dyno's own matter. */
MUST_USE enum rc server_check_setting(const struct kind *kind, const char *text,
                                      struct err *err);

/* The setting is one that shapes the data. */
bool server_setting_shapes(const struct kind *kind, const char *text);

/* ---- server_make.c ---- */

/* Without anything; NULL: no memory. */
struct server *server_new(void);
/* Absolute; NULL: server_base(). */
MUST_USE enum rc server_find_base(struct server *s, const char *base,
                                  struct err *err);
/* By base and name. */
MUST_USE enum rc server_set_paths(struct server *s, struct err *err);
/* RC_BUSY: another process has it. */
MUST_USE enum rc server_lock(struct server *s, const char *path,
                             struct err *err);

/* ---- server_open.c ---- */

/* As server_open() without the lock, of any name: for those who only look. */
MUST_USE enum rc server_look(const char *base, const char *name,
                             struct server **out, struct err *err);

/* ---- server.c ---- */

/* Finds the programs in state.bindir; RC_INVALID: they are of a version that
 * cannot use the data. */
MUST_USE enum rc server_check_version(struct server *s, struct err *err);
/* Of a stopped server: removes its data, so that the next start makes some. */
MUST_USE enum rc server_forget_data(struct server *s, struct err *err);
/* What is in the data folder now is complete. */
MUST_USE enum rc server_take_data(struct server *s, struct err *err);

/* ---- server_state.c ---- */

/* RC_NOT_FOUND: there is none. */
MUST_USE enum rc server_state_read(struct server *s, struct err *err);
/* Complete or not at all. */
MUST_USE enum rc server_state_write(const struct server *s, struct err *err);
/* The process in the state; {0} when that was before the machine's start. */
struct process server_process(const struct server *s);
/* Forgets it, or keeps a new one. */
MUST_USE enum rc server_state_process(struct server *s, struct process p,
                                      struct err *err);

/* ---- server_files.c ---- */

/* A path in the server's folder; NULL: no memory. */
const char *server_path(struct server *s, const char *name);
/* Writes a file in the server's folder, readable by the server's user; secret:
 * by nobody else. */
MUST_USE enum rc server_write_file(struct server *s, const char *name,
                                   const struct buf *text, bool secret,
                                   struct err *err);
/* A folder in the server's folder that belongs to the server's user. */
MUST_USE enum rc server_give_folder(struct server *s, const char *path,
                                    struct err *err);
/* The password of all servers in the base, made when there is none. */
MUST_USE enum rc server_password(struct server *s, const char **out,
                                 struct err *err);
/* LOCK_SH while a server's folder appears in the base, LOCK_EX to find out
 * that there is none; close *out_fd, which may be -1. */
enum rc server_base_lock(const struct server *s, int how, int *out_fd);
/* The password goes with the last server, when no snapshot needs it. */
void server_base_tidy(const char *base);
/* The log, for appending; -1 with an error. */
MUST_USE enum rc server_log_open(struct server *s, int *out_fd,
                                 struct err *err);
/* Adds the last lines of this start, or its first error, to the error. */
void server_log_quote(const struct server *s, struct err *err);
/* Absolute, links resolved; NULL, with errno: there is no such file. */
const char *server_real_path(struct server *s, const char *path);
/* Percent-encoded, for URLs. */
const char *server_encode(struct arena *arena, const char *text);

/* ---- server_programs.c ---- */

/* DIR/NAME can be executed. */
bool server_has_program(const char *dir, const char *name);
/* Runs PROGRAM --version, and finds the first number "N.N…" behind `after` in
 * what it says; *out_line (may be NULL) is all of it. */
MUST_USE enum rc server_ask_version(struct server *s, const char *program,
                                    const char *after, const char **out,
                                    const char **out_line, struct err *err);
MUST_USE enum rc server_run_program(struct server *s, const char *const *argv,
                                    struct err *err);
/* The settings in order of strength: preset, then the user's. */
typedef void setting_fn(void *arg, const char *name, const char *value);
MUST_USE enum rc server_each_preset(struct server *s, setting_fn *fn, void *arg,
                                    struct err *err);
void server_each_setting(const struct server *s, setting_fn *fn, void *arg);

/* ---- server_logs.c ---- */

/* RC_DB_NO_SPACE, with the numbers, where new data does not fit. */
MUST_USE enum rc server_check_room(struct server *s, struct err *err);

/* ---- server_answer.c ---- */

/* Waits until it takes connections, and makes the database. */
MUST_USE enum rc server_await(struct server *s, struct err *err);

#endif
