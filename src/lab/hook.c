/* SPDX-License-Identifier: MIT */
#include "lab/hook.h"

#include <string.h>

#define WORD_BYTES 256
/* What a word is that the shell does not simply look up. */
#define NOT_A_NAME "$`\"'\\(){}[]*?~=!#&;|<>"

static enum rc shell(const char *const *argv, const char *const *env,
                     const char *log, struct job_end *out, struct err *err)
{
    const struct job_args job = {
        .argv = argv,
        .env = env,
        .log = log,
        .keep_fd = -1,
    };

    return job_run(&job, out, err);
}

enum rc hook_check(const char *command, struct err *err)
{
    const char *syntax[] = {"/bin/sh", "-n", "-c", command, NULL};
    char word[WORD_BYTES];
    const char *find[] = {
        "/bin/sh", "-c", "command -v -- \"$1\" >/dev/null 2>&1",
        "sh",      word, NULL};
    const size_t skip = strspn(command, " \t\n");
    const size_t len = strcspn(command + skip, " \t\n");
    struct job_end end = {.code = 0};
    enum rc rc;

    if (!command[skip])
        return err_set(err, RC_USAGE, "the command is empty");
    rc = shell(syntax, NULL, "/dev/null", &end, err);
    if (!rc && (end.code || end.signal))
        return err_set(err, RC_USAGE, "the shell does not understand '%.100s'",
                       command);
    if (rc || len >= sizeof(word))
        return rc;
    memcpy(word, command + skip, len);
    word[len] = '\0';
    if (strcspn(word, NOT_A_NAME) != len)
        return RC_OK;
    rc = shell(find, NULL, "/dev/null", &end, err);
    if (!rc && (end.code || end.signal))
        return err_set(err, RC_USAGE, "there is no program '%s'", word);
    return rc;
}

enum rc hook_run(const char *command, const char *const *env, const char *log,
                 struct err *err)
{
    const char *argv[] = {"/bin/sh", "-c", command, NULL};
    struct job_end end = {.code = 0};
    char how[64];
    enum rc rc = shell(argv, env, log, &end, err);

    if (rc || (!end.code && !end.signal))
        return rc;
    if (end.stopped)
        return err_set(err, RC_CANCELLED, "interrupted");
    job_describe(&end, how, sizeof(how));
    return err_set(err, RC_INVALID, "%s", how);
}
