/* SPDX-License-Identifier: MIT */
/*
 * The workload interface.  A workload is one const table, written once over
 * the driver interface; what differs between databases is in the .sql files of
 * its dialects.
 *
 * A dataset is the data of one workload on one opened target, for the time of
 * one command.  A user (virtual user, VU) is one closed loop of transactions;
 * the workload keeps its random streams, the connection its prepared steps,
 * the run the connections and the times.
 */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include "base/opt.h"
#include "driver/driver.h"
#include "stats/interval.h"
#include "workload/audit.h"

#include <stdatomic.h>

struct dataset;
struct vu;

/* What is found on the target. */
enum data_status {
    DATA_ABSENT,
    DATA_LOADED,  /* by dyno, complete */
    DATA_PARTIAL, /* by dyno, its load did not end */
    DATA_FOREIGN, /* tables of these names that dyno did not create */
};

struct data_info {
    enum data_status status;
    uint64_t scale; /* warehouses, when status is LOADED or PARTIAL */
    uint64_t seed;
    char detail[256]; /* for FOREIGN and PARTIAL: which table, since when */
    bool lost;        /* PARTIAL, and no load can go on with it */
};

/* A load goes in phases, each of pieces that any thread may do in any order;
 * a phase begins when the one before has ended. */
struct load_phase {
    const char *name; /* "rows", "keys and indexes" */
    size_t n_pieces;
    bool makes_rows; /* its progress is in rows, that of others in pieces */
};

struct load_needs {
    uint64_t data_bytes; /* what will stay */
    uint64_t log_bytes;  /* what is needed beside it on the way */
    uint64_t seconds;
    uint64_t txn_bytes; /* that a transaction of a run leaves, on average */
};

/* How far a load is, counted by its threads, and the wish that it stop.  All
 * of it is for progress: relaxed, no other data behind it. */
struct load_tally {
    _Atomic uint64_t n_rows, n_bytes;
    _Atomic size_t n_pieces; /* of the phase that runs */
    _Atomic size_t n_kept;   /* pieces that will not be lost */
    _Atomic bool stop;
};

static inline bool load_stopped(const struct load_tally *tally)
{
    return atomic_load_explicit(&tally->stop, memory_order_relaxed);
}

struct txn_type {
    const char *name;  /* "new_order" */
    const char *label; /* "New-Order" */
};

/* With --pacing: what a user needs before a transaction, and on average after
 * it. */
struct txn_pace {
    int64_t keying_ns, think_ns;
};

/* Receives a measured share or mean of the inputs drawn, with the number of
 * draws behind it. */
typedef void input_fn(void *arg, const char *name, double value, uint64_t n);

struct workload {
    const char *name, *summary;
    /* "warehouses"; NULL when it has no data: then inspect to drop, run_begin,
     * committed, inputs and audit are NULL too. */
    const char *scale_name;
    uint64_t default_scale; /* of a load that says none; 0: 1 */
    const struct txn_type *txns;
    size_t n_txns;
    const struct txn_pace *paces; /* n_txns of them; NULL: no pacing */
    /* Index of the transaction whose commits the database counts itself
     * (accounting, NOPM); n_txns when there is none. */
    size_t counted_txn;
    /* Users may execute on any connection of their worker's that any of them
     * prepared (--connections); false: each needs one of its own, always. */
    bool shares_conns;
    /* Options of its own, filled into a structure of cfg_bytes. */
    const struct opt *opts;
    size_t cfg_bytes;
    /* Names of those that shape the data, scale_name apart; ends in NULL; NULL:
     * none does. */
    const char *const *schema;

    /* Optional, of a workload that a file describes, a script.  Whether a word
     * of the command line names one. */
    bool (*is_file)(const char *word);
    /* Its options, from the arena, in place of opts; what shall be done with it
     * is a command, or "run". */
    enum rc (*describe)(struct arena *arena, const char *file,
                        const char *command, const struct opt **out_opts,
                        void *cfg, struct err *err);

    /* Checks the options together, parses the SQL of the target's dialect.
     * ds->state is the workload's from here to close(). */
    enum rc (*open)(struct dataset *ds, struct err *err);
    void (*close)(struct dataset *ds);

    CORO_SLOT enum rc (*inspect)(struct dataset *ds, struct conn *c,
                                 struct data_info *out, struct err *err);
    /* Rows that a load of ds->scale makes in all, for progress. */
    uint64_t (*n_rows)(const struct dataset *ds);
    /* What a load of ds->scale will take; false where nobody has measured it.
     * Optional. */
    /* Optional.  What is wrong with the options of a load, before anything is
     * touched. */
    enum rc (*load_check)(const struct dataset *ds, struct err *err);
    /* Optional.  The same, of what only the server knows; changes nothing that
     * outlives the connection. */
    CORO_SLOT enum rc (*load_probe)(struct dataset *ds, struct conn *c,
                                    struct err *err);
    bool (*load_needs)(const struct dataset *ds, struct load_needs *out);
    /* Tables, empty, marked as being loaded.  n_streams: how many threads will
     * load them. */
    CORO_SLOT enum rc (*load_begin)(struct dataset *ds, struct conn *c,
                                    size_t n_streams, struct err *err);
    /* Instead of it, for data that is complete: only what ds->verify asks for
     * is to be done. */
    CORO_SLOT enum rc (*verify_begin)(struct dataset *ds, struct conn *c,
                                      struct err *err);
    /* Instead of it: finds out what an unfinished load has done. */
    CORO_SLOT enum rc (*load_resume)(struct dataset *ds, struct conn *c,
                                     struct load_tally *tally, struct err *err);
    /* What follows load_begin or load_resume; false behind the last phase. */
    bool (*load_phase)(const struct dataset *ds, size_t phase,
                       struct load_phase *out);
    /* One piece; nothing is done when that has happened before.  c is a
     * connection of the calling thread.  Stops with RC_CANCELLED soon after
     * *tally->stop is set. */
    CORO_SLOT enum rc (*load_piece)(struct dataset *ds, size_t phase,
                                    size_t piece, struct conn *c,
                                    struct load_tally *tally, struct err *err);
    /* The data is marked complete. */
    CORO_SLOT enum rc (*load_end)(struct dataset *ds, struct conn *c,
                                  struct err *err);
    /* Removes the tables that dyno made; refuses foreign ones. */
    CORO_SLOT enum rc (*drop)(struct dataset *ds, struct conn *c,
                              struct err *err);

