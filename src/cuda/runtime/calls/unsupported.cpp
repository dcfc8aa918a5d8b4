// What CUDA's runtime has and Heddle has not. A program that calls it is told so, and so is its
// user.

#include <fmt/format.h>

#include <atomic>

#include "cuda/runtime/call.h"

namespace heddle::cuda {
namespace {

Error refuse(const char* name, std::atomic_flag& told) noexcept {
  last_error() = Error::not_supported;
  try {
    if (!told.test_and_set()) {
      tell(
          fmt::format("the program calls {}, which Heddle does not have: it returns "
                      "cudaErrorNotSupported",
                      name));
    }
  } catch (...) {
    // Standard error is closed: the program has its answer all the same.
    return Error::not_supported;
  }
  return Error::not_supported;
}

}  // namespace

// Whatever they are called with: who calls cleans up.
#define HEDDLE_CUDA_CALL(name, family)
#define HEDDLE_CUDA_PER_THREAD(name, suffix)
#define HEDDLE_CUDA_UNSUPPORTED(name, family) \
  HEDDLE_CUDA_EXPORT Error name() {           \
    static std::atomic_flag told;             \
    return refuse(#name, told);               \
  }
#include "cuda/runtime/calls.def"

}  // namespace heddle::cuda
