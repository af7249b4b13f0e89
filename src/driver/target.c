/* SPDX-License-Identifier: MIT */
#include "driver/target.h"

#include "base/parse.h"
#include "driver/driver.h"
#include "driver/keywords.h"

#include <string.h>
#include <sys/stat.h>

#define NAMES_MAX 16

/* Length of "scheme" in "scheme:…", 0 when there is none. */
static size_t scheme_len(const char *url)
{
    size_t n = strspn(url, "abcdefghijklmnopqrstuvwxyz"
                           "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                           "0123456789+.-");

    return url[n] == ':' ? n : 0;
}

static bool ends_with(const char *s, const char *tail)
{
    size_t n = strlen(s), n_tail = strlen(tail);

    return n > n_tail && strcmp(s + n - n_tail, tail) == 0;
}

static bool is_sqlite_file(const char *path)
{
    struct stat st;

    return ends_with(path, ".db") || ends_with(path, ".sqlite") ||
           ends_with(path, ".sqlite3") || stat(path, &st) == 0;
}

/* ---- what may be shown ---- */

struct param {
    const char *name, *value; /* not decoded, not terminated */
    size_t name_len, value_len;
};

/* Takes one parameter off *s; false at the end. */
static bool param_next(const char **s, struct param *out)
{
    size_t len = strcspn(*s, "&");
    const char *equals = memchr(*s, '=', len);

    if (!**s)
        return false;
    out->name = *s;
    out->name_len = equals ? (size_t)(equals - *s) : len;
    out->value = equals ? equals + 1 : *s + len;
    out->value_len = (size_t)(*s + len - out->value);
    *s += len + ((*s)[len] == '&');
    return true;
}

/* Behind the '?', or the end of the text. */
static const char *first_param(const char *url)
{
    const char *mark = url + strcspn(url, "?");

    return *mark ? mark + 1 : mark;
}

static bool is_secret(const struct param *p)
{
    static const char *const names[] = {"password", "passwd", "pwd",
                                        "sslpassword"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (strlen(names[i]) == p->name_len &&
            strncasecmp(names[i], p->name, p->name_len) == 0)
            return true;
    }
    return false;
}

/* The password of "scheme://user:password@host".  It may hold any character
 * but '?', even where it ought to be encoded: better to hide too much. */
static bool find_password(const char *url, const char **out, size_t *out_len)
{
    size_t len = strcspn(url, "?");
    const char *at = memrchr(url, '@', len);
    const char *user = memmem(url, len, "://", 3);
    const char *colon;

    if (!at || !user || at < user + 3)
        return false;
    user += 3;
    colon = memchr(user, ':', (size_t)(at - user));
    if (!colon)
        return false;
    *out = colon + 1;
    *out_len = (size_t)(at - colon - 1);
    return true;
}

/* ---- connection strings: "postgres:host=h password='p w'" ---- */

static const char *behind_scheme(const char *url)
{
    const size_t len = scheme_len(url);

    return len > 0 ? url + len + 1 : url;
}

static bool is_conninfo(const char *url)
{
    const char *rest = behind_scheme(url);
    const size_t len = strcspn(rest, "?");

    return strncmp(rest, "//", 2) != 0 && memchr(rest, '=', len);
}

#define BLANKS " \t\r\n\f\v"

/* Behind a value: in quotes or up to a blank; a backslash takes the next
 * character. */
static const char *skip_value(const char *s)
{
    const bool quoted = *s == '\'';

    for (s += quoted; *s; s++) {
        if (*s == '\\' && s[1])
            s++;
        else if (quoted ? *s == '\'' : strchr(BLANKS, *s) != NULL)
            break;
    }
    return s + (quoted && *s);
}

/* "odbc:DSN=x;PWD=y", the name of the driver perhaps misspelled. */
static bool is_keywords(const char *url, const struct driver *d)
{
    if (d)
        return (d->caps & DRIVER_KEYWORDS) != 0;
    return is_conninfo(url) && strchr(url, ';');
}

static const char *show_keywords(struct arena *arena, const char *url)
{
    const char *rest = behind_scheme(url);
    const char *shown = keywords_show(arena, rest);

    return shown ? arena_printf(arena, "%.*s%s", (int)(rest - url), url, shown)
                 : NULL;
}

static const char *show_conninfo(struct arena *arena, const char *url)
{
    const char *s = behind_scheme(url);
    const char *shown = arena_strndup(arena, url, (size_t)(s - url));

    while (shown && *s) {
        const char *name = s + strspn(s, BLANKS);
        struct param p = {.name = name, .name_len = strcspn(name, "=" BLANKS)};
        const char *value = name + p.name_len;

        value += strspn(value, BLANKS);
        value += *value == '=';
        value += strspn(value, BLANKS);
        p.value = value;
        value = skip_value(value);
        p.value_len = (size_t)(value - p.value);
        shown = arena_printf(arena, "%s%.*s%.*s", shown, (int)(p.value - s), s,
                             is_secret(&p) ? 3 : (int)p.value_len,
                             is_secret(&p) ? "***" : p.value);
        s = value;
    }
    return shown;
}

/* What is no URL as it should be may hold a password all the same: behind a
 * colon and before the last '@', or at the end where a port would be. */
static bool find_stray_password(const char *url, const struct driver *d,
                                const char **out, size_t *out_len)
{
    const size_t len = strcspn(url, "?");
    const char *at = memrchr(url, '@', len);
    const char *end = at ? at : url + len;
    const char *from = memmem(url, len, "//", 2);
    const char *colon;

    from = from && from < end ? from + 2 : behind_scheme(url);
    if (*from == '[')
        from += strcspn(from, "]");
    colon = from < end ? memchr(from, ':', (size_t)(end - from)) : NULL;
    if (!colon && at && !d) {
        from = url;
        colon = memchr(from, ':', (size_t)(end - from));
    }
    if (!colon || (!at && !memmem(url, len, "//", 2)))
        return false;
    *out = colon + 1;
    *out_len = (size_t)(end - colon - 1);
    return at || strspn(*out, "0123456789") < strcspn(*out, "/?,");
}

/* Names of files may have any character. */
static bool names_files(const struct driver *d)
{
    return d && (d->caps & (DRIVER_EMBEDDED | DRIVER_FILES | DRIVER_DISCARDS));
}

/* d: NULL when it is not known. */
static const char *make_shown(struct arena *arena, const char *url,
                              const struct driver *d)
{
    const char *params = first_param(url);
    const char *password;
    const char *shown;
    struct param p;
    size_t len;

    if (is_keywords(url, d))
        return show_keywords(arena, url);
    if (is_conninfo(url))
        return show_conninfo(arena, url);
    if (find_password(url, &password, &len) ||
        (!names_files(d) && find_stray_password(url, d, &password, &len)))
        shown = arena_printf(arena, "%.*s***%.*s", (int)(password - url), url,
                             (int)(params - (password + len)), password + len);
    else
        shown = arena_strndup(arena, url, (size_t)(params - url));
    while (shown && param_next(&params, &p)) {
        if (is_secret(&p))
            shown = arena_printf(arena, "%s%.*s=***%s", shown, (int)p.name_len,
                                 p.name, params[-1] == '&' ? "&" : "");
        else
            shown = arena_printf(arena, "%s%.*s", shown, (int)(params - p.name),
                                 p.name);
    }
    return shown;
}

/* In double quotes where a shell would take it apart: commands that are
 * suggested stand in single ones. */
static const char *make_word(struct arena *arena, const char *shown)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ@%+=:,./_-";
    char *word, *to;

    if (!shown || (*shown && shown[strspn(shown, plain)] == '\0'))
        return shown;
    word = arena_alloc(arena, 2 * strlen(shown) + 3);
    if (!word)
        return NULL;
    to = word;
    *to++ = '"';
    for (const char *s = shown; *s; s++) {
        if (strchr("\"$`\\", *s))
            *to++ = '\\';
        *to++ = *s;
    }
    *to++ = '"';
    *to = '\0';
    return word;
}

