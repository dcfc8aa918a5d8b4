// Exports all names a second time under the versions of CUDA 12's libraries, which this library
// also replaces. At each symbol there is one jump to the function, so that arguments pass through
// unchanged. The assembler gives a version only to a symbol that its input defines. Therefore each
// name has a symbol of its own here.

#include "cuda/runtime/symbol_alias.h"

// Defines the symbol `name`, which jumps to `function`. `version` is @ if CUDA 13 also has the
// name. It is @@ if only CUDA 12 has the name: a lookup without a version must find this symbol.
#define HEDDLE_NAME(name, function, version) \
  HEDDLE_NAME_OF(name, function, version "libcudart.so.12")
#define HEDDLE_NAME_OF(name, function, version)                    \
  ".globl heddle_cuda_12." name                                    \
  "\n"                                                             \
  ".type heddle_cuda_12." name ", @function\nheddle_cuda_12." name \
  ":\n"                                                            \
  "  " HEDDLE_CUDA_JUMP " " function                               \
  "\n"                                                             \
  ".size heddle_cuda_12." name ", .-heddle_cuda_12." name          \
  "\n"                                                             \
  ".symver heddle_cuda_12." name ", " name version "\n"
// Defines a name that means the same in CUDA 12 and 13, unless cuda_12.def has defined it already.
#define HEDDLE_SAME_NAME(name) \
  ".ifndef heddle_cuda_12." name "\n" HEDDLE_NAME(name, name, "@") ".endif\n"

#define HEDDLE_CUDA_12(name, function) HEDDLE_NAME(#name, #function, "@")
#define HEDDLE_CUDA_12_ONLY(name, function) HEDDLE_NAME(#name, #function, "@@")
#define HEDDLE_CUDA_CALL(name, family) HEDDLE_SAME_NAME(#name)
#define HEDDLE_CUDA_UNSUPPORTED(name, family) HEDDLE_SAME_NAME(#name)
#define HEDDLE_CUDA_PER_THREAD(name, suffix) HEDDLE_SAME_NAME(#name "_" #suffix)
#define HEDDLE_NVRTC_CALL(name, family) HEDDLE_NAME_OF(#name, #name, "@libnvrtc.so.12")
// Programs call nvJitLink's functions by names that end with the version of NVIDIA's headers.
#define HEDDLE_JIT_LINK_VERSIONED(name, version) \
  HEDDLE_NAME_OF("__" #name "_12_" #version, #name, "@@libnvJitLink.so.12")
#define HEDDLE_JIT_LINK_UNVERSIONED(name, family) \
  HEDDLE_NAME_OF(#name, #name, "@libnvJitLink.so.12")
#define HEDDLE_JIT_LINK_CALL(name, family)  \
  HEDDLE_JIT_LINK_UNVERSIONED(name, family) \
  HEDDLE_JIT_LINK_VERSIONED(name, 0)        \
  HEDDLE_JIT_LINK_VERSIONED(name, 1)        \
  HEDDLE_JIT_LINK_VERSIONED(name, 2)        \
  HEDDLE_JIT_LINK_VERSIONED(name, 3)        \
  HEDDLE_JIT_LINK_VERSIONED(name, 4)        \
  HEDDLE_JIT_LINK_VERSIONED(name, 5)        \
  HEDDLE_JIT_LINK_VERSIONED(name, 6)        \
  HEDDLE_JIT_LINK_VERSIONED(name, 7)        \
  HEDDLE_JIT_LINK_VERSIONED(name, 8)        \
  HEDDLE_JIT_LINK_VERSIONED(name, 9)
// cuda_12.def must come first: HEDDLE_SAME_NAME skips the names that it has defined.
// clang-format off
asm(".text\n"
#include "cuda/runtime/cuda_12.def"
#include "cuda/runtime/calls.def"
#include "cuda/nvrtc/calls.def"
#include "cuda/nvjitlink/calls.def"
);
