# Embeds text files in a target. The template is a .cpp.in in the target's folder. In it, @symbols@
# becomes a HEDDLE_EMBED (base/embed.h) for each file, and @entries@ a {name, text} for each file.
#   heddle_embed(heddle_lab known_suites suites FILES ... NAMES ...)
# `prefix` is a prefix of the symbols' names; each call must use another.
function(heddle_embed target template prefix)
  cmake_parse_arguments(EMBED "" "" "FILES;NAMES" ${ARGN})
  set(symbols "")
  set(entries "")
  foreach(file name IN ZIP_LISTS EMBED_FILES EMBED_NAMES)
    string(MAKE_C_IDENTIFIER "${prefix}_${name}" symbol)
    string(APPEND symbols "HEDDLE_EMBED(${symbol}, \"${file}\")\n")
    string(APPEND entries "      {\"${name}\", HEDDLE_EMBEDDED(${symbol})},\n")
  endforeach()
  configure_file(${template}.cpp.in ${template}.cpp @ONLY)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${template}.cpp)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${EMBED_FILES}")
  target_sources(${target} PRIVATE ${source})
endfunction()

# Embeds the files *.toml below a folder of descriptions/. Their names are their paths below it, without
# ".toml".
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
