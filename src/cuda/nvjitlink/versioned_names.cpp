// NVIDIA's headers append their version to the names of nvJitLink's functions, as in
// __nvJitLinkCreate_13_0. Defines these names for all versions of CUDA 13.

#include "cuda/runtime/symbol_alias.h"

#define HEDDLE_VERSIONED(name, version) HEDDLE_CUDA_ALIAS("__" #name "_13_" #version, #name)
#define HEDDLE_JIT_LINK_CALL(name, family) \
  HEDDLE_VERSIONED(name, 0)                \
  HEDDLE_VERSIONED(name, 1)                \
  HEDDLE_VERSIONED(name, 2)                \
  HEDDLE_VERSIONED(name, 3)                \
  HEDDLE_VERSIONED(name, 4)                \
  HEDDLE_VERSIONED(name, 5)                \
  HEDDLE_VERSIONED(name, 6)                \
  HEDDLE_VERSIONED(name, 7)                \
  HEDDLE_VERSIONED(name, 8)                \
  HEDDLE_VERSIONED(name, 9)
#define HEDDLE_JIT_LINK_UNVERSIONED(name, family)
#include "cuda/nvjitlink/calls.def"
