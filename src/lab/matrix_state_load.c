/* SPDX-License-Identifier: MIT */
/* The lines of a plan's journal, read. */
#include "base/parse.h"
#include "lab/matrix_state_int.h"

#include <inttypes.h>
#include <limits.h>
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

/* The next word; false at the end, or when it is too long. */
static bool take_word(const char **at, char *out, size_t size)
{
    const char *from = *at + strspn(*at, " ");
    const size_t len = strcspn(from, " ");

    if (len == 0 || len >= size)
        return false;
    memcpy(out, from, len);
    out[len] = '\0';
    *at = from + len;
    return true;
}

static bool take_number(const char **at, uint64_t *out)
{
    char word[24];

    return take_word(at, word, sizeof(word)) && !parse_u64(word, out, NULL);
}

/* "K ATTEMPT", of a run of the plan; NULL when it is not. */
static struct matrix_record *take_record(const struct loader *l,
                                         const char **at)
{
    struct matrix_record *r;
    uint64_t k, attempt;

    if (!take_number(at, &k) || !take_number(at, &attempt) || k < 1 ||
        k > l->s->n || attempt > UINT_MAX)
        return NULL;
    r = &l->s->records[k - 1];
    r->attempt = (unsigned)attempt;
    return r;
}

static enum rc load_plan_line(struct loader *l, const char *line,
                              struct err *err)
{
    const char *at = line + strlen("plan ");
    char hash[20], want[20];
    uint64_t form, n;

    if (!take_number(&at, &form) || form != 1 ||
        !take_word(&at, l->s->id, sizeof(l->s->id)) ||
        !take_word(&at, hash, sizeof(hash)) || !take_number(&at, &n))
        return broken(l->s, line, err);
    l->seen_plan = true;
    snprintf(want, sizeof(want), "%016" PRIx64, l->hash);
    if (strcmp(hash, want) != 0 || n != l->s->n)
        return err_set(err, RC_INVALID,
                       "the plan of '%s' is another one than the file's now: "
                       "undo the change and --resume, or begin --anew",
                       l->s->dir);
    return RC_OK;
}

static enum rc load_end(struct loader *l, const char *line, struct err *err)
{
    struct matrix_record *r;
    const char *at = line + strlen("end ");
    char word[16], name[RESULTS_NAME_MAX + 1];
    uint64_t seconds;

    r = take_record(l, &at);
    if (!r || !take_word(&at, word, sizeof(word)) ||
        !take_number(&at, &seconds) || !take_word(&at, name, sizeof(name)))
        return broken(l->s, line, err);
    r->step = STEP_ENDED;
    r->seconds = (int64_t)seconds;
    snprintf(r->name, sizeof(r->name), "%s", strcmp(name, "-") ? name : "");
    snprintf(r->reason, sizeof(r->reason), "%s", *at ? at + 1 : "");
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
    struct matrix_record *r = NULL;
    const char *at = line + strlen("begin ");

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
    if (!strncmp(line, "begin ", 6))
        r = take_record(l, &at);
    if (!r)
        return broken(l->s, line, err);
    r->step = STEP_BEGUN;
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
