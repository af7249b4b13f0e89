/* SPDX-License-Identifier: MIT */
#include "run/storm.h"

#include "base/buf.h"
#include "base/log.h"
#include "base/parse.h"

/* At most one line in this time, however short the intervals are. */
#define LINE_NS (1 * NS_PER_S)
/* Intervals are cut a little early or late. */
#define EARLY_NS (50 * NS_PER_MS)
#define LINE_MAX_BYTES 400

void storm_init(struct storm *s, const struct recorder *recorders,
                size_t n_recorders)
{
    *s = (struct storm){
        .recorders = recorders,
        .n_recorders = n_recorders,
        .told_ns = -LINE_NS,
    };
}

static uint64_t count_class(const struct storm *s, size_t class)
{
    uint64_t n = 0;

    for (size_t i = 0; i < s->n_recorders; i++)
        n += atomic_load_explicit(&s->recorders[i].classes[class],
                                  memory_order_relaxed);
    return n;
}

static void add_class(struct buf *line, uint64_t n, size_t class)
{
    char count[32];

    format_count(n, count, sizeof(count));
    buf_puts(line, line->len > 0 ? ", " : "");
    buf_printf(line, "%s x %s", count, rc_text((enum rc) - (int)class));
}

static void tell(void *arg, struct interval *it)
{
    struct storm *s = arg;
    const int64_t end_ns = it->begin_ns + it->length_ns;
    struct buf line = BUF_INIT(LINE_MAX_BYTES);

    if (end_ns - s->told_ns < LINE_NS - EARLY_NS)
        return;
    for (size_t i = 0; i < RECORDER_CLASSES; i++) {
        const uint64_t n = count_class(s, i);

        if (n > s->seen[i] && i != (size_t)-RC_DB_RETRY)
            add_class(&line, n - s->seen[i], i);
        s->seen[i] = n;
    }
    if (line.len > 0) {
        log_warn("errors: %s", buf_str(&line));
        s->told_ns = end_ns;
    }
    buf_release(&line);
}

struct series_listener storm_listener(struct storm *s)
{
    return (struct series_listener){.interval = tell, .arg = s};
}
