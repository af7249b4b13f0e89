/* SPDX-License-Identifier: MIT */
#include "report/flip_report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct compare_result *result_of(const struct compared_side *s)
{
    const struct compared_figure *f = compared_throughput(s);

    return f && f->result.verdict != COMPARE_NO_DATA ? &f->result : NULL;
}

static bool moved(const struct compared_side *s)
{
    const struct compare_result *r = result_of(s);

    return r && r->verdict != COMPARE_NO_DIFFERENCE;
}

const char *flip_word(const struct compared_side *side)
{
    if (!result_of(side))
        return "not enough data";
    return moved(side) ? "moved it" : "noise";
}

static double effect_of(const struct compared_side *s)
{
    const struct compare_result *r = result_of(s);

    return r ? fabs(log(r->ratio)) : -1;
}

void flip_order(const struct comparison *c, size_t *order)
{
    for (size_t i = 0; i < c->n_sides; i++) {
        size_t k = i;

        for (; k > 0 &&
               effect_of(&c->sides[order[k - 1]]) < effect_of(&c->sides[i]);
             k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
}

/* ---- whether the largest stands apart ---- */

/* What a reader would call one switch: the part before '='. */
static bool same_switch(const struct compared_side *a,
                        const struct compared_side *b)
{
    const size_t len = strcspn(a->side->name, "=");

    return len == strcspn(b->side->name, "=") &&
           !strncmp(a->side->name, b->side->name, len);
}

/* The interval of an effect's size, whichever way it goes. */
static void size_interval(const struct compare_result *r, double *low,
                          double *high)
{
    const double a = fabs(log(r->low)), b = fabs(log(r->high));

    *high = fmax(a, b);
    *low = r->low <= 1 && r->high >= 1 ? 0 : fmin(a, b);
}

static bool stands_apart(const struct comparison *c,
                         const struct compared_side *top)
{
    double low, high, other_low, other_high;

    size_interval(result_of(top), &low, &high);
    for (size_t i = 0; i < c->n_sides; i++) {
        const struct compared_side *s = &c->sides[i];

        if (s == top || !result_of(s) || same_switch(s, top))
            continue;
        size_interval(result_of(s), &other_low, &other_high);
        if (other_high >= low)
            return false;
    }
    return true;
}

/* ---- sentences ---- */

struct text {
    char *out;
    size_t len, at;
};

static void add(struct text *t, const char *fmt, ...) PRINTF_LIKE(2, 3);

static void add(struct text *t, const char *fmt, ...)
{
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(t->out + t->at, t->len - t->at, fmt, ap);
    va_end(ap);
    if (n > 0)
        t->at += (size_t)n;
    if (t->at >= t->len)
        t->at = t->len - 1;
}

static void say_effect(struct text *t, const struct compared_side *s)
{
    const struct compare_result *r = result_of(s);

    add(t, "%s (%.3g times, %.3g to %.3g)", s->side->name, r->ratio, r->low,
        r->high);
}

static void say_largest(struct text *t, const struct comparison *c,
                        const struct compared_side *top)
{
    say_effect(t, top);
    add(t, " moved it most");
    add(t, stands_apart(c, top)
               ? ", its interval apart from those of all other switches. "
               : "; its interval is not apart from all others, so another may "
                 "be as large. ");
}

/* Those after the first that moved it, or those that did not. */
static void list(struct text *t, const struct comparison *c,
                 const size_t *order, bool that_moved, const char *end)
{
    const char *before = "";

    for (size_t i = that_moved; i < c->n_sides; i++) {
        const struct compared_side *s = &c->sides[order[i]];

        if (order[i] == 0 || !result_of(s) || moved(s) != that_moved)
            continue;
        add(t, "%s%s", before, s->side->name);
        before = ", ";
    }
    if (before[0])
        add(t, "%s", end);
}

/* The smallest difference that all of the noise would have shown. */
static double could_show(const struct comparison *c)
{
    double most = 0;

    for (size_t i = 0; i < c->n_sides; i++) {
        const struct compare_result *r = result_of(&c->sides[i]);

        if (r && !moved(&c->sides[i]) && r->smallest > most)
            most = r->smallest;
    }
    return most;
}

void flip_conclusion(const struct flip_findings *f, char *out, size_t out_len)
{
    const struct comparison *c = f->comparison;
    struct text t = {.out = out, .len = out_len};
    size_t order[64] = {0};
    const struct compared_side *top;

    out[0] = '\0';
    if (c->n_sides == 0 || c->n_sides > sizeof(order) / sizeof(order[0]))
        return;
    flip_order(c, order);
    top = &c->sides[order[0]];
    if (!result_of(&c->sides[0])) {
        add(&t, "There are too few runs to say anything.");
        return;
    }
    if (moved(&c->sides[0])) {
        add(&t, "The base against itself differs: the machine was too restless "
                "for any of these verdicts. Run it again, longer.");
        return;
    }
    if (moved(top))
        say_largest(&t, c, top);
    else
        add(&t, "No switch was shown to move it. ");
    list(&t, c, order, true, " moved it too. ");
    list(&t, c, order, false, " did not rise above the noise");
    if (could_show(c) > 0)
        add(&t, "%s%.2g %% would have shown. ",
            t.at > 0 && out[t.at - 1] == ' ' ? "Of the rest, " : "; ",
            100 * could_show(c));
    add(&t, "The base against itself is noise, as it should be.");
}
