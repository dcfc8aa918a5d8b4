// What CUDA's driver has and Heddle has not. A call of it returns an error, and is reported once.

#include <string_view>

#include "cuda/driver/call.h"

namespace heddle::cuda::driver {
namespace {

/// CUDA's own libraries (nvrtc, for one) look by this whether the driver has more for them than it
/// says, and do without. It is no reason for what fails later.
constexpr bool is_only_looked_for(std::string_view name) { return name == "cuGetExportTable"; }

}  // namespace

// Whatever they are called with: the caller cleans up.
#define HEDDLE_DRIVER_CALL(name, version, family)
#define HEDDLE_DRIVER_SAME(name, version, as)
#define HEDDLE_DRIVER_PER_THREAD(name, suffix)
#define HEDDLE_DRIVER_UNSUPPORTED(name, version, family)                   \
  HEDDLE_CUDA_EXPORT Result name() {                                       \
    static std::atomic_flag reported;                                      \
    if (is_only_looked_for(#name)) reported.test_and_set();                \
    const Asked asked(#name);                                              \
    return result_of(refuse(#name, "CUDA_ERROR_NOT_SUPPORTED", reported)); \
  }
#include "cuda/driver/calls.def"

}  // namespace heddle::cuda::driver
