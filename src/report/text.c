/* SPDX-License-Identifier: MIT */
#include "report/text.h"

#include "base/parse.h"
#include "report/audit_text.h"
#include "report/cell.h"
#include "report/text_int.h"
#include "report/words.h"

#include <inttypes.h>
#include <string.h>

static const char *or_dash(const char *text)
{
    return text && text[0] ? text : "-";
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void headline(struct doc *d, const struct run_result *r)
{
    const struct outcome_counts total = result_total(r);
    const double tps = result_per_second(r, outcome_completed(&total));
    const double nopm = result_nopm(r, false);
    char text[4][CELL_BYTES];

    doc_title(d, "%s: %s%s", or_dash(r->name),
              result_valid(r) ? "valid" : "NOT VALID",
              r->complete ? "" : ", ended early");
    if (outcome_ended(&total) == 0) {
        doc_para(d, "no data");
        return;
    }
    cell_rate(tps, text[0]);
    cell_rate(60 * tps, text[1]);
    if (nopm >= 0) {
        cell_rate(nopm, text[2]);
        cell_rate(result_nopm(r, true), text[3]);
        doc_para(d,
                 "%s NOPM (new orders committed a minute; %s with the "
                 "intended rollbacks)",
                 text[2], text[3]);
    }
    doc_para(d, "%s TPS (transactions completed a second), %s TPM", text[0],
             text[1]);
}

static void verdicts(struct doc *d, const struct run_result *r)
{
    if (!result_valid(r) || !r->complete)
        doc_heading(d, result_valid(r) ? "Not complete" : "Why not valid");
    for (size_t bit = 0; words_invalid(bit); bit++) {
        if (r->invalid & (1U << bit))
            doc_item(d, "%s: %s", invalid_reason_name(bit), words_invalid(bit));
    }
    if (!r->complete)
        doc_item(d, "ended early: %s", or_dash(r->partial_reason));
    if (r->warnings)
        doc_heading(d, "Warnings");
    for (size_t bit = 0; words_warning(bit); bit++) {
        if (r->warnings & (1U << bit))
            doc_item(d, "%s: %s", run_warning_name(bit), words_warning(bit));
    }
    if (r->client_bound[0])
        doc_item(d, "%s", r->client_bound);
}

static void what_loaded(struct doc *d, const struct run_result *r)
{
    char rows[CELL_BYTES], took[CELL_BYTES];

    if (r->load_rows == 0) {
        doc_pair(d, "data", "was there");
        return;
    }
    format_count(r->load_rows, rows, sizeof(rows));
    cell_duration((double)r->load_ns, took);
    doc_pair(d, "data", "loaded, %s rows in %s", rows, took);
}

static void what_users(struct doc *d, const struct run_result *r)
{
    char fewest[CELL_BYTES], most[CELL_BYTES];

    doc_pair(d, "users",
             "%" PRIu64 " %s %" PRIu64 " connection%s, %" PRIu64 " thread%s",
             r->n_vus, r->shared_conns ? "sharing" : "on", r->n_conns,
             plural(r->n_conns), r->n_threads, plural(r->n_threads));
    if (r->users_active != r->n_vus || r->users_died || r->users_abandoned)
        doc_pair(d, "users in the interval",
                 "%" PRIu64 " active, %" PRIu64 " died, %" PRIu64 " abandoned",
                 r->users_active, r->users_died, r->users_abandoned);
    format_count(r->fewest_of_a_user, fewest, sizeof(fewest));
    format_count(r->most_of_a_user, most, sizeof(most));
    if (r->n_vus > 1 && r->most_of_a_user > 0)
        doc_pair(d, "transactions of a user", "%s to %s", fewest, most);
}

static void what_ran(struct doc *d, const struct run_result *r)
{
    char started[32], ramp_up[CELL_BYTES], interval[CELL_BYTES];

    clock_format_utc(r->started_wall_us, started, sizeof(started));
    cell_duration((double)r->ramp_up_ns, ramp_up);
    cell_duration((double)r->interval_ns, interval);
    doc_heading(d, "What ran");
    doc_pair(d, "workload", "%s%s%s", r->workload ? r->workload->name : "-",
             r->composition ? ", composition " : "",
             r->composition ? r->composition : "");
    if (r->note)
        doc_pair(d, "of which", "%s", r->note);
    if (r->n_own_sql > 0)
        doc_pair(d, "statements", "not dyno's own: %zu replaced, hash %s",
                 r->n_own_sql, r->own_sql_hash);
    doc_pair(d, "target", "%s%s", or_dash(r->target),
             r->no_database ? " (no database: dyno itself is measured)" : "");
    if (r->workload && r->workload->scale_name) {
        doc_pair(d, r->workload->scale_name,
                 "%" PRIu64 ", loaded with seed %" PRIu64, r->scale,
                 r->data_seed);
        doc_pair(d, "seed", "%" PRIu64, r->seed);
        what_loaded(d, r);
    }
    what_users(d, r);
    doc_pair(d, "started", "%s", started);
    if (r->interval_ns > 0)
        doc_pair(d, "interval", "%s after a ramp-up of %s", interval, ramp_up);
    else
        doc_pair(d, "interval", "none, it did not open");
}

/* The counts that other tools report, side by side. */
static void commits(struct doc *d, const struct run_result *r)
{
    const struct accounting *a = &r->accounting;

    if (!a->server_counts)
        return;
    doc_para(d,
             "commits of all transactions: the client saw %" PRId64 ", %" PRId64
             " with the intended rollbacks; the server counted "
             "%" PRId64 " in this database, everybody's included",
             a->client_commits, a->client_completed, a->server_commits);
}

static void accounting(struct doc *d, const struct run_result *r)
{
    const struct accounting *a = &r->accounting;
    const bool agree = a->difference >= 0 && a->difference <= a->unknown;

    if (!r->workload || r->workload->counted_txn >= r->n_txns)
        return;
    doc_heading(d, "Accounting, over the whole run");
    if (!a->done) {
        doc_para(d, "not done");
        return;
    }
    doc_para(d,
             "%s commits: the client saw %" PRId64
             ", the database counted %" PRId64 "; difference %" PRId64
             ", outcome unknown %" PRId64 ": %s",
             r->txns[r->workload->counted_txn].type->label, a->client, a->db,
             a->difference, a->unknown, agree ? "agrees" : "DOES NOT AGREE");
    commits(d, r);
}

static void audit(struct doc *d, const struct run_result *r)
{
    if (r->audited) {
        report_audit_doc(&r->audit, d);
        return;
    }
    doc_heading(d, "Audit");
    if (audit_lost(&r->audit))
        doc_para(d, "not audited; %s", audit_lost(&r->audit));
    else
        doc_para(d, "not audited");
}

static void one_error(struct doc *d, const struct run_result *r,
                      const struct run_error *e)
{
    const char *text = or_dash(e->text), *source = strstr(text, "\n  ");
    char n[CELL_BYTES], code[48] = "";

    format_count(e->count, n, sizeof(n));
    if (e->sqlstate[0])
        snprintf(code, sizeof(code), " (SQLSTATE %.5s)", e->sqlstate);
    else if (e->native)
        snprintf(code, sizeof(code), " (code %d)", e->native);
    /* The source of a script behind it needs its own lines. */
    doc_item(d, "%s times %s, %s%s: %.*s", n,
             e->txn < r->n_txns ? r->txns[e->txn].type->label
                                : "outside transactions",
             rc_text(e->rc), code,
             (int)(source ? source - text : (ptrdiff_t)strlen(text)), text);
}

static void errors(struct doc *d, const struct run_result *r)
{
    if (r->n_errors == 0 && r->errors_not_listed == 0)
        return;
    doc_heading(d, "Errors");
    for (size_t i = 0; i < r->n_errors; i++)
        one_error(d, r, &r->errors[i]);
    if (r->errors_not_listed > 0)
        doc_item(d, "%" PRIu64 " more, of other kinds", r->errors_not_listed);
}

static void client(struct doc *d, const struct run_result *r)
{
    const struct outcome_counts total = result_total(r);
    const uint64_t ended = outcome_ended(&total);
    const bool grew = r->rss_end_bytes >= r->rss_start_bytes;
    char text[2][CELL_BYTES];

    /* A stored run that did not reach its end. */
    if (r->rss_peak_bytes == 0)
        return;
    doc_heading(d, r->in_process
                       ? "The client with the database in it, in the interval"
                       : "The client itself, in the interval");
    if (ended > 0) {
        cell_duration((double)r->client_cpu_ns / (double)ended, text[0]);
        doc_pair(d, "CPU", "%s for each transaction", text[0]);
    }
    format_bytes(r->rss_peak_bytes, text[0], CELL_BYTES);
    format_bytes(grew ? r->rss_end_bytes - r->rss_start_bytes
                      : r->rss_start_bytes - r->rss_end_bytes,
                 text[1], CELL_BYTES);
    doc_pair(d, "resident memory", "%s at most, %s by %s", text[0],
             grew ? "grew" : "shrank", text[1]);
    if (r->lag.n > 0) {
        cell_duration((double)r->lag.max_ns, text[0]);
        cell_duration((double)r->lag.sum_ns / (double)r->lag.n, text[1]);
        doc_pair(d, "lag of its loops", "%s at most, %s mean", text[0],
                 text[1]);
    }
    if (r->run_path_allocations > 0 && r->run_path_allocations != UINT64_MAX)
        doc_pair(d, "allocations", "%" PRIu64 " while measuring: should be 0",
                 r->run_path_allocations);
}

struct settings_part {
    struct doc *d;
    bool begun;
};

static void one_setting(void *arg, const struct named_setting *s)
{
    struct settings_part *part = arg;

    if (!s->value || strcmp(s->source, "default") == 0)
        return;
    if (!part->begun)
        doc_heading(part->d, "Settings that are not the defaults");
    part->begun = true;
    doc_pair(part->d, s->name, "%s (%s)", s->value, s->source);
}

static void settings(struct doc *d, const struct run_result *r)
{
    struct settings_part part = {.d = d};

    result_each_setting(r, one_setting, &part);
    if (r->n_facts == 0)
        return;
    doc_heading(d, "The database");
    for (size_t i = 0; i < r->n_facts; i++)
        doc_pair(d, r->facts[i].name, "%s", or_dash(r->facts[i].value));
}

static void write_report(const struct run_result *r, FILE *out,
                         enum doc_style style)
{
    const char *disclaimer = words_disclaimer(r->workload);
    struct doc d;

    doc_init(&d, out, style);
    headline(&d, r);
    verdicts(&d, r);
    what_ran(&d, r);
    text_course(&d, r);
    text_transactions(&d, r);
    text_response_times(&d, r);
    text_waiting(&d, r);
    text_wait_times(&d, r);
    text_load_shape(&d, r);
    text_statements(&d, r);
    accounting(&d, r);
    audit(&d, r);
    text_inputs(&d, r);
    errors(&d, r);
    text_preflight(&d, r);
    text_telemetry(&d, r);
    client(&d, r);
    settings(&d, r);
    if (disclaimer) {
        doc_heading(&d, "Note");
        doc_para(&d, "%s", disclaimer);
    }
}

void report_text(const struct run_result *r, FILE *out)
{
    write_report(r, out, DOC_TEXT);
}

void report_markdown(const struct run_result *r, FILE *out)
{
    write_report(r, out, DOC_MARKDOWN);
}
