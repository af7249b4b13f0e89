/* SPDX-License-Identifier: MIT */
/* Parameters, each in the type that the server gave it. */
#include "base/mem.h"
#include "driver/postgres/pg_int.h"

#include <assert.h>

_Static_assert(PG_ENCODED_MAX <= PG_PRINTED_MAX, "bytes are reserved once");

static enum rc no_memory(struct err *err)
{
    return err_set(err, RC_NOMEM, "out of memory");
}

/* ---- room ---- */

/* Enough at once for the lists of TPC-C, so that the run path need not grow. */
#define BYTES_MIN 4096

static enum rc reserve_bytes(struct pg_conn *pc, size_t n)
{
    char *bytes;

    if (LIKELY(n <= pc->bytes_cap))
        return RC_OK;
    if (n < BYTES_MIN)
        n = BYTES_MIN;
    else
        n += n / 2;
    bytes = mem_realloc(pc->bytes, n);
    if (!bytes)
        return RC_NOMEM;
    pc->bytes = bytes;
    pc->bytes_cap = n;
    return RC_OK;
}

static enum rc reserve(struct pg_conn *pc, size_t n)
{
    const char **params;
    int *lens;

    if (n > pc->params_cap) {
        params = mem_realloc(pc->params, n * sizeof(*params));
        if (!params)
            return RC_NOMEM;
        pc->params = params;
        lens = mem_realloc(pc->param_lens, n * sizeof(*lens));
        if (!lens)
            return RC_NOMEM;
        pc->param_lens = lens;
        pc->params_cap = n;
    }
    return reserve_bytes(pc, n * PG_PRINTED_MAX);
}

/* ---- signatures ---- */

enum rc pg_signature_init(struct pg_signature *sig, struct pg_conn *pc,
                          const PGresult *described, const struct step *step,
                          const struct step_statement *s, struct err *err)
{
    const size_t n = (size_t)PQnparams(described);

    if (n != s->n_params)
        return err_set(err, RC_INVALID,
                       "%s: the server sees %zu parameters, not %zu: those "
                       "that are not written :name are none",
                       step->name, n, s->n_params);
    /* One more, because an array of none is NULL. */
    sig->codings = MEM_ARRAY(enum pg_coding, n + 1);
    sig->formats = MEM_ARRAY(int, n + 1);
    sig->oids = MEM_ARRAY(Oid, n + 1);
    if (!sig->codings || !sig->formats || !sig->oids || reserve(pc, n))
        return no_memory(err);
    sig->n = n;
    for (size_t i = 0; i < n; i++) {
        const enum value_type type = step->params[s->params[i]].type;
        enum pg_coding coding;

        sig->oids[i] = PQparamtype(described, (int)i);
        coding = pg_coding_of(sig->oids[i]);
        if (!pg_can_encode(coding, type))
            coding = PG_UNKNOWN;
        if (coding == PG_UNKNOWN || type == VALUE_INTS)
            sig->some_long = true;
        sig->codings[i] = coding;
        sig->formats[i] = coding != PG_UNKNOWN;
    }
    return RC_OK;
}

void pg_signature_release(struct pg_signature *sig)
{
    mem_free(sig->codings);
    mem_free(sig->formats);
    mem_free(sig->oids);
    *sig = (struct pg_signature){0};
}

/* ---- values ---- */

/* Prints or copies one value as text; returns where the next may stand. */
static char *put_text(const struct value *v, char *out)
{
    if (v->type != VALUE_TEXT)
        return out + pg_print(v, out) + 1;
    if (v->len > 0)
        memcpy(out, v->s, v->len);
    out[v->len] = '\0';
    return out + v->len + 1;
}

/* Room for all of them, whatever their form. */
static size_t needed_bytes(const struct step_statement *s,
                           const struct value *args)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n_params; i++) {
        const struct value *v = &args[s->params[i]];

        n += PG_PRINTED_MAX;
        if (v->type == VALUE_TEXT)
            n += v->len;
        else if (v->type == VALUE_INTS)
            n += (size_t)v->len * PG_ITEM_MAX;
    }
    return n;
}

enum rc pg_bind_text(struct pg_conn *pc, const struct step_statement *s,
                     const struct value *args)
{
    char *at;

    if (reserve(pc, s->n_params + 1) ||
        reserve_bytes(pc, needed_bytes(s, args)))
        return pg_fail_own(pc, RC_NOMEM, "out of memory");
    at = pc->bytes;
    for (size_t i = 0; i < s->n_params; i++) {
        const struct value *v = &args[s->params[i]];

        pc->params[i] = v->type == VALUE_NULL ? NULL : at;
        if (v->type != VALUE_NULL)
            at = put_text(v, at);
    }
    return RC_OK;
}

/* Writes one value to *at or points to it; false when it does not fit. */
static bool bind(struct pg_conn *pc, size_t i, enum pg_coding coding,
                 const struct value *v, char **at)
{
    int len;

    if (v->type == VALUE_NULL) {
        pc->params[i] = NULL;
        pc->param_lens[i] = 0;
    } else if (coding == PG_UNKNOWN) {
        pc->params[i] = *at;
        *at = put_text(v, *at);
        pc->param_lens[i] = (int)(*at - pc->params[i] - 1);
    } else if (v->type == VALUE_TEXT) {
        pc->params[i] = v->len > 0 ? v->s : "";
        pc->param_lens[i] = (int)v->len;
    } else {
        len = pg_encode(coding, v, *at);
        if (UNLIKELY(len < 0))
            return false;
        pc->params[i] = *at;
        pc->param_lens[i] = len;
        *at += len;
    }
    return true;
}

enum rc pg_bind(struct pg_conn *pc, const struct pg_signature *sig,
                const struct step_statement *s, const struct value *args,
                uint64_t *bytes)
{
    char *at;

    if (sig->some_long && reserve_bytes(pc, needed_bytes(s, args)))
        return pg_fail_own(pc, RC_NOMEM, "out of memory");
    at = pc->bytes;
    for (size_t i = 0; i < sig->n; i++) {
        const struct value *v = &args[s->params[i]];

        assert(v->type == VALUE_NULL || sig->codings[i] == PG_UNKNOWN ||
               pg_can_encode(sig->codings[i], v->type));
        if (UNLIKELY(!bind(pc, i, sig->codings[i], v, &at)))
            return pg_fail_own(pc, RC_DB_ERROR,
                               "a parameter is too big for its column's type");
        *bytes += (uint64_t)pc->param_lens[i];
    }
    return RC_OK;
}
