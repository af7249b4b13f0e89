/* SPDX-License-Identifier: MIT */
#include "lab/matrix_state.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/stop.h"
#include "lab/matrix_state_int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_MAX_BYTES ((size_t)4096)
#define PLANS_MAX 10000 /* of one name */
/* A run that was told to end has its drain, its audit and its report. */
#define BUSY_LIMIT_NS (10 * 60 * NS_PER_S)
#define BUSY_POLL_NS (200 * NS_PER_MS)

/* ---- the folder ---- */

static enum rc make_dir(const char *path, struct err *err)
{
    if (!mkdir(path, 0777) || errno == EEXIST)
        return RC_OK;
    return err_errno(err, RC_IO, errno, "cannot make the folder '%s'", path);
}

static char *plan_dir(const char *results, const char *name, unsigned n)
{
    char path[PATH_MAX_BYTES];

    if (n <= 1)
        snprintf(path, sizeof(path), "%s/matrix/%s", results, name);
    else
        snprintf(path, sizeof(path), "%s/matrix/%s-%u", results, name, n);
    return mem_strdup(path);
}

/* The latest of the name; 0 when there is none. */
static unsigned latest(const char *results, const char *name)
{
    unsigned n = 0;

    while (n < PLANS_MAX) {
        char *dir = plan_dir(results, name, n + 1);
        const bool there = dir && access(dir, F_OK) == 0;

        mem_free(dir);
        if (!there)
            break;
        n++;
    }
    return n;
}

static struct matrix_state *
state_new(const char *results, const struct matrix_plan *plan, unsigned n)
{
    struct matrix_state *s = MEM_NEW(struct matrix_state);

    if (!s)
        return NULL;
    s->n = plan->n_runs;
    s->results = mem_strdup(results);
    s->dir = plan_dir(results, plan->m->name, n);
    s->records = MEM_ARRAY(struct matrix_record, s->n);
    if (s->results && s->dir && s->records)
        return s;
    matrix_state_free(s);
    return NULL;
}

void matrix_state_free(struct matrix_state *s)
{
    if (!s)
        return;
    journal_close(s->journal);
    mem_free(s->records);
    mem_free(s->results);
    mem_free(s->dir);
    mem_free(s);
}

static enum rc make_dirs(const struct matrix_state *s, struct err *err)
{
    char path[PATH_MAX_BYTES];
    struct results *folder = NULL;
    enum rc rc = results_open(s->results, &folder, err);

    results_close(folder);
    snprintf(path, sizeof(path), "%s/matrix", s->results);
    if (!rc)
        rc = make_dir(path, err);
    return rc ? rc : make_dir(s->dir, err);
}

static enum rc open_journal(struct matrix_state *s, bool wait, struct err *err)
{
    const struct mono limit = mono_add(clock_now(), BUSY_LIMIT_NS);
    char path[PATH_MAX_BYTES];
    bool said = false;
    enum rc rc;

    snprintf(path, sizeof(path), "%s/" JOURNAL_FILE, s->dir);
    for (;;) {
        struct err busy = {0};

        rc = journal_open(path, &s->journal, &busy);
        if (rc == RC_BUSY && wait && !stop_requested() &&
            clock_now().ns < limit.ns) {
            if (!said)
                log_info("waiting for the run that ends in '%s'", s->dir);
            said = true;
            clock_sleep_until(mono_add(clock_now(), BUSY_POLL_NS));
            continue;
        }
        if (rc == RC_BUSY)
            return err_set(err, RC_BUSY,
                           "the plan in '%s' is being run by another dyno "
                           "now; let it end, or end it",
                           s->dir);
        if (rc)
            *err = busy;
        return rc;
    }
}

static enum rc begin_plan(struct matrix_state *s,
                          const struct matrix_plan *plan, struct err *err)
{
    uint64_t random = 0;

    if (getrandom(&random, sizeof(random), 0) != sizeof(random))
        return err_errno(err, RC_IO, errno, "no random number");
    snprintf(s->id, sizeof(s->id), "%016" PRIx64, random);
    return journal_add(s->journal, err, "plan 1 %s %016" PRIx64 " %zu", s->id,
                       matrix_plan_hash(plan), s->n);
}

struct glance {
    bool begun, done;
};

static enum rc see_line(void *arg, const char *line, struct err *err)
{
    struct glance *g = arg;

    (void)err;
    g->begun = true;
    g->done = !strcmp(line, "done");
    return RC_OK;
}

/* How far plan n of the name is; it may be that of another file. */
static enum rc look(const char *results, const struct matrix_plan *plan,
                    unsigned n, struct glance *out, struct err *err)
{
    struct matrix_state *s = state_new(results, plan, n);
    enum rc rc;

    *out = (struct glance){.begun = false};
    if (!s)
        return err_set(err, RC_NOMEM, "out of memory");
    rc = open_journal(s, false, err);
    if (!rc)
        rc = journal_each(s->journal, see_line, out, err);
    matrix_state_free(s);
    return rc;
}

