// The functions of CUDA's driver that Heddle does not support. Each of them returns an error, and
// prints a message when it is called for the first time.

#include <string_view>

#include "cuda/driver/call.h"

namespace heddle::cuda::driver {
namespace {

/// True for a function without a message. CUDA's own libraries, such as nvrtc, call
/// cuGetExportTable to look for undocumented functions, and work without these. A message would
/// suggest a wrong cause for a later failure.
constexpr bool has_no_message(std::string_view name) { return name == "cuGetExportTable"; }

}  // namespace

// The functions are defined without parameters: in the C calling convention the caller cleans up.
#define HEDDLE_DRIVER_CALL(name, version, family)
#define HEDDLE_DRIVER_SAME(name, version, as)
#define HEDDLE_DRIVER_PER_THREAD(name, suffix)
#define HEDDLE_DRIVER_UNSUPPORTED(name, version, family)                   \
  HEDDLE_CUDA_EXPORT Result name() {                                       \
    static std::atomic_flag reported;                                      \
    if (has_no_message(#name)) reported.test_and_set();                    \
    const DriverCallScope scope(#name);                                    \
    return result_of(refuse(#name, "CUDA_ERROR_NOT_SUPPORTED", reported)); \
  }
#include "cuda/driver/calls.def"

}  // namespace heddle::cuda::driver
