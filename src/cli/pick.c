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

static enum rc pick_matching(struct store *store, const char *word, bool label,
                             const char *workload, struct arena *arena,
                             struct picked *out, struct err *err)
{
    const struct store_filter filter = {.name = label ? NULL : word,
                                        .workload = workload,
                                        .labels = &word,
                                        .n_labels = label};
    enum rc rc = pick_filter(store, &filter, arena, out, err);

    if (!rc && out->n == 0)
        return err_set(err, RC_NOT_FOUND,
                       label ? "no run has the label '%s'; 'dyno runs list' "
                               "shows the runs"
                             : "no run has a name like '%s'; 'dyno runs list' "
                               "shows them",
                       word);
    return rc;
}

enum rc pick_word(struct store *store, const char *word, const char *workload,
                  struct arena *arena, struct picked *out, struct err *err)
{
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
        rc = pick_matching(store, word, true, workload, arena, out, err);
    else if (strpbrk(word, "*?"))
        rc = pick_matching(store, word, false, workload, arena, out, err);
    else
        rc = pick_list(store, word, arena, out, err);
    return rc;
}
