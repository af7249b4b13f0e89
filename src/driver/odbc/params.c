/* SPDX-License-Identifier: MIT */
/*
 * Parameters and literals.  A slot is bound once and filled each time; it is
 * bound again when a longer text has moved it.
 */
#include "base/mem.h"
#include "driver/odbc/odbc_int.h"

/* For nearly every text, and a list of fifteen, so that none grows later. */
#define TEXT_ROOM 512

static enum rc no_memory(struct odbc_conn *oc)
{
    return odbc_fail_own(oc, RC_NOMEM, "out of memory");
}

/* What a value is sent as. */
static enum value_type kind_of(const struct odbc_conn *oc, enum value_type type)
{
    if (oc->dialect->counts &&
        (type == VALUE_MONEY || type == VALUE_RATE || type == VALUE_TIME))
        return VALUE_INT;
    return type == VALUE_INTS ? VALUE_TEXT : type;
}

static SQLRETURN bind_slot(SQLHSTMT st, SQLUSMALLINT at, struct odbc_slot *slot,
                           enum value_type kind)
{
    switch (kind) {
    case VALUE_INT:
        return SQLBindParameter(st, at, SQL_PARAM_INPUT, SQL_C_SBIGINT,
                                SQL_BIGINT, 19, 0, &slot->i, 0, &slot->len);
    case VALUE_TIME:
        return SQLBindParameter(st, at, SQL_PARAM_INPUT, SQL_C_TYPE_TIMESTAMP,
                                SQL_TYPE_TIMESTAMP, 26, 6, &slot->time, 0,
                                &slot->len);
    case VALUE_MONEY:
    case VALUE_RATE:
        return SQLBindParameter(st, at, SQL_PARAM_INPUT, SQL_C_CHAR,
                                SQL_DECIMAL, 18, kind == VALUE_MONEY ? 2 : 4,
                                slot->bytes, (SQLLEN)slot->cap, &slot->len);
    case VALUE_NULL:
    case VALUE_TEXT:
    case VALUE_INTS:
        break;
    }
    return SQLBindParameter(st, at, SQL_PARAM_INPUT, SQL_C_CHAR, SQL_VARCHAR,
                            slot->cap, 0, slot->bytes, (SQLLEN)slot->cap,
                            &slot->len);
}

/* Room for a text; one that moves is to be bound again. */
static enum rc reserve(struct odbc_slot *slot, size_t len)
{
    const size_t cap = len < TEXT_ROOM ? len : len + len / 2;
    char *bytes;

    if (LIKELY(len <= slot->cap))
        return RC_OK;
    bytes = mem_realloc(slot->bytes, cap);
    if (!bytes)
        return RC_NOMEM;
    slot->bytes = bytes;
    slot->cap = cap;
    slot->bound = VALUE_NULL;
    return RC_OK;
}

static size_t room_for(const struct value *v, enum value_type kind)
{
    if (v->type == VALUE_TEXT)
        return v->len;
    if (v->type == VALUE_INTS)
        return (size_t)v->len * VALUE_ITEM_BYTES + 2;
    return kind == VALUE_MONEY || kind == VALUE_RATE ? VALUE_PRINTED_MAX : 0;
}

enum rc odbc_new_slots(const struct odbc_conn *oc, const struct step *step,
                       const struct step_statement *s, struct odbc_slot **out)
{
    *out = MEM_ARRAY(struct odbc_slot, s->n_params + 1);
    if (!*out)
        return RC_NOMEM;
    for (size_t i = 0; i < s->n_params; i++) {
        const enum value_type kind =
            kind_of(oc, step->params[s->params[i]].type);
        size_t room = 0;

        if (kind == VALUE_TEXT)
            room = TEXT_ROOM;
        else if (kind == VALUE_MONEY || kind == VALUE_RATE)
            room = VALUE_PRINTED_MAX;
        if (reserve(&(*out)[i], room))
            return RC_NOMEM;
    }
    return RC_OK;
}

