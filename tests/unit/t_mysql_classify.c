/* SPDX-License-Identifier: MIT */
#include "driver/mysql/classify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void each_code_has_its_class(void **state)
{
    static const struct {
        unsigned code;
        enum rc rc;
    } want[] = {
        {1213, RC_DB_RETRY},      {1205, RC_DB_RETRY},
        {1020, RC_DB_RETRY},      {1412, RC_DB_RETRY},
        {1614, RC_DB_RETRY},      {3572, RC_DB_RETRY},
        {8022, RC_DB_RETRY},      {9007, RC_DB_RETRY},
        {1022, RC_DB_CONSTRAINT}, {1048, RC_DB_CONSTRAINT},
        {1062, RC_DB_CONSTRAINT}, {1169, RC_DB_CONSTRAINT},
        {1216, RC_DB_CONSTRAINT}, {1217, RC_DB_CONSTRAINT},
        {1451, RC_DB_CONSTRAINT}, {1452, RC_DB_CONSTRAINT},
        {1586, RC_DB_CONSTRAINT}, {1761, RC_DB_CONSTRAINT},
        {1762, RC_DB_CONSTRAINT}, {3819, RC_DB_CONSTRAINT},
        {4025, RC_DB_CONSTRAINT}, {1053, RC_DB_GONE},
        {1079, RC_DB_GONE},       {1152, RC_DB_GONE},
        {1158, RC_DB_GONE},       {1159, RC_DB_GONE},
        {1160, RC_DB_GONE},       {1161, RC_DB_GONE},
        {1184, RC_DB_GONE},       {1927, RC_DB_GONE},
        {2002, RC_DB_GONE},       {2003, RC_DB_GONE},
        {2004, RC_DB_GONE},       {2005, RC_DB_GONE},
        {2006, RC_DB_GONE},       {2013, RC_DB_GONE},
        {2027, RC_DB_GONE},       {2055, RC_DB_GONE},
        {3169, RC_DB_GONE},       {4031, RC_DB_GONE},
        {5014, RC_DB_GONE},       {1037, RC_DB_LIMIT},
        {1038, RC_DB_LIMIT},      {1040, RC_DB_LIMIT},
        {1041, RC_DB_LIMIT},      {1129, RC_DB_LIMIT},
        {1135, RC_DB_LIMIT},      {1153, RC_DB_LIMIT},
        {1203, RC_DB_LIMIT},      {1206, RC_DB_LIMIT},
        {1226, RC_DB_LIMIT},      {1461, RC_DB_LIMIT},
        {2020, RC_DB_LIMIT},      {1969, RC_DB_TIMEOUT},
        {3024, RC_DB_TIMEOUT},    {1317, RC_CANCELLED},
        {1028, RC_CANCELLED},     {1044, RC_DB_PERMISSION},
        {1045, RC_DB_PERMISSION}, {1095, RC_DB_PERMISSION},
        {1130, RC_DB_PERMISSION}, {1142, RC_DB_PERMISSION},
        {1143, RC_DB_PERMISSION}, {1227, RC_DB_PERMISSION},
        {1290, RC_DB_PERMISSION}, {1370, RC_DB_PERMISSION},
        {1419, RC_DB_PERMISSION}, {1698, RC_DB_PERMISSION},
        {1792, RC_DB_PERMISSION}, {1820, RC_DB_PERMISSION},
        {1836, RC_DB_PERMISSION}, {1862, RC_DB_PERMISSION},
        {3118, RC_DB_PERMISSION}, {3159, RC_DB_PERMISSION},
        {4151, RC_DB_PERMISSION}, {1021, RC_DB_NO_SPACE},
        {1114, RC_DB_NO_SPACE},   {1049, RC_NOT_FOUND},
        {1251, RC_UNSUPPORTED},   {2026, RC_UNSUPPORTED},
        {2049, RC_UNSUPPORTED},   {2058, RC_UNSUPPORTED},
        {2059, RC_UNSUPPORTED},   {2061, RC_UNSUPPORTED},
        {1064, RC_DB_ERROR}, /* syntax */
        {1146, RC_DB_ERROR}, /* no such table */
        {0, RC_DB_ERROR},         {99999, RC_DB_ERROR},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(want); i++) {
        if (maria_classify(want[i].code) != want[i].rc)
            fail_msg("%u is %s, not %s", want[i].code,
                     rc_name(maria_classify(want[i].code)),
                     rc_name(want[i].rc));
    }
}

static void a_limit_names_the_setting_to_raise(void **state)
{
    (void)state;
    assert_non_null(strstr(maria_advice(1040), "max_connections"));
    assert_non_null(strstr(maria_advice(1203), "max_user_connections"));
    assert_non_null(strstr(maria_advice(1461), "max_prepared_stmt_count"));
    assert_non_null(strstr(maria_advice(1153), "max_allowed_packet"));
    assert_non_null(strstr(maria_advice(2059), "plugin-dir"));
    assert_string_equal(maria_advice(1213), "");
    assert_string_equal(maria_advice(0), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_code_has_its_class),
        cmocka_unit_test(a_limit_names_the_setting_to_raise),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
