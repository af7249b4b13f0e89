/* SPDX-License-Identifier: MIT */
/* A script from its first byte to its last, and the backslash commands. */
#include "workload/pgbench/lang/script.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "driver/lexer.h"

#include <stdio.h>
#include <string.h>

/* An \if that is open. */
struct branch {
    const char *at;
    size_t unless; /* its last condition's jump, SIZE_MAX behind \else */
    size_t ends;   /* 1 + the last jump to \endif, which form a chain; 0 */
};

struct branches {
    struct branch list[PGB_IFS_MAX];
    size_t n;
};

/* A backslash command: its name, and the rest of its line. */
struct meta {
    const char *at; /* the backslash */
    const char *name, *args, *end;
    size_t name_len;
};

struct pgb_cmd *pgb_add(struct pgb_parser *p, enum pgb_type type,
                        const char *at)
{
    if (p->n_cmds == p->cap) {
        const size_t cap = p->cap ? 2 * p->cap : 16;
        struct pgb_cmd *cmds = mem_realloc(p->cmds, cap * sizeof(*cmds));

        if (!cmds)
            return NULL;
        p->cmds = cmds;
        p->cap = cap;
    }
    p->cmds[p->n_cmds] =
        (struct pgb_cmd){.type = type, .at = at, .var = PGB_NO_VAR};
    return &p->cmds[p->n_cmds++];
}

enum rc pgb_use_var(struct pgb_parser *p, const char *s, size_t len,
                    uint32_t *out)
{
    size_t number;
    enum rc rc = var_number(p->vars, s, len, &number, p->err);

    if (rc)
        return pgb_show_place(p->script, s, p->err);
    if (!p->vars->names[number].used_at)
        p->vars->names[number].used_at = s;
    *out = (uint32_t)number;
    return RC_OK;
}

/* ---- words of a command ---- */

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Takes the next word off the arguments; len 0: there is none. */
static const char *next_word(struct meta *m, size_t *len)
{
    const char *s;

    /* The backslash of a continued line stands alone. */
    while (m->args < m->end && (is_blank(*m->args) || *m->args == '\\'))
        m->args++;
    s = m->args;
    while (m->args < m->end && !is_blank(*m->args))
        m->args++;
    *len = (size_t)(m->args - s);
    return s;
}

static enum rc no_more_words(struct pgb_parser *p, struct meta *m)
{
    size_t len;
    const char *s = next_word(m, &len);

    return len ? pgb_fail(p, s, "one argument too many") : RC_OK;
}

/* The name of a variable that the command sets. */
static enum rc set_var(struct pgb_parser *p, struct meta *m, uint32_t *out)
{
    size_t len, number;
    const char *s = next_word(m, &len);
    enum rc rc;

    if (!len)
        return pgb_fail(p, s, "the name of a variable is missing");
    if (!var_is_name(s, len))
        return pgb_fail(p, s,
                        "a variable's name has only letters, digits and '_'");
    rc = var_number(p->vars, s, len, &number, p->err);
    if (rc)
        return pgb_show_place(p->script, s, p->err);
    p->vars->names[number].is_set = true;
    *out = (uint32_t)number;
    return RC_OK;
}

static enum rc parse_expr(struct pgb_parser *p, const struct meta *m,
                          struct expr *out)
{
    struct expr_text text = {.s = m->args, .len = (size_t)(m->end - m->args)};
    enum rc rc = expr_parse(p->arena, p->vars, &text, out, p->err);

    return rc == RC_USAGE ? pgb_show_place(p->script, text.where, p->err) : rc;
}

/* ---- commands ---- */

static enum rc parse_set(struct pgb_parser *p, struct meta *m)
{
    struct pgb_cmd cmd = {0};
    struct pgb_cmd *to;
    enum rc rc = set_var(p, m, &cmd.var);

    if (!rc)
        rc = parse_expr(p, m, &cmd.expr);
    if (rc)
        return rc;
    to = pgb_add(p, PGB_SET, m->at);
    if (!to)
        return pgb_no_memory(p);
    to->var = cmd.var;
    to->expr = cmd.expr;
    to->expr_at = m->args;
    return RC_OK;
}

static enum rc parse_unit(struct pgb_parser *p, const char *s, size_t len,
                          int64_t *out)
{
    static const struct {
        const char *name;
        int64_t ns;
    } units[] = {{"us", NS_PER_US}, {"ms", NS_PER_MS}, {"s", NS_PER_S}};

    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        if (strlen(units[i].name) == len &&
            strncasecmp(units[i].name, s, len) == 0) {
            *out = units[i].ns;
            return RC_OK;
        }
    }
    return pgb_fail(p, s, "the unit of time must be us, ms or s");
}

