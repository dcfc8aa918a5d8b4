// The library stands for CUDA 12's too: all names again, under its version. Each goes on where the
// function is, with all that it was called with. The linker binds a version to a symbol only where
// the symbol is defined, hence a symbol of its own for each.

#include "cuda/runtime/other_name.h"

// `version`: @, where CUDA 13 has the name too; @@, where a program that looks for it without a
// version is to find this one.
#define HEDDLE_NAME(name, function, version)                       \
  ".globl heddle_cuda_12." name                                    \
  "\n"                                                             \
  ".type heddle_cuda_12." name ", @function\nheddle_cuda_12." name \
  ":\n"                                                            \
  "  " HEDDLE_CUDA_GO_ON " " function                              \
  "\n"                                                             \
  ".size heddle_cuda_12." name ", .-heddle_cuda_12." name          \
  "\n"                                                             \
  ".symver heddle_cuda_12." name ", " name version "libcudart.so.12\n"
// What CUDA 12 has otherwise has been named before.
#define HEDDLE_SAME_NAME(name) \
  ".ifndef heddle_cuda_12." name "\n" HEDDLE_NAME(name, name, "@") ".endif\n"

#define HEDDLE_CUDA_12(name, function) HEDDLE_NAME(#name, #function, "@")
#define HEDDLE_CUDA_12_ONLY(name, function) HEDDLE_NAME(#name, #function, "@@")
#define HEDDLE_CUDA_CALL(name, family) HEDDLE_SAME_NAME(#name)
#define HEDDLE_CUDA_UNSUPPORTED(name, family) HEDDLE_SAME_NAME(#name)
#define HEDDLE_CUDA_PER_THREAD(name, suffix) HEDDLE_SAME_NAME(#name "_" #suffix)
// The order matters.
// clang-format off
asm(".text\n"
#include "cuda/runtime/cuda_12.def"
#include "cuda/runtime/calls.def"
);
