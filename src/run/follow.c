/* SPDX-License-Identifier: MIT */
#include "run/follow.h"

int64_t follow_every_ns(const struct run_cfg *cfg)
{
    return cfg->series_ns > 0 ? cfg->series_ns : NS_PER_S;
}

static enum rc make_judge(struct follow *f, const struct follow_args *args,
                          struct err *err)
{
    const int64_t every_ns = follow_every_ns(args->cfg);
    const struct opt_strs *texts = &args->cfg->thresholds;
    struct threshold thresholds[RESULT_THRESHOLDS_MAX];
    enum rc rc =
        thresholds_parse(texts, args->workload, every_ns, thresholds, err);

    if (!rc)
        rc = judge_new(thresholds, texts->n, args->workload, every_ns,
                       &f->judge, err);
    if (!rc && texts->n > 0)
        series_listen(&f->listeners, judge_listener(f->judge));
    return rc;
}

static void add_course(void *arg, struct interval *interval)
{
    course_add(arg, interval);
}

/* The lines come after those who keep: what they show has been kept. */
static void add_lines(struct follow *f, const struct follow_args *args)
{
    if (args->quiet)
        return;
    if (args->cfg->progress_ns > 0) {
        progress_init(&f->progress, args->cfg->progress_ns);
        series_listen(&f->listeners, progress_listener(&f->progress));
    }
    storm_init(&f->storm, args->recorders, args->n_recorders);
    series_listen(&f->listeners, storm_listener(&f->storm));
}

enum rc follow_init(struct follow *f, const struct follow_args *args,
                    struct err *err)
{
    const struct series_args series_args = {
        .listeners = &f->listeners,
        .recorders = args->recorders,
        .n_recorders = args->n_recorders,
        .types = args->workload->txns,
        .n_txns = args->workload->n_txns,
        .every_ns = follow_every_ns(args->cfg),
    };
    enum rc rc;

    *f = (struct follow){0};
    if (args->first)
        series_listen(&f->listeners, *args->first);
    for (size_t i = 0; args->listeners && i < args->listeners->n; i++)
        series_listen(&f->listeners, args->listeners->items[i]);
    f->course.txn = args->workload->counted_txn < args->workload->n_txns
                        ? args->workload->counted_txn
                        : 0;
    series_listen(
        &f->listeners,
        (struct series_listener){.interval = add_course, .arg = &f->course});
    add_lines(f, args);
    rc = make_judge(f, args, err);
    return rc ? rc : series_new(&series_args, &f->series, err);
}

void follow_collect(struct follow *f, struct run_result *r)
{
    judge_collect(f->judge, r);
    r->course = f->course;
}

void follow_release(struct follow *f)
{
    series_free(f->series);
    judge_free(f->judge);
}

enum rc follow_begin(const struct follow *f, const struct run_result *result,
                     struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < f->listeners.n; i++) {
        const struct series_listener *l = &f->listeners.items[i];

        if (l->begin)
            rc = l->begin(l->arg, result, err);
    }
    return rc;
}