    /* Before the users start: the constants of this run.  n_vus is their
     * number.  The data is marked as used. */
    CORO_SLOT enum rc (*run_begin)(struct dataset *ds, struct conn *c,
                                   uint64_t n_vus, struct err *err);
    /* Optional.  After the users have ended. */
    CORO_SLOT enum rc (*run_end)(struct dataset *ds, struct conn *c,
                                 struct err *err);
    /* With is_file: a command of the file's.  Called once for each user, on
     * any thread, with a connection of its own. */
    CORO_SLOT enum rc (*command)(struct dataset *ds, const char *name,
                                 size_t number, size_t n_users, struct conn *c,
                                 struct err *err);
    /* Optional, on the controlling thread: an interval ("report_intermediate"),
     * or the whole ("report_cumulative").  True when it was shown. */
    bool (*report)(struct dataset *ds, const char *name,
                   const struct interval *interval, struct vu *const *vus,
                   size_t n_vus, struct err *err);
    /* The database's own count of committed counted_txn transactions. */
    CORO_SLOT enum rc (*committed)(struct dataset *ds, struct conn *c,
                                   int64_t *out, struct err *err);

    /* A user, numbered from 0; freed with vu_free.  No allocation after it. */
    enum rc (*vu_new)(struct dataset *ds, uint64_t number, struct vu **out,
                      struct err *err);
    void (*vu_free)(struct vu *vu);
    /* Prepares what users run on a connection, once for each connection, by
     * conn_prepare_as(); vu is the user that opened it. */
    CORO_SLOT enum rc (*vu_prepare)(struct vu *vu, struct conn *c,
                                    struct err *err);
    /* Draws the next transaction and its inputs; returns its index. */
    size_t (*draw)(struct vu *vu);
    /* One try of what was drawn, from BEGIN to COMMIT or ROLLBACK.  RC_OK with
     * *rolled_back set is the intended rollback.  On failure the transaction
     * may still be open; the run rolls back.  May be called again for the same
     * inputs. */
    CORO_SLOT enum rc (*execute)(struct vu *vu, struct conn *c,
                                 bool *rolled_back);
    /* The user's transaction has this final outcome; called once for each
     * draw.  Optional. */
    void (*finished)(struct vu *vu, bool committed);
    /* Optional.  The user's part is over; called once, with its connection,
     * which may be lost. */
    CORO_SLOT enum rc (*vu_leave)(struct vu *vu, struct conn *c);
    /* Optional.  Whether the user ends here; *out_lost: it cannot go on, which
     * is a failure. */
    bool (*ends)(const struct vu *vu, bool *out_lost);
    /* Optional.  Whether the last execute returned RC_INVALID for a reason of
     * the workload's own, not the driver's; the text goes to err (or NULL). */
    bool (*error)(const struct vu *vu, struct err *err);
    /* Reports the inputs that these users drew, added up. */
    void (*inputs)(const struct dataset *ds, struct vu *const *vus,
                   size_t n_vus, input_fn *fn, void *arg);

    /* What audits may check, AUDIT_ACCOUNTING among it. */
    const struct audit_def *checks;
    size_t n_checks;
    /* Optional.  Checks what these users drew; needs no database. */
    void (*audit_inputs)(const struct dataset *ds, struct vu *const *vus,
                         size_t n_vus, struct audit *audit);
    /* Optional.  Checks a sample of what the database gave them. */
    CORO_SLOT enum rc (*audit_outputs)(struct dataset *ds, struct conn *c,
                                       struct vu *const *vus, size_t n_vus,
                                       struct audit *audit, struct err *err);
    /* Checks the data; results go into the audit.  RC_OK when the checks could
     * be made, passed or not. */
    CORO_SLOT enum rc (*audit)(struct dataset *ds, struct conn *c,
                               struct audit *audit, struct err *err);
};

struct dataset {
    const struct workload *workload; /* open() may put a copy here, with
                                      * transactions of its own (scripts) */
    struct db *db;
    const void *cfg;               /* the workload's options, cfg_bytes */
    const struct opt_set *options; /* of the command, or NULL */
    uint64_t scale;                /* warehouses; 0 until known */
    uint64_t seed;                 /* of this command */
    uint64_t data_seed; /* of the load; the same until another is found */
    const char *composition;
    const char *note; /* on the composition, for the report; NULL: none */
    /* Users for each unit of scale when paced; 0: pacing is not for it. */
    unsigned paced_users;
    struct arena arena; /* lives as long as the dataset */
    bool verify;        /* a load ends with a comparison of all values */
    void *state;        /* the workload's */
};

/* First member of each workload's own structure. */
struct vu {
    struct dataset *ds;
    uint64_t number;
};

extern const struct workload *const workload_table[];
extern const size_t workload_count;
const struct workload *workload_find(const char *name); /* NULL if unknown */

#endif
