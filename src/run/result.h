/* SPDX-License-Identifier: MIT */
/*
 * What a run found out: everything that the reports print, and nothing that
 * was not measured.  Filled by run.c, read by report/ and cli/.
 *
 * Over the measurement interval, for each transaction:
 *   completed = committed + rolled_back
 *   ended     = completed + failed + unknown     (one for each input drawn)
 * Tries are ended + retries.  A transaction belongs to the interval in which
 * it ends.
 */
#ifndef RUN_RESULT_H
#define RUN_RESULT_H

#include "base/opt.h"
#include "engine/loop.h"
#include "run/course.h"
#include "run/preflight.h"
#include "stats/hist.h"
#include "telemetry/telemetry.h"
#include "workload/workload.h"

#define RESULT_TXNS_MAX 16
#define RESULT_ERRORS_MAX 32
#define RESULT_INPUTS_MAX 48
#define RESULT_FACTS_MAX 128
#define RESULT_THRESHOLDS_MAX 32

#define RESULT_STATEMENTS_MAX 96

struct outcome_counts {
    uint64_t committed;
    uint64_t rolled_back; /* as intended */
    uint64_t failed;
    uint64_t unknown; /* connection lost during COMMIT */
    uint64_t retries;
};

struct txn_result {
    const struct txn_type *type;
    struct outcome_counts measured; /* in the measurement interval */
    struct outcome_counts life;     /* from the first to the last */
    /* In the interval, of first tries. */
    uint64_t statements, round_trips;
    uint64_t bytes_sent, bytes_received; /* of the protocol; 0: not known */
    /* In the interval: waiting in queues of dyno's own; of which late after
     * the planned start, and for a connection; the rest for a turn (SQLite's
     * writers). */
    int64_t wait_ns;
    int64_t late_ns, conn_wait_ns;
    struct hist *response; /* from the intended start to the final outcome */
    struct hist *service;  /* response less waiting in dyno's queues */
    struct hist *wait;     /* that waiting, of those that waited at all */
};

/* What the calls of one transaction took, each with one round trip or several
 * statements (--statement-stats). */
struct statement_result {
    size_t txn;
    enum conn_call call;
    const char *name; /* of the step, NULL: BEGIN or COMMIT alone */
    struct hist *time;
};

/* One kind of error: counted, its first text kept. */
struct run_error {
    size_t txn; /* index; n_txns: outside transactions (connecting) */
    enum rc rc;
    int native;
    char sqlstate[6];
    uint64_t count;
    char text[256];
};

struct named_value {
    const char *name;
    double value;
    uint64_t n; /* draws behind it */
};

struct named_text {
    const char *name, *value;
};

/* As on the command line, without the dashes before it. */
struct named_setting {
    const char *name, *value, *source; /* value may be NULL */
};

/* DESIGN: validity has a closed list of reasons. */
enum invalid_reason {
    INVALID_AUDIT_FAILED = 1,
    INVALID_ACCOUNTING_MISMATCH = 2,
    INVALID_USER_DIED = 4,
    INVALID_NOTHING_COMPLETED = 8,
    INVALID_TOO_MANY_FAILED = 16,
    INVALID_RATE_NOT_SUSTAINED = 32,
    INVALID_WINDOW_INCOMPLETE = 64,
};

enum run_warning {
    WARN_RETRIES = 1,
    WARN_UNKNOWN_OUTCOMES = 2,
    WARN_CLIENT_BOUND = 4,
    WARN_NOT_STEADY = 8,
    WARN_NOT_ENOUGH_DATA = 16,
    WARN_FEW_USERS_FOR_SCALE = 32,
};

/* Names of the bits, "audit_failed"; NULL past the last. */
const char *invalid_reason_name(size_t bit);
const char *run_warning_name(size_t bit);

struct accounting {
    bool done;
    int64_t client; /* commits seen by the client, over the whole life */
    int64_t db;     /* change of the database's own count */
    int64_t unknown;
    int64_t difference; /* db - client; must lie in [0, unknown] */
    /* All transactions: what the client saw, and the server's own count of
     * commits in this database, which holds everybody's. */
    int64_t client_commits, client_completed;
    bool server_counts;
    int64_t server_commits;
};

/* Of an open loop, over the interval. */
struct rate_result {
    bool planned;
    double target_per_s;         /* average over the interval */
    uint64_t n_planned, n_begun; /* starts; the rest found nobody free */
    int64_t behind_from_ns;      /* never caught up from then on; -1: kept */
};

/* Of users that key and think. */
struct pacing_result {
    double factor;           /* of the times; 0: not paced */
    double bound_per_user;   /* NOPM if every answer came at once */
    double nopm_of_response; /* what the mean response time allows */
};

enum threshold_kind { THRESHOLD_NUMBER, THRESHOLD_SHARE, THRESHOLD_TIME };

struct threshold_result {
    const char *text; /* as given */
    bool passed;
    bool measured; /* else there was nothing to judge, and it is not passed */
    enum threshold_kind kind;
    double value;          /* the worst of all windows; times in ns */
    int64_t window_ns;     /* 0: the whole interval */
    int64_t worst_from_ns; /* when that window began in the interval */
};

