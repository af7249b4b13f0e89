/* SPDX-License-Identifier: MIT */
/*
 * Places in scripts.  Lua names file and line; the column is that of what it
 * names beside, or of the first word of the line.
 */
#include "base/parse.h"
#include "workload/sysbench/sysbench.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_MAX 72
#define NAME_BYTES 64

/* "path:12: text"; the path may hold colons. */
static bool split(const char *text, char *path, size_t path_len,
                  unsigned long *line, const char **rest)
{
    const char *s = strstr(text, ".lua:");
    size_t len;
    char *end;

    if (!s)
        return false;
    s += strlen(".lua");
    len = (size_t)(s - text);
    if (len >= path_len)
        return false;
    memcpy(path, text, len);
    path[len] = '\0';
    *line = strtoul(s + 1, &end, 10);
    if (end == s + 1 || *end != ':')
        return false;
    *rest = end + 1;
    while (**rest == ' ')
        ++*rest;
    return true;
}

static const char *line_of(const char *source, unsigned long line, size_t *len)
{
    for (; line > 1 && source; line--) {
        source = strchr(source, '\n');
        if (source)
            source++;
    }
    if (source)
        *len = strcspn(source, "\r\n");
    return source;
}

/* What Lua says it is about: field 'x', near 'x'. */
static bool name_in(const char *text, char *name)
{
    static const char *const kinds[] = {"near '",   "field '", "global '",
                                        "method '", "local '", "upvalue '"};

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        const char *s = strstr(text, kinds[i]);
        size_t len;

        if (!s)
            continue;
        s += strlen(kinds[i]);
        len = strcspn(s, "'");
        if (len == 0 || len >= NAME_BYTES || s[len] != '\'')
            continue;
        memcpy(name, s, len);
        name[len] = '\0';
        return strcmp(name, "<eof>") != 0;
    }
    return false;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t column_of(const char *line, size_t len, const char *text)
{
    char name[NAME_BYTES];
    size_t i = 0;

    if (name_in(text, name)) {
        const size_t n = strlen(name);

        for (i = 0; i + n <= len; i++) {
            if (memcmp(line + i, name, n) == 0 &&
                !(i > 0 && is_word(line[i - 1]) && is_word(name[0])) &&
                !(i + n < len && is_word(line[i + n]) && is_word(name[n - 1])))
                return i;
        }
    }
    for (i = 0; i < len && (line[i] == ' ' || line[i] == '\t');)
        i++;
    return i < len ? i : 0;
}

static const char *source_of(const struct sb_host *h, const char *path)
{
    const char *source;

    lua_rawgeti(h->L, LUA_REGISTRYINDEX, h->sources_ref);
    lua_pushnil(h->L);
    /* Looking it up by a string might need memory. */
    while (lua_next(h->L, -2)) {
        if (strcmp(lua_tostring(h->L, -2), path) == 0) {
            /* The registry holds it. */
            source = lua_tostring(h->L, -1);
            lua_pop(h->L, 3);
            return source;
        }
        lua_pop(h->L, 1);
    }
    lua_pop(h->L, 1);
    return NULL;
}

void sb_show_place(const struct sb_host *h, const char *text, struct err *err)
{
    const char *line = NULL, *rest;
    char path[256], shown[SHOWN_MAX + 1];
    unsigned long number;
    size_t len = 0, at, from = 0;

    if (!err)
        return;
    if (split(text, path, sizeof(path), &number, &rest)) {
        const char *source = source_of(h, path);

        if (source)
            line = line_of(source, number, &len);
    }
    if (!line) {
        err_set(err, RC_INVALID, "%s", text);
        return;
    }
    at = column_of(line, len, rest);
    if (at > SHOWN_MAX - 20)
        from = at - (SHOWN_MAX - 20);
    len = len - from < SHOWN_MAX ? len - from : SHOWN_MAX;
    for (size_t i = 0; i < len; i++)
        shown[i] = (unsigned char)line[from + i] < ' ' ? ' ' : line[from + i];
    shown[len] = '\0';
    err_set(err, RC_INVALID, "%s:%lu:%zu: %.500s\n  %s\n  %*s^", path, number,
            at + 1, rest, shown, (int)(at - from), "");
}
