/* SPDX-License-Identifier: MIT */
#include "telemetry/host.h"

#include "telemetry/fields.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

/* More than any line that is of use; longer ones (intr) are passed over. */
#define LINE_MAX_BYTES 512
#define NAME_BYTES 64
/* The unit of /proc/diskstats, whatever the disk's own. */
#define SECTOR_BYTES 512

const char *const host_counter_names[N_HOST_COUNTERS] = {
    [HOST_CPU_USER_US] = "cpu_user_us",
    [HOST_CPU_SYSTEM_US] = "cpu_system_us",
    [HOST_CPU_IDLE_US] = "cpu_idle_us",
    [HOST_CPU_IOWAIT_US] = "cpu_iowait_us",
    [HOST_CPU_STEAL_US] = "cpu_steal_us",
    [HOST_CONTEXT_SWITCHES] = "context_switches",
    [HOST_DISK_READS] = "disk_reads",
    [HOST_DISK_READ_BYTES] = "disk_read_bytes",
    [HOST_DISK_WRITES] = "disk_writes",
    [HOST_DISK_WRITTEN_BYTES] = "disk_written_bytes",
    [HOST_MAJOR_FAULTS] = "major_faults",
    [HOST_SWAPPED_IN_PAGES] = "swapped_in_pages",
    [HOST_SWAPPED_OUT_PAGES] = "swapped_out_pages",
};

/* The kernel's names for the same. */
static const struct {
    const char *name;
    enum host_counter counter;
} kernel_names[] = {
    {"ctxt", HOST_CONTEXT_SWITCHES},
    {"pgmajfault", HOST_MAJOR_FAULTS},
    {"pswpin", HOST_SWAPPED_IN_PAGES},
    {"pswpout", HOST_SWAPPED_OUT_PAGES},
};

struct reader {
    struct host_usage *out;
    char disk[NAME_BYTES]; /* the whole disk whose partitions may follow */
};

static void put(struct host_usage *u, enum host_counter c, uint64_t value)
{
    u->v[c] = value;
    u->known |= 1U << c;
}

static void add(struct host_usage *u, enum host_counter c, uint64_t value)
{
    u->v[c] += value;
    u->known |= 1U << c;
}

static uint64_t ticks_us(uint64_t ticks)
{
    const long hz = sysconf(_SC_CLK_TCK);

    return ticks * UINT64_C(1000000) / (uint64_t)(hz > 0 ? hz : 100);
}

/* "cpu  USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL …"; kernels of long ago
 * have fewer fields. */
static bool read_cpu(struct host_usage *u, const char *line)
{
    uint64_t t[8] = {0};

    if (strncmp(line, "cpu ", 4) != 0 ||
        fields_read(line + 4, t, ARRAY_LEN(t), NULL) < 4)
        return false;
    put(u, HOST_CPU_USER_US, ticks_us(t[0] + t[1]));
    put(u, HOST_CPU_SYSTEM_US, ticks_us(t[2] + t[5] + t[6]));
    put(u, HOST_CPU_IDLE_US, ticks_us(t[3]));
    put(u, HOST_CPU_IOWAIT_US, ticks_us(t[4]));
    put(u, HOST_CPU_STEAL_US, ticks_us(t[7]));
    return true;
}

/* Made of other disks, or of memory. */
static bool is_virtual(const char *name)
{
    static const char *const prefixes[] = {"loop", "ram", "zram",
                                           "dm-",  "md",  "sr"};

    for (size_t i = 0; i < ARRAY_LEN(prefixes); i++) {
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    }
    return false;
}

/* "sda1" of "sda", "nvme0n1p2" of "nvme0n1": the kernel lists a disk before
 * its partitions. */
static bool is_partition_of(const char *disk, const char *name)
{
    const size_t len = strlen(disk);
    const char *rest = name + len;

    if (len == 0 || strncmp(name, disk, len) != 0 || !*rest)
        return false;
    if (isdigit((unsigned char)disk[len - 1]) && *rest++ != 'p')
        return false;
    return *rest && rest[strspn(rest, "0123456789")] == '\0';
}

/* A word and what follows it; false when there is none or it is too long. */
static bool take_word(const char *text, char *out, const char **rest)
{
    const size_t len = strcspn(text, " \t\n");

    if (len == 0 || len >= NAME_BYTES)
        return false;
    memcpy(out, text, len);
    out[len] = '\0';
    *rest = text + len + strspn(text + len, " \t\n");
    return true;
}

/* "MAJOR MINOR NAME READS MERGED SECTORS MS WRITES MERGED SECTORS …" */
static bool read_disk(struct reader *r, const char *line)
{
    uint64_t numbers[2], t[7];
    char name[NAME_BYTES] = "";

    if (fields_read(line, numbers, 2, &line) != 2 ||
        !take_word(line, name, &line) || fields_read(line, t, 7, NULL) != 7)
        return false;
    if (is_virtual(name) || is_partition_of(r->disk, name))
        return true;
    memcpy(r->disk, name, sizeof(name));
    add(r->out, HOST_DISK_READS, t[0]);
    add(r->out, HOST_DISK_READ_BYTES, t[2] * SECTOR_BYTES);
    add(r->out, HOST_DISK_WRITES, t[4]);
    add(r->out, HOST_DISK_WRITTEN_BYTES, t[6] * SECTOR_BYTES);
    return true;
}

static void read_named(struct host_usage *u, const char *line)
{
    char name[NAME_BYTES] = "";
    uint64_t value;

    if (!take_word(line, name, &line) || *line == '-' ||
        fields_read(line, &value, 1, NULL) != 1)
        return;
    for (size_t i = 0; i < ARRAY_LEN(kernel_names); i++) {
        if (strcmp(name, kernel_names[i].name) == 0)
            put(u, kernel_names[i].counter, value);
    }
    for (size_t i = 0; i < N_HOST_COUNTERS; i++) {
        if (strcmp(name, host_counter_names[i]) == 0)
            put(u, (enum host_counter)i, value);
    }
}

static void read_line(struct reader *r, const char *line)
{
    if (read_cpu(r->out, line) || read_disk(r, line))
        return;
    read_named(r->out, line);
}

static void read_lines(struct reader *r, FILE *in)
{
    char line[LINE_MAX_BYTES];
    bool whole = true, begins = true;

    while (fgets(line, sizeof(line), in)) {
        whole = strchr(line, '\n') != NULL;
        if (begins)
            read_line(r, line);
        begins = whole;
    }
}

void host_usage_parse(FILE *in, struct host_usage *out)
{
    struct reader r = {.out = out};

    *out = (struct host_usage){.at = out->at};
    read_lines(&r, in);
}

void host_usage_read(struct host_usage *out)
{
    static const char *const files[] = {"/proc/stat", "/proc/diskstats",
                                        "/proc/vmstat"};
    struct reader r = {.out = out};

    *out = (struct host_usage){.at = out->at};
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        FILE *f = fopen(files[i], "re");

        if (!f)
            continue;
        read_lines(&r, f);
        fclose(f);
    }
}

void host_sum_add(struct host_sum *sum, const struct host_usage *before,
                  const struct host_usage *now)
{
    const unsigned known = before->known & now->known;

    for (size_t i = 0; i < N_HOST_COUNTERS; i++) {
        if ((known >> i & 1U) && now->v[i] > before->v[i])
            sum->v[i] += now->v[i] - before->v[i];
    }
    sum->known = sum->span.ns > 0 ? sum->known & known : known;
    span_add(&sum->span, &before->at, &now->at);
}
