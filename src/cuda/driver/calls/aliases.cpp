// Further names of the driver's functions: those in programs built with -default-stream per-thread,
// and those in programs built with an older CUDA.

#include "cuda/runtime/symbol_alias.h"

#define HEDDLE_DRIVER_CALL(name, version, family)
#define HEDDLE_DRIVER_UNSUPPORTED(name, version, family)
#define HEDDLE_DRIVER_SAME(name, version, as) HEDDLE_CUDA_ALIAS(#name, #as)
#define HEDDLE_DRIVER_PER_THREAD(name, suffix) \
  HEDDLE_CUDA_PER_THREAD_ALIAS(#name "_" #suffix, #name)
#include "cuda/driver/calls.def"
