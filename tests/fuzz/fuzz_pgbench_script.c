/* SPDX-License-Identifier: MIT */
/* Any text as a script: refused, or its commands are consistent. */
#include "workload/pgbench/lang/script.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void check(bool ok)
{
    if (!ok)
        abort();
}

static void check_sql(const struct pgb_sql *sql, const struct var_table *vars)
{
    const struct step_statement *s = sql->step.statements;
    size_t len = 0;

    check(strlen(s->text) > 0 && s->n_params <= PGB_PARAMS_MAX);
    for (size_t i = 0; i < s->n_params; i++)
        check(s->params[i] < sql->step.n_params);
    for (size_t i = 0; i < sql->step.n_params; i++)
        check(sql->vars[i] < vars->n);
    for (size_t i = 0; i < sql->n_pieces; i++) {
        const struct pgb_piece *piece = &sql->pieces[i];

        check(piece->var == PGB_NO_VAR || piece->var < vars->n);
        len += piece->len;
    }
    check(len == sql->text_len);
}

static void check_script(const struct pgb_script *script,
                         const struct var_table *vars)
{
    check(script->n_cmds > 0);
    for (size_t i = 0; i < script->n_cmds; i++) {
        const struct pgb_cmd *cmd = &script->cmds[i];

        check(cmd->at >= script->text && cmd->at < script->text + script->len);
        if (cmd->type == PGB_SQL)
            check_sql(cmd->sql, vars);
        if (cmd->type == PGB_UNLESS || cmd->type == PGB_JUMP)
            check(cmd->target > i && cmd->target <= script->n_cmds);
        check(cmd->var == PGB_NO_VAR || cmd->var < vars->n);
    }
}

static void parse(const char *text, size_t len, const struct pgb_dialect *d)
{
    struct arena arena = ARENA_INIT(8 << 20);
    struct pgb_script script = {.name = "fuzz", .text = text, .len = len};
    struct pgb_totals totals = {0};
    struct var_table vars;
    struct err err = {0};
    enum rc rc = var_table_init(&vars, &arena, &err);

    if (!rc)
        rc = pgb_parse(&arena, d, &vars, &script, &totals, &err);
    if (!rc) {
        check_script(&script, &vars);
        rc = pgb_check_vars(&script, 1, d, &vars, &err);
    }
    if (rc)
        check(err.rc == rc && strncmp(err.text, "fuzz:", 5) == 0);
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct pgb_dialect text = {.placeholder = PLACEHOLDER_DOLLAR,
                                            .as_text = true,
                                            .native_txns = true,
                                            .allow_shell = true};
    static const struct pgb_dialect steps = {
        .placeholder = PLACEHOLDER_QUESTION, .pipelines = true};
    char *copy = malloc(size + 1);

    if (!copy)
        return 0;
    memcpy(copy, data, size);
    copy[size] = '\0';
    /* The reader of files refuses a NUL. */
    if (strlen(copy) == size) {
        parse(copy, size, &text);
        parse(copy, size, &steps);
    }
    free(copy);
    return 0;
}
