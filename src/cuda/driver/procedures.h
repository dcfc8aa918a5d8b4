#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::cuda::driver {

/// CUdriverProcAddressQueryResult, with CUDA's numbers.
enum class ProcedureStatus : int { found = 0, no_such_name = 1, not_in_version = 2 };

/// A function of the driver.
struct Procedure {
  void* address = nullptr;  ///< Null if the function was not found.
  ProcedureStatus status = ProcedureStatus::no_such_name;
};

/// Finds a function of the driver by its name without version suffix, such as "_v2". Returns the
/// variant for programs built with a version of CUDA, such as 12000. Finds unsupported functions,
/// too: they return an error when called.
Procedure find_procedure(std::string_view name, int version, bool per_thread);

/// True if the flags of cuGetProcAddress request functions with per-thread default streams. Throws
/// Failure for unknown flags.
bool requests_per_thread_streams(std::uint64_t flags);

}  // namespace heddle::cuda::driver
