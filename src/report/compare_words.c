/* SPDX-License-Identifier: MIT */
/* Names and values of figures for people. */
#include "base/parse.h"
#include "report/cell.h"
#include "report/compare_report.h"
#include "report/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TXN "transactions."
#define RESPONSE ".response_us."
#define EACH "_per_transaction"
#define NAME_BYTES 96

static bool ends_in(const char *text, size_t len, const char *tail)
{
    const size_t n = strlen(tail);

    return len >= n && !strncmp(text + len - n, tail, n);
}

/* "transactions.payment.response_us.p99" -> "Payment p99" */
static bool label_of_time(const char *workload, const char *figure, char *out,
                          size_t out_len)
{
    const char *response = strstr(figure, RESPONSE);
    char name[NAME_BYTES];
    const char *key;

    if (strncmp(figure, TXN, strlen(TXN)) != 0 || !response)
        return false;
    key = response + strlen(RESPONSE);
    figure += strlen(TXN);
    snprintf(name, sizeof(name), "%.*s", (int)(response - figure), figure);
    snprintf(out, out_len, "%s %s", words_transaction(workload, name),
             strcmp(key, "p999") ? key : "p99.9");
    return true;
}

/* "server.cpu_foreground_us_per_transaction" -> "server: CPU foreground" */
static void label_of_cost(const char *figure, char *out, size_t out_len)
{
    static const char *const units[] = {"_us", "_bytes"};
    size_t len = strlen(figure), at = 0;

    if (ends_in(figure, len, EACH))
        len -= strlen(EACH);
    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        if (ends_in(figure, len, units[i]))
            len -= strlen(units[i]);
    }
    for (size_t i = 0; i < len && at + 3 < out_len; i++) {
        if (figure[i] == '.') {
            out[at++] = ':';
            out[at++] = ' ';
        } else {
            out[at++] = figure[i] == '_' ? ' ' : figure[i];
        }
    }
    out[at] = '\0';
    for (char *cpu = strstr(out, "cpu"); cpu; cpu = strstr(cpu + 3, "cpu"))
        memcpy(cpu, "CPU", 3);
}

void compare_label(const struct comparison *c, const char *figure, char *out,
                   size_t out_len)
{
    const char *workload = c->base->runs[0]->run.workload;

    if (!strcmp(figure, "throughput.nopm"))
        snprintf(out, out_len, "NOPM");
    else if (!strcmp(figure, "throughput.tps"))
        snprintf(out, out_len, "TPS");
    else if (!label_of_time(workload, figure, out, out_len))
        label_of_cost(figure, out, out_len);
}

void compare_value(const char *figure, enum figure_kind kind, double value,
                   char *out)
{
    size_t len = strlen(figure);

    if (!isfinite(value)) {
        snprintf(out, CELL_BYTES, "-");
        return;
    }
    if (ends_in(figure, len, EACH))
        len -= strlen(EACH);
    if (kind == FIGURE_RATE)
        cell_rate(value, out);
    else if (kind == FIGURE_TIME || ends_in(figure, len, "_us"))
        cell_duration(value * (double)NS_PER_US, out);
    else if (ends_in(figure, len, "_bytes") && value < 1e18)
        format_bytes((uint64_t)(value + 0.5), out, CELL_BYTES);
    else if (value < 9.995)
        snprintf(out, CELL_BYTES, "%.2f", value);
    else
        cell_number(value, out);
}
