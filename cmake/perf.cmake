# SPDX-License-Identifier: MIT
#
# Benchmarks, one program for each tests/perf/bench_*.c, all made by target
# perf.  They mean something in a release build; where tests are built they are
# compiled too, so that they do not rot.

file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/perf/bench_*.c")
add_custom_target(perf)
foreach(file IN LISTS files)
    cmake_path(GET file STEM name)
    add_executable(${name} "${file}")
    set_target_properties(${name} PROPERTIES
        EXCLUDE_FROM_ALL $<NOT:$<BOOL:${DYNO_TESTS}>>
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/perf")
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
    # Some compare with a bare loop over the library.
    target_link_libraries(${name} PRIVATE dyno_core PkgConfig::SQLITE)
    add_dependencies(perf ${name})
endforeach()

# All of dyno, with some functions put before its own.
target_sources(bench_recording PRIVATE "${dyno_main}")
target_link_options(bench_recording PRIVATE
    "LINKER:--wrap=telemetry_tick,--wrap=series_next,--wrap=series_cut")