static enum rc parse_amount(struct pgb_parser *p, const char *s, size_t len,
                            int64_t *out)
{
    char text[24];

    snprintf(text, sizeof(text), "%.*s", (int)(len > 20 ? 20 : len), s);
    if (parse_i64(text, out, NULL) || *out > INT64_MAX / NS_PER_S)
        return pgb_fail(p, s, "the time is out of range");
    return RC_OK;
}

/* \sleep NUMBER | :name [us | ms | s]; the unit may touch the number. */
static enum rc parse_sleep(struct pgb_parser *p, struct meta *m)
{
    struct pgb_cmd *cmd = pgb_add(p, PGB_SLEEP, m->at);
    size_t len, digits, unit_len;
    const char *s = next_word(m, &len);
    const char *unit;
    enum rc rc;

    if (!cmd)
        return pgb_no_memory(p);
    cmd->unit_ns = NS_PER_S;
    digits = strspn(s, "0123456789");
    if (digits > len)
        digits = len;
    if (len > 1 && *s == ':' && var_is_name(s + 1, len - 1)) {
        rc = pgb_use_var(p, s + 1, len - 1, &cmd->var);
        digits = len;
    } else if (digits) {
        rc = parse_amount(p, s, digits, &cmd->amount);
    } else {
        return pgb_fail(p, s, "expected a number or :name");
    }
    if (rc)
        return rc;
    unit = digits < len ? s + digits : next_word(m, &unit_len);
    if (digits < len)
        unit_len = len - digits;
    if (unit_len)
        rc = parse_unit(p, unit, unit_len, &cmd->unit_ns);
    return rc ? rc : no_more_words(p, m);
}

static enum rc parse_shell(struct pgb_parser *p, struct meta *m, bool sets)
{
    struct pgb_words words;
    struct pgb_cmd *cmd;
    uint32_t var = PGB_NO_VAR;
    enum rc rc = RC_OK;

    if (!p->dialect->allow_shell)
        return pgb_fail(p, m->at, "programs are run only with --allow-shell");
    if (sets)
        rc = set_var(p, m, &var);
    if (!rc)
        rc = pgb_parse_words(p, m->args, (size_t)(m->end - m->args), &words);
    if (rc)
        return rc;
    if (words.n_pieces == 0)
        return pgb_fail(p, m->end, "the command is missing");
    cmd = pgb_add(p, sets ? PGB_SETSHELL : PGB_SHELL, m->at);
    if (!cmd)
        return pgb_no_memory(p);
    cmd->var = var;
    cmd->words = words;
    return RC_OK;
}

static enum rc parse_into(struct pgb_parser *p, struct meta *m,
                          enum pgb_into into)
{
    size_t len;
    const char *s = next_word(m, &len);
    struct pgb_sql *sql;

    if (!p->sql_behind || p->cmds[p->sql_behind - 1].sql->into)
        return pgb_fail(p, m->at,
                        "it must stand behind the statement whose rows it "
                        "takes");
    if (len && !var_is_name(s, len))
        return pgb_fail(p, s,
                        "a variable's name has only letters, digits and '_'");
    sql = p->cmds[p->sql_behind - 1].sql;
    sql->into = into;
    sql->step.raw_rows = true;
    sql->prefix = arena_strndup(p->arena, s, len);
    if (!sql->prefix)
        return pgb_no_memory(p);
    return no_more_words(p, m);
}

static enum rc parse_pipeline(struct pgb_parser *p, struct meta *m,
                              enum pgb_type type)
{
    if (p->dialect->as_text)
        return pgb_fail(p, m->at, "pipelines need -M extended or -M prepared");
    if (!p->dialect->pipelines)
        return pgb_fail(p, m->at, "this database has no pipelines");
    if (!pgb_add(p, type, m->at))
        return pgb_no_memory(p);
    return no_more_words(p, m);
}

/* ---- \if ---- */

static enum rc add_unless(struct pgb_parser *p, struct meta *m,
                          struct branch *b)
{
    struct pgb_cmd *cmd;
    struct expr expr;
    enum rc rc = parse_expr(p, m, &expr);

    if (rc)
        return rc;
    cmd = pgb_add(p, PGB_UNLESS, m->at);
    if (!cmd)
        return pgb_no_memory(p);
    cmd->expr = expr;
    cmd->expr_at = m->args;
    b->unless = p->n_cmds - 1;
    return RC_OK;
}

static enum rc parse_if(struct pgb_parser *p, struct meta *m,
                        struct branches *ifs)
{
    if (ifs->n == PGB_IFS_MAX)
        return pgb_fail(p, m->at, "\\if is nested too deeply");
    ifs->list[ifs->n] = (struct branch){.at = m->at};
    return add_unless(p, m, &ifs->list[ifs->n++]);
}

/* \elif and \else: what was before jumps to the end, what was false comes
 * here. */
