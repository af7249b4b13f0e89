# SPDX-License-Identifier: MIT
#
# Reads ctest's JUnit file and prints "PASSED FAILED SKIPPED": the cases inside
# each cmocka program, one for a program that prints no cases, and at least one
# failed case for a program that failed (it may have crashed half-way).

# ctest's status of the program named last, added up when the next one begins.
function finish(    total) {
    if (status == "")
        return
    total = passed + failed + skipped
    if (status == "run") {
        if (total == 0)
            passed = 1
    } else if (status == "disabled" || status == "skipped") {
        passed = failed = 0
        skipped = skipped > 0 ? skipped : 1
    } else if (failed == 0) {
        failed = 1
    }
    all_passed += passed
    all_failed += failed
    all_skipped += skipped
    status = ""
}

/<testcase / {
    finish()
    status = $0
    sub(/.* status="/, "", status)
    sub(/".*/, "", status)
    passed = failed = skipped = 0
}

function number(    s) {
    s = $0
    sub(/^[^]]*\] */, "", s)
    return s + 0
}

/\[  PASSED  \] [0-9]+ test/ { passed += number() }
/\[  FAILED  \] [0-9]+ test/ { failed += number() }
/\[  SKIPPED \] [0-9]+ test/ { skipped += number() }

END {
    finish()
    print all_passed + 0, all_failed + 0, all_skipped + 0
}
