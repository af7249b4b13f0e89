/* SPDX-License-Identifier: MIT */
#include "telemetry/procs.h"

#include "base/mem.h"
#include "base/parse.h"
#include "telemetry/fields.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define STAT_BYTES 1024
/* Memory changes slowly and costs another read for each process. */
#define MEMORY_EVERY 10

struct proc {
    int id;
    bool known;            /* the part is */
    enum procs_part part;  /* FOREGROUND or BACKGROUND */
    uint64_t start;        /* tells it from another of the same number */
    uint64_t user, system; /* at the last sample, ticks */
    uint64_t used_user, used_system; /* since it is looked at */
    struct mono seen;                /* first */
    uint64_t round;                  /* last one in which it was there */
};

struct procs {
    struct procs_server server;
    struct proc *all; /* by id */
    size_t n, cap;
    bool too_many;
    uint64_t round;
    struct moment first, last;
    uint64_t last_ticks; /* since the machine started, at the last sample */
    /* Of all together, the ended included: first, last. */
    uint64_t first_user, first_system, user, system;
    /* Of those that ended, by part; what is left is OTHER. */
    uint64_t ended_user[N_PROCS_PARTS], ended_system[N_PROCS_PARTS];
    uint64_t private_peak, shared_peak;
    size_t n_peak;
};

static uint64_t hz(void)
{
    const long n = sysconf(_SC_CLK_TCK);

    return (uint64_t)(n > 0 ? n : 100);
}

static uint64_t ticks_since_boot(void)
{
    struct timespec ts;

    if (clock_gettime(CLOCK_BOOTTIME, &ts))
        return 0;
    return (uint64_t)ts.tv_sec * hz() +
           (uint64_t)ts.tv_nsec * hz() / (uint64_t)NS_PER_S;
}

/* ---- lines of /proc ---- */

/* Behind the name and the state, from the parent to the start. */
enum { STAT_PARENT = 0, STAT_USER = 10, STAT_START = 18, N_STAT_FIELDS };

bool procs_parse_stat(const char *line, struct procs_stat *out)
{
    /* The name may hold anything, brackets too. */
    const char *open = strchr(line, '('), *close = strrchr(line, ')');
    uint64_t pid, f[N_STAT_FIELDS];
    size_t len;

    *out = (struct procs_stat){0};
    if (!open || !close || close < open || strlen(close) < 4 ||
        fields_read(line, &pid, 1, NULL) != 1 ||
        fields_read(close + 3, f, N_STAT_FIELDS, NULL) != N_STAT_FIELDS)
        return false;
    len = (size_t)(close - open) - 1;
    if (len >= sizeof(out->name))
        len = sizeof(out->name) - 1;
    memcpy(out->name, open + 1, len);
    out->pid = (int)pid;
    out->parent = (int)f[STAT_PARENT];
    out->user = f[STAT_USER];
    out->system = f[STAT_USER + 1];
    out->child_user = f[STAT_USER + 2];
    out->child_system = f[STAT_USER + 3];
    out->start = f[STAT_START];
    return true;
}

static bool read_line(const char *path, char *out, size_t out_len)
{
    FILE *f = fopen(path, "re");
    bool done;

    if (!f)
        return false;
    done = fgets(out, (int)out_len, f) != NULL;
    fclose(f);
    return done;
}

static bool read_stat(const char *path, struct procs_stat *out)
{
    char line[STAT_BYTES];

    return read_line(path, line, sizeof(line)) && procs_parse_stat(line, out);
}

static bool stat_process(int pid, struct procs_stat *out)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    return read_stat(path, out);
}

static bool stat_member(const struct procs *p, int id, struct procs_stat *out)
{
    char path[64];

    if (!p->server.threads)
        return stat_process(id, out);
    snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", p->server.root, id);
    return read_stat(path, out);
}

/* ---- the server ---- */

/* The process that a process or thread belongs to; 0: there is none. */
static int process_of(int id)
{
    char path[64], line[STAT_BYTES];
    uint64_t pid = 0;
    FILE *f;

    snprintf(path, sizeof(path), "/proc/%d/status", id);
    f = fopen(path, "re");
    if (!f)
        return 0;
    while (pid == 0 && fgets(line, sizeof(line), f)) {
        if (strncmp(line, "Tgid:", 5) == 0)
            (void)fields_read(line + 5, &pid, 1, NULL);
    }
    fclose(f);
    return (int)pid;
}

static bool age_fits(const struct procs_hint *hint, uint64_t start)
{
    const uint64_t now = ticks_since_boot();
    const int64_t age_us = (int64_t)((now - start) * UINT64_C(1000000) / hz());
    const int64_t off = age_us - hint->age_us;

    return now >= start && off <= hint->tolerance_us &&
           off >= -hint->tolerance_us;
}

enum rc procs_find(const struct procs_hint *hint, struct procs_server *out,
                   struct err *err)
{
    const int id = hint->id > 0 && hint->id < INT32_MAX ? (int)hint->id : 0;
    struct procs_stat self, parent;
    const int pid = id ? process_of(id) : 0;

