/* SPDX-License-Identifier: MIT */
#include "run/config.h"

#include "base/clock.h"
#include "driver/driver.h"

#include <sched.h>

static const char *const on_error_names[] = {"continue", "abort", NULL};
static const char *const arrivals_names[] = {"exponential", "even", NULL};
static const char *const audit_names[] = {"off", "quick", "full", NULL};

const struct opt target_opts[] = {
    OPT_STR(struct target_cfg, db, "db", 0, NULL, "URL",
            "target; left out: SQLite in the results folder"),
    OPT_STR(struct target_cfg, results, "results", 0, "dyno-results", "DIR",
            "folder of stored runs"),
    OPT_BOOL(struct target_cfg, create_database, "create-database", 0, "off",
             "make the target's database when it is missing"),
    OPT_END,
};

const struct opt sql_opts[] = {
    OPT_STR(struct sql_cfg, dir, "sql-dir", 0, NULL, "DIR",
            "files like tpcc/postgres/schema.sql, used instead"),
    OPT_END,
};

const struct opt load_opts[] = {
    OPT_U64(struct load_cfg, seed, "seed", 0, "1", 0, UINT64_MAX, "N",
            "everything random follows from it"),
    OPT_U64(struct load_cfg, threads, "threads", 0, NULL, 1, 1024, "N",
            "worker threads; left out: the number of cores"),
    OPT_BOOL(struct load_cfg, replace, "replace", 0, "off",
             "drop what dyno loaded before, then load"),
    OPT_BOOL(struct load_cfg, resume, "continue", 0, "off",
             "go on with a load that did not end"),
    OPT_BOOL(struct load_cfg, disk_check, "disk-check", 0, "on",
             "refuse to load what the disk cannot hold"),
    OPT_END,
};

const struct opt run_opts[] = {
    OPT_U64(struct run_cfg, vus, "vus", 'u', NULL, 1, 100000, "N",
            "virtual users; left out: one a core, at least 4"),
    OPT_STR(struct run_cfg, connections, "connections", 0, NULL, "N|Nx|N/D|fit",
            "shared by the users; left out: one for each"),
    OPT_BOOL(struct run_cfg, check_limits, "check-limits", 0, "on",
             "refuse connections that the server has no room for"),
    OPT_DUR_FROM(struct run_cfg, duration_ns, "duration", 't', "60s",
                 10 * NS_PER_MS, "TIME", "measurement interval"),
    OPT_U64(struct run_cfg, iterations, "iterations", 0, NULL, 1, INT64_MAX,
            "N", "stop after N transactions in all instead"),
    OPT_DUR(struct run_cfg, ramp_up_ns, "ramp-up", 0, "10s", "TIME",
            "run this long before the interval opens"),
    OPT_STR(struct run_cfg, rate, "rate", 0, NULL, "N/s",
            "open loop: planned starts, latency from the plan"),
    OPT_CHOICE(struct run_cfg, arrivals, "arrivals", 0, "exponential",
               arrivals_names, "exponential|even", "gaps of planned starts"),
    OPT_STR(struct run_cfg, stages, "stages", 0, NULL, "TIME:N,…",
            "users, or a rate (N/s), over time; replaces --duration"),
    OPT_STR(struct run_cfg, pacing, "pacing", 0, "off", "off|spec|FACTOR",
            "keying and think times of the users, times FACTOR"),
    OPT_STR(struct run_cfg, composition, "composition", 0, NULL, "NAME",
            "literal, batched; left out: literal in-process, else batched"),
    OPT_CHOICE(struct run_cfg, isolation, "isolation", 0, "default",
               isolation_names, "LEVEL", "of the transactions"),
    OPT_BOOL(struct run_cfg, prepare, "prepare", 0, "on",
             "statements are prepared on the server"),
    OPT_DUR(struct run_cfg, statement_timeout_ns, "statement-timeout", 0, "0",
            "TIME", "end a statement that takes longer; 0: never"),
    OPT_U64(struct run_cfg, max_tries, "max-tries", 0, "100", 1, 1000000, "N",
            "tries of a transaction, with the same inputs"),
    OPT_CHOICE(struct run_cfg, on_error, "on-error", 0, "continue",
               on_error_names, "continue|abort", "after a failed transaction"),
    OPT_SHARE(struct run_cfg, max_failed, "max-failed", 0, "0", "SHARE",
              "more failed transactions make a run not valid"),
    OPT_DUR(struct run_cfg, drain_ns, "drain", 0, "10s", "TIME",
            "wait so long for what still runs at the end"),
    OPT_CHOICE(struct run_cfg, audit, "audit", 0, "full", audit_names,
               "full|quick|off", "check inputs and data after the run"),
    OPT_STRS(struct run_cfg, checks, "checks", 0, "NAME,…",
             "audit only these checks or groups of them"),
    OPT_STRS(struct run_cfg, thresholds, "threshold", 0, "EXPR",
             "new_order.p99<50ms, errors<0.1%, tpm>9000@10s; repeatable"),
    OPT_STR(struct run_cfg, name, "name", 0, NULL, "NAME",
            "of the stored run; left out: made from the settings"),
    OPT_STR(struct run_cfg, server_name, "server-name", 0, NULL, "NAME",
            "of the server, in that name; left out: the driver's"),
    OPT_STRS(struct run_cfg, labels, "label", 0, "KEY=VALUE",
             "stored with the run; may be repeated"),
    OPT_DUR(struct run_cfg, progress_ns, "progress", 0, "1s", "TIME",
            "a line of progress so often; 0 for none"),
    OPT_BOOL(struct run_cfg, statement_stats, "statement-stats", 0, "off",
             "percentiles for each statement too"),
    OPT_DUR_FROM(struct run_cfg, series_ns, "interval", 0, "1s",
                 100 * NS_PER_MS, "TIME",
                 "length of the intervals of the series"),
    OPT_BOOL(struct run_cfg, telemetry, "telemetry", 0, "on",
             "measure what the run costs machine, server and dyno"),
    OPT_STR(struct run_cfg, host_probe, "host-probe", 0, NULL, "COMMAND",
            "prints the figures of the server's machine"),
    OPT_END,
};

uint64_t cores_available(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof(set), &set))
        return 1;
    return (uint64_t)CPU_COUNT(&set);
}

uint64_t default_vus(void)
{
    const uint64_t cores = cores_available();

    return cores < 4 ? 4 : cores;
}
