// Other names of the driver's calls: of programs that are built with -default-stream per-thread,
// and of programs that were built with an older CUDA, where the meaning is the same.

#include "cuda/runtime/other_name.h"

#define HEDDLE_DRIVER_CALL(name, version, family)
#define HEDDLE_DRIVER_UNSUPPORTED(name, version, family)
#define HEDDLE_DRIVER_SAME(name, version, as) HEDDLE_CUDA_OTHER_NAME(#name, #as)
#define HEDDLE_DRIVER_PER_THREAD(name, suffix) HEDDLE_CUDA_OTHER_NAME(#name "_" #suffix, #name)
#include "cuda/driver/calls.def"
