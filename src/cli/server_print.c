/* SPDX-License-Identifier: MIT */
/* Which servers there are, and which snapshots. */
#include "base/clock.h"
#include "base/log.h"
#include "base/parse.h"
#include "cli/server.h"
#include "lab/snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SIZE_BYTES 32
#define US_PER_S 1000000

/* ---- list and status ---- */

struct listing {
    const char *only; /* a name, NULL: all */
    size_t n;
};

static enum rc print_row(void *arg, const struct server_info *info,
                         struct err *err)
{
    struct listing *l = arg;
    char size[SIZE_BYTES], pid[24] = "-";

    (void)err;
    if (l->n++ == 0)
        printf("%-20s %-9s %-10s %-7s %-12s %8s %6s %10s\n", "NAME", "KIND",
               "VERSION", "PRESET", "STATUS", "PID", "PORT", "DISK");
    if (info->running)
        snprintf(pid, sizeof(pid), "%" PRId64, info->pid);
    format_bytes(info->disk_bytes, size, sizeof(size));
    printf("%-20s %-9s %-10s %-7s %-12s %8s %6" PRIu64 " %10s\n", info->name,
           info->kind, info->version, info->preset,
           info->busy ? "in use" : server_status_names[info->status], pid,
           info->port, size);
    return RC_OK;
}

struct total {
    size_t n;
    uint64_t disk_bytes;
};

static enum rc add_up(void *arg, const struct snapshot_info *info,
                      struct err *err)
{
    struct total *t = arg;

    (void)err;
    t->n++;
    t->disk_bytes += info->disk_bytes;
    return RC_OK;
}

enum rc server_print_list(void *arg, const char *no_name, struct err *err)
{
    const struct server_cmd *cmd = arg;
    struct total snapshots = {.n = 0};
    struct listing l = {.n = 0};
    char size[SIZE_BYTES];
    enum rc rc = server_list(cmd->spec.base, print_row, &l, err);

    (void)no_name;
    if (!rc)
        rc = snapshot_list(cmd->spec.base, add_up, &snapshots, err);
    format_bytes(snapshots.disk_bytes, size, sizeof(size));
    if (!rc && snapshots.n > 0)
        log_info("and %zu snapshot%s, %s: 'dyno server snapshots'", snapshots.n,
                 snapshots.n > 1 ? "s" : "", size);
    return rc;
}

static enum rc print_status(void *arg, const struct server_info *info,
                            struct err *err)
{
    struct listing *l = arg;
    char size[SIZE_BYTES];

    (void)err;
    if (l->only && strcmp(l->only, info->name) != 0)
        return RC_OK;
    l->n++;
    format_bytes(info->disk_bytes, size, sizeof(size));
    printf("name     %s\nkind     %s\nversion  %s\npreset   %s\n"
           "status   %s%s\n",
           info->name, info->kind, info->version, info->preset,
           server_status_names[info->status],
           info->busy ? ", in use by a dyno" : "");
    if (info->running)
        printf("pid      %" PRId64 "\nport     %" PRIu64
               " of 127.0.0.1\nurl      %s\n",
               info->pid, info->port, info->url);
    printf("folder   %s\ndisk     %s\n", info->dir, size);
    return RC_OK;
}

enum rc server_print_status(void *arg, const char *name, struct err *err)
{
    const struct server_cmd *cmd = arg;
    struct listing l = {.only = name};
    struct server *s = NULL;
    enum rc rc = server_find(cmd->spec.base, name, &s, err);

    server_close(s);
    return rc ? rc : server_list(cmd->spec.base, print_status, &l, err);
}

/* ---- snapshots ---- */

/* "3h5m", of whole seconds. */
static const char *age(int64_t wall_s, char out[SIZE_BYTES])
{
    const int64_t s = clock_wall_us() / US_PER_S - wall_s;

    format_duration(s > 0 ? s * NS_PER_S : 0, out, SIZE_BYTES);
    return out;
}

static enum rc print_snapshot(void *arg, const struct snapshot_info *info,
                              struct err *err)
{
    struct listing *l = arg;
    char size[SIZE_BYTES], made[SIZE_BYTES], used[SIZE_BYTES];

    (void)err;
    if (l->n++ == 0)
        printf("%10s %12s %12s  %s\n", "SIZE", "AGE", "LAST USED", "NAME");
    format_bytes(info->disk_bytes, size, sizeof(size));
    printf("%10s %12s %12s  %s\n", size, age(info->made_wall_s, made),
           info->busy ? "in use" : age(info->used_wall_s, used), info->name);
    return RC_OK;
}

enum rc server_print_snapshots(void *arg, const char *no_name, struct err *err)
{
    const struct server_cmd *cmd = arg;
    struct listing l = {.n = 0};
    const enum rc rc = snapshot_list(cmd->spec.base, print_snapshot, &l, err);

    (void)no_name;
    if (!rc && l.n > 0)
        log_info("'dyno server drop-snapshot NAME' removes one; those used "
                 "longest ago are first, and go first when the budget is "
                 "reached");
    return rc;
}
