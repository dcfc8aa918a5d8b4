# Precompiled headers of the standard library and of third parties, shared by many targets. A
# precompiled header is valid only for targets with the same compile options, so there is one for
# each kind of target: library, cold (compiled with -O1) and test.
set(HEDDLE_STANDARD_HEADERS
    <algorithm> <array> <bit> <cmath> <cstdint> <cstring> <functional> <map> <memory> <mutex> <numeric>
    <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>)

# Compiles a target with -O1 in release builds. Its code takes little time in simulations, and
# builds faster this way.
function(heddle_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# Adds the target that compiles the headers of a kind, as a library or as a program.
#   heddle_precompiled_headers(KIND library|program HEADERS...)
function(heddle_precompiled_headers kind form)
  set(target heddle_${kind}_headers)
  if(form STREQUAL program)
    file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/${target}.cpp CONTENT "int main() {}\n")
    add_executable(${target} ${PROJECT_BINARY_DIR}/${target}.cpp)
  else()
    file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/${target}.cpp CONTENT "")
    add_library(${target} STATIC ${PROJECT_BINARY_DIR}/${target}.cpp)
  endif()
  target_link_libraries(${target} PRIVATE heddle_options fmt::fmt)
  target_precompile_headers(${target} PRIVATE ${HEDDLE_STANDARD_HEADERS} ${ARGN})
endfunction()

# Lets a target use the precompiled header of its kind.
function(heddle_precompiled target kind)
  target_precompile_headers(${target} REUSE_FROM heddle_${kind}_headers)
endfunction()

heddle_precompiled_headers(library library <fmt/format.h>)
heddle_precompiled_headers(cold library <fmt/format.h>)
heddle_cold(heddle_cold_headers)
if(HEDDLE_TESTS)
  find_package(GTest REQUIRED)
  heddle_precompiled_headers(test program <fmt/format.h> <gmock/gmock.h> <gtest/gtest.h>)
  target_link_libraries(heddle_test_headers PRIVATE GTest::gtest GTest::gmock)
  heddle_cold(heddle_test_headers)
endif()
