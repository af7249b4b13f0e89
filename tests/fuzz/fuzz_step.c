/* SPDX-License-Identifier: MIT */
/* Any text as a step: parsed or refused, and what is parsed is consistent. */
#include "driver/step.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void check(bool ok)
{
    if (!ok)
        abort();
}

static void check_statement(const struct step *step,
                            const struct step_statement *s,
                            enum placeholder style)
{
    check(s->n_params <= strlen(s->text));
    for (size_t i = 0; i < s->n_params; i++) {
        check(s->params[i] < step->n_params);
        for (size_t k = 0; k < i && style == PLACEHOLDER_DOLLAR; k++)
            check(s->params[k] != s->params[i]);
    }
}

static void parse(const char *text, enum placeholder style)
{
    struct arena arena = ARENA_INIT(1 << 20);
    struct step step = {0};
    struct err err = {0};

    if (step_parse(&arena, "fuzz", text, style, &step, &err)) {
        check(err.rc != RC_OK && strstr(err.text, "step fuzz"));
    } else {
        check(step.n_statements > 0 &&
              step.n_statements <= STEP_STATEMENTS_MAX);
        for (size_t i = 0; i < step.n_statements; i++)
            check_statement(&step, &step.statements[i], style);
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
    parse(text, PLACEHOLDER_QUESTION);
    parse(text, PLACEHOLDER_DOLLAR);
    free(text);
    return 0;
}
