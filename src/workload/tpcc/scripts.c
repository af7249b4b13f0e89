/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/scripts.h"

#include <stdio.h>

const struct asset *script_find(const struct dataset *ds, const char *name)
{
    char path[128];

    snprintf(path, sizeof(path), "sql/tpcc/%s/%s.sql", ds->db->driver->dialect,
             name);
    return asset_find(path);
}

/* The mark that stands next in the script, NULL at the end; *at is where. */
static const struct script_mark *next_mark(const char *script,
                                           const struct script_mark *marks,
                                           size_t n_marks, const char **at)
{
    const struct script_mark *first = NULL;

    for (size_t i = 0; i < n_marks; i++) {
        const char *found = strstr(script, marks[i].mark);

        if (found && (!first || found < *at)) {
            first = &marks[i];
            *at = found;
        }
    }
    return first;
}

void script_replace(const char *script, const struct script_mark *marks,
                    size_t n_marks, struct buf *out)
{
    const struct script_mark *m;
    const char *at = script;

    while ((m = next_mark(script, marks, n_marks, &at)) != NULL) {
        buf_add(out, script, (size_t)(at - script));
        buf_puts(out, m->text);
        script = at + strlen(m->mark);
    }
    buf_puts(out, script);
}

enum rc script_text(const struct dataset *ds, const char *name,
                    const struct script_mark *marks, size_t n_marks,
                    struct buf *out, struct err *err)
{
    const struct asset *script = script_find(ds, name);

    if (!script)
        return err_set(err, RC_UNSUPPORTED, "there is no sql/tpcc/%s/%s.sql",
                       ds->db->driver->dialect, name);
    script_replace(script->data, marks, n_marks, out);
    if (buf_rc(out))
        return err_set(err, buf_rc(out), "%s: the script is too long",
                       script->name);
    return RC_OK;
}

enum rc script_run_marks(struct dataset *ds, struct conn *c, const char *name,
                         const struct script_mark *marks, size_t n_marks,
                         struct err *err)
{
    struct buf sql = BUF_INIT(SCRIPT_MAX_BYTES);
    enum rc rc = script_text(ds, name, marks, n_marks, &sql, err);

    if (!rc) {
        rc = conn_script(c, buf_str(&sql), sql.len, NULL, err);
        if (rc)
            err_prefix(err, "sql/tpcc/%s/%s.sql", ds->db->driver->dialect,
                       name);
    }
    buf_release(&sql);
    return rc;
}

enum rc script_run(struct dataset *ds, struct conn *c, const char *name,
                   const struct script_mark *mark, struct err *err)
{
    return script_run_marks(ds, c, name, mark, 1, err);
}

/* Statement i, or the number of statements when i is behind the last. */
static size_t find_statement(const struct asset *script, size_t i,
                             const char **out, size_t *out_len)
{
    const char *text = script ? script->data : "";
    size_t len = strlen(text), n = 0;

    *out = NULL;
    while (script_next(&text, &len, out, out_len)) {
        if (n++ == i)
            return i;
    }
    *out = NULL;
    return n;
}

size_t script_count(const struct dataset *ds, const char *name)
{
    const char *text;
    size_t len;

    return find_statement(script_find(ds, name), SIZE_MAX, &text, &len);
}

enum rc script_run_one(struct dataset *ds, struct conn *c, const char *name,
                       size_t i, struct err *err)
{
    const char *text;
    size_t len;
    enum rc rc;

    find_statement(script_find(ds, name), i, &text, &len);
    if (!text)
        return err_set(err, RC_UNSUPPORTED,
                       "sql/tpcc/%s/%s.sql has no "
                       "statement %zu",
                       ds->db->driver->dialect, name, i + 1);
    rc = conn_script(c, text, len, NULL, err);
    if (rc)
        err_prefix(err, "sql/tpcc/%s/%s.sql: %.*s", ds->db->driver->dialect,
                   name, (int)strcspn(text, "\n;"), text);
    return rc;
}

enum rc script_step(struct dataset *ds, struct conn *c, const char *name,
                    const struct value *args, struct rowset *out,
                    struct err *err)
{
    /* In the dataset's arena: a statement may live as long as its
     * connection. */
    struct step *step = ARENA_NEW(&ds->arena, struct step);
    enum rc rc;

    if (!step)
        return err_set(err, RC_NOMEM, "no memory for step %s", name);
    rc = step_load(&ds->arena, "tpcc", ds->db->driver, name, step, err);
    if (rc)
        return rc;
    return conn_query(c, step, args, step->n_params, out, err);
}
