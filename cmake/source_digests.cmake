# Writes a .cpp with digests of the files that SOURCES lists, a line each: one of each file that
# registers answers and gives nothing else to others, and one, the core's, of all the rest. What is
# digested is a file's name below ROOT and what is in it. Run as a script when one has changed:
#   cmake -D ROOT=... -D SOURCES=... -D OUTPUT=... -P source_digests.cmake
file(STRINGS ${SOURCES} files)
list(SORT files)
set(core "")
set(answers "")
foreach(file ${files})
  file(SHA256 ${file} digest)
  file(RELATIVE_PATH name ${ROOT} ${file})
  set(registered "")
  # With a header of its own a file may be used by anybody.
  string(REGEX REPLACE "\\.cpp$" ".h" header ${file})
  if(name MATCHES "^src/.*\\.cpp$" AND NOT EXISTS ${header})
    file(READ ${file} text)
    string(REGEX MATCHALL "Registry::Entry " registered "${text}")
  endif()
  if(NOT registered)
    string(APPEND core "${name} ${digest}\n")
    continue()
  endif()
  # The names: constants of the file, or written out.
  string(REGEX MATCHALL "Registry::Entry [a-z_]+{[ \n]*(\"[^\"]+\"|k[A-Za-z]+)" entries "${text}")
  list(LENGTH registered expected)
  list(LENGTH entries found)
  if(NOT expected EQUAL found)
    message(FATAL_ERROR "${name}: ${expected} answers are registered, the names of ${found} found")
  endif()
  foreach(entry ${entries})
    string(REGEX REPLACE ".*{[ \n]*" "" answer "${entry}")
    if(answer MATCHES "^k")
      if(NOT text MATCHES "[ *&]${answer} *= *\"([^\"]+)\"")
        message(FATAL_ERROR "${name}: the constant ${answer}, a name, was not found")
      endif()
      set(answer "\"${CMAKE_MATCH_1}\"")
    endif()
    string(APPEND answers "                  {${answer}, \"${name}\",\n                   \"${digest}\"},\n")
  endforeach()
endforeach()
string(SHA256 core "${core}")
file(WRITE ${OUTPUT} "// Made by cmake/source_digests.cmake.
#include \"lab/sources.h\"

namespace heddle::lab {

const Sources& sources() {
  static const Sources made{
      .core = \"${core}\",
      .answers = {
${answers}      }};
  return made;
}

}  // namespace heddle::lab
")
