# SPDX-License-Identifier: MIT
#
# One program for each t_*.c and fuzz_*.c; a new file needs no line here.  The
# folder is the ctest label: ctest -L unit.

pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

set(tests_dir "${PROJECT_SOURCE_DIR}/tests")
set(test_timeout_s 60)
# unixODBC reads nothing of the machine's.  It makes files that are not there.
set(odbc_dir "${PROJECT_BINARY_DIR}/tests/odbc")
file(WRITE "${odbc_dir}/odbc.ini" "")
file(WRITE "${odbc_dir}/odbcinst.ini" "")
set(test_env TZ=UTC LC_ALL=C ODBCSYSINI=${odbc_dir}
    ODBCINI=${odbc_dir}/odbc.ini)
# An allocation that is too large fails, as it does without a sanitizer.
set(null allocator_may_return_null=1)
if(DYNO_SANITIZE MATCHES "address")
    set(test_timeout_s 300)
    list(APPEND test_env DYNO_SANITIZER=asan
         LSAN_OPTIONS=suppressions=${tests_dir}/support/lsan.supp
         ASAN_OPTIONS=${null}:detect_stack_use_after_return=1:abort_on_error=1
         UBSAN_OPTIONS=print_stacktrace=1:abort_on_error=1)
elseif(DYNO_SANITIZE MATCHES "thread")
    set(test_timeout_s 300)
    list(APPEND test_env DYNO_SANITIZER=tsan
         TSAN_OPTIONS=${null}:halt_on_error=1:second_deadlock_stack=1)
endif()

# What several test programs share.
file(GLOB test_support_sources CONFIGURE_DEPENDS "${tests_dir}/support/*.c")
add_library(dyno_test_support INTERFACE)
target_include_directories(dyno_test_support INTERFACE "${tests_dir}")
target_link_libraries(dyno_test_support INTERFACE dyno_core)
# For what lies beside the tests; __FILE__ need not be an absolute path.
target_compile_definitions(dyno_test_support
                           INTERFACE DYNO_TESTS_DIR="${tests_dir}")
if(test_support_sources)
    add_library(dyno_test_objects STATIC ${test_support_sources})
    target_include_directories(dyno_test_objects PRIVATE "${tests_dir}")
    target_compile_definitions(dyno_test_objects
        PRIVATE DYNO_TESTS_DIR="${tests_dir}"
        DYNO_ODBC_DIR="/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/odbc")
    target_link_libraries(dyno_test_objects
                          PUBLIC dyno_core PkgConfig::CMOCKA)
    target_link_libraries(dyno_test_support INTERFACE dyno_test_objects)
endif()

function(dyno_test_program label file)
    cmake_path(GET file STEM name)
    set(dir "${PROJECT_BINARY_DIR}/tests/${label}")
    add_executable(${name} "${file}")
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${dir}")
    # Drivers' own tests may look at the library below them.
    target_link_libraries(${name} PRIVATE dyno_test_support PkgConfig::CMOCKA
        PkgConfig::SQLITE PkgConfig::JANSSON PkgConfig::YAML)
    file(MAKE_DIRECTORY "${dir}/${name}.d")
endfunction()

function(dyno_add_test label name)
    add_test(NAME ${label}/${name} COMMAND ${name} ${ARGN})
    set_tests_properties(${label}/${name} PROPERTIES
        LABELS ${label}
        TIMEOUT ${test_timeout_s}
        ENVIRONMENT "${test_env}"
        WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests/${label}/${name}.d")
endfunction()

# An ODBC driver of the tests' own: one that has no transactions.
add_library(odbc_bare MODULE "${tests_dir}/support/odbc/bare_driver.c")
target_link_libraries(odbc_bare PRIVATE dyno_flags PkgConfig::ODBC)
set_target_properties(odbc_bare PROPERTIES C_VISIBILITY_PRESET default
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/support")
target_compile_definitions(dyno_test_support INTERFACE
    DYNO_ODBC_BARE="$<TARGET_FILE:odbc_bare>")

foreach(label IN ITEMS unit conformance fault)
    file(GLOB files CONFIGURE_DEPENDS "${tests_dir}/${label}/t_*.c")
    foreach(file IN LISTS files)
        cmake_path(GET file STEM name)
        dyno_test_program(${label} "${file}")
        dyno_add_test(${label} ${name})
    endforeach()
endforeach()

# dyno with the faults of tests/faults, for tests of the audit.  Its own object
# of input.c takes the place of the library's.
set(wrapped c_run_draw conn_rollback input_new_order input_payment)
list(TRANSFORM wrapped PREPEND "-Wl,--wrap=")
add_executable(dyno_faulty "${dyno_main}" "${tests_dir}/faults/faults.c"
               "${PROJECT_SOURCE_DIR}/src/workload/tpcc/input.c")
set_target_properties(dyno_faulty PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/faults")
target_include_directories(dyno_faulty PRIVATE "${tests_dir}")
target_compile_options(dyno_faulty PRIVATE
    "SHELL:-include ${tests_dir}/faults/faults.h")
target_link_options(dyno_faulty PRIVATE ${wrapped})
target_link_libraries(dyno_faulty PRIVATE dyno_core)

file(GLOB files CONFIGURE_DEPENDS "${tests_dir}/fuzz/fuzz_*.c")
foreach(file IN LISTS files)
    cmake_path(GET file STEM name)
    dyno_test_program(fuzz "${file}")
    # libFuzzer's entry point has a prototype nowhere.
    set_property(SOURCE "${file}" APPEND PROPERTY
                 COMPILE_OPTIONS -Wno-missing-prototypes)

    string(REGEX REPLACE "^fuzz_" "" corpus "${name}")
    set(corpus "${tests_dir}/fuzz/corpus/${corpus}")
    if(DYNO_LIBFUZZER)
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        set(seeds "")
        if(EXISTS "${corpus}")
            set(seeds "${corpus}")
        endif()
        # New inputs go to the empty working folder, not into the corpus.
        dyno_add_test(fuzz ${name} -runs=20000 -seed=1 . ${seeds})
    else()
        target_sources(${name} PRIVATE "${tests_dir}/fuzz/driver.c")
        dyno_add_test(fuzz ${name} "${corpus}")
    endif()
endforeach()

if(DYNO_COVERAGE)
    add_custom_target(coverage
        COMMAND gcovr --root "${PROJECT_SOURCE_DIR}"
                --filter "${PROJECT_SOURCE_DIR}/src/" --print-summary
                --html-details "${PROJECT_BINARY_DIR}/coverage.html"
                "${PROJECT_BINARY_DIR}"
        VERBATIM)
endif()
