// What CUDA's runtime has and Heddle has not. A program that calls it is told so, and so is its
// user.

#include "cuda/runtime/call.h"

namespace heddle::cuda {

// Whatever they are called with: who calls cleans up.
#define HEDDLE_CUDA_CALL(name, family)
#define HEDDLE_CUDA_PER_THREAD(name, suffix)
#define HEDDLE_CUDA_UNSUPPORTED(name, family)            \
  HEDDLE_CUDA_EXPORT Error name() {                      \
    static std::atomic_flag told;                        \
    last_error() = Error::not_supported;                 \
    return refuse(#name, "cudaErrorNotSupported", told); \
  }
#include "cuda/runtime/calls.def"

}  // namespace heddle::cuda
