/* SPDX-License-Identifier: MIT */
#include "lab/child.h"

#include "base/clock.h"
#include "base/parse.h"
#include "lab/process_list.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PASSWD_BYTES 4096

/* ---- who ---- */

/* False when there is no such user. */
static bool look_up(const char *name, struct child_user *out)
{
    char text[PASSWD_BYTES];
    struct passwd entry, *found = NULL;

    if (getpwnam_r(name, &entry, text, sizeof(text), &found) || !found)
        return false;
    out->uid = entry.pw_uid;
    out->gid = entry.pw_gid;
    snprintf(out->name, sizeof(out->name), "%s", name);
    return true;
}

enum rc child_user_find(const char *name, const char *const *candidates,
                        struct child_user *out, struct err *err)
{
    bool found = false;

    *out = (struct child_user){0};
    if (geteuid() != 0) {
        if (!name)
            return RC_OK;
        return err_set(err, RC_USAGE,
                       "--run-as '%s': only root can run a server as another "
                       "user",
                       name);
    }
    out->drop = true;
    if (name)
        found = look_up(name, out);
    for (size_t i = 0; !name && !found && candidates[i]; i++)
        found = look_up(candidates[i], out);
    if (!found)
        return err_set(err, RC_USAGE,
                       "there is no user '%s' to run the server as; name one "
                       "with --run-as",
                       name ? name : candidates[0]);
    if (out->uid == 0)
        return err_set(err, RC_USAGE,
                       "--run-as '%s': a database server does not run as root",
                       out->name);
    return RC_OK;
}

/* ---- in the child, between fork and exec ---- */

enum stage { STAGE_GATE, STAGE_USER, STAGE_DIR, STAGE_EXEC };

/* What a child that could not start says. */
struct failure {
    enum stage stage;
    int errnum;
};

/* NULL-terminated; variables like PGDATA or MYSQL_HOME would change it. */
struct environment {
    char *items[8];
    char texts[8][1024];
    size_t n;
};

static void add_variable(struct environment *e, const char *name,
                         const char *value)
{
    const size_t cap = sizeof(e->texts[0]);
    int len;

    if (!value || e->n + 1 >= ARRAY_LEN(e->items))
        return;
    len = snprintf(e->texts[e->n], cap, "%s=%s", name, value);
    /* Half of one would be worse than none. */
    if (len < 0 || (size_t)len >= cap)
        return;
    e->items[e->n] = e->texts[e->n];
    e->n++;
}

static void make_environment(struct environment *e, const char *home)
{
    *e = (struct environment){.n = 0};
    add_variable(e, "PATH",
                 "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:"
                 "/sbin:/bin");
    add_variable(e, "HOME", home);
    add_variable(e, "LC_ALL", "C");
    /* NOLINTBEGIN(concurrency-mt-unsafe): nobody changes the environment */
    add_variable(e, "TZ", getenv("TZ"));
    add_variable(e, "LD_LIBRARY_PATH", getenv("LD_LIBRARY_PATH"));
    /* NOLINTEND(concurrency-mt-unsafe) */
}

static void reset_signals(void)
{
    static const int signals[] = {SIGINT,  SIGTERM, SIGHUP,
                                  SIGPIPE, SIGXFSZ, SIGCHLD};
    sigset_t none;

    for (size_t i = 0; i < ARRAY_LEN(signals); i++)
        signal(signals[i], SIG_DFL);
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
}

static bool become(const struct child_user *u)
{
    if (!u->drop)
        return true;
    return initgroups(u->name, u->gid) == 0 && setgid(u->gid) == 0 &&
           setuid(u->uid) == 0;
}

