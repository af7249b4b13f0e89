# SPDX-License-Identifier: MIT
#
# sql/, assets/ and examples/ become one C file, whose name is left in
# DYNO_ASSETS_C.  It is made again when a file changes, appears or goes away.

file(GLOB_RECURSE dyno_assets CONFIGURE_DEPENDS
     RELATIVE "${PROJECT_SOURCE_DIR}"
     "${PROJECT_SOURCE_DIR}/sql/*.sql" "${PROJECT_SOURCE_DIR}/assets/*"
     "${PROJECT_SOURCE_DIR}/examples/*.sql")
list(TRANSFORM dyno_assets PREPEND "${PROJECT_SOURCE_DIR}/"
     OUTPUT_VARIABLE dyno_asset_paths)
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
    COMMENT "Embedding sql/ and assets/"
    VERBATIM)
