/* SPDX-License-Identifier: MIT */
#include "driver/noop/noop.h"

#include "base/mem.h"

static enum rc noop_open(const struct target *t, struct db **out,
                         struct err *err)
{
    struct db *db;

    if (*t->rest)
        return err_set(err, RC_USAGE, "noop: takes nothing behind the colon");
    if (target_check_params(t, NULL, 0, err))
        return RC_USAGE;
    db = MEM_NEW(struct db);
    if (!db)
        return err_set(err, RC_NOMEM, "out of memory");
    db->driver = &noop_driver;
    db->target = t;
    *out = db;
    return RC_OK;
}

static void noop_close(struct db *db)
{
    mem_free(db);
}

static enum rc noop_connect(struct db *db, struct loop *loop, struct conn **out,
                            struct err *err)
{
    /* Its counters change with each call: it shares no cache line. */
    struct conn *c = mem_calloc_aligned(1, sizeof(*c));

    if (!c)
        return err_set(err, RC_NOMEM, "out of memory");
    c->driver = &noop_driver;
    c->db = db;
    c->loop = loop;
    *out = c;
    return RC_OK;
}

static void noop_disconnect(struct conn *c)
{
    struct stmt *s = c->stmts;

    while (s) {
        struct stmt *next = s->next;

        mem_free(s);
        s = next;
    }
    mem_free(c);
}

static void noop_error(const struct conn *c, struct err *err)
{
    (void)c;
    err_set(err, RC_OK, "%s", "");
}

static enum rc noop_prepare(struct conn *c, const struct step *step,
                            struct stmt **out, struct err *err)
{
    struct stmt *s = MEM_NEW(struct stmt);

    (void)c;
    (void)step;
    if (!s)
        return err_set(err, RC_NOMEM, "out of memory");
    *out = s;
    return RC_OK;
}

static enum rc noop_exec(struct conn *c, struct stmt *s,
                         const struct value *args, size_t n_args,
                         struct rowset *out)
{
    (void)c;
    (void)args;
    (void)n_args;
    if (out)
        *out = (struct rowset){.n_cols = s->step->n_cols};
    return RC_OK;
}

static enum rc noop_begin(struct conn *c, enum txn_mode mode)
{
    (void)c;
    (void)mode;
    return RC_OK;
}

static enum rc noop_end(struct conn *c)
{
    (void)c;
    return RC_OK;
}

static enum rc noop_scan_open(struct conn *c, const struct step *step,
                              const struct value *args, size_t n_args,
                              struct scan **out, struct err *err)
{
    struct scan *s = MEM_NEW(struct scan);

    (void)c;
    (void)step;
    (void)args;
    (void)n_args;
    if (!s)
        return err_set(err, RC_NOMEM, "out of memory");
    *out = s;
    return RC_OK;
}

static enum rc noop_scan_next(struct scan *s, const struct value **row,
                              struct err *err)
{
    (void)s;
    (void)err;
    *row = NULL;
    return RC_OK;
}

static void noop_scan_close(struct scan *s)
{
    mem_free(s);
}

static enum rc noop_script(struct conn *c, const char *text, size_t len,
                           const struct result_sink *sink, struct err *err)
{
    const char *s;
    size_t s_len;

    (void)err;
    while (script_next(&text, &len, &s, &s_len)) {
        enum rc rc = RC_OK;

        c->usage.statements++;
        c->usage.round_trips++;
        if (sink && sink->done)
            rc = sink->done(sink->arg, false, -1);
        if (rc)
            return rc;
    }
    return RC_OK;
}

static enum rc noop_has_table(struct conn *c, const char *table, bool *out,
                              struct err *err)
{
    (void)c;
    (void)table;
    (void)err;
    *out = false;
    return RC_OK;
}

static enum rc noop_bulk_begin(struct conn *c, const struct table_def *table,
                               enum bulk_state state, struct err *err)
{
    (void)table;
    (void)state;
    (void)err;
    c->usage.statements++;
    c->usage.round_trips++;
    return RC_OK;
}

static void noop_bulk_cell(struct conn *c, const struct value *v)
{
    (void)c;
    (void)v;
}

static enum rc noop_bulk_row(struct conn *c, struct err *err)
{
    (void)c;
    (void)err;
    return RC_OK;
}

static enum rc noop_bulk_end(struct conn *c, struct err *err)
{
    (void)c;
    (void)err;
    return RC_OK;
}

static enum rc noop_facts(struct conn *c, fact_fn *fn, void *arg,
                          struct err *err)
{
    (void)c;
    (void)err;
    fn(arg, "product", "noop");
    return RC_OK;
}

const struct driver noop_driver = {
    .name = "noop",
    .summary = "executes nothing: measures dyno itself",
    .url = "noop:",
    .dialect = "sqlite",
    .caps = DRIVER_DISCARDS | DRIVER_UNPREPARED,
    .isolations = ~0U,
    .placeholder = PLACEHOLDER_QUESTION,
    .open = noop_open,
    .close = noop_close,
    .connect = noop_connect,
    .disconnect = noop_disconnect,
    .error = noop_error,
    .prepare = noop_prepare,
    .exec = noop_exec,
    .begin = noop_begin,
    .commit = noop_end,
    .rollback = noop_end,
    .scan_open = noop_scan_open,
    .scan_next = noop_scan_next,
    .scan_close = noop_scan_close,
    .script = noop_script,
    .has_table = noop_has_table,
    .bulk_begin = noop_bulk_begin,
    .bulk_cell = noop_bulk_cell,
    .bulk_row = noop_bulk_row,
    .bulk_end = noop_bulk_end,
    .facts = noop_facts,
};
