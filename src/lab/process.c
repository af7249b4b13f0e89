/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "base/parse.h"
#include "lab/process_list.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define STAT_BYTES 1024
/* Fields behind the name of the program. */
#define FIELD_STATE 0
#define FIELD_PARENT 1
#define FIELD_START 19
#define CHILDREN_MAX 1024
#define POLL_NS (10 * NS_PER_MS)
#define GONE_NS (10 * NS_PER_S)

struct proc_stat {
    char state;
    int64_t parent;
    uint64_t start_ticks;
};

/* "PID (NAME) STATE PPID …"; the name may hold anything. */
static bool parse_stat(char *text, struct proc_stat *out)
{
    char *at = strrchr(text, ')'), *save = NULL, *field;
    bool complete = false;

    if (!at)
        return false;
    field = strtok_r(at + 1, " ", &save);
    for (int i = 0; field && !complete; i++) {
        if (i == FIELD_STATE)
            out->state = *field;
        else if (i == FIELD_PARENT && parse_i64(field, &out->parent, NULL))
            return false;
        else if (i == FIELD_START)
            complete = !parse_u64(field, &out->start_ticks, NULL);
        field = strtok_r(NULL, " ", &save);
    }
    return complete;
}

static bool read_stat(int64_t pid, struct proc_stat *out)
{
    char path[64], text[STAT_BYTES];
    ssize_t n;
    int fd;

    snprintf(path, sizeof(path), "/proc/%lld/stat", (long long)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    n = read(fd, text, sizeof(text) - 1);
    close(fd);
    if (n <= 0)
        return false;
    text[n] = '\0';
    return parse_stat(text, out);
}

uint64_t process_start_ticks(int64_t pid)
{
    struct proc_stat st;

    if (pid <= 0 || !read_stat(pid, &st) || st.state == 'Z' || st.state == 'X')
        return 0;
    return st.start_ticks;
}

size_t process_children(int64_t pid, struct process *out, size_t cap)
{
    DIR *proc = opendir("/proc");
    const struct dirent *e;
    size_t n = 0;

    /* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is ours alone */
    while (proc && (e = readdir(proc))) {
        struct proc_stat st;
        int64_t child;

        if (parse_i64(e->d_name, &child, NULL) || !read_stat(child, &st) ||
            st.parent != pid || st.state == 'Z')
            continue;
        if (n < cap)
            out[n] = (struct process){child, st.start_ticks};
        n++;
    }
    if (proc)
        closedir(proc);
    return n;
}

bool process_alive(struct process p)
{
    if (p.pid <= 0)
        return false;
    /* Fails for those that are not ours. */
    waitpid((pid_t)p.pid, NULL, WNOHANG);
    return p.start_ticks && process_start_ticks(p.pid) == p.start_ticks;
}

bool process_wait(struct process p, int64_t limit_ns)
{
    const struct mono end = mono_add(clock_now(), limit_ns);

    while (process_alive(p)) {
        if (clock_now().ns > end.ns)
            return false;
        clock_sleep_until(mono_add(clock_now(), POLL_NS));
    }
    return true;
}

void process_signal(struct process p, int signum)
{
    if (process_alive(p))
        kill((pid_t)p.pid, signum);
}

void process_kill(struct process p)
{
    struct process children[CHILDREN_MAX];
    size_t n = process_children(p.pid, children, CHILDREN_MAX);

    if (n > CHILDREN_MAX)
        n = CHILDREN_MAX;
    process_signal(p, SIGKILL);
    process_wait(p, GONE_NS);
    for (size_t i = 0; i < n; i++)
        process_signal(children[i], SIGKILL);
    for (size_t i = 0; i < n; i++)
        process_wait(children[i], GONE_NS);
}
