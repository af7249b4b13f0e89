/* SPDX-License-Identifier: MIT */
#include "report/words.h"

#include <string.h>

/* In the order of enum invalid_reason. */
static const char *const invalid_words[] = {
    "the audit found data or inputs that are not what they must be: do not "
    "use the numbers; the failed checks are listed under Audit",
    "the database counted other commits than the client: was somebody else "
    "writing? run alone on the data, or load it again",
    "a virtual user gave up before the end, so part of the load is missing: "
    "see Errors",
    "no transaction completed in the interval: see Errors, or measure longer "
    "with --duration",
    "more transactions failed than --max-failed allows: see Errors",
    "the planned rate was not reached: lower --rate, or add users with --vus",
    "the interval was cut short, or not all users were active in it: run "
    "again to the end",
};

/* In the order of enum run_warning. */
static const char *const warning_words[] = {
    "some transactions needed more than one try; the waiting is part of their "
    "response time",
    "connections were lost during COMMIT: whether those transactions were "
    "committed is not known, and the accounting allows for them",
    "dyno itself was short of CPU: the database may be faster than shown; "
    "give the client more cores, or use fewer users",
    "throughput was not steady in the interval (warm-up or drift): use a "
    "longer --ramp-up or --duration",
    "too few transactions for some checks of the audit: use a longer "
    "--duration",
    "fewer users than warehouses, so part of the data was not touched: use "
    "more --vus, or --home spread",
};

const char *words_invalid(size_t bit)
{
    return bit < ARRAY_LEN(invalid_words) ? invalid_words[bit] : NULL;
}

const char *words_warning(size_t bit)
{
    return bit < ARRAY_LEN(warning_words) ? warning_words[bit] : NULL;
}

const char *words_audit_level(enum audit_level level)
{
    switch (level) {
    case AUDIT_OFF:
        return "off";
    case AUDIT_QUICK:
        return "quick";
    case AUDIT_FULL:
        return "full";
    }
    return "unknown";
}

const char *words_error_class(enum rc rc)
{
    switch (rc) {
    case RC_DB_RETRY:
        return "retryable";
    case RC_DB_CONSTRAINT:
        return "constraint";
    case RC_DB_GONE:
        return "connection_lost";
    case RC_DB_UNKNOWN:
        return "unknown_outcome";
    case RC_DB_LIMIT:
        return "limit";
    case RC_DB_TIMEOUT:
    case RC_TIMEOUT:
        return "timeout";
    case RC_DB_PERMISSION:
        return "permission";
    case RC_DB_NO_SPACE:
        return "no_space";
    case RC_OK:
    case RC_NOMEM:
    case RC_IO:
    case RC_CANCELLED:
    case RC_USAGE:
    case RC_INVALID:
    case RC_UNSUPPORTED:
    case RC_NOT_FOUND:
    case RC_BUSY:
    case RC_DB_ERROR:
        break;
    }
    return "other";
}

const char *words_call(enum conn_call call)
{
    switch (call) {
    case CALL_EXEC:
        return "statement";
    case CALL_FLIGHT:
        return "flight";
    case CALL_BEGIN:
        return "begin";
    case CALL_COMMIT:
        return "commit";
    }
    return NULL;
}

const char *words_host_source(enum host_source source)
{
    switch (source) {
    case HOST_UNKNOWN:
        return NULL;
    case HOST_OF_BOTH:
        return "client and server";
    case HOST_OF_CLIENT:
        return "client";
    case HOST_OF_PROBE:
        return "probe";
    }
    return NULL;
}

const char *words_transaction(const char *workload, const char *name)
{
    const struct workload *known = workload_find(workload);

    for (size_t i = 0; known && i < known->n_txns; i++) {
        if (!strcmp(known->txns[i].name, name))
            return known->txns[i].label;
    }
    return name;
}

const char *words_disclaimer(const struct workload *workload)
{
    if (!workload || strcmp(workload->name, "tpcc"))
        return NULL;
    return "The workload is derived from TPC-C. These numbers are not audited "
           "TPC results and must not be compared with them.";
}
