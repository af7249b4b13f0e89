/* SPDX-License-Identifier: MIT */
/* Any bytes as a script: its statements lie in it, in order, and it ends.  The
 * tokens of the lexer put together are the script. */
#include "driver/lexer.h"
#include "driver/step.h"

#include <stdint.h>
#include <stdlib.h>

static void check(bool ok)
{
    if (!ok)
        abort();
}

static void check_tokens(const char *text, size_t len)
{
    struct lexer lx = {.pos = text, .end = text + len};
    const char *at = text;
    struct token t;

    while ((t = lexer_next(&lx)).type != TOKEN_END) {
        check(t.s == at && t.len > 0);
        at += t.len;
    }
    check(at == text + len);
}

static void check_statements(const char *text, size_t len)
{
    const char *end = text + len, *before = text, *s;
    size_t s_len;

    while (script_next(&text, &len, &s, &s_len)) {
        check(s >= before && s_len > 0);
        check(s + s_len <= text && text + len == end);
        before = s + s_len;
    }
    check(len == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;

    check_tokens(text, size);
    check_statements(text, size);
    return 0;
}
