// The library to which the program that uses nvJitLink is linked. It only defines the names; when
// the program runs, Heddle's library takes its place.

#define HEDDLE_NAMES(name)             \
  extern "C" int name() { return -1; } \
  extern "C" int JIT_LINK_NAME(name)() { return -1; }
#define JIT_LINK_NAME_2(name, suffix) __##name##suffix
#define JIT_LINK_NAME_1(name, suffix) JIT_LINK_NAME_2(name, suffix)
#define JIT_LINK_NAME(name) JIT_LINK_NAME_1(name, JIT_LINK_SUFFIX)

#define HEDDLE_JIT_LINK_CALL(name, family) HEDDLE_NAMES(name)
#define HEDDLE_JIT_LINK_UNVERSIONED(name, family) HEDDLE_NAMES(name)
#include "cuda/nvjitlink/calls.def"
