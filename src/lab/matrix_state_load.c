/* SPDX-License-Identifier: MIT */
/* The lines of a plan's journal, read. */
#include "lab/matrix_state_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const matrix_outcome_words[] = {
    [VARIANT_VALID] = "valid",         [VARIANT_THRESHOLD] = "threshold",
    [VARIANT_NOT_VALID] = "not-valid", [VARIANT_PARTIAL] = "partial",
    [VARIANT_FAILED] = "failed",       [VARIANT_INTERRUPTED] = "interrupted",
};

struct loader {
    struct matrix_state *s;
    uint64_t hash;
    bool seen_plan;
};

static enum rc broken(const struct matrix_state *s, const char *line,
                      struct err *err)
{
    return err_set(err, RC_INVALID,
                   "'%s/" JOURNAL_FILE "' is not a journal that this dyno "
                   "understands ('%.60s'); begin anew with --anew",
                   s->dir, line);
}

static enum rc load_plan_line(struct loader *l, const char *line,
                              struct err *err)
{
    uint64_t hash = 0;
    size_t n = 0;

    if (sscanf(line, "plan 1 %19s %" SCNx64 " %zu", l->s->id, &hash, &n) != 3)
        return broken(l->s, line, err);
    l->seen_plan = true;
    if (hash != l->hash || n != l->s->n)
        return err_set(err, RC_INVALID,
                       "the plan of '%s' is another one than the file's now: "
                       "undo the change and --resume, or begin --anew",
                       l->s->dir);
    return RC_OK;
}

static enum rc load_end(struct loader *l, const char *line, struct err *err)
{
    struct matrix_record *r;
    size_t k = 0;
    unsigned attempt = 0;
    char word[16] = "", name[RESULTS_NAME_MAX + 1] = "";
    int64_t seconds = 0;
    int at = 0;

    _Static_assert(RESULTS_NAME_MAX == 200, "the format below");
    if (sscanf(line, "end %zu %u %15s %" SCNd64 " %200s%n", &k, &attempt, word,
               &seconds, name, &at) != 5 ||
        k < 1 || k > l->s->n)
        return broken(l->s, line, err);
    r = &l->s->records[k - 1];
    r->attempt = attempt;
    r->step = STEP_ENDED;
    r->seconds = seconds;
    snprintf(r->name, sizeof(r->name), "%s", strcmp(name, "-") ? name : "");
    snprintf(r->reason, sizeof(r->reason), "%s", line[at] ? line + at + 1 : "");
    for (size_t i = 0; i <= VARIANT_INTERRUPTED; i++) {
        if (!strcmp(matrix_outcome_words[i], word))
            r->outcome = (enum variant_outcome)i;
    }
    if (r->outcome == VARIANT_INTERRUPTED)
        r->step = STEP_WAITING;
    return RC_OK;
}

static enum rc load_line(void *arg, const char *line, struct err *err)
{
    struct loader *l = arg;
    size_t k = 0;
    unsigned attempt = 0;

    if (!strncmp(line, "plan ", 5))
        return load_plan_line(l, line, err);
    if (!l->seen_plan)
        return broken(l->s, line, err);
    if (!strncmp(line, "end ", 4))
        return load_end(l, line, err);
    if (!strcmp(line, "done")) {
        l->s->done = true;
        return RC_OK;
    }
    if (sscanf(line, "begin %zu %u", &k, &attempt) != 2 || k < 1 || k > l->s->n)
        return broken(l->s, line, err);
    l->s->records[k - 1].step = STEP_BEGUN;
    l->s->records[k - 1].attempt = attempt;
    l->s->done = false;
    return RC_OK;
}

enum rc matrix_state_load(struct matrix_state *s, uint64_t hash,
                          bool *out_empty, struct err *err)
{
    struct loader l = {.s = s, .hash = hash};
    enum rc rc = journal_each(s->journal, load_line, &l, err);

    *out_empty = !l.seen_plan;
    return rc;
}