/* Descriptors are a limit on connections and tables. */
static void raise_files(void)
{
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

static NO_RETURN void fail_child(int status_fd, enum stage stage)
{
    const struct failure why = {.stage = stage, .errnum = errno};
    ssize_t n = write(status_fd, &why, sizeof(why));

    (void)n;
    _exit(127);
}

struct pipes {
    int gate[2];   /* the child reads, and waits for a byte */
    int status[2]; /* the child writes a failure; closed by exec */
};

static NO_RETURN void child_main(const struct child_args *args,
                                 const struct environment *e,
                                 const struct pipes *p, pid_t parent)
{
    char go = 0;
    int null_fd;

    close(p->gate[1]);
    setsid();
    reset_signals();
    raise_files();
    umask(077);
    if (!become(args->user))
        fail_child(p->status[1], STAGE_USER);
    /* After the change of user, which clears it. */
    if (args->death_signal)
        prctl(PR_SET_PDEATHSIG, args->death_signal);
    if (chdir(args->dir))
        fail_child(p->status[1], STAGE_DIR);
    if (read(p->gate[0], &go, 1) != 1 ||
        (args->death_signal && getppid() != parent))
        fail_child(p->status[1], STAGE_GATE);
    null_fd = open("/dev/null", O_RDONLY);
    dup2(null_fd, STDIN_FILENO);
    dup2(args->log_fd, STDOUT_FILENO);
    dup2(args->log_fd, STDERR_FILENO);
    dup2(p->status[1], 3);
    fcntl(3, F_SETFD, FD_CLOEXEC);
    close_range(4, ~0U, 0);
    execve(args->argv[0], (char *const *)args->argv, e->items);
    fail_child(3, STAGE_EXEC);
}

/* ---- in the parent ---- */

static void shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_pipes(struct pipes *p)
{
    shut(&p->gate[0]);
    shut(&p->gate[1]);
    shut(&p->status[0]);
    shut(&p->status[1]);
}

static enum rc explain(const struct child_args *args, const struct failure *why,
                       struct err *err)
{
    const char *who = args->user->drop ? args->user->name : "this user";

    switch (why->stage) {
    case STAGE_GATE:
        break;
    case STAGE_USER:
        return err_errno(err, RC_IO, why->errnum, "cannot become user '%s'",
                         who);
    case STAGE_DIR:
        return err_errno(err, RC_DB_PERMISSION, why->errnum,
                         "%s%s%s cannot enter the folder '%s'; name another "
                         "one with --servers",
                         args->user->drop ? "the user '" : "", who,
                         args->user->drop ? "'" : "", args->dir);
    case STAGE_EXEC:
        return err_errno(err, RC_IO, why->errnum, "%s cannot run '%s'", who,
                         args->argv[0]);
    }
    return err_set(err, RC_CANCELLED, "interrupted");
}

/* Forks; the child waits at its gate. */
static enum rc begin(const struct child_args *args, struct pipes *p,
                     pid_t *out_pid, struct err *err)
{
    const pid_t parent = getpid();
    struct environment e;
    pid_t pid;

    if (pipe2(p->gate, O_CLOEXEC) || pipe2(p->status, O_CLOEXEC))
        return err_errno(err, RC_IO, errno, "cannot start '%s'", args->argv[0]);
    make_environment(&e, args->dir);
    fflush(NULL);
    pid = fork();
    if (pid < 0)
        return err_errno(err, RC_IO, errno, "cannot start '%s'", args->argv[0]);
    if (pid == 0)
        child_main(args, &e, p, parent);
    /* The gate's other end stays open: writing to a child that has failed
     * already must not end this process. */
    shut(&p->status[1]);
    *out_pid = pid;
    return RC_OK;
}

/* Opens the gate; returns when the program runs, or why it does not. */
static enum rc let_go(const struct child_args *args, struct pipes *p,
                      struct err *err)
{
    struct failure why;
    ssize_t n = write(p->gate[1], "g", 1);

    (void)n;
    do
        n = read(p->status[0], &why, sizeof(why));
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof(why) ? explain(args, &why, err) : RC_OK;
}

static int wait_for(pid_t pid)
{
    int status = 0;

    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

enum rc child_run(const struct child_args *args, struct err *err)
{
    struct pipes p = {{-1, -1}, {-1, -1}};
    pid_t pid = 0;
    int status = 0;
    enum rc rc = begin(args, &p, &pid, err);

    if (!rc)
        rc = let_go(args, &p, err);
    close_pipes(&p);
    if (pid > 0)
        status = wait_for(pid);
    if (rc || status == 0)
        return rc;
    if (WIFSIGNALED(status))
        return err_set(err, RC_IO, "'%s' was ended by signal %d", args->argv[0],
                       WTERMSIG(status));
    return err_set(err, RC_IO, "'%s' failed with exit code %d", args->argv[0],
                   WEXITSTATUS(status));
}

enum rc child_start(const struct child_args *args, child_known_fn *known,
                    void *arg, struct err *err)
{
    struct pipes p = {{-1, -1}, {-1, -1}};
    struct process child = {0};
    pid_t pid = 0;
    enum rc rc = begin(args, &p, &pid, err);

    if (!rc) {
        child.pid = pid;
        child.start_ticks = process_start_ticks(pid);
        rc = known(arg, child, err);
    }
    if (!rc)
        rc = let_go(args, &p, err);
    /* Without its byte the child goes away. */
    close_pipes(&p);
    if (rc && pid > 0)
        wait_for(pid);
    return rc;
}
