/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/utf8.h"
#include "report/audit_text.h"
#include "report/cell.h"
#include "report/text.h"
#include "report/words.h"
#include "support/sample_result.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define REPORT_BYTES ((size_t)1 << 20)

typedef void report_fn(const struct run_result *r, FILE *out);

/* Freed with mem_free(). */
static char *printed(report_fn *fn, const struct run_result *r)
{
    char *text = mem_calloc(1, REPORT_BYTES);
    FILE *out;

    assert_non_null(text);
    out = fmemopen(text, REPORT_BYTES, "w");
    assert_non_null(out);
    fn(r, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void assert_holds(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
}

static void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("'%s' is in:\n%s", part, text);
}

/* Whole characters, no control, at most 80 columns. */
static void assert_clean_lines(const char *text)
{
    size_t column = 0;

    while (*text) {
        const size_t len = utf8_len(text);

        assert_true(len > 0);
        if (*text == '\n') {
            column = 0;
        } else {
            assert_true((unsigned char)*text >= ' ');
            if (++column > 80)
                fail_msg("a line above 80 columns ends at: %.100s", text);
        }
        text += len;
    }
}

static void a_valid_run_is_told_in_full(void **state)
{
    static const char *const parts[] = {
        "001_sqlite_s1_v4_c4: valid\n",
        "  900 NOPM (new orders committed a minute; 1,000 with",
        "  33.3 TPS (transactions completed a second), 2,000 TPM\n",
        "tpcc, composition literal",
        "sqlite:tpcc.db",
        "4 on 4 connections, 4 threads",
        "490 to 510",
        "New-Order        1,000   50.0%        100        0   29.0   31.0\n",
        "Payment          1,000   50.0%          0        5    7.0    9.0\n",
        "New-Order     950ns   949ns   949ns   949ns   949ns   949ns   950ns\n",
        "Payment             8.00us   2.00us              80.0%\n",
        "the client saw 900, the database",
        "agrees",
        "passed 1 of 2 checks (1 without enough data, 0 not applicable)",
        "remote_lines (1 % of the lines are remote): not enough data",
        "1.00%     1.00%  0.90%..1.10%  1,000\n",
        "10.02        10     9.5..10.5  1,000\n",
        "9.00%..10.0%",
        "retries: some transactions needed more than one try",
        "1.50us for each transaction",
        "4.0 KB at most, shrank by 1.0 KB",
        "1.50us at most, 1.00us mean",
        "machine: CPU, user                2.50ms     500ms\n",
        "machine: written                  2.0 KB  400.0 KB\n",
        "server: CPU for connections        500us     100ms\n",
        "server: log written               4.0 KB  800.0 KB\n",
        "dyno: CPU, system                 1.00ms     200ms\n",
        "of client and server: CPU 25.0% busy",
        "1.0 MB, and up to 2.0 MB shared, in 12 processes",
        "- fsync (off): nothing waits for the disk\n",
        "LWLock:WALWrite 2.5 (mean of 10 looks)",
        "- counters_tables: no right\n",
        "sqlite:tpcc.db (command line)",
        "SQLite",
        "not audited TPC results",
    };
    struct run_result *r = sample_result();
    char *text = printed(report_text, r);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        assert_holds(text, parts[i]);
    assert_clean_lines(text);
    /* Not in the mix, and a default. */
    assert_lacks(text, "Look-up");
    assert_lacks(text, "ramp-up  ");
    mem_free(text);
    sample_result_free(r);
}

static void no_line_is_too_long_whatever_the_values(void **state)
{
    struct run_result *r = sample_result_extreme();
    char *text = printed(report_text, r);

    (void)state;
    assert_clean_lines(text);
    assert_holds(text, "NOT VALID");
    assert_holds(text, "DOES NOT AGREE");
    assert_lacks(text, "nan");
    assert_lacks(text, "inf\n");
    mem_free(text);
    sample_result_free(r);
}

static void no_password_is_printed(void **state)
{
    struct run_result *r = sample_result_extreme();
    char *text = printed(report_text, r);
    char *markdown = printed(report_markdown, r);

    (void)state;
    assert_lacks(text, "hunter2");
    assert_lacks(markdown, "hunter2");
    mem_free(text);
    mem_free(markdown);
    sample_result_free(r);
}

static void an_empty_interval_says_no_data(void **state)
{
    struct run_result *r = sample_result_empty();
    char *text = printed(report_text, r);

    (void)state;
    assert_holds(text, "NOT VALID, ended early\n  no data\n");
    assert_holds(text, "nothing_completed: no transaction completed");
    assert_holds(text, "ended early: interrupted");
    assert_holds(text, "not audited\n");
    assert_lacks(text, "NOPM");
    assert_lacks(text, "Response time");
    assert_clean_lines(text);
    mem_free(text);
    sample_result_free(r);
}

static void every_reason_and_warning_has_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < 32; i++) {
        assert_int_equal(!words_invalid(i), !invalid_reason_name(i));
        assert_int_equal(!words_warning(i), !run_warning_name(i));
    }
}

static void markdown_says_the_same_in_tables(void **state)
{
    struct run_result *r = sample_result();
    char *text = printed(report_markdown, r);

    (void)state;
    assert_holds(text, "## 001\\_sqlite\\_s1\\_v4\\_c4: valid\n\n");
    assert_holds(text, "### Transactions\n\n| transaction | completed |");
    assert_holds(text, " |\n| --- | ---: | ---: |");
    assert_holds(text, "| New-Order | 1,000 | 50.0% | 100 | 0 | 29.0 |");
    assert_holds(text, "- **target**: sqlite:tpcc.db\n");
    mem_free(text);
    sample_result_free(r);
}

