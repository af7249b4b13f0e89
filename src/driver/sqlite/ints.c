/* SPDX-License-Identifier: MIT */
#include "driver/sqlite/sqlite_int.h"

/* Room for a list: a sign, 19 digits and a comma for each number. */
#define INT_CHARS 21
#define LIST_MAX 64

/* Writes the number backwards from end; returns where it begins. */
static char *put_int(char *end, int64_t value)
{
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    do {
        *--end = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        *--end = '-';
    return end;
}

int sqlite_bind_ints(sqlite3_stmt *st, int at, const struct value *v)
{
    char text[LIST_MAX * INT_CHARS + 2];
    char *const end = text + sizeof(text);
    char *s = end;

    if (v->len > LIST_MAX)
        return SQLITE_TOOBIG;
    *--s = ']';
    for (size_t i = v->len; i > 0; i--) {
        s = put_int(s, v->ints[i - 1]);
        if (i > 1)
            *--s = ',';
    }
    *--s = '[';
    return sqlite3_bind_text(st, at, s, (int)(end - s), SQLITE_TRANSIENT);
}
