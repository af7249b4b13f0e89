/* SPDX-License-Identifier: MIT */
/* Any text as a target: parsed or refused, and never longer than it was but
 * for the stars that hide a password. */
#include "driver/target.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void check(bool ok)
{
    if (!ok)
        abort();
}

static void parse(const char *url)
{
    static const char *const names[] = {"cache", "synchronous"};
    struct arena arena = ARENA_INIT(16 << 20);
    struct target t;
    struct err err = {0};

    if (target_parse(&arena, url, &t, &err)) {
        check(err.rc == RC_USAGE || err.rc == RC_NOMEM);
    } else {
        const char *cache = target_param(&t, &arena, "cache");

        check(strcmp(t.url, url) == 0);
        check(strlen(t.rest) <= strlen(url));
        check(!cache || strlen(cache) <= strlen(url));
        if (target_check_params(&t, names, 2, &err))
            check(err.rc == RC_USAGE);
    }
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    parse(text);
    free(text);
    return 0;
}
