/* SPDX-License-Identifier: MIT */
/*
 * The target's URL or connection string.  What it does not say is left to
 * libpq: PG* variables, service and password files.
 */
#include "driver/postgres/pg_int.h"

#include <stdio.h>

#define DEFAULTS 2

/* libpq's messages may quote what it could not read, passwords included; these
 * quote the name of an option only. */
static bool may_show(const char *message)
{
    return message && (strstr(message, "invalid URI query parameter") ||
                       strstr(message, "invalid connection option"));
}

static enum rc refuse(const struct pg_db *db, const char *message,
                      struct err *err)
{
    const char *shown = db->base.target->shown;

    if (may_show(message))
        return err_set(err, RC_USAGE, "'%s': %.*s", shown,
                       (int)strcspn(message, "\n"), message);
    return err_set(err, RC_USAGE,
                   "'%s' is neither a URL (postgres://user@host:port/database) "
                   "nor a connection string (postgres:host=… dbname=…)",
                   shown);
}

static const char *value_of(const PQconninfoOption *options, const char *key)
{
    for (; options->keyword; options++) {
        if (strcmp(options->keyword, key) == 0)
            return options->val;
    }
    return NULL;
}

static size_t count(const PQconninfoOption *options)
{
    size_t n = 0;

    while (options[n].keyword)
        n++;
    return n;
}

/* Settings of dyno's own, where the user has none. */
static void add_defaults(struct pg_db *db, const PQconninfoOption *options,
                         size_t *n)
{
    static const struct {
        const char *key, *value;
    } defaults[DEFAULTS] = {
        /* The variable PGAPPNAME wins over this one. */
        {"fallback_application_name", "dyno"},
        {"client_encoding", "UTF8"},
    };

    for (size_t i = 0; i < DEFAULTS; i++) {
        if (value_of(options, defaults[i].key))
            continue;
        db->keys[*n] = defaults[i].key;
        db->values[*n] = defaults[i].value;
        ++*n;
    }
}

static enum rc keep(struct pg_db *db, const PQconninfoOption *options)
{
    const size_t cap = count(options) + DEFAULTS + 1;
    size_t n = 0;

    db->keys = ARENA_ARRAY(&db->arena, const char *, cap);
    db->values = ARENA_ARRAY(&db->arena, const char *, cap);
    if (!db->keys || !db->values)
        return RC_NOMEM;
    for (const PQconninfoOption *o = options; o->keyword; o++) {
        if (!o->val)
            continue;
        db->keys[n] = arena_strdup(&db->arena, o->keyword);
        db->values[n] = arena_strdup(&db->arena, o->val);
        if (!db->keys[n] || !db->values[n])
            return RC_NOMEM;
        n++;
    }
    add_defaults(db, options, &n);
    return RC_OK;
}

/* "postgres:shop" names a database, as it does for psql. */
static bool is_name(const char *s)
{
    return *s && strcspn(s, "= \t\n/?'\\") == strlen(s);
}

/* libpq would quote what is none, and it may be a password. */
static bool is_ports(const char *text)
{
    return !text || text[strspn(text, "0123456789, \t")] == '\0';
}

/* A password with '@' in it ends at the first; an abstract socket begins
 * with one. */
static bool is_host(const char *text)
{
    return !text || !*text || !strchr(text + 1, '@');
}

enum rc pg_parse_target(struct pg_db *db, struct err *err)
{
    const char *url = db->base.target->url;
    const char *text = strchr(url, ':');
    char *message = NULL;
    PQconninfoOption *options;
    enum rc rc;

    text = text ? text + 1 : url;
    if (strncmp(text, "//", 2) == 0)
        text = url;
    else if (is_name(text))
        text = arena_printf(&db->arena, "dbname='%s'", text);
    options = text ? PQconninfoParse(text, &message) : NULL;
    if (options && !is_ports(value_of(options, "port")))
        rc = err_set(err, RC_USAGE,
                     "'%s': the port is not a number; behind a password there "
                     "has to be '@' and the host",
                     db->base.target->shown);
    else if (options && !is_host(value_of(options, "host")))
        rc = err_set(err, RC_USAGE,
                     "'%s': the host has an '@' in it; in a password it is "
                     "written %%40",
                     db->base.target->shown);
    else if (options)
        rc = keep(db, options);
    else
        rc = text ? refuse(db, message, err) : RC_NOMEM;
    if (rc == RC_NOMEM)
        rc = err_set(err, rc, "out of memory");
    PQconninfoFree(options);
    PQfreemem(message);
    return rc;
}
