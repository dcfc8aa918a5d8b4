#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace heddle::exec {

enum class FaultKind : std::uint8_t {
  out_of_bounds,
  misaligned,
  freed_memory,
  read_only,
  stack_overflow,
  invalid_program_counter,
  trap,
  assertion,
  breakpoint,
  deadlock,
  livelock,
  invalid_barrier,
  illegal_instruction,
  invalid_texture,
  surface_bounds,
  instruction_limit,
  cycle_limit,
  invalid_free,
};

/// A fault of one lane, thrown by a handler. The code that executes the warp catches it and throws
/// a SimulatedFault, whose message also names kernel, source line and thread.
struct LaneFault {
  FaultKind kind;
  int lane;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  std::string detail;  ///< Further text, such as the space or the nearest allocation.
};

/// Throws a LaneFault. It is not inlined, so that the code of the handlers stays small.
[[noreturn]] void raise(FaultKind kind, int lane, std::uint64_t address, std::uint32_t bytes,
                        std::string detail = {});

struct Launch;

/// An error of the simulated program, which ends the launch. The command line then exits with code
/// 3.
class SimulatedFault : public std::runtime_error {
 public:
  SimulatedFault(FaultKind kind, const std::string& message, const Launch* launch = nullptr)
      : std::runtime_error(message), kind_(kind), launch_(launch) {}
  FaultKind kind() const { return kind_; }
  /// The faulting launch, for a caller with several in flight; null if unknown. It may no longer
  /// exist.
  const Launch* launch() const { return launch_; }

 private:
  FaultKind kind_;
  const Launch* launch_;
};

}  // namespace heddle::exec
