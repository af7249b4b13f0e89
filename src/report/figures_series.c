/* SPDX-License-Identifier: MIT */
/* The parts of a run: throughput of each interval, response times of blocks of
 * them, which hold enough transactions for a percentile. */
#include "report/figures_int.h"

#include <stdio.h>
#include <string.h>

#define BLOCKS_MAX 20
#define TXNS_MAX RESULT_TXNS_MAX

struct parts {
    struct figures *f;
    const char *txns[TXNS_MAX];
    size_t n_txns, counted; /* counted is n_txns: none */
    struct figure *times[TXNS_MAX][8];
    struct hist *block[TXNS_MAX];
    size_t n_measured, at, n_blocks, filled;
    int64_t usual_ns; /* length of an interval */
    struct figure *tps, *nopm;
};

static struct figure *find(struct figures *f, const char *name)
{
    for (size_t i = 0; i < f->n; i++) {
        if (!strcmp(f->all[i].name, name))
            return &f->all[i];
    }
    return NULL;
}

static enum rc take_name(void *arg, const char *name, const char *value,
                         const char *source, struct err *err)
{
    struct parts *p = arg;
    const char *counted = p->f->run.counted;
    char path[128];

    (void)value;
    (void)source;
    (void)err;
    if (p->n_txns == TXNS_MAX)
        return RC_OK;
    if (counted && !strcmp(name, counted))
        p->counted = p->n_txns;
    for (size_t i = 0; i < n_figure_times; i++) {
        snprintf(path, sizeof(path), "transactions.%s.response_us.%s", name,
                 figure_times[i].key);
        p->times[p->n_txns][i] = find(p->f, path);
    }
    p->n_txns++;
    return RC_OK;
}

/* The last interval may be a splinter, of which a rate says nothing. */
static void add_point(const struct parts *p, struct figure *f, uint64_t n,
                      int64_t length_ns, double unit_ns)
{
    if (f && f->series && length_ns > p->usual_ns / 2)
        f->series[f->n_series++] = (double)n * unit_ns / (double)length_ns;
}

/* A percentile needs so many values that one is beyond it. */
static bool enough(const struct hist *h, double share)
{
    return hist_count(h) > 0 && (double)hist_count(h) * (1 - share) >= 1;
}

static void close_block(struct parts *p)
{
    for (size_t i = 0; i < p->n_txns; i++) {
        for (size_t k = 0; k < n_figure_times; k++) {
            struct figure *f = p->times[i][k];
            const double share = figure_times[k].share;

            if (!f || !f->series || !enough(p->block[i], share))
                continue;
            f->series[f->n_series++] =
                1e-3 * (share > 0
                            ? (double)hist_percentile(p->block[i], 100 * share)
                            : hist_mean(p->block[i]));
        }
        hist_reset(p->block[i]);
    }
}

static enum rc take_interval(void *arg, const struct interval *it,
                             unsigned drop_bits, struct err *err)
{
    struct parts *p = arg;
    uint64_t completed = 0;

    (void)drop_bits;
    (void)err;
    if (it->phase != PHASE_MEASURE || p->at == p->n_measured)
        return RC_OK;
    for (size_t i = 0; i < it->n_txns && i < p->n_txns; i++) {
        completed += it->txns[i].committed + it->txns[i].rolled_back;
        if (hist_count(it->txns[i].response_hist) > 0)
            hist_add(p->block[i], it->txns[i].response_hist);
    }
    if (p->at == 0)
        p->usual_ns = it->length_ns;
    add_point(p, p->tps, completed, it->length_ns, 1e9);
    if (p->counted < it->n_txns)
        add_point(p, p->nopm, it->txns[p->counted].committed, it->length_ns,
                  60e9);
    p->at++;
    if (p->at * p->n_blocks / p->n_measured > p->filled) {
        p->filled++;
        close_block(p);
    }
    return RC_OK;
}

static enum rc make_room(struct parts *p, struct arena *arena, struct err *err)
{
    bool failed = false;

    for (size_t i = 0; i < p->f->n; i++) {
        struct figure *f = &p->f->all[i];
        const size_t n = f->kind == FIGURE_RATE ? p->n_measured : BLOCKS_MAX;

        if (f->kind != FIGURE_RATE && f->kind != FIGURE_TIME)
            continue;
        f->series = ARENA_ARRAY(arena, double, n);
        failed |= !f->series;
    }
    for (size_t i = 0; i < p->n_txns; i++) {
        p->block[i] = hist_new();
        failed |= !p->block[i];
    }
    if (failed)
        return err_set(err, RC_NOMEM, "no memory for the series of a run");
    return RC_OK;
}

enum rc figures_add_series(struct store *s, struct arena *arena,
                           struct figures *f, struct err *err)
{
    struct parts p = {.f = f, .counted = TXNS_MAX};
    const int64_t id = f->run.id;
    enum rc rc;

    rc = store_each_text(s, id, STORED_TXNS, take_name, &p, err);
    if (!rc)
        rc = store_count_intervals(s, id, true, &p.n_measured, err);
    if (rc || p.n_measured == 0)
        return rc;
    p.n_blocks = p.n_measured < BLOCKS_MAX ? p.n_measured : BLOCKS_MAX;
    p.tps = find(f, "throughput.tps");
    p.nopm = find(f, "throughput.nopm");
    rc = make_room(&p, arena, err);
    if (!rc)
        rc = store_each_interval(s, id, take_interval, &p, err);
    for (size_t i = 0; i < p.n_txns; i++)
        hist_free(p.block[i]);
    return rc;
}