static void markdown_of_foreign_texts_is_escaped(void **state)
{
    struct run_result *r = sample_result();
    char *text;

    (void)state;
    r->errors[0] = (struct run_error){
        .rc = RC_DB_ERROR, .count = 3, .text = "no `x`\n# |<b>*"};
    r->n_errors = 1;
    text = printed(report_markdown, r);
    assert_holds(text, "- 3 times New-Order, database rejected the statement: "
                       "no \\`x\\` \\# \\|\\<b\\>\\*\n");
    mem_free(text);
    sample_result_free(r);
}

static void a_failed_audit_names_check_and_detail(void **state)
{
    static struct audit audit;
    char text[2000] = "";
    FILE *out = fmemopen(text, sizeof(text), "w");
    struct audit_check *c;

    (void)state;
    audit_init(&audit, AUDIT_QUICK);
    c = audit_add(&audit, "condition_1", "W_YTD = sum of D_YTD");
    audit_expect(c, true, "%s", "");
    audit_expect(c, false, "w_id 2: %s", "300.00 but 310.00 in d");
    (void)audit_add(&audit, "condition_2", "D_NEXT_O_ID - 1 = max(O_ID)");
    report_audit_text(&audit, out);
    fclose(out);
    assert_string_equal(text, "Audit (quick)\n"
                              "  FAILED 1 of 2 checks:\n"
                              "  - condition_1 (W_YTD = sum of D_YTD): 1 of 2 "
                              "wrong; w_id 2: 300.00 but 310.00\n"
                              "    in d\n");
}

static void an_audit_without_checks_did_not_pass(void **state)
{
    static struct audit audit;
    char text[200] = "";
    FILE *out = fmemopen(text, sizeof(text), "w");

    (void)state;
    audit_init(&audit, AUDIT_FULL);
    report_audit_text(&audit, out);
    fclose(out);
    assert_string_equal(text, "Audit (full)\n"
                              "  not passed: no check could be made\n");
}

static void durations_have_three_digits(void **state)
{
    static const struct {
        double ns;
        const char *text;
    } cases[] = {
        {-1, "0ns"},
        {0, "0ns"},
        {999, "999ns"},
        {1000, "1.00us"},
        {9994, "9.99us"},
        {9995, "10.0us"},
        {99949, "99.9us"},
        {99950, "100us"},
        {999499, "999us"},
        {999500, "1.00ms"},
        {12345678, "12.3ms"},
        {999500000, "1.00s"},
        {3600000000000, "60.0min"},
        {9.3e18, "2583333h"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[CELL_BYTES];

        cell_duration(cases[i].ns, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void numbers_fit_their_cells(void **state)
{
    static const double values[] = {
        0,   0.04,      9.95, 99.95, 999.94, 999.95,  1e4, 999999,  9999995,
        1e9, 9.9999e10, 1e15, 1e20,  1e29,   DBL_MAX, -1,  DBL_MIN, 1.0 / 3};
    char text[CELL_BYTES];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        cell_number(values[i], text);
        assert_in_range(strlen(text), 1, CELL_WIDTH_MAX);
        cell_share(values[i], text);
        assert_in_range(strlen(text), 1, CELL_WIDTH_MAX);
    }
    cell_count(999999, text);
    assert_string_equal(text, "999,999");
    cell_count(1000000, text);
    assert_string_equal(text, "1.000M");
    cell_count(UINT64_MAX, text);
    assert_string_equal(text, "18.45E");
    cell_share(0.0003, text);
    assert_string_equal(text, "0.03%");
    cell_share(1, text);
    assert_string_equal(text, "100.0%");
    cell_rate(1e30, text);
    cell_rate(99.94, text);
    assert_string_equal(text, "99.9");
    cell_rate(1234567.4, text);
    assert_string_equal(text, "1,234,567");
}

static void only_whole_characters_are_valid(void **state)
{
    static const struct {
        const char *text;
        size_t len;
    } cases[] = {
        {"a", 1},
        {"", 0},
        {"\xc3\xa4", 2},
        {"\xe2\x82\xac", 3},
        {"\xf0\x9f\x98\x80", 4},
        {"\xe2\x82", 0},         /* cut */
        {"\x80", 0},             /* begins in the middle */
        {"\xc0\x80", 0},         /* overlong */
        {"\xe0\x80\x80", 0},     /* overlong */
        {"\xed\xa0\x80", 0},     /* surrogate */
        {"\xf4\x90\x80\x80", 0}, /* above U+10FFFF */
        {"\xff", 0},
    };
    char line[6];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(utf8_len(cases[i].text), cases[i].len);
    utf8_line("a\x01\xc3\xa4\xff€", line, sizeof(line));
    assert_string_equal(line, "a \xc3\xa4?");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_valid_run_is_told_in_full),
        cmocka_unit_test(no_line_is_too_long_whatever_the_values),
        cmocka_unit_test(no_password_is_printed),
        cmocka_unit_test(an_empty_interval_says_no_data),
        cmocka_unit_test(every_reason_and_warning_has_words),
        cmocka_unit_test(markdown_says_the_same_in_tables),
        cmocka_unit_test(markdown_of_foreign_texts_is_escaped),
        cmocka_unit_test(a_failed_audit_names_check_and_detail),
        cmocka_unit_test(an_audit_without_checks_did_not_pass),
        cmocka_unit_test(durations_have_three_digits),
        cmocka_unit_test(numbers_fit_their_cells),
        cmocka_unit_test(only_whole_characters_are_valid),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
