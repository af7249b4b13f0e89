/* SPDX-License-Identifier: MIT */
#include "workload/audit.h"

#include <stdarg.h>
#include <stdio.h>

void audit_init(struct audit *a, enum audit_level level)
{
    a->level = level;
    a->n_checks = 0;
}

struct audit_check *audit_add(struct audit *a, const char *name,
                              const char *title)
{
    struct audit_check *check;

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
    check->n_checked++;
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

void audit_error(struct audit_check *check, const struct err *err)
{
    /* A violation found before is worth more than why the rest is unknown. */
    if (check->verdict != AUDIT_FAILED) {
        snprintf(check->detail, sizeof(check->detail), "not checked: %.200s",
                 err->text[0] ? err->text : rc_text(err->rc));
    }
    check->verdict = AUDIT_FAILED;
    check->n_failed++;
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