    if (!pid || !stat_process(pid, &self) || !age_fits(hint, self.start))
        return err_set(err, RC_NOT_FOUND,
                       "the server's process %" PRId64
                       " is not one of this machine",
                       hint->id);
    *out = (struct procs_server){.root = pid, .threads = pid != id};
    memcpy(out->name, self.name, sizeof(out->name));
    if (!out->threads && stat_process(self.parent, &parent) &&
        strcmp(parent.name, self.name) == 0)
        out->root = self.parent;
    return RC_OK;
}

enum rc procs_new(const struct procs_server *server, struct procs **out,
                  struct err *err)
{
    struct procs *p = MEM_NEW(struct procs);

    if (!p)
        return err_set(err, RC_NOMEM, "no memory for the server's processes");
    p->server = *server;
    *out = p;
    return RC_OK;
}

void procs_free(struct procs *p)
{
    if (!p)
        return;
    mem_free(p->all);
    mem_free(p);
}

/* ---- the table ---- */

/* Where id is or belongs. */
static size_t place_of(const struct procs *p, int id)
{
    size_t low = 0, high = p->n;

    while (low < high) {
        const size_t mid = (low + high) / 2;

        if (p->all[mid].id < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static bool make_room(struct procs *p)
{
    const size_t cap = p->cap ? p->cap * 2 : 256;
    struct proc *all;

    if (p->n < p->cap)
        return true;
    if (cap > PROCS_MAX)
        return false;
    all = mem_realloc(p->all, cap * sizeof(*all));
    if (!all)
        return false;
    p->all = all;
    p->cap = cap;
    return true;
}

static void remove_at(struct procs *p, size_t i)
{
    const struct proc *gone = &p->all[i];

    if (gone->known) {
        p->ended_user[gone->part] += gone->used_user;
        p->ended_system[gone->part] += gone->used_system;
    }
    p->n--;
    memmove(&p->all[i], &p->all[i + 1], (p->n - i) * sizeof(*p->all));
}

static struct proc *insert_at(struct procs *p, size_t i,
                              const struct procs_stat *s,
                              const struct moment *at)
{
    struct proc *one;

    if (!make_room(p)) {
        p->too_many = true;
        return NULL;
    }
    one = &p->all[i];
    memmove(one + 1, one, (p->n - i) * sizeof(*one));
    p->n++;
    *one = (struct proc){
        .id = s->pid,
        .part = PROCS_BACKGROUND,
        .known = s->pid == p->server.root,
        .start = s->start,
        .user = s->user,
        .system = s->system,
        .seen = at->at,
    };
    /* Begun after the last sample: all that it used counts. */
    if (p->round > 1 && s->start >= p->last_ticks) {
        one->user = 0;
        one->system = 0;
    }
    return one;
}

/* A process or thread that is there. */
static void note(struct procs *p, const struct procs_stat *s,
                 const struct moment *at)
{
    const size_t i = place_of(p, s->pid);
    struct proc *one = i < p->n ? &p->all[i] : NULL;

    if (one && one->id == s->pid && one->start != s->start) {
        remove_at(p, i);
        one = NULL;
    }
    if (!one || one->id != s->pid)
        one = insert_at(p, i, s, at);
    if (!one)
        return;
    one->used_user += s->user - one->user;
    one->used_system += s->system - one->system;
    one->user = s->user;
    one->system = s->system;
    one->round = p->round;
}

static void note_id(struct procs *p, int id, const struct moment *at)
{
    struct procs_stat s;

    if (stat_member(p, id, &s))
        note(p, &s, at);
}

/* ---- who is there ---- */

static bool note_children(struct procs *p, const struct moment *at)
{
    const int root = p->server.root;
    char path[64];
    FILE *f;
    int c, id = 0;

    snprintf(path, sizeof(path), "/proc/%d/task/%d/children", root, root);
    f = fopen(path, "re");
    if (!f)
        return false;
    /* "12 345 6 " */
    while ((c = getc(f)) != EOF) {
        if (c >= '0' && c <= '9') {
            id = id * 10 + (c - '0');
        } else if (id > 0) {
            note_id(p, id, at);
            id = 0;
        }
    }
    fclose(f);
    return true;
}

/* The numbered entries of a folder; with a parent, its children only. */
static void note_folder(struct procs *p, const char *path, int parent,
                        const struct moment *at)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;

    if (!dir)
        return;
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): dir is ours alone */
    while ((entry = readdir(dir))) {
        struct procs_stat s;
        uint64_t id;

        if (parse_u64(entry->d_name, &id, NULL) || id > INT32_MAX ||
            !stat_member(p, (int)id, &s))
            continue;
        if (!parent || s.parent == parent)
            note(p, &s, at);
    }
    closedir(dir);
}

static void note_all(struct procs *p, const struct moment *at)
{
    char path[64];

    if (p->server.threads) {
        snprintf(path, sizeof(path), "/proc/%d/task", p->server.root);
        note_folder(p, path, 0, at);
        return;
    }
    note_id(p, p->server.root, at);
    /* Kernels without the list of children. */
    if (!note_children(p, at))
        note_folder(p, "/proc", p->server.root, at);
}

/* The list of children may miss some while others end: who is not in it is
 * looked for. */
static void drop_the_ended(struct procs *p, const struct moment *at)
{
    for (size_t i = p->n; i-- > 0;) {
        struct procs_stat s;

        if (p->all[i].round == p->round)
            continue;
        if (stat_member(p, p->all[i].id, &s) && s.start == p->all[i].start)
            note(p, &s, at);
        else
            remove_at(p, i);
    }
}

static bool is_listed(const struct procs_list *list, int id)
{
    size_t low = 0, high = list->n;

    while (low < high) {
        const size_t mid = (low + high) / 2;

        if (list->ids[mid] < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low < list->n && list->ids[low] == id;
}

static void name_parts(struct procs *p, const struct procs_list *list)
{
    for (size_t i = 0; i < p->n; i++) {
        struct proc *one = &p->all[i];

        if (is_listed(list, one->id)) {
            one->part = PROCS_FOREGROUND;
            one->known = true;
        } else if (list->at.ns > one->seen.ns) {
            /* Was there when the database was asked, and is not named. */
            one->known = true;
        }
    }
}

static void sum_up(struct procs *p, const struct procs_stat *root)
{
    p->user = root->user;
    p->system = root->system;
    if (p->server.threads)
        return;
    /* The root is one of all. */
    p->user = root->child_user;
    p->system = root->child_system;
    for (size_t i = 0; i < p->n; i++) {
        p->user += p->all[i].user;
        p->system += p->all[i].system;
    }
}

/* ---- memory ---- */

static void read_memory(struct procs *p, int pid, uint64_t *sum_private)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t f[3]; /* size, resident, of which shared */
    char path[64], line[128];

    snprintf(path, sizeof(path), "/proc/%d/statm", pid);
    if (!read_line(path, line, sizeof(line)) ||
        fields_read(line, f, 3, NULL) != 3)
        return;
    if (f[1] > f[2])
        *sum_private += (f[1] - f[2]) * page;
    if (f[2] * page > p->shared_peak)
        p->shared_peak = f[2] * page;
}

static void sample_memory(struct procs *p)
{
    uint64_t sum = 0;

    if (p->server.threads)
        read_memory(p, p->server.root, &sum);
    for (size_t i = 0; i < p->n && !p->server.threads; i++)
        read_memory(p, p->all[i].id, &sum);
    if (sum > p->private_peak)
        p->private_peak = sum;
}

/* ---- samples ---- */

void procs_sample(struct procs *p, const struct moment *at,
                  const struct procs_list *foreground)
{
    const uint64_t now = ticks_since_boot();
    struct procs_stat root;

    p->round++;
    note_all(p, at);
    drop_the_ended(p, at);
    name_parts(p, foreground);
    /* After the living, so that who ends meanwhile counts twice rather than
     * not at all, and only until the next sample. */
    if (!stat_process(p->server.root, &root)) {
        p->round--;
        return;
    }
    sum_up(p, &root);
    if (p->round == 1) {
        p->first = *at;
        p->first_user = p->user;
        p->first_system = p->system;
    }
    p->last = *at;
    p->last_ticks = now;
    if (p->n > p->n_peak)
        p->n_peak = p->n;
    if (p->round % MEMORY_EVERY == 1)
        sample_memory(p);
}

static uint64_t ticks_us(uint64_t ticks)
{
    return ticks * UINT64_C(1000000) / hz();
}

/* What is left of the whole; the parts are counted in whole ticks. */
static uint64_t rest_us(uint64_t all, const uint64_t *parts)
{
    const uint64_t named = parts[PROCS_FOREGROUND] + parts[PROCS_BACKGROUND];

    return ticks_us(all > named ? all - named : 0);
}

void procs_collect(const struct procs *p, struct procs_sum *out)
{
    uint64_t user[N_PROCS_PARTS], system[N_PROCS_PARTS];

    *out = (struct procs_sum){0};
    if (p->round < 2 || p->too_many)
        return;
    memcpy(user, p->ended_user, sizeof(user));
    memcpy(system, p->ended_system, sizeof(system));
    for (size_t i = 0; i < p->n; i++) {
        const struct proc *one = &p->all[i];

        if (!one->known)
            continue;
        user[one->part] += one->used_user;
        system[one->part] += one->used_system;
    }
    for (size_t i = 0; i < PROCS_OTHER; i++) {
        out->user_us[i] = ticks_us(user[i]);
        out->system_us[i] = ticks_us(system[i]);
    }
    out->user_us[PROCS_OTHER] = rest_us(p->user - p->first_user, user);
    out->system_us[PROCS_OTHER] = rest_us(p->system - p->first_system, system);
    out->private_peak_bytes = p->private_peak;
    out->shared_peak_bytes = p->shared_peak;
    out->n_peak = p->n_peak;
    span_add(&out->span, &p->first, &p->last);
}