static enum rc choose(const char *results, const struct matrix_plan *plan,
                      enum matrix_begin how, unsigned *out_n, struct err *err)
{
    const unsigned n = latest(results, plan->m->name);
    struct glance g;
    enum rc rc;

    *out_n = n + 1;
    if (n == 0 || how == MATRIX_ANEW)
        return RC_OK;
    *out_n = n;
    if (how == MATRIX_RESUME)
        return RC_OK;
    rc = look(results, plan, n, &g, err);
    if (rc || !g.begun)
        return rc;
    *out_n = n + 1;
    if (g.done)
        return RC_OK;
    return err_set(err, RC_BUSY,
                   "plan '%s' was begun and is not done; go on with it with "
                   "--resume, or leave it and begin --anew",
                   plan->m->name);
}

enum rc matrix_state_open(const char *results, const struct matrix_plan *plan,
                          enum matrix_begin how, struct matrix_state **out,
                          struct err *err)
{
    struct matrix_state *s = NULL;
    bool empty = true;
    unsigned n = 1;
    enum rc rc = choose(results, plan, how, &n, err);

    if (rc)
        return rc;
    s = state_new(results, plan, n);
    if (!s)
        return err_set(err, RC_NOMEM, "out of memory");
    rc = make_dirs(s, err);
    if (!rc)
        rc = open_journal(s, how == MATRIX_RESUME, err);
    if (!rc)
        rc = matrix_state_load(s, matrix_plan_hash(plan), &empty, err);
    s->resumed = !empty;
    if (!rc && empty)
        rc = begin_plan(s, plan, err);
    if (rc) {
        matrix_state_free(s);
        return rc;
    }
    *out = s;
    return RC_OK;
}

/* ---- going on ---- */

void matrix_state_tag(const struct matrix_state *s, size_t k, char *out,
                      size_t out_len)
{
    snprintf(out, out_len, "%s/%zu/%u", s->id, k + 1, s->records[k].attempt);
}

enum rc matrix_state_begin(struct matrix_state *s, size_t k, struct err *err)
{
    struct matrix_record *r = &s->records[k];

    r->attempt++;
    r->step = STEP_BEGUN;
    return journal_add(s->journal, err, "begin %zu %u", k + 1, r->attempt);
}

enum rc matrix_state_end(struct matrix_state *s, size_t k,
                         const struct variant_result *result, int64_t seconds,
                         struct err *err)
{
    struct matrix_record *r = &s->records[k];

    r->step =
        result->outcome == VARIANT_INTERRUPTED ? STEP_WAITING : STEP_ENDED;
    r->outcome = result->outcome;
    r->seconds = seconds;
    snprintf(r->name, sizeof(r->name), "%s", result->name);
    snprintf(r->reason, sizeof(r->reason), "%.255s", result->reason);
    return journal_add(s->journal, err, "end %zu %u %s %" PRId64 " %s %s",
                       k + 1, r->attempt, matrix_outcome_words[r->outcome],
                       seconds, r->name[0] ? r->name : "-", r->reason);
}

enum rc matrix_state_done(struct matrix_state *s, struct err *err)
{
    enum rc rc = s->done ? RC_OK : journal_add(s->journal, err, "done");

    s->done = s->done || !rc;
    return rc;
}

/* Its process has ended, or the journal would still be locked. */
static enum rc settle_one(struct matrix_state *s, size_t k, struct err *err)
{
    struct variant_result found;
    char tag[96] = "variant=";
    enum rc rc;

    matrix_state_tag(s, k, tag + strlen(tag), sizeof(tag) - strlen(tag));
    rc = variant_find(s->results, tag, &found, err);
    if (rc == RC_NOT_FOUND) {
        *err = (struct err){0};
        s->records[k].step = STEP_WAITING;
        return RC_OK;
    }
    if (rc)
        return rc;
    if (found.outcome != VARIANT_PARTIAL) {
        log_info("run %zu had ended: %s", k + 1, found.name);
        return matrix_state_end(s, k, &found, 0, err);
    }
    log_info("run %zu was interrupted and is made again; what there is of it "
             "is removed: %s",
             k + 1, found.name);
    s->records[k].step = STEP_WAITING;
    return variant_forget(s->results, &found, err);
}

enum rc matrix_state_settle(struct matrix_state *s, struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t k = 0; !rc && k < s->n; k++) {
        const struct matrix_record *r = &s->records[k];

        if (r->step == STEP_BEGUN ||
            (r->step == STEP_WAITING && r->attempt > 0))
            rc = settle_one(s, k, err);
    }
    return rc;
}

void matrix_state_retry(struct matrix_state *s)
{
    for (size_t k = 0; k < s->n; k++) {
        struct matrix_record *r = &s->records[k];

        if (r->step == STEP_ENDED &&
            (r->outcome == VARIANT_FAILED || r->outcome == VARIANT_PARTIAL)) {
            r->step = STEP_WAITING;
            s->done = false;
        }
    }
}
