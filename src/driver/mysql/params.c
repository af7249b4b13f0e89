/* SPDX-License-Identifier: MIT */
/*
 * Parameters.  Each has a slot of its own that the library reads when the
 * statement is executed; it is bound once, for binding again would send the
 * types again.
 */
#include "base/mem.h"
#include "driver/lexer.h"
#include "driver/mysql/stmt.h"

/* Enough for the texts and lists of TPC-C, so that the run path need not
 * grow. */
#define BYTES_MIN 512

static enum enum_field_types type_of(enum value_type type)
{
    switch (type) {
    case VALUE_INT:
        return MYSQL_TYPE_LONGLONG;
    case VALUE_MONEY:
    case VALUE_RATE:
        return MYSQL_TYPE_NEWDECIMAL;
    case VALUE_TIME:
        return MYSQL_TYPE_DATETIME;
    case VALUE_NULL:
    case VALUE_TEXT:
    case VALUE_INTS:
        break;
    }
    return MYSQL_TYPE_STRING;
}

static size_t room_of(enum value_type type)
{
    if (type == VALUE_TEXT || type == VALUE_INTS)
        return BYTES_MIN;
    return type == VALUE_MONEY || type == VALUE_RATE ? VALUE_PRINTED_MAX : 0;
}

static enum rc init_slot(struct maria_slot *slot, MYSQL_BIND *bind,
                         enum value_type type)
{
    slot->cap = room_of(type);
    if (slot->cap > 0 && !(slot->bytes = mem_calloc(slot->cap, 1)))
        return RC_NOMEM;
    bind->buffer_type = type_of(type);
    bind->is_null = &slot->is_null;
    bind->length = &slot->len;
    if (slot->bytes)
        bind->buffer = slot->bytes;
    else if (type == VALUE_TIME)
        bind->buffer = &slot->time;
    else
        bind->buffer = &slot->i;
    return RC_OK;
}

enum rc maria_params_init(struct maria_params *p, MYSQL_STMT *st,
                          const struct step *step,
                          const struct step_statement *s)
{
    enum rc rc = RC_OK;

    if (s->n_params == 0)
        return RC_OK;
    p->n = s->n_params;
    p->binds = MEM_ARRAY(MYSQL_BIND, p->n);
    p->slots = MEM_ARRAY(struct maria_slot, p->n);
    if (!p->binds || !p->slots)
        return RC_NOMEM;
    for (size_t i = 0; i < p->n && !rc; i++)
        rc = init_slot(&p->slots[i], &p->binds[i],
                       step->params[s->params[i]].type);
    if (!rc && mysql_stmt_bind_param(st, p->binds))
        rc = RC_INVALID;
    return rc;
}

void maria_params_release(struct maria_params *p)
{
    for (size_t i = 0; p->slots && i < p->n; i++)
        mem_free(p->slots[i].bytes);
    mem_free(p->slots);
    mem_free(p->binds);
    *p = (struct maria_params){0};
}

/* A slot whose bytes move must be bound again. */
static enum rc grow(struct maria_slot *slot, MYSQL_BIND *bind, size_t len,
                    bool *moved)
{
    char *bytes;

    if (LIKELY(len <= slot->cap))
        return RC_OK;
    bytes = mem_realloc(slot->bytes, len + len / 2);
    if (!bytes)
        return RC_NOMEM;
    slot->bytes = bytes;
    slot->cap = len + len / 2;
    bind->buffer = bytes;
    *moved = true;
    return RC_OK;
}

static void fill_time(MYSQL_TIME *out, int64_t us)
{
    const struct value_time t = value_time_of(us);

    *out = (MYSQL_TIME){
        .year = (unsigned)t.year,
        .month = t.month,
        .day = t.day,
        .hour = t.hour,
        .minute = t.minute,
        .second = t.second,
        .second_part = t.us,
        .time_type = MYSQL_TIMESTAMP_DATETIME,
    };
}

/* Parameters of users' own statements have the type of their value. */
static void retype(struct maria_slot *slot, MYSQL_BIND *bind,
                   enum value_type type, bool *moved)
{
    bind->buffer_type = type_of(type);
    if (type == VALUE_INT)
        bind->buffer = &slot->i;
    else
        bind->buffer = slot->bytes;
    *moved = true;
}

static enum rc fill(struct maria_slot *slot, MYSQL_BIND *bind,
                    const struct value *v, bool *moved)
{
    size_t len = 0;
    enum rc rc = RC_OK;

    slot->is_null = v->type == VALUE_NULL;
    if (UNLIKELY((v->type == VALUE_INT || v->type == VALUE_TEXT) &&
                 bind->buffer_type != type_of(v->type)))
        retype(slot, bind, v->type, moved);
    switch (v->type) {
    case VALUE_NULL:
        break;
    case VALUE_INT:
        slot->i = v->i;
        break;
    case VALUE_TIME:
        fill_time(&slot->time, v->i);
        break;
    case VALUE_MONEY:
    case VALUE_RATE:
        len = value_print(v, slot->bytes);
        break;
    case VALUE_TEXT:
        len = v->len;
        rc = grow(slot, bind, len, moved);
        if (!rc && len > 0)
            memcpy(slot->bytes, v->s, len);
        break;
    case VALUE_INTS:
        rc = grow(slot, bind, (size_t)v->len * VALUE_PADDED_BYTES, moved);
        if (!rc)
            len = value_print_list(v, VALUE_LIST_PADDED, slot->bytes);
        break;
    }
    slot->len = len;
    return rc;
}

enum rc maria_bind(struct maria_conn *mc, struct maria_params *p,
                   MYSQL_STMT *st, const struct step_statement *s,
                   const struct value *args)
{
    size_t bytes = 64 + 16 * p->n; /* of the packet, generously */
    bool moved = false;

    for (size_t i = 0; i < p->n; i++) {
        if (UNLIKELY(
                fill(&p->slots[i], &p->binds[i], &args[s->params[i]], &moved)))
            return maria_fail_own(mc, RC_NOMEM, "out of memory");
        bytes += p->slots[i].len;
    }
    if (UNLIKELY(maria_check_packet(mc, bytes)))
        return RC_DB_LIMIT;
    if (UNLIKELY(moved) && mysql_stmt_bind_param(st, p->binds))
        return maria_fail_stmt(mc, st);
    return RC_OK;
}

/* ---- as text ---- */

void maria_put_statement(struct buf *b, const struct maria_conn *mc,
                         const struct step_statement *s,
                         const struct value *args)
{
    struct lexer lx = {.pos = s->text, .end = s->text + strlen(s->text)};
    const char *from = lx.pos;
    struct token t;
    size_t n = 0;

    while ((t = lexer_next(&lx)).type != TOKEN_END) {
        if (t.type != TOKEN_OTHER || *t.s != '?')
            continue;
        buf_add(b, from, (size_t)(t.s - from));
        if (n < s->n_params)
            maria_put_literal(b, mc, &args[s->params[n++]]);
        from = t.s + t.len;
    }
    buf_add(b, from, (size_t)(lx.end - from));
}
