/* SPDX-License-Identifier: MIT */
#include "driver/keywords.h"

#include <string.h>
#include <strings.h>

#define BLANKS " \t\r\n\f\v"

/* Behind a value that begins at s. */
static const char *skip_value(const char *s)
{
    if (*s != '{')
        return s + strcspn(s, ";");
    for (s++; *s; s++) {
        if (*s != '}')
            continue;
        if (s[1] != '}')
            return s + 1;
        s++;
    }
    return s;
}

bool keyword_next(const char **s, struct keyword *out)
{
    const char *name = *s + strspn(*s, ";" BLANKS);
    size_t len = strcspn(name, "=;");
    const bool has_value = name[len] == '=';
    const char *value = name + len + has_value;

    if (!*name)
        return false;
    while (len > 0 && strchr(BLANKS, name[len - 1]))
        len--;
    if (has_value)
        value += strspn(value, BLANKS);
    *s = has_value ? skip_value(value) : value;
    *out = (struct keyword){
        .name = name,
        .name_len = len,
        .value = value,
        .value_len = (size_t)(*s - value),
        .has_value = has_value,
    };
    return true;
}

bool keyword_is(const struct keyword *k, const char *name)
{
    return strlen(name) == k->name_len &&
           strncasecmp(name, k->name, k->name_len) == 0;
}

/* Drivers have names of their own for it: better to hide too much. */
bool keyword_is_secret(const struct keyword *k)
{
    static const char *const parts[] = {"pwd", "pass", "secret", "token"};

    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        const size_t len = strlen(parts[i]);

        for (size_t at = 0; at + len <= k->name_len; at++) {
            if (strncasecmp(k->name + at, parts[i], len) == 0)
                return true;
        }
    }
    return false;
}

/* A password with a ';' that is not in braces goes on behind it. */
static bool is_rest_of_secret(const struct keyword *k, bool secret_before)
{
    return secret_before && !k->has_value;
}

char *keywords_show(struct arena *arena, const char *text)
{
    char *shown = arena_strndup(arena, "", 0);
    const char *s = text, *from = text;
    bool secret = false;
    struct keyword k;

    while (shown && keyword_next(&s, &k)) {
        const bool rest = is_rest_of_secret(&k, secret);

        secret = rest || keyword_is_secret(&k);
        if (!secret)
            continue;
        if (rest)
            k.value = k.name;
        shown = arena_printf(arena, "%s%.*s***", shown, (int)(k.value - from),
                             from);
        from = s;
    }
    return shown ? arena_printf(arena, "%s%s", shown, from) : NULL;
}