/* When the database did nothing in the interval; by looks every 20 ms. */
struct outage_result {
    int64_t no_connection_ns; /* there was none at all */
    int64_t silent_ns; /* for a second or more nothing ended that had begun */
    int64_t longest_ns, longest_from_ns; /* of either */
};

struct run_result {
    const struct workload *workload;
    const char *composition;
    const char *note; /* on the composition, NULL: none */
    /* Statements of the user's own (--sql-dir), "tpcc/sqlite/schema.sql", and
     * a hash of all; 0: none. */
    const char *const *own_sql;
    size_t n_own_sql;
    char own_sql_hash[17];
    const char *name;   /* of the run, "001_sqlite_s1_v4_c4" or the user's */
    uint64_t number;    /* in the results folder */
    const char *target; /* URL without password */
    const char *driver;
    bool in_process; /* the client's CPU and memory are the database's too */
    uint64_t scale;
    uint64_t seed, data_seed; /* of this run, of the data's load */
    bool no_database;         /* a target that executes nothing */
    uint64_t n_vus, n_conns, n_threads;
    bool shared_conns; /* users share them */
    struct rate_result rate;
    struct pacing_result pacing;
    struct outage_result outage;
    struct run_course course;
    struct steady steady;
    struct threshold_result thresholds[RESULT_THRESHOLDS_MAX];
    size_t n_thresholds;
    const struct opt_set *options; /* settings with their sources */
    /* Instead, of a run that was stored. */
    const struct named_setting *settings;
    size_t n_settings;
    int64_t started_wall_us;
    bool complete;            /* else partial, and why */
    char partial_reason[256]; /* empty when complete */
    /* Loading before the run; 0 rows when the data was there. */
    uint64_t load_rows;
    int64_t load_ns;
    int64_t ramp_up_ns;  /* until the interval opened */
    int64_t interval_ns; /* real length, one monotonic clock */
    struct txn_result txns[RESULT_TXNS_MAX];
    size_t n_txns;
    struct statement_result statements[RESULT_STATEMENTS_MAX];
    size_t n_statements;
    uint64_t statements_not_listed; /* calls beyond the table */
    /* Of the users in the interval. */
    uint64_t users_active, users_died, users_abandoned;
    uint64_t users_cancelled; /* hung in the database when the drain ended */
    uint64_t fewest_of_a_user, most_of_a_user; /* ended transactions */
    struct accounting accounting;
    struct audit audit;
    bool audited;
    int64_t audit_ns;
    struct named_value inputs[RESULT_INPUTS_MAX];
    size_t n_inputs;
    struct named_text facts[RESULT_FACTS_MAX]; /* product, version, settings */
    size_t n_facts;
    struct run_error errors[RESULT_ERRORS_MAX];
    size_t n_errors;
    uint64_t errors_not_listed; /* kinds beyond the table, counted together */
    /* The client, in the interval. */
    int64_t client_cpu_ns;
    uint64_t rss_start_bytes, rss_end_bytes, rss_peak_bytes;
    uint64_t run_path_allocations; /* UINT64_MAX: not known */
    struct loop_lag lag;
    struct preflight preflight;
    struct telemetry_result telemetry;
    char client_bound[120]; /* why dyno itself was the limit; empty: was not */
    unsigned invalid;       /* enum invalid_reason */
    unsigned warnings;      /* enum run_warning */
    struct arena arena;     /* owns the texts */
};

void result_init(struct run_result *r);
void result_release(struct run_result *r);
/* Keeps what asset_override() replaced; false when there is no memory. */
MUST_USE bool result_keep_own_sql(struct run_result *r);

static inline bool result_valid(const struct run_result *r)
{
    return r->invalid == 0;
}

static inline bool result_thresholds_passed(const struct run_result *r)
{
    for (size_t i = 0; i < r->n_thresholds; i++) {
        if (!r->thresholds[i].passed)
            return false;
    }
    return true;
}

/* Each setting in order; that of the target is shown without a password. */
typedef void result_setting_fn(void *arg, const struct named_setting *setting);
void result_each_setting(const struct run_result *r, result_setting_fn *fn,
                         void *arg);

/* Threads are left that hang in the database: they may still use what they
 * share with the rest. */
static inline bool result_abandoned(const struct run_result *r)
{
    return r->users_abandoned > 0 || r->telemetry.abandoned;
}

/* Sums over the transactions, in the interval. */
struct outcome_counts result_total(const struct run_result *r);
uint64_t outcome_completed(const struct outcome_counts *o);
uint64_t outcome_ended(const struct outcome_counts *o);
/* A count as a rate over the interval, for each second; 0 when it is empty. */
double result_per_second(const struct run_result *r, uint64_t n);
/* The counted transaction's committed (or completed) ones for each minute;
 * negative when the workload or the mix has none. */
double result_nopm(const struct run_result *r, bool completed);
/* Sum of the statements (or round trips) of first tries over ended ones. */
double result_statements_per_txn(const struct run_result *r);
double result_round_trips_per_txn(const struct run_result *r);

#endif
