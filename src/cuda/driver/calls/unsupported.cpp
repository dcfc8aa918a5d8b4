// The functions of CUDA's driver that Heddle does not support. Each of them returns an error, and
// prints a message when it is called for the first time.

#include <string_view>

#include "cuda/driver/call.h"
#include "cuda/other_libraries/failed_library.h"

namespace heddle::cuda::driver {
namespace {

/// True for cuGetExportTable, by which NVIDIA's libraries look for undocumented functions. Some,
/// such as nvrtc, work without these, so that the usual message would suggest a wrong cause for a
/// later failure.
constexpr bool is_for_libraries(std::string_view name) { return name == "cuGetExportTable"; }

}  // namespace

// The functions are defined without parameters: in the C calling convention the caller cleans up.
#define HEDDLE_DRIVER_CALL(name, version, family)
#define HEDDLE_DRIVER_SAME(name, version, as)
#define HEDDLE_DRIVER_PER_THREAD(name, suffix)
#define HEDDLE_DRIVER_UNSUPPORTED(name, version, family)                   \
  HEDDLE_CUDA_EXPORT Result name() {                                       \
    static std::atomic_flag reported;                                      \
    if (is_for_libraries(#name)) {                                         \
      reported.test_and_set();                                             \
      report_failed_library(__builtin_return_address(0));                  \
    }                                                                      \
    const DriverCallScope scope(#name);                                    \
    return result_of(refuse(#name, "CUDA_ERROR_NOT_SUPPORTED", reported)); \
  }
#include "cuda/driver/calls.def"

}  // namespace heddle::cuda::driver
