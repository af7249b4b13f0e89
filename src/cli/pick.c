/* SPDX-License-Identifier: MIT */
#include "cli/pick.h"

#include <string.h>

static enum rc no_memory(struct err *err)
{
    return err_set(err, RC_NOMEM, "no memory for the stored runs");
}

enum rc picked_init(struct picked *p, struct arena *arena, struct err *err)
{
    *p = (struct picked){.runs =
                             ARENA_ARRAY(arena, struct stored_run, PICKED_MAX)};
    return p->runs ? RC_OK : no_memory(err);
}

enum rc pick_run(struct picked *p, const struct stored_run *run,
                 const char *word, struct err *err)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->runs[i].id == run->id)
            return err_set(err, RC_USAGE, "'%s' names run '%s' twice", word,
                           run->name);
    }
    if (p->n == PICKED_MAX)
        return err_set(err, RC_USAGE, "'%s' are more than %d runs", word,
                       PICKED_MAX);
    p->runs[p->n++] = *run;
    return RC_OK;
}

static enum rc pick_list(struct store *store, const char *word,
                         struct arena *arena, struct picked *out,
                         struct err *err)
{
    enum rc rc = RC_OK;

    for (const char *at = word; !rc && *at;) {
        const size_t len = strcspn(at, ",");
        const char *one = arena_strndup(arena, at, len);
        struct stored_run run;

        if (!one)
            return no_memory(err);
        rc = store_find(store, one, arena, &run, err);
        if (!rc)
            rc = pick_run(out, &run, word, err);
        at += len + (at[len] == ',');
    }
    return rc;
}

enum rc pick_filter(struct store *store, const struct store_filter *filter,
                    struct arena *arena, struct picked *out, struct err *err)
{
    enum rc rc = store_list(store, filter, arena, &out->runs, &out->n, err);

    if (!rc && out->n > PICKED_MAX)
        return err_set(err, RC_USAGE, "%zu runs are too many; at most %d",
                       out->n, PICKED_MAX);
    return rc;
}

/* By a pattern or a label. */
static enum rc pick_matching(struct store *store,
                             const struct store_filter *filter,
                             struct arena *arena, struct picked *out,
                             struct err *err)
{
    enum rc rc = pick_filter(store, filter, arena, out, err);

    if (rc || out->n > 0)
        return rc;
    if (filter->name)
        return err_set(err, RC_NOT_FOUND,
                       "no run has a name like '%s'; 'dyno runs list' shows "
                       "them",
                       filter->name);
    return err_set(err, RC_NOT_FOUND,
                   "no run has the label '%s'; 'dyno runs list' shows the runs",
                   filter->labels[0]);
}

/* Runs are named; who gives a file is told how. */
static enum rc check_no_file(const char *word, struct arena *arena,
                             struct err *err)
{
    static const char *const ends[] = {".json", ".html", ".csv", ".db"};
    const char *slash = strrchr(word, '/');
    const char *file = slash ? slash + 1 : word;
    const char *dot = strrchr(file, '.');
    bool is_file = slash;

    for (size_t i = 0; dot && i < ARRAY_LEN(ends); i++)
        is_file = is_file || !strcmp(dot, ends[i]);
    if (!is_file)
        return RC_OK;
    if (!dot || dot == file)
        dot = file + strlen(file);
    file = arena_strndup(arena, file, (size_t)(dot - file));
    if (!file)
        return no_memory(err);
    if (!slash)
        return err_set(err, RC_NOT_FOUND,
                       "'%s' is no run: runs are named as 'dyno runs list' "
                       "shows them, without an ending ('%s')",
                       word, file);
    return err_set(err, RC_NOT_FOUND,
                   "'%s' is no run: runs are named as 'dyno runs list' shows "
                   "them, and --results names their folder (--results '%.*s' "
                   "%s)",
                   word, (int)(slash > word ? slash - word : 1), word, file);
}

/* *out->n is 0 when there is no such plan. */
static enum rc pick_plan(struct store *store, const char *word,
                         const char *workload, struct arena *arena,
                         struct picked *out, struct err *err)
{
    static const char *const kinds[] = {"matrix", "flip"};
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && out->n == 0 && i < ARRAY_LEN(kinds); i++) {
        const char *label = arena_printf(arena, "%s=%s", kinds[i], word);
        const struct store_filter filter = {
            .workload = workload, .labels = &label, .n_labels = 1};

        rc = label ? pick_filter(store, &filter, arena, out, err)
                   : no_memory(err);
    }
    return rc;
}

enum rc pick_word(struct store *store, const char *word, const char *workload,
                  struct arena *arena, struct picked *out, struct err *err)
{
    const struct store_filter pattern = {.workload = workload, .name = word},
                              label = {.workload = workload,
                                       .labels = &word,
                                       .n_labels = 1};
    bool is_name = false;
    struct stored_run run;
    enum rc rc = store_has_name(store, word, &is_name, err);

    if (!rc)
        rc = picked_init(out, arena, err);
    if (rc)
        return rc;
    if (is_name) {
        rc = store_find(store, word, arena, &run, err);
        return rc ? rc : pick_run(out, &run, word, err);
    }
    if (strchr(word, '='))
        rc = pick_matching(store, &label, arena, out, err);
    else if (strpbrk(word, "*?"))
        rc = pick_matching(store, &pattern, arena, out, err);
    else
        rc = pick_plan(store, word, workload, arena, out, err);
    if (rc || out->n > 0)
        return rc;
    rc = check_no_file(word, arena, err);
    if (!rc)
        rc = picked_init(out, arena, err);
    return rc ? rc : pick_list(store, word, arena, out, err);
}
