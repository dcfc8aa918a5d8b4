// The functions of CUDA's driver that Heddle does not support. Each returns an error; the first
// call of each is reported.

#include <string_view>

#include "cuda/driver/call.h"

namespace heddle::cuda::driver {
namespace {

/// True for calls that are not reported. CUDA's own libraries, such as nvrtc, call cuGetExportTable
/// to look for undocumented functions and work without them. A message would suggest a wrong cause
/// for a later failure.
constexpr bool is_only_looked_for(std::string_view name) { return name == "cuGetExportTable"; }

}  // namespace

// The functions are defined without parameters: in the C calling convention the caller cleans up.
#define HEDDLE_DRIVER_CALL(name, version, family)
#define HEDDLE_DRIVER_SAME(name, version, as)
#define HEDDLE_DRIVER_PER_THREAD(name, suffix)
#define HEDDLE_DRIVER_UNSUPPORTED(name, version, family)                   \
  HEDDLE_CUDA_EXPORT Result name() {                                       \
    static std::atomic_flag reported;                                      \
    if (is_only_looked_for(#name)) reported.test_and_set();                \
    const DriverCallScope scope(#name);                                    \
    return result_of(refuse(#name, "CUDA_ERROR_NOT_SUPPORTED", reported)); \
  }
#include "cuda/driver/calls.def"

}  // namespace heddle::cuda::driver