static void fill_time(SQL_TIMESTAMP_STRUCT *out, int64_t us)
{
    const struct value_time t = value_time_of(us);

    *out = (SQL_TIMESTAMP_STRUCT){
        .year = (SQLSMALLINT)t.year,
        .month = (SQLUSMALLINT)t.month,
        .day = (SQLUSMALLINT)t.day,
        .hour = (SQLUSMALLINT)t.hour,
        .minute = (SQLUSMALLINT)t.minute,
        .second = (SQLUSMALLINT)t.second,
        .fraction = t.us * 1000,
    };
}

/* The kind has been settled and there is room. */
static void fill(const struct odbc_conn *oc, struct odbc_slot *slot,
                 const struct value *v, enum value_type kind)
{
    size_t len = 0;

    switch (v->type) {
    case VALUE_NULL:
        slot->len = SQL_NULL_DATA;
        return;
    case VALUE_TEXT:
        if (v->len > 0)
            memcpy(slot->bytes, v->s, v->len);
        len = v->len;
        break;
    case VALUE_INTS:
        len = value_print_list(v, oc->dialect->list, slot->bytes);
        break;
    case VALUE_INT:
    case VALUE_MONEY:
    case VALUE_RATE:
    case VALUE_TIME:
        if (kind == VALUE_INT)
            slot->i = v->i;
        else if (kind == VALUE_TIME)
            fill_time(&slot->time, v->i);
        else
            len = value_print(v, slot->bytes);
        break;
    }
    slot->len = (SQLLEN)len;
}

enum rc odbc_bind(struct odbc_conn *oc, SQLHSTMT st, struct odbc_slot *slots,
                  const struct step *step, const struct step_statement *s,
                  const struct value *args)
{
    for (size_t i = 0; i < s->n_params; i++) {
        const struct value *v = &args[s->params[i]];
        /* NULL has the type that the signature says. */
        const enum value_type type =
            v->type == VALUE_NULL ? step->params[s->params[i]].type : v->type;
        const enum value_type kind = kind_of(oc, type);
        struct odbc_slot *slot = &slots[i];

        if (reserve(slot, room_for(v, kind)))
            return no_memory(oc);
        if (UNLIKELY(slot->bound != kind)) {
            if (!odbc_ok(bind_slot(st, (SQLUSMALLINT)(i + 1), slot, kind)))
                return odbc_fail_stmt(oc, st);
            slot->bound = kind;
        }
        fill(oc, slot, v, kind);
    }
    return RC_OK;
}

void odbc_release_slots(struct odbc_slot *slots, size_t n)
{
    for (size_t i = 0; slots && i < n; i++)
        mem_free(slots[i].bytes);
    mem_free(slots);
}

/* ---- literals ---- */

void odbc_put_name(struct buf *b, const struct odbc_conn *oc, const char *name)
{
    const char *quote = odbc_db_of(oc->base.db)->quote;

    buf_puts(b, quote);
    for (; *name; name++) {
        if (*name == *quote)
            buf_putc(b, *name);
        buf_putc(b, *name);
    }
    buf_puts(b, quote);
}

static void put_quoted(struct buf *b, const char *s, size_t len,
                       bool backslashes)
{
    buf_putc(b, '\'');
    for (size_t i = 0; i < len; i++) {
        if (s[i] == '\'' || (backslashes && s[i] == '\\'))
            buf_putc(b, s[i]);
        buf_putc(b, s[i]);
    }
    buf_putc(b, '\'');
}

void odbc_put_literal(struct buf *b, const struct odbc_conn *oc,
                      const struct value *v)
{
    const bool backslashes = oc->dialect->codes == ODBC_CODES_MYSQL;
    const struct value plain = v_int(v->i);
    char text[VALUE_PRINTED_MAX];

    switch (v->type) {
    case VALUE_NULL:
    case VALUE_INTS: /* no column is one */
        buf_puts(b, "NULL");
        return;
    case VALUE_TEXT:
        put_quoted(b, v->s, v->len, backslashes);
        return;
    case VALUE_TIME:
        if (oc->dialect->counts)
            break;
        put_quoted(b, text, value_print(v, text), false);
        return;
    case VALUE_MONEY:
    case VALUE_RATE:
        if (oc->dialect->counts)
            break;
        buf_add(b, text, value_print(v, text));
        return;
    case VALUE_INT:
        break;
    }
    buf_add(b, text, value_print(&plain, text));
}
