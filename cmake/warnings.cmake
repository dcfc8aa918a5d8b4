# What all our own code is compiled with. Results must be the same bits on every host, so floating
# point is never contracted, reassociated or otherwise improved.
add_library(heddle_options INTERFACE)
target_compile_options(heddle_options INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor -Wcast-qual -Wold-style-cast
  -ffp-contract=off -fno-math-errno)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # Sets are counted with one instruction, which x86 processors have had since 2008.
  target_compile_options(heddle_options INTERFACE -mpopcnt)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees overlapping copies in std::string's operator+ that are not there (its bug 105329).
  target_compile_options(heddle_options INTERFACE -Wno-restrict)
endif()
# The CUDA runtime is a shared library with the whole simulator in it. Nothing of it is for others to
# replace, so that the code is as good as without.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
target_compile_options(heddle_options INTERFACE -fvisibility=hidden -fvisibility-inlines-hidden
                                                -fno-semantic-interposition)
if(HEDDLE_SANITIZE)
  add_compile_options(-fsanitize=${HEDDLE_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${HEDDLE_SANITIZE})
endif()
