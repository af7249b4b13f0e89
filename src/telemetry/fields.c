/* SPDX-License-Identifier: MIT */
#include "telemetry/fields.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

size_t fields_read(const char *text, uint64_t *out, size_t n, const char **rest)
{
    size_t i;

    for (i = 0; i < n; i++) {
        const char *at = text + strspn(text, " \t\n");
        const bool negative = *at == '-';
        char *end;

        if (!isdigit((unsigned char)at[negative]))
            break;
        out[i] = strtoull(at + negative, &end, 10);
        if (negative)
            out[i] = 0;
        if (*end && !isspace((unsigned char)*end))
            break;
        text = end;
    }
    if (rest)
        *rest = text + strspn(text, " \t\n");
    return i;
}
