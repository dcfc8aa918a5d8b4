# Makes text files part of a target. The template is a .cpp.in of the target's folder, in which
# @symbols@ becomes a HEDDLE_EMBED (base/embed.h) of each file, and @entries@ a {name, text} of
# each.
#   heddle_embed(heddle_lab known_suites suites FILES ... NAMES ...)
# `kind` is a prefix of the symbols, and must differ between calls.
function(heddle_embed target template kind)
  cmake_parse_arguments(EMBED "" "" "FILES;NAMES" ${ARGN})
  set(symbols "")
  set(entries "")
  foreach(file name IN ZIP_LISTS EMBED_FILES EMBED_NAMES)
    string(MAKE_C_IDENTIFIER "${kind}_${name}" symbol)
    string(APPEND symbols "HEDDLE_EMBED(${symbol}, \"${file}\")\n")
    string(APPEND entries "      {\"${name}\", HEDDLE_EMBEDDED(${symbol})},\n")
  endforeach()
  configure_file(${template}.cpp.in ${template}.cpp @ONLY)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${template}.cpp)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${EMBED_FILES}")
  target_sources(${target} PRIVATE ${source})
endfunction()

# Embeds the descriptions (*.toml) below a folder of descriptions/; their names are their paths in
# it.
#   heddle_embed_descriptions(heddle_lab known_suites suites)
function(heddle_embed_descriptions target template folder)
  file(GLOB_RECURSE names CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/descriptions/${folder}
       ${PROJECT_SOURCE_DIR}/descriptions/${folder}/*.toml)
  list(TRANSFORM names REPLACE "\\.toml$" "")
  list(SORT names)
  set(files ${names})
  list(TRANSFORM files PREPEND ${PROJECT_SOURCE_DIR}/descriptions/${folder}/)
  list(TRANSFORM files APPEND .toml)
  heddle_embed(${target} ${template} ${folder} FILES ${files} NAMES ${names})
endfunction()
