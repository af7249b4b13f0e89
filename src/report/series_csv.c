/* SPDX-License-Identifier: MIT */
#include "report/series_csv.h"

#include "base/clock.h"
#include "report/run_list.h"
#include "stats/hist_log.h"

#include <inttypes.h>
#include <string.h>

static const char *phase_name(enum interval_phase phase)
{
    switch (phase) {
    case PHASE_RAMP_UP:
        return "ramp_up";
    case PHASE_MEASURE:
        return "measure";
    case PHASE_DRAIN:
        return "drain";
    }
    return "";
}

static double us(int64_t ns)
{
    return (double)ns / (double)NS_PER_US;
}

static double seconds(int64_t ns)
{
    return (double)ns / (double)NS_PER_S;
}

/* Empty where nothing was recorded. */
static void put_figures(const struct hist_figures *f, FILE *out)
{
    if (f->n == 0) {
        fputs(",,,,,,,", out);
        return;
    }
    fprintf(out, ",%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f",
            us(f->sum_ns) / (double)f->n, us(f->p50_ns), us(f->p90_ns),
            us(f->p95_ns), us(f->p99_ns), us(f->p999_ns), us(f->max_ns));
}

static void put_txn(const struct interval *it, const struct interval_txn *t,
                    FILE *out)
{
    const uint64_t completed = t->committed + t->rolled_back;

    fprintf(out, "%" PRIu64 ",%s,%.6f,%.6f,%" PRIu64 ",%.3f,%.3f,", it->number,
            phase_name(it->phase), seconds(it->begin_ns),
            seconds(it->length_ns), it->users_active, us(it->lag.p99_ns),
            us(it->lag.max_ns));
    csv_field(t->name, out);
    fprintf(out,
            ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
            ",%" PRIu64 ",%" PRIu64,
            t->committed, t->rolled_back, t->failed, t->unknown, t->retries,
            t->statements, t->round_trips);
    fprintf(out, ",%.3f,%.3f",
            it->length_ns > 0 ? (double)completed / seconds(it->length_ns) : 0,
            us(t->wait_ns));
    put_figures(&t->response, out);
    put_figures(&t->service, out);
    fputc('\n', out);
}

struct csv_part {
    FILE *out;
    bool seen[INTERVAL_TXNS_MAX]; /* types that the mix has, as it turns out */
};

static enum rc csv_interval(void *arg, const struct interval *it,
                            unsigned drop_bits, struct err *err)
{
    struct csv_part *part = arg;

    (void)drop_bits;
    (void)err;
    for (size_t i = 0; i < it->n_txns; i++) {
        const struct interval_txn *t = &it->txns[i];

        part->seen[i] = part->seen[i] || t->committed + t->rolled_back +
                                                 t->failed + t->unknown +
                                                 t->retries >
                                             0;
        if (part->seen[i])
            put_txn(it, t, part->out);
    }
    return RC_OK;
}

enum rc series_csv(struct store *s, const struct stored_run *run, FILE *out,
                   struct err *err)
{
    struct csv_part part = {.out = out};

    fputs("interval,phase,begin_s,length_s,users,lag_p99_us,lag_max_us,"
          "transaction,committed,rolled_back,failed,unknown,retries,"
          "statements,round_trips,tps,wait_us",
          out);
    for (int i = 0; i < 2; i++) {
        const char *kind = i == 0 ? "response" : "service";

        fprintf(out,
                ",%s_mean_us,%s_p50_us,%s_p90_us,%s_p95_us,%s_p99_us,"
                "%s_p999_us,%s_max_us",
                kind, kind, kind, kind, kind, kind, kind);
    }
    fputc('\n', out);
    return store_each_interval(s, run->id, csv_interval, &part, err);
}

static enum rc csv_samples(void *arg, const struct interval *it,
                           unsigned drop_bits, struct err *err)
{
    FILE *out = arg;

    (void)drop_bits;
    (void)err;
    for (size_t i = 0; i < it->n_samples; i++) {
        fprintf(out, "%" PRIu64 ",%s,%.6f,%.6f,", it->number,
                phase_name(it->phase), seconds(it->begin_ns),
                seconds(it->length_ns));
        csv_field(it->samples[i].name, out);
        fprintf(out, ",%" PRId64 "\n", it->samples[i].value);
    }
    return RC_OK;
}

enum rc telemetry_csv(struct store *s, const struct stored_run *run, FILE *out,
                      struct err *err)
{
    fputs("interval,phase,begin_s,length_s,name,value\n", out);
    return store_each_interval(s, run->id, csv_samples, out, err);
}

/* ---- HdrHistogram ---- */

/* A blank or a comma would end the tag. */
static void put_tag(char *out, size_t out_len, const char *name,
                    const char *kind)
{
    snprintf(out, out_len, "%s.%s", name, kind);
    for (char *p = out; *p; p++) {
        if (*p == ',' || *p == ' ' || (unsigned char)*p < ' ')
            *p = '_';
    }
}

struct log_part {
    FILE *out;
    struct buf text;
};

static enum rc log_hist(struct log_part *part, const struct interval *it,
                        const char *name, const char *kind,
                        const struct hist *h)
{
    char tag[160];
    enum rc rc;

    if (hist_count(h) == 0)
        return RC_OK;
    buf_reset(&part->text);
    put_tag(tag, sizeof(tag), name, kind);
    rc = hist_log_line(&part->text, tag, it->begin_ns, it->length_ns, h);
    if (!rc)
        fwrite(part->text.data, 1, part->text.len, part->out);
    return rc;
}

static enum rc log_interval(void *arg, const struct interval *it,
                            unsigned drop_bits, struct err *err)
{
    enum rc rc = RC_OK;

    (void)drop_bits;
    if (it->phase != PHASE_MEASURE)
        return RC_OK;
    for (size_t i = 0; !rc && i < it->n_txns; i++) {
        const struct interval_txn *t = &it->txns[i];

        rc = log_hist(arg, it, t->name, "response", t->response_hist);
        if (!rc)
            rc = log_hist(arg, it, t->name, "service", t->service_hist);
    }
    return rc ? err_set(err, rc, "no memory for a histogram") : RC_OK;
}

enum rc series_hlog(struct store *s, const struct stored_run *run, FILE *out,
                    struct err *err)
{
    struct log_part part = {.out = out, .text = BUF_INIT((size_t)1 << 20)};
    char comment[300];
    enum rc rc;

    snprintf(comment, sizeof(comment), "dyno %s, run %s, values in ns",
             run->version, run->name);
    hist_log_head(&part.text, run->started_us, comment);
    fputs(buf_str(&part.text), out);
    rc = store_each_interval(s, run->id, log_interval, &part, err);
    buf_release(&part.text);
    return rc;
}
