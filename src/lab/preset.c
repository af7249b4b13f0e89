/* SPDX-License-Identifier: MIT */
#include "lab/preset.h"

#include "base/buf.h"
#include "base/parse.h"
#include "run/config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)
/* Users of a benchmark, and some to look on. */
#define CONNECTIONS 500
/* Two of the files that WAL consists of: PostgreSQL does not start with less.
 */
#define WAL_MIN_MIB 32

/* ---- the machine ---- */

/* Of the control group that the process is in, where there is a limit. */
static uint64_t group_limit(void)
{
    struct buf text = BUF_INIT(64);
    uint64_t limit = UINT64_MAX;

    if (!buf_read_file(&text, "/sys/fs/cgroup/memory.max", NULL)) {
        text.data[strcspn(text.data, "\n")] = '\0';
        if (parse_u64(text.data, &limit, NULL))
            limit = UINT64_MAX;
    }
    buf_release(&text);
    return limit;
}

enum rc machine_look(const char *dir, struct machine *out, struct err *err)
{
    const uint64_t limit = group_limit();
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    struct statvfs fs;

    if (statvfs(dir, &fs))
        return err_errno(err, RC_IO, errno, "cannot look at the disk of '%s'",
                         dir);
    *out = (struct machine){
        .memory_bytes = (uint64_t)pages * (uint64_t)page,
        .cores = cores_available(),
        .disk_free_bytes = (uint64_t)fs.f_bavail * fs.f_frsize,
    };
    if (limit < out->memory_bytes)
        out->memory_bytes = limit;
    return RC_OK;
}

/* ---- sizes ---- */

static uint64_t clamp(uint64_t n, uint64_t low, uint64_t high)
{
    if (n < low)
        return low;
    return n > high ? high : n;
}

/* Not so much that the disk would be theirs. */
static uint64_t log_bytes(const struct machine *m, uint64_t wanted)
{
    const uint64_t room = m->disk_free_bytes / 8;

    return clamp(wanted, 64 * MIB, room > 64 * MIB ? room : 64 * MIB) / MIB *
           MIB;
}

static uint64_t wal_bytes(const struct machine *m)
{
    return log_bytes(m, clamp(m->memory_bytes / 4, GIB, 16 * GIB));
}

static uint64_t redo_bytes(const struct machine *m)
{
    return log_bytes(m, clamp(m->memory_bytes / 16, 256 * MIB, 2 * GIB));
}

/* ---- settings ---- */

struct give {
    preset_fn *fn;
    void *arg;
};

static void give(const struct give *g, const char *name, const char *value)
{
    g->fn(g->arg, name, value);
}

static void give_number(const struct give *g, const char *name, uint64_t n,
                        const char *unit)
{
    char text[40];

    snprintf(text, sizeof(text), "%" PRIu64 "%s", n, unit);
    give(g, name, text);
}

static void postgres_oltp(const struct give *g, const struct machine *m,
                          bool sync)
{
    const uint64_t memory = m->memory_bytes / MIB;
    const uint64_t wal = wal_bytes(m) / MIB;

    give_number(g, "shared_buffers", clamp(memory / 4, 128, 262144), "MB");
    give_number(g, "effective_cache_size", clamp(memory / 4 * 3, 256, 1048576),
                "MB");
    give_number(g, "maintenance_work_mem", clamp(memory / 32, 64, 2048), "MB");
    give_number(g, "max_connections", CONNECTIONS, "");
    give_number(g, "max_wal_size", wal, "MB");
    give_number(g, "min_wal_size",
                wal / 4 > WAL_MIN_MIB ? wal / 4 : WAL_MIN_MIB, "MB");
    give_number(g, "wal_buffers", 64, "MB");
    give(g, "checkpoint_timeout", "15min");
    give(g, "checkpoint_completion_target", "0.9");
    give(g, "random_page_cost", "1.1");
    give(g, "effective_io_concurrency", "100");
    /* Nobody streams from it, and nothing may hold WAL back. */
    give(g, "max_wal_senders", "0");
    give(g, "max_replication_slots", "0");
    give(g, "synchronous_commit", sync ? "on" : "off");
}

static void innodb_oltp(const struct give *g, enum server_kind kind,
                        const struct machine *m, bool sync)
{
    const uint64_t memory = m->memory_bytes / MIB;
    const uint64_t redo = redo_bytes(m) / MIB;

    give_number(g, "innodb_buffer_pool_size", clamp(memory / 2, 128, 1048576),
                "M");
    /* MySQL before 8.0.30 has two files, later ones the sum. */
    if (kind == SERVER_MYSQL) {
        give_number(g, "loose_innodb_log_file_size", redo / 2, "M");
        give_number(g, "loose_innodb_redo_log_capacity", redo, "M");
    } else {
        give_number(g, "innodb_log_file_size", redo, "M");
    }
    give(g, "innodb_log_buffer_size", "64M");
    give(g, "innodb_flush_method", "O_DIRECT");
    give_number(g, "innodb_io_capacity", clamp(m->cores * 500, 1000, 10000),
                "");
    give_number(g, "innodb_flush_log_at_trx_commit", sync ? 1 : 2, "");
    give_number(g, "max_connections", CONNECTIONS, "");
    give(g, "max_prepared_stmt_count", "1000000");
    give(g, "table_open_cache", "4000");
    /* MariaDB has none unless asked for. */
    if (kind == SERVER_MYSQL)
        give(g, "disable_log_bin", "");
    /* Each run begins with the memory as cold as the others. */
    give(g, "innodb_buffer_pool_dump_at_shutdown", "0");
    give(g, "innodb_buffer_pool_load_at_startup", "0");
}

void preset_each(enum server_kind kind, enum preset preset,
                 const struct machine *machine, preset_fn *fn, void *arg)
{
    const struct give g = {fn, arg};

    if (preset == PRESET_STOCK)
        return;
    if (kind == SERVER_POSTGRES)
        postgres_oltp(&g, machine, preset == PRESET_OLTP);
    else
        innodb_oltp(&g, kind, machine, preset == PRESET_OLTP);
}