static enum rc parse_next_branch(struct pgb_parser *p, struct meta *m,
                                 struct branches *ifs, bool is_else)
{
    struct branch *b;
    struct pgb_cmd *jump;

    if (ifs->n == 0)
        return pgb_fail(p, m->at, "there is no \\if before it");
    b = &ifs->list[ifs->n - 1];
    if (b->unless == SIZE_MAX)
        return pgb_fail(p, m->at, "it stands behind \\else");
    jump = pgb_add(p, PGB_JUMP, m->at);
    if (!jump)
        return pgb_no_memory(p);
    jump->target = b->ends;
    b->ends = p->n_cmds;
    p->cmds[b->unless].target = p->n_cmds;
    if (!is_else)
        return add_unless(p, m, b);
    b->unless = SIZE_MAX;
    return no_more_words(p, m);
}

static enum rc parse_endif(struct pgb_parser *p, struct meta *m,
                           struct branches *ifs)
{
    struct branch *b;

    if (ifs->n == 0)
        return pgb_fail(p, m->at, "there is no \\if before it");
    b = &ifs->list[--ifs->n];
    if (b->unless != SIZE_MAX)
        p->cmds[b->unless].target = p->n_cmds;
    while (b->ends) {
        struct pgb_cmd *jump = &p->cmds[b->ends - 1];

        b->ends = jump->target;
        jump->target = p->n_cmds;
    }
    return no_more_words(p, m);
}

/* ---- which command it is ---- */

enum meta_id {
    META_SET,
    META_SETSHELL,
    META_SHELL,
    META_SLEEP,
    META_GSET,
    META_ASET,
    META_IF,
    META_ELIF,
    META_ELSE,
    META_ENDIF,
    META_STARTPIPELINE,
    META_SYNCPIPELINE,
    META_ENDPIPELINE,
    META_UNKNOWN,
};

static const char *const meta_names[] = {
    [META_SET] = "set",
    [META_SETSHELL] = "setshell",
    [META_SHELL] = "shell",
    [META_SLEEP] = "sleep",
    [META_GSET] = "gset",
    [META_ASET] = "aset",
    [META_IF] = "if",
    [META_ELIF] = "elif",
    [META_ELSE] = "else",
    [META_ENDIF] = "endif",
    [META_STARTPIPELINE] = "startpipeline",
    [META_SYNCPIPELINE] = "syncpipeline",
    [META_ENDPIPELINE] = "endpipeline",
};

static enum meta_id find_meta(const struct meta *m)
{
    for (size_t i = 0; i < META_UNKNOWN; i++) {
        if (strlen(meta_names[i]) == m->name_len &&
            strncasecmp(meta_names[i], m->name, m->name_len) == 0)
            return (enum meta_id)i;
    }
    return META_UNKNOWN;
}

static enum rc unknown_meta(struct pgb_parser *p, const struct meta *m)
{
    char name[40], text[160];
    const char *near;

    snprintf(name, sizeof(name), "%.*s",
             (int)(m->name_len > 32 ? 32 : m->name_len), m->name);
    near = nearest_name(name, meta_names, META_UNKNOWN);
    snprintf(text, sizeof(text), "there is no command '\\%s'%s%s%s", name,
             near ? "; did you mean '\\" : "", near ? near : "",
             near ? "'?" : "");
    return pgb_fail(p, m->at, text);
}

static enum rc run_meta(struct pgb_parser *p, struct meta *m,
                        struct branches *ifs)
{
    switch (find_meta(m)) {
    case META_SET:
        return parse_set(p, m);
    case META_SETSHELL:
        return parse_shell(p, m, true);
    case META_SHELL:
        return parse_shell(p, m, false);
    case META_SLEEP:
        return parse_sleep(p, m);
    case META_GSET:
        return parse_into(p, m, PGB_INTO_ONE);
    case META_ASET:
        return parse_into(p, m, PGB_INTO_ANY);
    case META_IF:
        return parse_if(p, m, ifs);
    case META_ELIF:
        return parse_next_branch(p, m, ifs, false);
    case META_ELSE:
        return parse_next_branch(p, m, ifs, true);
    case META_ENDIF:
        return parse_endif(p, m, ifs);
    case META_STARTPIPELINE:
        return parse_pipeline(p, m, PGB_START_PIPELINE);
    case META_SYNCPIPELINE:
        return parse_pipeline(p, m, PGB_SYNC_PIPELINE);
    case META_ENDPIPELINE:
        return parse_pipeline(p, m, PGB_END_PIPELINE);
    case META_UNKNOWN:
        break;
    }
    return unknown_meta(p, m);
}