/* ---- parsing ---- */

static enum rc unknown_scheme(const char *shown, const char *scheme,
                              struct err *err)
{
    const char *names[NAMES_MAX];
    const char *near;
    size_t n = 0;

    for (; n < driver_count && n < NAMES_MAX; n++)
        names[n] = driver_table[n]->name;
    near = nearest_name(scheme, names, n);
    if (near)
        return err_set(err, RC_USAGE,
                       "'%s' names no database known here; did you mean "
                       "'%s:'?",
                       shown, near);
    return err_set(err, RC_USAGE,
                   "'%s' names no database known here; a target reads like "
                   "'sqlite:FILE', and 'dyno drivers' lists the others",
                   shown);
}

static const struct driver *choose_driver(const char *scheme, size_t len,
                                          const char *rest)
{
    const struct driver *d = len > 0 ? driver_find(scheme) : NULL;

    if (!d && is_sqlite_file(rest))
        return driver_find("sqlite");
    return d;
}

enum rc target_parse(struct arena *arena, const char *url, struct target *out,
                     struct err *err)
{
    const size_t len = scheme_len(url);
    const size_t path_len = strcspn(url, "?");
    const char *scheme = arena_strndup(arena, url, len > 0 ? len : path_len);
    const char *whole = arena_strndup(arena, url, path_len);
    struct target t = {.url = arena_strdup(arena, url)};

