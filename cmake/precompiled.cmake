# Headers of others that many sources include are read once for all of them. A precompiled header fits what
# is compiled alike: libraries that go into a shared one, or programs.
set(HEDDLE_STANDARD_HEADERS
    <algorithm> <array> <bit> <cmath> <cstdint> <cstring> <functional> <map> <memory> <mutex> <numeric>
    <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>)

# Code that takes next to no time where programs are simulated: what matters is how soon it is built.
function(heddle_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# heddle_precompiled_headers(KIND library|program HEADERS...)
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

# What is compiled with another level of optimisation needs a precompiled header of its own.
#   heddle_precompiled(TARGET library|cold|test)
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
