/* SPDX-License-Identifier: MIT */
#include "lab/job.h"

#include "base/mem.h"
#include "base/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define POLL_MS 1000
#define NOT_STARTED 127

extern char **environ;

/* Its environment: ours, without what is given anew, and that.  The texts are
 * borrowed; NULL when out of memory. */
static const char **make_env(const char *const *extra)
{
    size_t n_ours = 0, n_extra = 0, n = 0;
    const char **env;

    while (environ[n_ours])
        n_ours++;
    while (extra && extra[n_extra])
        n_extra++;
    env = MEM_ARRAY(const char *, n_ours + n_extra + 1);
    if (!env)
        return NULL;
    for (size_t i = 0; i < n_ours; i++) {
        bool anew = false;

        for (size_t k = 0; k < n_extra; k++) {
            const size_t len = strcspn(extra[k], "=") + 1;

            anew = anew || !strncmp(environ[i], extra[k], len);
        }
        if (!anew)
            env[n++] = environ[i];
    }
    for (size_t k = 0; k < n_extra; k++)
        env[n++] = extra[k];
    return env;
}

/* Between fork and exec: only what is safe in a signal handler. */
static NO_RETURN void become(const struct job_args *args, const char **env,
                             int log_fd, pid_t parent)
{
    const int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    sigset_t none;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(NOT_STARTED); /* it died before that was asked for */
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    if (null_fd >= 0)
        dup2(null_fd, STDIN_FILENO);
    if (log_fd >= 0) {
        dup2(log_fd, STDOUT_FILENO);
        dup2(log_fd, STDERR_FILENO);
    }
    if (args->keep_fd >= 0)
        (void)fcntl(args->keep_fd, F_SETFD, 0);
    execvpe(args->argv[0], (char *const *)args->argv, (char *const *)env);
    _exit(NOT_STARTED);
}

static enum rc start(const struct job_args *args, int log_fd, pid_t *out_pid,
                     struct err *err)
{
    const pid_t parent = getpid();
    const char **env = make_env(args->env);
    pid_t pid;
    int errnum;

    if (!env)
        return err_set(err, RC_NOMEM, "out of memory");
    fflush(NULL); /* what is written here is not to appear twice */
    pid = fork();
    errnum = errno;
    if (pid == 0)
        become(args, env, log_fd, parent);
    mem_free(env);
    if (pid < 0)
        return err_errno(err, RC_IO, errnum, "cannot start '%s'",
                         args->argv[0]);
    /* Here too: whichever comes first. */
    setpgid(pid, pid);
    *out_pid = pid;
    return RC_OK;
}

static void wait_for(const struct job_args *args, pid_t pid,
                     struct job_end *out)
{
    struct pollfd fd = {.fd = pidfd_open(pid, 0), .events = POLLIN};
    int status = 0;

    *out = (struct job_end){.code = 0};
    for (;;) {
        const int n = poll(&fd, fd.fd >= 0, POLL_MS);

        if (stop_requested() && !out->stopped) {
            out->stopped = true;
            kill(-pid, SIGINT);
        }
        if (n > 0 || fd.fd < 0) {
            const pid_t ended = waitpid(pid, &status, fd.fd < 0 ? WNOHANG : 0);

            if (ended == pid || (ended < 0 && errno != EINTR))
                break;
        }
        if (args->poll)
            args->poll(args->arg);
    }
    if (fd.fd >= 0)
        close(fd.fd);
    if (WIFSIGNALED(status))
        out->signal = WTERMSIG(status);
    else
        out->code = WEXITSTATUS(status);
}

enum rc job_run(const struct job_args *args, struct job_end *out,
                struct err *err)
{
    int log_fd = -1;
    pid_t pid = 0;
    enum rc rc;

    if (args->log) {
        log_fd =
            open(args->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (log_fd < 0)
            return err_errno(err, RC_IO, errno, "cannot write '%s'", args->log);
    }
    rc = start(args, log_fd, &pid, err);
    if (log_fd >= 0)
        close(log_fd);
    if (!rc)
        wait_for(args, pid, out);
    return rc;
}

void job_describe(const struct job_end *end, char *out, size_t out_len)
{
    const char *text;

    if (!end->signal) {
        snprintf(out, out_len, "exit code %d", end->code);
        return;
    }
    text = sigdescr_np(end->signal);
    snprintf(out, out_len, "signal %d (%s)", end->signal,
             text ? text : "unknown");
}
