# Writes a .cpp with one digest of the files that SOURCES lists, a line each: of their names below
# ROOT and what is in them. Run as a script when one of them has changed:
#   cmake -D ROOT=... -D SOURCES=... -D OUTPUT=... -P source_hash.cmake
file(STRINGS ${SOURCES} files)
list(SORT files)
set(all "")
foreach(file ${files})
  file(SHA256 ${file} digest)
  file(RELATIVE_PATH name ${ROOT} ${file})
  string(APPEND all "${name} ${digest}\n")
endforeach()
string(SHA256 version "${all}")
file(WRITE ${OUTPUT} "// Made by cmake/source_hash.cmake.
#include \"lab/run_key.h\"

namespace heddle::lab {

std::string_view heddle_version() { return \"${version}\"; }

}  // namespace heddle::lab
")
