/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/audit_int.h"
#include "workload/tpcc/nurand.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void rule(struct fault *f, bool ok, const char *fmt, ...)
{
    if (UNLIKELY(!ok) && !f->text[0]) {
        va_list ap;

        va_start(ap, fmt);
        vsnprintf(f->text, sizeof(f->text), fmt, ap);
        va_end(ap);
    }
}

#define MONEY_TEXT_MAX 32

/* Cents as 12.34, rates as 0.1234. */
static void number_text(enum value_type type, int64_t i, char *out)
{
    const uint64_t magnitude = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
    const char *sign = i < 0 ? "-" : "";

    if (type == VALUE_MONEY) {
        snprintf(out, MONEY_TEXT_MAX, "%s%" PRIu64 ".%02" PRIu64, sign,
                 magnitude / 100, magnitude % 100);
    } else if (type == VALUE_RATE) {
        snprintf(out, MONEY_TEXT_MAX, "%s%" PRIu64 ".%04" PRIu64, sign,
                 magnitude / 10000, magnitude % 10000);
    } else {
        snprintf(out, MONEY_TEXT_MAX, "%" PRId64, i);
    }
}

void rule_range(struct fault *f, const char *name, const struct value *v,
                int64_t lo, int64_t hi)
{
    char got[MONEY_TEXT_MAX], low[MONEY_TEXT_MAX], high[MONEY_TEXT_MAX];

    if (LIKELY(!value_is_null(v) && v->i >= lo && v->i <= hi))
        return;
    number_text(v->type, v->i, got);
    number_text(v->type, lo, low);
    number_text(v->type, hi, high);
    if (value_is_null(v))
        snprintf(got, sizeof(got), "null");
    if (lo == hi)
        rule(f, false, "%s %s, must be %s", name, got, low);
    else
        rule(f, false, "%s %s, must be in %s..%s", name, got, low, high);
}

void rule_length(struct fault *f, const char *name, const struct value *v,
                 int64_t lo, int64_t hi)
{
    const struct value len = v_int(v->len);
    char what[64];

    if (LIKELY(v->type == VALUE_TEXT && v->len >= lo && v->len <= hi))
        return;
    snprintf(what, sizeof(what), "length of %s", name);
    if (v->type == VALUE_TEXT)
        rule_range(f, what, &len, lo, hi);
    else
        rule(f, false, "%s is null", name);
}

static void value_text(const struct value *v, char *out, size_t out_len)
{
    if (value_is_null(v))
        snprintf(out, out_len, "null");
    else if (v->type == VALUE_TEXT)
        snprintf(out, out_len, "'%.*s'", (int)(v->len < 30 ? v->len : 30),
                 v->s);
    else
        number_text(v->type, v->i, out);
}

void rule_differs(struct fault *f, const char *name, const struct value *got,
                  const struct value *want)
{
    char got_text[48], want_text[48];

    value_text(got, got_text, sizeof(got_text));
    value_text(want, want_text, sizeof(want_text));
    rule(f, false, "%s %s, loaded with %s", name, got_text, want_text);
}

bool is_original(const struct value *v)
{
    return v->type == VALUE_TEXT && memmem(v->s, v->len, "ORIGINAL", 8) != NULL;
}

static bool all_digits(const struct value *v, size_t len)
{
    if (v->type != VALUE_TEXT || v->len != len)
        return false;
    for (size_t i = 0; i < len; i++) {
        if (v->s[i] < '0' || v->s[i] > '9')
            return false;
    }
    return true;
}

static void rule_text(struct fault *f, bool ok, const char *name,
                      const struct value *v, const char *what)
{
    if (LIKELY(ok))
        return;
    if (v->type != VALUE_TEXT)
        rule(f, false, "%s is null, must be %s", name, what);
    else
        rule(f, false, "%s '%.*s', must be %s", name,
             (int)(v->len < 40 ? v->len : 40), v->s, what);
}

