/* SPDX-License-Identifier: MIT */
/* Any text as an expression: refused at a place in it, or evaluated without
 * harm. */
#include "base/mem.h"
#include "workload/pgbench/lang/expr.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void check(bool ok)
{
    if (!ok)
        abort();
}

static void evaluate(const struct expr *e, size_t n_vars)
{
    struct var *vars = MEM_ARRAY(struct var, n_vars + 1);
    struct rng rng;
    struct expr_env env = {.vars = vars, .rng = &rng};
    struct scalar out;
    char text[VAR_PRINTED_MAX];

    rng_init(&rng, 1, 1, RNG_INPUT);
    for (size_t i = 0; vars && i < n_vars; i++)
        vars[i] =
            (struct var){.kind = VAR_SCALAR, .value = s_int((int64_t)i + 1)};
    if (vars && expr_eval(e, &env, &out))
        check(scalar_print(&out, text) < sizeof(text));
    else
        check(!vars || env.fault);
    mem_free(vars);
}

static bool has(const uint8_t *data, size_t size, const char *word)
{
    return memmem(data, size, word, strlen(word)) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT(1 << 20);
    struct var_table vars;
    struct err err = {0};
    struct expr e;
    struct expr_text parsed;
    char *text;
    enum rc rc;

    /* debug() would print. */
    if (has(data, size, "ebug") || has(data, size, "EBUG"))
        return 0;
    text = malloc(size + 1);
    if (!text || var_table_init(&vars, &arena, &err))
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    parsed = (struct expr_text){.s = text, .len = size};
    rc = expr_parse(&arena, &vars, &parsed, &e, &err);
    check(parsed.where >= text && parsed.where <= text + size);
    if (rc)
        check(err.rc == rc && *err.text);
    else
        evaluate(&e, vars.n);
    arena_release(&arena);
    free(text);
    return 0;
}
