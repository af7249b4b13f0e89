/* SPDX-License-Identifier: MIT */
/*
 * The client's own ceiling: the workload's inputs are drawn and every latency
 * is recorded, but no database is asked.  A result near these figures says
 * more about the client than about the database.
 */
#include "base/log.h"
#include "base/parse.h"
#include "cli/cli.h"
#include "run/run.h"

#include <stdio.h>

struct baseline_cmd {
    int64_t duration_ns;
    uint64_t warehouses, vus_per_thread, threads;
    int format; /* enum cli_format */
};

static const char *const format_names[] = {"text", "json", NULL};

static const struct opt baseline_opts[] = {
    OPT_DUR_FROM(struct baseline_cmd, duration_ns, "duration", 't', "3s",
                 10 * NS_PER_MS, "TIME", "measurement interval of each line"),
    OPT_U64(struct baseline_cmd, vus_per_thread, "vus", 'u', "8", 1, 100000,
            "N", "virtual users for each thread"),
    OPT_U64(struct baseline_cmd, threads, "threads", 0, NULL, 1, 1024, "N",
            "most worker threads; left out: the number of cores"),
    OPT_CHOICE(struct baseline_cmd, format, "format", 0, "text", format_names,
               "text|json", "of the figures on standard output"),
    OPT_END,
};

/* One line: so many threads. */
static enum rc measure(struct cli *cli, const struct baseline_cmd *cmd,
                       uint64_t threads, struct run_result *out,
                       struct err *err)
{
    const struct session_args session_args = {
        .url = "noop:",
        .workload = cli->workload,
        .workload_cfg = cli->workload_cfg,
        .composition = "literal",
        .seed = 1,
    };
    const struct run_cfg cfg = {
        .vus = cmd->vus_per_thread * threads,
        .duration_ns = cmd->duration_ns,
        .ramp_up_ns = NS_PER_S / 2,
        .max_tries = 1,
        .prepare = true,
        .drain_ns = NS_PER_S,
    };
    const struct run_args run_args = {
        .cfg = &cfg,
        .threads = threads,
        .quiet = true,
    };
    struct data_info info;
    struct session session;
    enum rc rc;

    rc = session_open(&session_args, &session, err);
    if (rc)
        return rc;
    rc = session_inspect(&session, &info, err);
    if (!rc)
        rc = session_check_data(&session, &info, err);
    if (!rc)
        rc = run_workload(&session, &run_args, out, err);
    session_close(&session);
    return rc;
}

static void print_line(const struct baseline_cmd *cmd, uint64_t threads,
                       const struct run_result *r)
{
    const struct outcome_counts sum = result_total(r);
    const double rate = result_per_second(r, outcome_completed(&sum));
    const double n = (double)outcome_completed(&sum);
    const double cpu_ns = n > 0 ? (double)r->client_cpu_ns / n : 0;
    char text[32];

    format_count((uint64_t)rate, text, sizeof(text));
    if (cmd->format == FORMAT_JSON)
        printf("{\"threads\":%llu,\"transactions_per_s\":%.0f,"
               "\"client_cpu_ns_per_transaction\":%.1f}\n",
               (unsigned long long)threads, rate, cpu_ns);
    else
        printf("%7llu  %16s  %18.0f\n", (unsigned long long)threads, text,
               cpu_ns);
    fflush(stdout);
}

static int measure_all(struct cli *cli, const struct baseline_cmd *cmd)
{
    const uint64_t most = cmd->threads ? cmd->threads : cores_available();

    if (cmd->format == FORMAT_TEXT)
        printf("%s on no database: inputs drawn, latencies recorded\n\n"
               "threads  transactions/s  CPU ns/transaction\n",
               cli->workload->name);
    for (uint64_t n = 1;; n = n * 2 < most ? n * 2 : most) {
        struct run_result result;
        struct err err = {0};
        enum rc rc;

        result_init(&result);
        rc = measure(cli, cmd, n, &result, &err);
        if (!rc)
            print_line(cmd, n, &result);
        result_release(&result);
        if (rc)
            return cli_fail(&err);
        if (!result.complete)
            return EXIT_PARTIAL;
        if (n >= most)
            return EXIT_DONE;
    }
}

static int baseline_main(const struct command *self, int argc, char **argv)
{
    struct baseline_cmd cmd = {0};
    struct cli cli;
    int code;

    cli_init(&cli, self);
    opt_set_add(&cli.opts, "Baseline", baseline_opts, &cmd);
    if (cli_parse(&cli, CLI_WORKLOAD_OR_FIRST, argc, argv, &code))
        code = measure_all(&cli, &cmd);
    cli_release(&cli);
    return code;
}

const struct command baseline_command = {
    .name = "baseline",
    .usage = "[WORKLOAD] [OPTION…]",
    .summary = "the client's own ceiling: no database",
    .run = baseline_main,
};
