#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::cuda::driver {

/// CUdriverProcAddressQueryResult, with CUDA's numbers.
enum class ProcedureStatus : int { found = 0, no_such_name = 1, not_in_version = 2 };

struct Procedure {
  void* address = nullptr;
  ProcedureStatus status = ProcedureStatus::no_such_name;
};

/// Finds a function of the driver by its name without version suffix, in the variant that a version
/// of CUDA uses. Unsupported functions are found too: they return an error when called.
Procedure find_procedure(std::string_view name, int version, bool per_thread);

/// True if the flags request functions with per-thread default streams. Throws Failure.
bool requests_per_thread_streams(std::uint64_t flags);

}  // namespace heddle::cuda::driver
