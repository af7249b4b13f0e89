/* SPDX-License-Identifier: MIT */
#include "workload/audit.h"

#include "base/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void audit_init(struct audit *a, enum audit_level level)
{
    a->level = level;
    a->only = NULL;
    a->n_checks = 0;
}

/* ---- choosing ---- */

/* The name itself, or its group: what stands before a '_'. */
static bool names_it(const char *wanted, size_t len, const char *name)
{
    return strncmp(name, wanted, len) == 0 &&
           (name[len] == '\0' || name[len] == '_');
}

/* The next of the names in a text, apart by commas; false at the end. */
static bool next_name(const char **text, const char **out, size_t *out_len)
{
    *text += strspn(*text, ",");
    *out = *text;
    *out_len = strcspn(*text, ",");
    *text += *out_len;
    return *out_len > 0;
}

static bool is_wanted(const struct audit *a, const char *name)
{
    if (!a->only || a->only->n == 0)
        return true;
    for (size_t i = 0; i < a->only->n; i++) {
        const char *text = a->only->items[i], *wanted;
        size_t len;

        while (next_name(&text, &wanted, &len)) {
            if (names_it(wanted, len, name))
                return true;
        }
    }
    return false;
}

static enum rc check_name(const char *wanted, size_t len,
                          const struct audit_def *defs, size_t n_defs,
                          struct err *err)
{
    const char *names[AUDIT_CHECKS_MAX], *near;
    char text[64];

    for (size_t i = 0; i < n_defs; i++) {
        if (names_it(wanted, len, defs[i].name))
            return RC_OK;
        names[i] = defs[i].name;
    }
    snprintf(text, sizeof(text), "%.*s", (int)len, wanted);
    near = nearest_name(text, names, n_defs);
    return err_set(err, RC_USAGE,
                   "--checks: '%s' is no check%s%s%s; 'dyno audit WORKLOAD "
                   "--list' shows them all",
                   text, near ? ", did you mean '" : "", near ? near : "",
                   near ? "'?" : "");
}

enum rc audit_check_names(const struct opt_strs *only,
                          const struct audit_def *defs, size_t n_defs,
                          struct err *err)
{
    for (size_t i = 0; i < only->n; i++) {
        const char *text = only->items[i], *wanted;
        size_t len;

        while (next_name(&text, &wanted, &len)) {
            const enum rc rc = check_name(wanted, len, defs, n_defs, err);

            if (rc)
                return rc;
        }
    }
    return RC_OK;
}

/* ---- findings ---- */

struct audit_check *audit_add(struct audit *a, const char *name,
                              const char *title)
{
    struct audit_check *check;

    if (!is_wanted(a, name))
        return NULL;
    if (a->n_checks == AUDIT_CHECKS_MAX)
        BUG("more than %d audit checks", AUDIT_CHECKS_MAX);
    check = &a->checks[a->n_checks++];
    *check = (struct audit_check){
        .name = name,
        .title = title,
        .verdict = AUDIT_PASSED,
    };
    return check;
}

void audit_expect(struct audit_check *check, bool ok, const char *fmt, ...)
{
    if (UNLIKELY(!check))
        return;
    check->n_checked++;
    if (check->verdict == AUDIT_NOT_ENOUGH_DATA) {
        check->verdict = AUDIT_PASSED;
        check->detail[0] = '\0';
    }
    if (LIKELY(ok))
        return;
    if (check->verdict != AUDIT_FAILED) {
        va_list ap;

        va_start(ap, fmt);
        vsnprintf(check->detail, sizeof(check->detail), fmt, ap);
        va_end(ap);
    }
    check->verdict = AUDIT_FAILED;
    check->n_failed++;
}

void audit_lacks(struct audit_check *check, const char *fmt, ...)
{
    va_list ap;

    if (!check || check->n_checked > 0 || check->verdict != AUDIT_PASSED)
        return;
    check->verdict = AUDIT_NOT_ENOUGH_DATA;
    va_start(ap, fmt);
    vsnprintf(check->detail, sizeof(check->detail), fmt, ap);
    va_end(ap);
}

void audit_skip(struct audit_check *check, const char *why)
{
    if (!check)
        return;
    check->verdict = AUDIT_NOT_APPLICABLE;
    snprintf(check->detail, sizeof(check->detail), "%s", why);
}

void audit_error(struct audit_check *check, const struct err *err)
{
    if (!check)
        return;
    /* A violation found before is worth more than why the rest is unknown. */
    if (check->verdict != AUDIT_FAILED) {
        check->lost = err->rc == RC_DB_GONE || err->rc == RC_TIMEOUT ||
                      err->rc == RC_CANCELLED;
        snprintf(check->detail, sizeof(check->detail), "not checked: %.200s",
                 err->text[0] ? err->text : rc_text(err->rc));
    }
    check->verdict = AUDIT_FAILED;
    check->n_failed++;
}

const char *audit_lost(const struct audit *a)
{
    const char *why = NULL;

    for (size_t i = 0; i < a->n_checks; i++) {
        const struct audit_check *check = &a->checks[i];

        if (check->verdict == AUDIT_FAILED && !check->lost)
            return NULL;
        if (check->lost && !why)
            why = check->detail;
    }
    return why;
}

bool audit_passed(const struct audit *a)
{
    bool any = false;

    for (size_t i = 0; i < a->n_checks; i++) {
        if (a->checks[i].verdict == AUDIT_FAILED)
            return false;
        if (a->checks[i].verdict == AUDIT_PASSED)
            any = true;
    }
    return any;
}

const char *audit_verdict_name(enum audit_verdict v)
{
    switch (v) {
    case AUDIT_PASSED:
        return "passed";
    case AUDIT_FAILED:
        return "failed";
    case AUDIT_NOT_ENOUGH_DATA:
        return "not enough data";
    case AUDIT_NOT_APPLICABLE:
        return "not applicable";
    }
    return "unknown";
}
