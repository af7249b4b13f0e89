/* SPDX-License-Identifier: MIT */
#include "run/load_progress.h"

#include "base/log.h"
#include "base/parse.h"

#include <stdio.h>

#define BAR_NS (200 * NS_PER_MS)
#define LINE_NS (10 * NS_PER_S)
#define STALL_NS (60 * NS_PER_S)
#define BAR_CELLS 24
#define TEXT_MAX 32

void load_progress_init(struct load_progress *p, uint64_t total_rows,
                        uint64_t rows_before, bool quiet)
{
    *p = (struct load_progress){
        .quiet = quiet,
        .terminal = log_is_terminal(),
        .total_rows = total_rows,
        .rows_before = rows_before,
    };
}

void load_progress_phase(struct load_progress *p,
                         const struct load_phase *phase, struct mono now)
{
    p->phase = *phase;
    p->start = now;
    p->next = mono_add(now, p->terminal ? BAR_NS : LINE_NS);
    p->seen = 0;
    p->seen_since = now;
    p->stalled = false;
}

static uint64_t rows_of(const struct load_tally *tally)
{
    return atomic_load_explicit(&tally->n_rows, memory_order_relaxed);
}

static uint64_t pieces_of(const struct load_tally *tally)
{
    return atomic_load_explicit(&tally->n_pieces, memory_order_relaxed);
}

static void draw_bar(uint64_t done, uint64_t total, char *out)
{
    const uint64_t cells = total ? done * BAR_CELLS / total : BAR_CELLS;

    for (size_t i = 0; i < BAR_CELLS; i++)
        out[i] = i < cells ? '#' : '.';
    out[BAR_CELLS] = '\0';
}

static unsigned percent(uint64_t done, uint64_t total)
{
    /* Below 2^57 of either, which is more than anybody's disk holds. */
    const uint64_t pct = total ? done * 100 / total : 100;

    return (unsigned)(pct > 100 ? 100 : pct);
}

static void rows_line(const struct load_progress *p,
                      const struct load_tally *tally, struct mono now,
                      char *out)
{
    const uint64_t n = rows_of(tally), total = p->total_rows;
    const uint64_t bytes =
        atomic_load_explicit(&tally->n_bytes, memory_order_relaxed);
    const int64_t ns = mono_since(now, p->start);
    const uint64_t ms = (uint64_t)(ns / NS_PER_MS) + 1;
    const uint64_t fresh = n - p->rows_before;
    const uint64_t left = n < total ? total - n : 0;
    const uint64_t rate = fresh * 1000 / ms;
    char bar[BAR_CELLS + 1], rows[TEXT_MAX],
        size[TEXT_MAX] = "", speed[TEXT_MAX], eta[TEXT_MAX] = "unknown";

    draw_bar(n, total, bar);
    format_count(n, rows, sizeof(rows));
    /* Not every driver counts them. */
    if (bytes > 0)
        format_bytes(bytes, size, sizeof(size));
    format_count(rate, speed, sizeof(speed));
    if (rate > 0)
        format_duration((int64_t)(left / rate) * NS_PER_S, eta, sizeof(eta));
    snprintf(out, LOAD_LINE_MAX,
             "loading [%s] %3u %%  %s rows  %s%s%s rows/s  ETA %s", bar,
             percent(n, total), rows, size, *size ? "  " : "", speed, eta);
}

void load_progress_line(const struct load_progress *p,
                        const struct load_tally *tally, struct mono now,
                        char *out)
{
    const uint64_t n = pieces_of(tally);
    char bar[BAR_CELLS + 1], took[TEXT_MAX];

    if (p->phase.makes_rows) {
        rows_line(p, tally, now, out);
        return;
    }
    draw_bar(n, p->phase.n_pieces, bar);
    format_duration(mono_since(now, p->start) / NS_PER_S * NS_PER_S, took,
                    sizeof(took));
    snprintf(out, LOAD_LINE_MAX, "loading [%s] %s: %llu of %zu, %s", bar,
             p->phase.name, (unsigned long long)n, p->phase.n_pieces, took);
}

static void show(struct load_progress *p, const struct load_tally *tally,
                 struct mono now)
{
    char line[LOAD_LINE_MAX];

    if (p->quiet)
        return;
    load_progress_line(p, tally, now, line);
    log_progress("%s", line);
}

bool load_progress_stalls(struct load_progress *p,
                          const struct load_tally *tally, struct mono now)
{
    const uint64_t seen = rows_of(tally) + pieces_of(tally);

    if (seen != p->seen) {
        p->seen = seen;
        p->seen_since = now;
        p->stalled = false;
        return false;
    }
    /* How far a long statement is, nobody knows. */
    if (!p->phase.makes_rows || p->stalled ||
        mono_since(now, p->seen_since) < STALL_NS)
        return false;
    p->stalled = true;
    return true;
}

void load_progress_look(struct load_progress *p, const struct load_tally *tally,
                        struct mono now)
{
    if (load_progress_stalls(p, tally, now))
        log_warn("no row has been loaded for 60 s: the database does not take "
                 "any (a lock, a full disk, a checkpoint?)");
    if (now.ns < p->next.ns)
        return;
    show(p, tally, now);
    p->next = mono_add(now, p->terminal ? BAR_NS : LINE_NS);
}

void load_progress_end(struct load_progress *p, const struct load_tally *tally,
                       struct mono now)
{
    /* Short phases are not worth a line of their own. */
    if (p->terminal || p->phase.makes_rows ||
        mono_since(now, p->start) >= LINE_NS)
        show(p, tally, now);
    log_progress_end();
}
