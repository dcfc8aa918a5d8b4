# The compile options of all our own code. Results must be bit-identical on every host, so
# floating-point operations are never contracted, reassociated or otherwise optimised.
add_library(heddle_options INTERFACE)
target_compile_options(heddle_options INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor -Wcast-qual -Wold-style-cast
  -ffp-contract=off -fno-math-errno)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # Counting the bits of a mask takes one popcnt instruction, which x86 processors have had since
  # 2008.
  target_compile_options(heddle_options INTERFACE -mpopcnt)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 warns of overlapping copies in std::string's operator+ that do not exist (its bug
  # 105329).
  target_compile_options(heddle_options INTERFACE -Wno-restrict)
endif()
# Our CUDA runtime is a shared library that contains the whole simulator. Its symbols cannot be
# interposed, so position-independent code is as fast as other code.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
target_compile_options(heddle_options INTERFACE -fvisibility=hidden -fvisibility-inlines-hidden
                                                -fno-semantic-interposition)
if(HEDDLE_SANITIZE)
  add_compile_options(-fsanitize=${HEDDLE_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${HEDDLE_SANITIZE})
endif()
