/* SPDX-License-Identifier: MIT */
#include "run/course.h"

#include "base/clock.h"

static void add_to(struct course_point *to, const struct course_point *from)
{
    to->length_ns += from->length_ns;
    to->completed += from->completed;
    if (from->p99_ns > to->p99_ns)
        to->p99_ns = from->p99_ns;
}

static void halve(struct run_course *c)
{
    for (size_t i = 0; i < c->n / 2; i++) {
        struct course_point two = c->points[2 * i];

        add_to(&two, &c->points[2 * i + 1]);
        c->points[i] = two;
    }
    c->n /= 2;
    c->each *= 2;
    c->in_last = c->each;
}

void course_add(struct run_course *c, const struct interval *it)
{
    struct course_point point = {.length_ns = it->length_ns};

    if (it->phase != PHASE_MEASURE || it->length_ns <= 0)
        return;
    for (size_t i = 0; i < it->n_txns; i++)
        point.completed += it->txns[i].committed + it->txns[i].rolled_back;
    if (c->txn < it->n_txns && it->txns[c->txn].response.n > 0)
        point.p99_ns = it->txns[c->txn].response.p99_ns;
    if (c->each == 0)
        c->each = 1;
    if (c->n > 0 && c->in_last < c->each) {
        add_to(&c->points[c->n - 1], &point);
        c->in_last++;
        return;
    }
    if (c->n == COURSE_POINTS_MAX)
        halve(c);
    c->points[c->n++] = point;
    c->in_last = 1;
}

size_t course_throughput(const struct run_course *c,
                         double out[COURSE_POINTS_MAX])
{
    const int64_t usual_ns = c->n > 0 ? c->points[0].length_ns : 0;
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++) {
        const struct course_point *p = &c->points[i];

        /* A splinter at the end says nothing of a rate. */
        if (i + 1 == c->n && i > 0 && p->length_ns <= usual_ns / 2)
            break;
        out[n++] =
            (double)p->completed * (double)NS_PER_S / (double)p->length_ns;
    }
    return n;
}