void rule_digits(struct fault *f, const char *name, const struct value *v,
                 size_t len)
{
    char what[32];

    if (LIKELY(all_digits(v, len)))
        return;
    snprintf(what, sizeof(what), "%zu digits", len);
    rule_text(f, false, name, v, what);
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

void rule_state(struct fault *f, const char *name, const struct value *v)
{
    rule_text(f,
              v->type == VALUE_TEXT && v->len == 2 && is_capital(v->s[0]) &&
                  is_capital(v->s[1]),
              name, v, "two capital letters");
}

void rule_zip(struct fault *f, const char *name, const struct value *v)
{
    rule_text(f, all_digits(v, 9) && memcmp(v->s + 4, "11111", 5) == 0, name, v,
              "four digits and 11111");
}

#define KEY_TEXT_MAX 96

static void key_text(const struct key *key, char *out)
{
    size_t len = 0;

    out[0] = '\0';
    if (key->w)
        len +=
            (size_t)snprintf(out, KEY_TEXT_MAX, "warehouse %" PRId64, key->w);
    if (key->d)
        len += (size_t)snprintf(out + len, KEY_TEXT_MAX - len,
                                ", district %" PRId64, key->d);
    if (key->kind)
        snprintf(out + len, KEY_TEXT_MAX - len, "%s%s %" PRId64,
                 len ? ", " : "", key->kind, key->id);
    else if (len == 0)
        snprintf(out, KEY_TEXT_MAX, "whole table");
}

void expect_row(struct audit_check *check, const struct key *key,
                const struct fault *f)
{
    char where[KEY_TEXT_MAX];

    if (LIKELY(!f->text[0])) {
        audit_expect(check, true, "%s", "");
        return;
    }
    key_text(key, where);
    audit_expect(check, false, "%s: %s", where, f->text);
}

/* Two values that must be the same. */
struct pair {
    enum value_type type;
    const char *got_name, *want_name;
    int64_t got, want;
};

static void expect_pair(struct audit_check *check, const struct key *key,
                        const struct pair *p)
{
    char where[KEY_TEXT_MAX], got[MONEY_TEXT_MAX], want[MONEY_TEXT_MAX];

    if (LIKELY(p->got == p->want)) {
        audit_expect(check, true, "%s", "");
        return;
    }
    key_text(key, where);
    number_text(p->type, p->got, got);
    number_text(p->type, p->want, want);
    audit_expect(check, false, "%s: %s %s, %s %s", where, p->got_name, got,
                 p->want_name, want);
}

void expect_money(struct audit_check *check, const struct key *key,
                  const char *got_name, int64_t got, const char *want_name,
                  int64_t want)
{
    const struct pair p = {
        .type = VALUE_MONEY,
        .got_name = got_name,
        .want_name = want_name,
        .got = got,
        .want = want,
    };

    expect_pair(check, key, &p);
}

void expect_count(struct audit_check *check, const struct key *key,
                  const char *got_name, int64_t got, const char *want_name,
                  int64_t want)
{
    const struct pair p = {
        .type = VALUE_INT,
        .got_name = got_name,
        .want_name = want_name,
        .got = got,
        .want = want,
    };

    expect_pair(check, key, &p);
}

/* In integers: (k q - n p)^2 <= 25 n p (q - p). */
void expect_share(struct audit_check *check, const char *what,
                  const struct share *s, uint64_t p, uint64_t q)
{
    __extension__ typedef __int128 i128;
    const i128 off = (i128)s->k * q - (i128)s->n * p;
    const i128 bound = (i128)25 * s->n * p * (q - p);

    if (s->n == 0)
        return;
    audit_expect(check, off * off <= bound,
                 "%s: %" PRIu64 " of %" PRIu64 ", expected %" PRIu64
                 " within 5 standard deviations",
                 what, s->k, s->n, (uint64_t)((i128)s->n * p / q));
}

bool text_is(const struct value *v, const char *text)
{
    const size_t len = strlen(text);

    return v->type == VALUE_TEXT && v->len == len &&
           memcmp(v->s, text, len) == 0;
}

/* No syllable is the beginning of another, so there is one way to read it. */
int last_name_number(const struct value *v)
{
    char name[TPCC_LAST_MAX];
    size_t at = 0;
    int number = 0;

    if (v->type != VALUE_TEXT)
        return -1;
    for (int i = 0; i < 3; i++) {
        int digit = 0;

        for (; digit < 10; digit++) {
            /* Number d is BAR BAR syllable d. */
            const size_t len = last_name((uint64_t)digit, name) - 6;

            if (at + len <= v->len && memcmp(v->s + at, name + 6, len) == 0) {
                at += len;
                break;
            }
        }
        if (digit == 10)
            return -1;
        number = number * 10 + digit;
    }
    return at == v->len ? number : -1;
}
