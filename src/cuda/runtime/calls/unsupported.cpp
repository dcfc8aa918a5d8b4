// What CUDA's runtime has and Heddle has not. A call of it returns an error, and is reported once.

#include "cuda/runtime/call.h"

namespace heddle::cuda {

// Whatever they are called with: the caller cleans up.
#define HEDDLE_CUDA_CALL(name, family)
#define HEDDLE_CUDA_PER_THREAD(name, suffix)
#define HEDDLE_CUDA_UNSUPPORTED(name, family)                \
  HEDDLE_CUDA_EXPORT Error name() {                          \
    static std::atomic_flag reported;                        \
    return refuse(#name, "cudaErrorNotSupported", reported); \
  }
#include "cuda/runtime/calls.def"

}  // namespace heddle::cuda
