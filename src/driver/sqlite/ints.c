/* SPDX-License-Identifier: MIT */
#include "driver/sqlite/sqlite_int.h"
#include "driver/value_text.h"

#define LIST_MAX 64

int sqlite_bind_ints(sqlite3_stmt *st, int at, const struct value *v)
{
    char text[LIST_MAX * VALUE_ITEM_BYTES + 2];

    if (v->len > LIST_MAX)
        return SQLITE_TOOBIG;
    return sqlite3_bind_text(st, at, text,
                             (int)value_print_list(v, VALUE_LIST_JSON, text),
                             SQLITE_TRANSIENT);
}
