# SPDX-License-Identifier: MIT
#
# sql/, assets/, examples/ and what the HTML report is made of become one C
# file, whose name is left in DYNO_ASSETS_C.  It is made again when a file
# changes, appears or goes away.

file(GLOB_RECURSE dyno_assets CONFIGURE_DEPENDS
     RELATIVE "${PROJECT_SOURCE_DIR}"
     "${PROJECT_SOURCE_DIR}/sql/*.sql" "${PROJECT_SOURCE_DIR}/assets/*"
     "${PROJECT_SOURCE_DIR}/examples/*.sql"
     "${PROJECT_SOURCE_DIR}/src/report/html/*")
list(TRANSFORM dyno_assets PREPEND "${PROJECT_SOURCE_DIR}/"
     OUTPUT_VARIABLE dyno_asset_paths)

# The charts' library as the system has it (Debian: libjs-dygraphs).
find_file(DYGRAPHS_JS dygraph.min.js NO_CACHE
          PATHS /usr/share/javascript/dygraphs /usr/share/nodejs/dygraphs/dist)
if(NOT DYGRAPHS_JS)
    message(FATAL_ERROR "dygraphs is missing (Debian: libjs-dygraphs)")
endif()
cmake_path(REPLACE_FILENAME DYGRAPHS_JS dygraph.min.css
           OUTPUT_VARIABLE dygraphs_css)
list(APPEND dyno_assets "dygraphs/dygraph.min.js=${DYGRAPHS_JS}"
     "dygraphs/dygraph.min.css=${dygraphs_css}")
list(APPEND dyno_asset_paths "${DYGRAPHS_JS}" "${dygraphs_css}")

set(DYNO_ASSETS_C "${PROJECT_BINARY_DIR}/assets.c")

# The command depends on the list too: a removed file must not stay inside.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/assets.list"
     CONTENT "${dyno_assets}\n" @ONLY)

add_executable(dyno_embed "${PROJECT_SOURCE_DIR}/tools/embed.c")
target_link_libraries(dyno_embed PRIVATE dyno_flags)

add_custom_command(
    OUTPUT "${DYNO_ASSETS_C}"
    COMMAND dyno_embed "${DYNO_ASSETS_C}" ${dyno_assets}
    DEPENDS dyno_embed ${dyno_asset_paths} "${PROJECT_BINARY_DIR}/assets.list"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    COMMENT "Embedding files"
    VERBATIM)
