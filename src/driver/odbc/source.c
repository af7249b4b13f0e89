/* SPDX-License-Identifier: MIT */
/* Where to connect: "odbc:NAME", "odbc:NAME;UID=u;…" or "odbc:DSN=NAME;…". */
#include "driver/keywords.h"
#include "driver/odbc/odbc_int.h"

#define DIALECT_KEYWORD "DynoDialect"

/* Takes dyno's own keyword out and puts DSN= before a name alone. */
static enum rc copy_keywords(struct odbc_db *db, const char *s, struct err *err)
{
    const char *text = "";
    struct keyword k;

    while (text && keyword_next(&s, &k)) {
        if (keyword_is(&k, DIALECT_KEYWORD)) {
            db->dialect_name = arena_strndup(&db->arena, k.value, k.value_len);
            continue;
        }
        if (k.has_value)
            text =
                arena_printf(&db->arena, "%s%.*s=%.*s;", text, (int)k.name_len,
                             k.name, (int)k.value_len, k.value);
        else if (!*text)
            text =
                arena_printf(&db->arena, "DSN=%.*s;", (int)k.name_len, k.name);
        else
            return err_set(err, RC_USAGE,
                           "'%s': expected keyword=value behind a ';'; a value "
                           "that holds one is written in braces: PWD={a;b}",
                           db->base.target->shown);
    }
    db->source = text;
    return text ? RC_OK : err_set(err, RC_NOMEM, "out of memory");
}

enum rc odbc_source_parse(struct odbc_db *db, struct err *err)
{
    const char *colon = strchr(db->base.target->url, ':');
    enum rc rc = copy_keywords(db, colon + 1, err);

    if (rc)
        return rc;
    if (!*db->source)
        return err_set(err, RC_USAGE,
                       "'%s' names no data source; a target reads like "
                       "odbc:NAME or odbc:Driver=/…/driver.so;Database=…",
                       db->base.target->shown);
    if (db->dialect_name && !odbc_dialect_named(db->dialect_name))
        return err_set(err, RC_USAGE,
                       DIALECT_KEYWORD
                       "='%s' is none of postgres, mysql, sqlite",
                       db->dialect_name);
    return RC_OK;
}

static bool has_keyword(const char *s, const char *name)
{
    struct keyword k;

    while (keyword_next(&s, &k)) {
        if (keyword_is(&k, name))
            return true;
    }
    return false;
}

enum rc odbc_source_complete(struct odbc_db *db, struct err *err)
{
    for (size_t i = 0; i < db->dialect->n_extras && db->source; i++) {
        const struct odbc_extra *e = &db->dialect->extras[i];

        if (strncasecmp(e->driver, db->driver_name, strlen(e->driver)) != 0 ||
            has_keyword(db->source, e->keyword))
            continue;
        db->source = arena_printf(&db->arena, "%s%s=%s;", db->source,
                                  e->keyword, e->value);
    }
    return db->source ? RC_OK : err_set(err, RC_NOMEM, "out of memory");
}
