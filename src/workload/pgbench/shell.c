/* SPDX-License-Identifier: MIT */
/*
 * Programs that scripts run.  They stop the thread and so its other users, as
 * in pgbench; a script that wants speed does without.
 */
#include "base/parse.h"
#include "workload/pgbench/pgbench.h"

#include <stdio.h>
#include <string.h>

/* Standard output carries results of dyno's own. */
#define TO_STDERR "exec 1>&2; "

static enum rc read_number(struct pgb_user *u, FILE *from)
{
    char line[64] = "";
    int64_t i;

    if (!fgets(line, sizeof(line), from))
        return pgb_fault(u, NULL, "the program printed nothing");
    line[strcspn(line, " \t\r\n")] = '\0';
    if (parse_i64(line, &i, NULL))
        return pgb_fault(u, NULL, "the program did not print an integer");
    u->vars[u->cmd->var].kind = VAR_SCALAR;
    u->vars[u->cmd->var].value = s_int(i);
    return RC_OK;
}

enum rc pgb_run_shell(struct pgb_user *u)
{
    const struct pgb_words *words = &u->cmd->words;
    const bool sets = u->cmd->type == PGB_SETSHELL;
    const size_t skip = sets ? 0 : strlen(TO_STDERR);
    enum rc rc = RC_OK;
    size_t len;
    FILE *f;

    if (!pgb_put_pieces(u, words->pieces, words->n_pieces, " ", &len))
        return u->fault ? pgb_fault(u, NULL, u->fault) : RC_NOMEM;
    if (len + skip >= u->text_cap)
        return pgb_fault(u, NULL, "the command is too long");
    memmove(u->text + skip, u->text, len + 1);
    memcpy(u->text, TO_STDERR, skip);
    /* --allow-shell asked for it. */
    f = popen(u->text, "re"); /* NOLINT(cert-env33-c) */
    if (!f)
        return pgb_fault(u, NULL, "the program cannot be run");
    if (sets)
        rc = read_number(u, f);
    if (pclose(f) != 0 && !rc && !sets)
        rc = pgb_fault(u, NULL, "the program failed");
    return rc;
}
