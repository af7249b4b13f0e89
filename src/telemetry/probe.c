/* SPDX-License-Identifier: MIT */
#include "telemetry/probe.h"

#include "base/buf.h"
#include "base/mem.h"
#include "telemetry/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* It may be a login to another machine: not every second. */
#define EVERY_NS (10 * NS_PER_S)
#define LIMIT_NS (5 * NS_PER_S)
#define OUTPUT_MAX ((size_t)1 << 20)
#define READ_BYTES 4096
/* How soon the end of a process is seen that has closed its output. */
#define REAP_POLL_NS (2 * NS_PER_MS)

struct probe {
    struct watch watch;
    struct probe_args args;
    pthread_mutex_t lock; /* guards the rest */
    struct host_sum sum;
    struct notes notes;
};

extern char **environ;

/* ---- one run ---- */

/* In a process group of its own, so that all that it starts can be ended; its
 * input is empty and its complaints are the user's to see. */
static enum rc spawn(const char *command, int out_fd, pid_t *out_pid,
                     struct err *err)
{
    char shell[] = "/bin/sh", flag[] = "-c";
    char *text = mem_strdup(command);
    char *argv[] = {shell, flag, text, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    sigset_t none;
    int failed;

    if (!text)
        return err_set(err, RC_NOMEM, "out of memory");
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, out_fd, STDOUT_FILENO);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setflags(&attr,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attr, 0);
    posix_spawnattr_setsigmask(&attr, &none);
    failed = posix_spawn(out_pid, shell, &files, &attr, argv, environ);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&files);
    mem_free(text);
    if (failed)
        return err_errno(err, RC_IO, failed, "cannot start a shell");
    return RC_OK;
}

static CORO_FN enum rc read_all(int fd, struct mono deadline, struct buf *out)
{
    char bytes[READ_BYTES];

    for (;;) {
        const ssize_t n = read(fd, bytes, sizeof(bytes));
        enum rc rc;

        if (n > 0)
            buf_add(out, bytes, (size_t)n);
        if (n == 0 || buf_rc(out))
            return buf_rc(out);
        if (n > 0 || errno == EINTR)
            continue;
        if (errno != EAGAIN)
            return RC_IO;
        rc = io_wait(loop_current(), fd, IO_READ, deadline);
        if (rc)
            return rc;
    }
}

/* Its exit status; a process that does not end by the deadline is killed. */
static CORO_FN enum rc reap(pid_t pid, struct mono deadline, int *out_status)
{
    while (waitpid(pid, out_status, WNOHANG) == 0) {
        const struct mono next = mono_add(clock_now(), REAP_POLL_NS);

        if (clock_now().ns >= deadline.ns ||
            loop_sleep_until(loop_current(), next)) {
            kill(-pid, SIGKILL);
            waitpid(pid, out_status, 0);
            return RC_TIMEOUT;
        }
    }
    /* What it left behind. */
    kill(-pid, SIGKILL);
    return RC_OK;
}

static CORO_FN enum rc run_command(const char *command, struct mono deadline,
                                   struct buf *out, struct err *err)
{
    int pipe_fds[2], status = 0;
    pid_t pid;
    enum rc rc, ended;

    if (pipe2(pipe_fds, O_CLOEXEC))
        return err_errno(err, RC_IO, errno, "cannot make a pipe");
    rc = spawn(command, pipe_fds[1], &pid, err);
    close(pipe_fds[1]);
    if (rc) {
        close(pipe_fds[0]);
        return rc;
    }
    (void)fcntl(pipe_fds[0], F_SETFL, O_NONBLOCK);
    rc = read_all(pipe_fds[0], deadline, out);
    loop_forget(loop_current(), pipe_fds[0]);
    close(pipe_fds[0]);
    ended = reap(pid, rc ? clock_now() : deadline, &status);
    if (rc == RC_TIMEOUT || (!rc && ended))
        return err_set(err, RC_TIMEOUT, "--host-probe: took too long");
    if (rc)
        return err_set(err, rc, "--host-probe: %s", rc_text(rc));
    if (status)
        return err_set(
            err, RC_INVALID, "--host-probe: the command failed (%s %d)",
            WIFEXITED(status) ? "exit code" : "signal",
            WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    return RC_OK;
}

enum rc probe_run(const char *command, int64_t limit_ns, struct host_usage *out,
                  struct err *err)
{
    struct buf text = BUF_INIT(OUTPUT_MAX);
    enum rc rc =
        run_command(command, mono_add(clock_now(), limit_ns), &text, err);
    FILE *in = NULL;

    if (!rc && text.len > 0)
        in = fmemopen(text.data, text.len, "r");
    *out = (struct host_usage){.at = out->at};
    if (in) {
        host_usage_parse(in, out);
        fclose(in);
    }
    if (!rc && !out->known)
        rc = err_set(err, RC_INVALID,
                     "--host-probe: the command printed no figure that is "
                     "known, such as lines of /proc/stat, or "
                     "'context_switches 123'");
    buf_release(&text);
    return rc;
}

/* ---- beside a run ---- */

static CORO_FN enum rc sample(struct probe *p, struct host_usage *out,
                              struct err *err)
{
    const struct mono begun = clock_now();
    const uint64_t before = p->args.ended(p->args.ended_arg);
    const enum rc rc = probe_run(p->args.command, LIMIT_NS, out, err);
    const uint64_t after = p->args.ended(p->args.ended_arg);

    /* Of some moment between. */
    out->at = (struct moment){
        .at = {begun.ns + mono_since(clock_now(), begun) / 2},
        .txns = before + (after - before) / 2,
    };
    return rc;
}

static void probe_main(void *arg)
{
    struct host_usage before = {0}, now = {0};
    struct probe *p = arg;
    struct err err = {0};
    bool first = true, last = false;

    coro_assert_inside();
    while (!last) {
        enum rc rc = watch_wait(&p->watch, &last);

        if (!rc)
            rc = sample(p, &now, &err);
        pthread_mutex_lock(&p->lock);
        if (!rc && !first)
            host_sum_add(&p->sum, &before, &now);
        if (rc && rc != RC_CANCELLED)
            notes_add(&p->notes, "%s; not tried again", err.text);
        pthread_mutex_unlock(&p->lock);
        if (rc)
            return;
        before = now;
        first = false;
    }
}

enum rc probe_start(const struct probe_args *args, struct probe **out,
                    struct err *err)
{
    struct probe *p = MEM_NEW(struct probe);
    enum rc rc;

    if (!p)
        return err_set(err, RC_NOMEM, "no memory for --host-probe");
    p->args = *args;
    pthread_mutex_init(&p->lock, NULL);
    rc = watch_start(&p->watch, "dyno-probe", EVERY_NS, probe_main, p, err);
    if (rc) {
        pthread_mutex_destroy(&p->lock);
        mem_free(p);
        return rc;
    }
    *out = p;
    return RC_OK;
}

void probe_open(struct probe *p)
{
    watch_open(&p->watch);
}

void probe_close(struct probe *p)
{
    watch_close(&p->watch);
}

void probe_end(struct probe *p, struct host_sum *out, struct notes *notes)
{
    const bool ended = watch_end(&p->watch, LIMIT_NS + NS_PER_S);

    pthread_mutex_lock(&p->lock);
    *out = p->sum;
    notes_merge(notes, &p->notes);
    pthread_mutex_unlock(&p->lock);
    if (!ended)
        return;
    pthread_mutex_destroy(&p->lock);
    mem_free(p);
}
