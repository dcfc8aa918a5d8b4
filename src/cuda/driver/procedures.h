#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::cuda::driver {

/// As CUDA numbers them.
enum class ProcedureStatus : int { found = 0, no_such_name = 1, not_in_version = 2 };

struct Procedure {
  void* address = nullptr;
  ProcedureStatus status = ProcedureStatus::no_such_name;
};

/// A function of the driver's by its name without "_v2" and the like, as CUDA of a version has it.
/// Those that Heddle does not support are found too: they say so when they are called.
Procedure find_procedure(std::string_view name, int version, bool per_thread);

/// Whether a program asks for functions whose default stream is the thread's. Throws Failure.
bool per_thread(std::uint64_t flags);

}  // namespace heddle::cuda::driver