/* The end of a command's line, which goes on behind a backslash. */
static const char *line_end(const char *s, const char *end)
{
    for (; s < end && *s != '\n'; s++) {
        if (*s == '\\' && s + 1 < end && s[1] == '\n')
            s++;
        else if (*s == '\\' && s + 2 < end && s[1] == '\r' && s[2] == '\n')
            s += 2;
    }
    return s;
}

static enum rc parse_meta(struct pgb_parser *p, struct branches *ifs)
{
    struct meta m = {.at = p->pos, .name = p->pos + 1};
    enum rc rc;

    m.end = line_end(p->pos, p->end);
    m.args = m.name;
    while (m.args < m.end && !is_blank(*m.args))
        m.args++;
    m.name_len = (size_t)(m.args - m.name);
    p->pos = m.end;
    rc = run_meta(p, &m, ifs);
    p->sql_behind = 0;
    return rc;
}

/* ---- the whole ---- */

/* "\;" and "\:" belong to a statement. */
static bool is_meta(const struct pgb_parser *p, const struct token *t)
{
    const char *next = t->s + 1;

    return t->type == TOKEN_OTHER && *t->s == '\\' &&
           (next == p->end || (*next != ';' && *next != ':'));
}

/* A statement up to its ';', a backslash command or the end. */
static enum rc parse_statement(struct pgb_parser *p, struct token t,
                               struct lexer *lx)
{
    struct statement_end follow = {.head = HEAD_START};
    const char *start = t.s, *last = t.s;
    enum rc rc;

    while (t.type != TOKEN_END && !is_meta(p, &t) &&
           !statement_ends(&follow, &t)) {
        if (t.type == TOKEN_OPEN)
            return pgb_fail(p, t.s, "a quote or comment has no end");
        statement_follow(&follow, &t);
        if (!token_is_filler(&t))
            last = t.s + t.len;
        if (t.type == TOKEN_OTHER && *t.s == '\\') {
            follow = (struct statement_end){.head = HEAD_START};
            t = lexer_next(lx);
            last = t.s + t.len;
        }
        t = lexer_next(lx);
    }
    p->pos = is_meta(p, &t) ? t.s : lx->pos;
    if (last == start)
        return RC_OK;
    rc = pgb_parse_sql(p, start, (size_t)(last - start));
    p->sql_behind = p->n_cmds;
    return rc;
}

static enum rc parse_next(struct pgb_parser *p, struct branches *ifs)
{
    struct lexer lx = {.pos = p->pos, .end = p->end};
    struct token t = lexer_next(&lx);

    while (token_is_filler(&t))
        t = lexer_next(&lx);
    p->pos = t.s;
    if (t.type == TOKEN_END)
        return RC_OK;
    return is_meta(p, &t) ? parse_meta(p, ifs) : parse_statement(p, t, &lx);
}

/* A BEGIN all of whose statements only read. */
static void find_readers(struct pgb_parser *p)
{
    for (size_t i = 0; i < p->n_cmds; i++) {
        struct pgb_cmd *begin = &p->cmds[i];
        size_t k = i + 1;

        if (begin->type != PGB_SQL || begin->sql->kind != PGB_BEGIN)
            continue;
        while (k < p->n_cmds &&
               (p->cmds[k].type != PGB_SQL || p->cmds[k].sql->kind == PGB_READ))
            k++;
        begin->sql->only_reads =
            k < p->n_cmds && p->cmds[k].sql->kind >= PGB_COMMIT;
    }
}

static enum rc finish(struct pgb_parser *p, const struct branches *ifs)
{
    struct pgb_script *script = p->script;

    if (ifs->n > 0)
        return pgb_fail(p, ifs->list[ifs->n - 1].at,
                        "there is no \\endif for it");
    if (p->n_cmds == 0)
        return err_set(p->err, RC_USAGE, "%s: the script is empty",
                       script->name);
    find_readers(p);
    script->cmds = ARENA_ARRAY(p->arena, struct pgb_cmd, p->n_cmds);
    if (!script->cmds)
        return pgb_no_memory(p);
    memcpy(script->cmds, p->cmds, p->n_cmds * sizeof(*p->cmds));
    script->n_cmds = p->n_cmds;
    return RC_OK;
}

enum rc pgb_parse(struct arena *arena, const struct pgb_dialect *d,
                  struct var_table *vars, struct pgb_script *script,
                  struct pgb_totals *totals, struct err *err)
{
    struct pgb_parser p = {
        .arena = arena,
        .dialect = d,
        .vars = vars,
        .script = script,
        .totals = totals,
        .pos = script->text,
        .end = script->text + script->len,
        .err = err,
    };
    struct branches ifs = {.n = 0};
    enum rc rc = RC_OK;

    while (!rc && p.pos < p.end)
        rc = parse_next(&p, &ifs);
    if (!rc)
        rc = finish(&p, &ifs);
    mem_free(p.cmds);
    return rc;
}