    if (scheme && whole)
        t.driver = choose_driver(scheme, len, whole);
    t.shown = make_shown(arena, url, t.driver);
    t.word = make_word(arena, t.shown);
    if (!scheme || !whole || !t.url || !t.word)
        return err_set(err, RC_NOMEM, "out of memory");
    if (!t.driver)
        return unknown_scheme(t.shown, scheme, err);
    t.rest = len > 0 && strcmp(t.driver->name, scheme) == 0 ? whole + len + 1
                                                            : whole;
    *out = t;
    return RC_OK;
}

/* ---- parameters ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* In place; an incomplete "%X" stays as it is, "%00" too. */
static void decode_percent(char *s)
{
    char *to = s;

    while (*s) {
        int high = *s == '%' ? hex_digit(s[1]) : -1;
        int low = high >= 0 ? hex_digit(s[2]) : -1;

        if (low >= 0 && high + low > 0) {
            *to++ = (char)(high * 16 + low);
            s += 3;
        } else {
            *to++ = *s++;
        }
    }
    *to = '\0';
}

const char *target_decode(struct arena *arena, const char *s, size_t len)
{
    char *copy = arena_strndup(arena, s, len);

    if (copy)
        decode_percent(copy);
    return copy;
}

const char *target_param(const struct target *t, struct arena *arena,
                         const char *name)
{
    const char *s = first_param(t->url);
    struct param p;

    while (param_next(&s, &p)) {
        if (strlen(name) == p.name_len && memcmp(name, p.name, p.name_len) == 0)
            return target_decode(arena, p.value, p.value_len);
    }
    return NULL;
}

static bool is_among(const struct param *p, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strlen(names[i]) == p->name_len &&
            memcmp(names[i], p->name, p->name_len) == 0)
            return true;
    }
    return false;
}

enum rc target_check_params(const struct target *t, const char *const *names,
                            size_t n, struct err *err)
{
    const char *s = first_param(t->url);
    const char *near;
    struct param p;
    char name[64];

    while (param_next(&s, &p)) {
        size_t len = p.name_len < sizeof(name) ? p.name_len : sizeof(name) - 1;

        if (is_among(&p, names, n))
            continue;
        memcpy(name, p.name, len);
        name[len] = '\0';
        near = nearest_name(name, names, n);
        return err_set(err, RC_USAGE,
                       "%s: targets take no parameter '%s'%s%s%s",
                       t->driver->name, name, near ? "; did you mean '" : "",
                       near ? near : " (a '?' in a name is written %3F)",
                       near ? "'?" : "");
    }
    return RC_OK;
}
