// Aliases of the runtime's functions under the names that programs built with
// -default-stream per-thread use.

#include "cuda/runtime/symbol_alias.h"

#define HEDDLE_CUDA_CALL(name, family)
#define HEDDLE_CUDA_UNSUPPORTED(name, family)
#define HEDDLE_CUDA_PER_THREAD(name, suffix) HEDDLE_CUDA_PER_THREAD_ALIAS(#name "_" #suffix, #name)
#include "cuda/runtime/calls.def"
