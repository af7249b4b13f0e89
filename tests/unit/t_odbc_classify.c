/* SPDX-License-Identifier: MIT */
#include "driver/odbc/classify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void each_state_has_its_class(void **state)
{
    static const struct {
        const char *state;
        enum rc rc;
    } want[] = {
        {"40001", RC_DB_RETRY},      {"40P01", RC_DB_RETRY},
        {"55P03", RC_DB_RETRY},      {"40003", RC_DB_GONE},
        {"23000", RC_DB_CONSTRAINT}, {"23505", RC_DB_CONSTRAINT},
        {"57P01", RC_DB_GONE},       {"57P03", RC_DB_GONE},
        {"08004", RC_DB_LIMIT},      {"08S01", RC_DB_GONE},
        {"08001", RC_DB_GONE},       {"08006", RC_DB_GONE},
        {"53100", RC_DB_NO_SPACE},   {"53300", RC_DB_LIMIT},
        {"53200", RC_DB_LIMIT},      {"54000", RC_DB_LIMIT},
        {"HY001", RC_NOMEM},         {"HY013", RC_NOMEM},
        {"HYT00", RC_DB_TIMEOUT},    {"HYT01", RC_DB_GONE},
        {"57014", RC_DB_TIMEOUT},    {"70100", RC_CANCELLED},
        {"HY008", RC_CANCELLED},     {"28000", RC_DB_PERMISSION},
        {"28P01", RC_DB_PERMISSION}, {"42501", RC_DB_PERMISSION},
        {"25006", RC_DB_PERMISSION}, {"IM002", RC_NOT_FOUND},
        {"IM003", RC_NOT_FOUND},     {"3D000", RC_NOT_FOUND},
        {"IM001", RC_UNSUPPORTED},   {"HYC00", RC_UNSUPPORTED},
        {"0A000", RC_UNSUPPORTED},   {"42000", RC_DB_ERROR},
        {"HY000", RC_DB_ERROR},      {"", RC_DB_ERROR},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(want); i++) {
        if (odbc_classify(ODBC_CODES_NONE, want[i].state, 0) != want[i].rc)
            fail_msg("%s", want[i].state);
    }
}

static void a_code_says_more_than_a_general_state(void **state)
{
    static const struct {
        enum odbc_codes codes;
        int native;
        enum rc rc;
    } want[] = {
        {ODBC_CODES_MYSQL, 1020, RC_DB_RETRY},
        {ODBC_CODES_MYSQL, 1205, RC_DB_RETRY},
        {ODBC_CODES_MYSQL, 1213, RC_DB_RETRY},
        {ODBC_CODES_MYSQL, 1412, RC_DB_RETRY},
        {ODBC_CODES_MYSQL, 4025, RC_DB_CONSTRAINT},
        {ODBC_CODES_MYSQL, 3819, RC_DB_CONSTRAINT},
        {ODBC_CODES_MYSQL, 1021, RC_DB_NO_SPACE},
        {ODBC_CODES_MYSQL, 1114, RC_DB_NO_SPACE},
        {ODBC_CODES_MYSQL, 1053, RC_DB_GONE},
        {ODBC_CODES_MYSQL, 1927, RC_DB_GONE},
        {ODBC_CODES_MYSQL, 2002, RC_DB_GONE},
        {ODBC_CODES_MYSQL, 2003, RC_DB_GONE},
        {ODBC_CODES_MYSQL, 2006, RC_DB_GONE},
        {ODBC_CODES_MYSQL, 2013, RC_DB_GONE},
        {ODBC_CODES_MYSQL, 2055, RC_DB_GONE},
        {ODBC_CODES_MYSQL, 1040, RC_DB_LIMIT},
        {ODBC_CODES_MYSQL, 1153, RC_DB_LIMIT},
        {ODBC_CODES_MYSQL, 1203, RC_DB_LIMIT},
        {ODBC_CODES_MYSQL, 1226, RC_DB_LIMIT},
        {ODBC_CODES_MYSQL, 1461, RC_DB_LIMIT},
        {ODBC_CODES_MYSQL, 1969, RC_DB_TIMEOUT},
        {ODBC_CODES_MYSQL, 3024, RC_DB_TIMEOUT},
        {ODBC_CODES_MYSQL, 1317, RC_CANCELLED},
        {ODBC_CODES_MYSQL, 1044, RC_DB_PERMISSION},
        {ODBC_CODES_MYSQL, 1142, RC_DB_PERMISSION},
        {ODBC_CODES_MYSQL, 1227, RC_DB_PERMISSION},
        {ODBC_CODES_MYSQL, 1049, RC_NOT_FOUND},
        {ODBC_CODES_SQLITE, 5, RC_DB_RETRY},
        {ODBC_CODES_SQLITE, 6, RC_DB_RETRY},
        {ODBC_CODES_SQLITE, 7, RC_NOMEM},
        {ODBC_CODES_SQLITE, 8, RC_DB_PERMISSION},
        {ODBC_CODES_SQLITE, 9, RC_CANCELLED},
        {ODBC_CODES_SQLITE, 10, RC_IO},
        {ODBC_CODES_SQLITE, 11, RC_INVALID},
        {ODBC_CODES_SQLITE, 13, RC_DB_NO_SPACE},
        {ODBC_CODES_SQLITE, 14, RC_IO},
        {ODBC_CODES_SQLITE, 19, RC_DB_CONSTRAINT},
        {ODBC_CODES_SQLITE, 26, RC_INVALID},
        {ODBC_CODES_NONE, 19, RC_DB_ERROR},
        {ODBC_CODES_NONE, 1213, RC_DB_ERROR},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(want); i++) {
        if (odbc_classify(want[i].codes, "HY000", want[i].native) != want[i].rc)
            fail_msg("%d", want[i].native);
    }
}

static void advice_names_what_to_do(void **state)
{
    (void)state;
    assert_non_null(
        strstr(odbc_advice(ODBC_CODES_NONE, "IM002", 0), "odbc.ini"));
    assert_non_null(strstr(odbc_advice(ODBC_CODES_MYSQL, "HY000", 1461),
                           "max_prepared_stmt_count"));
    assert_string_equal(odbc_advice(ODBC_CODES_NONE, "23000", 0), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_state_has_its_class),
        cmocka_unit_test(a_code_says_more_than_a_general_state),
        cmocka_unit_test(advice_names_what_to_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
