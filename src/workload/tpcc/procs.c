/* SPDX-License-Identifier: MIT */
/*
 * Composition `procs`: each transaction is one call of a routine on the server,
 * a function or a procedure.  dyno installs them (sql/tpcc/.../procs) when they
 * are missing or not those of this build; they go with the data.
 */
#include "base/log.h"
#include "workload/tpcc/calls.h"
#include "workload/tpcc/composition.h"
#include "workload/tpcc/scripts.h"

#include <inttypes.h>
#include <stdio.h>

#define N_ROUTINES 5
#define VERSION_MARK "/* version */"

static CORO_FN enum rc new_order(struct tpcc_vu *vu, struct conn *c,
                                 bool *rolled_back)
{
    struct rowset rs;
    enum rc rc = call_new_order(vu, c, &rs);

    if (rc)
        return rc;
    if (rs.n_rows != 1)
        return RC_INVALID;
    *rolled_back = rowset_at(&rs, 0, 0)->i != 0;
    return *rolled_back == vu->in.new_order.rollback ? RC_OK : RC_INVALID;
}

/* ---- installing ---- */

struct routines {
    const char *plural, *prefix;
    /* What becomes of install.sql. */
    const struct script_mark *marks;
    size_t n_marks;
};

static const struct routines functions = {
    .plural = "functions",
    .prefix = "dyno_tpcc_",
};

static const struct script_mark procedure_marks[] = {
    {"FUNCTION", "PROCEDURE"},
    {"dyno_tpcc_", "dyno_tpcc_call_"},
    {"RAISE EXCEPTION USING ERRCODE = 'DYN01';", "ROLLBACK;"},
    {"EXCEPTION WHEN SQLSTATE 'DYN01' THEN", ""},
};

static const struct routines procedures = {
    .plural = "procedures",
    .prefix = "dyno_tpcc_call_",
    .marks = procedure_marks,
    .n_marks = ARRAY_LEN(procedure_marks),
};

/* FNV-1a of the text, for people and for position(). */
static void version_of(const struct buf *sql, char out[40])
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < sql->len; i++)
        hash = (hash ^ (unsigned char)sql->data[i]) * UINT64_C(0x100000001b3);
    snprintf(out, 40, "dyno version %016" PRIx64, hash);
}

/* The text to install, and its version. */
static enum rc make_text(const struct dataset *ds, const struct routines *r,
                         struct buf *out, char version[40], struct err *err)
{
    struct buf plain = BUF_INIT(SCRIPT_MAX_BYTES);
    char comment[64];
    const struct script_mark mark = {VERSION_MARK, comment};
    enum rc rc =
        script_text(ds, "procs/install", r->marks, r->n_marks, &plain, err);

    if (!rc) {
        version_of(&plain, version);
        snprintf(comment, sizeof(comment), "/* %s */", version);
        script_replace(buf_str(&plain), &mark, 1, out);
        rc = buf_rc(out);
        if (rc)
            err_set(err, rc, "the routines are too long");
    }
    buf_release(&plain);
    return rc;
}

struct installed {
    int64_t n, n_current;
};

static CORO_FN enum rc find_installed(struct dataset *ds, struct conn *c,
                                      const struct routines *r,
                                      const char *version,
                                      struct installed *out, struct err *err)
{
    const struct value args[] = {v_text(r->prefix), v_text(version)};
    struct rowset rs;
    enum rc rc = script_step(ds, c, "procs/installed", args, &rs, err);

    if (rc)
        return rc;
    if (rs.n_rows != 1)
        return err_set(err, RC_INVALID, "the routines cannot be counted");
    *out = (struct installed){
        .n = rowset_at(&rs, 0, 0)->i,
        .n_current = rowset_at(&rs, 0, 1)->i,
    };
    return RC_OK;
}

static enum rc refused(const struct routines *r, const char *what,
                       struct err *err)
{
    const struct err why = *err;

    return err_set(err, why.rc,
                   "--composition procs: its %s are %s and could not be "
                   "installed: %.500s%s",
                   r->plural, what, why.text,
                   why.rc == RC_DB_PERMISSION
                       ? " (run it once as a user who may, or use another "
                         "composition)"
                       : "");
}

static CORO_FN enum rc install(struct dataset *ds, struct conn *c,
                               const struct routines *r, struct err *err)
{
    struct buf sql = BUF_INIT(SCRIPT_MAX_BYTES);
    struct installed found = {0};
    const char *what;
    char version[40];
    enum rc rc = make_text(ds, r, &sql, version, err);

    if (!rc)
        rc = find_installed(ds, c, r, version, &found, err);
    if (rc || (found.n == N_ROUTINES && found.n_current == N_ROUTINES)) {
        buf_release(&sql);
        return rc;
    }
    what = found.n == 0 ? "missing" : "of another version";
    rc = conn_script(c, buf_str(&sql), sql.len, NULL, err);
    buf_release(&sql);
    if (rc)
        return refused(r, what, err);
    log_info("the %s of composition 'procs' were %s: installed, %s", r->plural,
             what, version);
    return RC_OK;
}

static CORO_FN enum rc install_functions(struct dataset *ds, struct conn *c,
                                         struct err *err)
{
    return install(ds, c, &functions, err);
}

static CORO_FN enum rc install_procedures(struct dataset *ds, struct conn *c,
                                          struct err *err)
{
    return install(ds, c, &procedures, err);
}

static const struct composition by_procedure = {
    .name = "procs",
    .steps = CALL_STEPS(STEP_PROCS_PROCEDURE_NEW_ORDER),
    .autocommit = true,
    .install = install_procedures,
    .new_order = new_order,
    .payment = call_payment,
    .order_status = call_order_status,
    .delivery = call_delivery,
    .stock_level = call_stock_level,
};

const struct composition procs_composition = {
    .name = "procs",
    .steps = CALL_STEPS(STEP_PROCS_FUNCTION_NEW_ORDER),
    .autocommit = true,
    .by_procedure = &by_procedure,
    .install = install_functions,
    .new_order = new_order,
    .payment = call_payment,
    .order_status = call_order_status,
    .delivery = call_delivery,
    .stock_level = call_stock_level,
};
