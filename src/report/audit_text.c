/* SPDX-License-Identifier: MIT */
#include "report/audit_text.h"

#include "base/parse.h"
#include "report/cell.h"
#include "report/words.h"

static size_t count_verdicts(const struct audit *audit, enum audit_verdict v)
{
    size_t n = 0;

    for (size_t i = 0; i < audit->n_checks; i++)
        n += audit->checks[i].verdict == v;
    return n;
}

static void summary(const struct audit *audit, struct doc *d)
{
    const size_t passed = count_verdicts(audit, AUDIT_PASSED);
    const size_t failed = count_verdicts(audit, AUDIT_FAILED);
    const size_t few = count_verdicts(audit, AUDIT_NOT_ENOUGH_DATA);
    const size_t skipped = count_verdicts(audit, AUDIT_NOT_APPLICABLE);
    char rest[96] = "";

    if (few || skipped)
        snprintf(rest, sizeof(rest),
                 " (%zu without enough data, %zu not applicable)", few,
                 skipped);
    if (failed)
        doc_para(d, "FAILED %zu of %zu checks%s:", failed, audit->n_checks,
                 rest);
    else if (passed)
        doc_para(d, "passed %zu of %zu checks%s", passed, audit->n_checks,
                 rest);
    else
        doc_para(d, "not passed: no check could be made%s", rest);
}

static void failures(const struct audit *audit, struct doc *d)
{
    for (size_t i = 0; i < audit->n_checks; i++) {
        const struct audit_check *check = &audit->checks[i];
        char n_failed[CELL_BYTES], n_checked[CELL_BYTES];

        if (check->verdict != AUDIT_FAILED)
            continue;
        format_count(check->n_failed, n_failed, sizeof(n_failed));
        format_count(check->n_checked, n_checked, sizeof(n_checked));
        if (check->n_checked >= check->n_failed)
            doc_item(d, "%s (%s): %s of %s wrong; %s", check->name,
                     check->title, n_failed, n_checked, check->detail);
        else
            doc_item(d, "%s (%s): %s", check->name, check->title,
                     check->detail);
    }
}

void report_audit_doc(const struct audit *audit, struct doc *d)
{
    char title[32];

    snprintf(title, sizeof(title), "Audit (%s)",
             words_audit_level(audit->level));
    doc_heading(d, title);
    summary(audit, d);
    failures(audit, d);
    for (size_t i = 0; i < audit->n_checks; i++) {
        const struct audit_check *check = &audit->checks[i];

        if (check->verdict == AUDIT_NOT_ENOUGH_DATA)
            doc_item(d, "%s (%s): not enough data%s%s", check->name,
                     check->title, check->detail[0] ? "; " : "", check->detail);
    }
}

void report_audit_text(const struct audit *audit, FILE *out)
{
    struct doc d;

    doc_init(&d, out, DOC_TEXT);
    report_audit_doc(audit, &d);
}
