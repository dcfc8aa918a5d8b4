// The functions of CUDA's runtime that Heddle does not support. Each of them returns an error, and
// prints a message when it is called for the first time.

#include "cuda/runtime/call.h"

namespace heddle::cuda {

// The functions are defined without parameters: in the C calling convention the caller cleans up.
#define HEDDLE_CUDA_CALL(name, family)
#define HEDDLE_CUDA_PER_THREAD(name, suffix)
#define HEDDLE_CUDA_UNSUPPORTED(name, family)                \
  HEDDLE_CUDA_EXPORT Error name() {                          \
    static std::atomic_flag reported;                        \
    return refuse(#name, "cudaErrorNotSupported", reported); \
  }
#include "cuda/runtime/calls.def"

}  // namespace heddle::cuda
