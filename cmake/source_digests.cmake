# Writes a .cpp with digests of the source files that the file SOURCES lists, one per line. A file that
# only registers policies has a digest of its own; all other files, the core, share one. A digest covers a
# file's path below ROOT and its content. Run as a script when a file has changed:
#   cmake -D ROOT=... -D SOURCES=... -D OUTPUT=... -P source_digests.cmake
file(STRINGS ${SOURCES} files)
list(SORT files)
set(core "")
set(policies "")
foreach(file ${files})
  file(SHA256 ${file} digest)
  file(RELATIVE_PATH name ${ROOT} ${file})
  set(registered "")
  # Other files may use a file that has a header of its own, so it belongs to the core.
  string(REGEX REPLACE "\\.cpp$" ".h" header ${file})
  if(name MATCHES "^src/.*\\.cpp$" AND NOT EXISTS ${header})
    file(READ ${file} text)
    string(REGEX MATCHALL "Registry::Entry " registered "${text}")
  endif()
  if(NOT registered)
    string(APPEND core "${name} ${digest}\n")
    continue()
  endif()
  # A policy's name is a string literal or a constant of the file.
  string(REGEX MATCHALL "Registry::Entry [a-z_]+{[ \n]*(\"[^\"]+\"|k[A-Za-z]+)" entries "${text}")
  list(LENGTH registered expected)
  list(LENGTH entries found)
  if(NOT expected EQUAL found)
    message(FATAL_ERROR "${name}: ${expected} policies are registered, but only ${found} names were found")
  endif()
  foreach(entry ${entries})
    string(REGEX REPLACE ".*{[ \n]*" "" policy "${entry}")
    if(policy MATCHES "^k")
      if(NOT text MATCHES "[ *&]${policy} *= *\"([^\"]+)\"")
        message(FATAL_ERROR "${name}: the constant ${policy} with a policy's name was not found")
      endif()
      set(policy "\"${CMAKE_MATCH_1}\"")
    endif()
    string(APPEND policies "                  {${policy}, \"${name}\",\n                   \"${digest}\"},\n")
  endforeach()
endforeach()
string(SHA256 core "${core}")
file(WRITE ${OUTPUT} "// Made by cmake/source_digests.cmake.
#include \"lab/sources.h\"

namespace heddle::lab {

const Sources& sources() {
  static const Sources made{
      .core = \"${core}\",
      .policies = {
${policies}      }};
  return made;
}

}  // namespace heddle::lab
")
