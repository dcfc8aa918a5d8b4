// The names of calls in programs that are built with -default-stream per-thread: each goes on where
// the ordinary one is.

#include "cuda/runtime/other_name.h"

#define HEDDLE_CUDA_CALL(name, family)
#define HEDDLE_CUDA_UNSUPPORTED(name, family)
#define HEDDLE_CUDA_PER_THREAD(name, suffix) HEDDLE_CUDA_OTHER_NAME(#name "_" #suffix, #name)
#include "cuda/runtime/calls.def"
