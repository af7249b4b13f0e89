# SPDX-License-Identifier: MIT
#
# Language, warnings and instrumentation.  Every target of the project links
# the interface library dyno_flags; nothing else sets compiler flags.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON) # gnu17
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")
set(CMAKE_C_FLAGS_RELEASE "-O2 -g -DNDEBUG")

add_library(dyno_flags INTERFACE)
target_compile_definitions(dyno_flags INTERFACE _GNU_SOURCE)
target_compile_options(dyno_flags INTERFACE
    -fno-omit-frame-pointer
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Wundef -Wformat=2
    -Wstrict-prototypes -Wmissing-prototypes -Wswitch-enum -Wwrite-strings
    -Wcast-align -Wimplicit-fallthrough -Wnull-dereference)
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    # The first also proves that coroutine functions are called in coroutines.
    target_compile_options(dyno_flags INTERFACE
        -Wthread-safety -Wmissing-variable-declarations)
endif()
if(DYNO_WERROR)
    target_compile_options(dyno_flags INTERFACE -Werror)
endif()

if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(dyno_flags INTERFACE
        -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong)
    target_link_options(dyno_flags INTERFACE -Wl,-z,relro,-z,now)
endif()

if(DYNO_SANITIZE)
    set(dyno_sanitize
        "-fsanitize=${DYNO_SANITIZE}" -fno-sanitize-recover=all)
    target_compile_options(dyno_flags INTERFACE ${dyno_sanitize})
    target_link_options(dyno_flags INTERFACE ${dyno_sanitize})
endif()
if(DYNO_COVERAGE)
    target_compile_options(dyno_flags INTERFACE --coverage -O0)
    target_link_options(dyno_flags INTERFACE --coverage)
endif()
if(DYNO_LIBFUZZER)
    target_compile_options(dyno_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Code that may run on a coroutine's small stack states the size of its
# frames.  Instrumented builds have larger ones, by design.
function(dyno_limit_frames)
    if(DYNO_SANITIZE OR DYNO_COVERAGE)
        return()
    endif()
    set(sources ${ARGV})
    list(FILTER sources INCLUDE REGEX "/src/(engine|driver|workload)/")
    set_property(SOURCE ${sources} APPEND PROPERTY
                 COMPILE_OPTIONS -Wframe-larger-than=2048)
endfunction()
