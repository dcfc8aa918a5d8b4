#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace heddle::exec {

/// Why a launch was stopped. fault_report.cpp has the text of each for messages.
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
  std::uint64_t address = 0;  ///< The address accessed; 0 if the fault is not about an address.
  std::uint32_t bytes = 0;    ///< The size of the access; 0 if there is none.
  std::string detail;         ///< Further text for the message, such as the nearest allocation.
};

/// Throws a LaneFault. The function is not inlined, so that the code of the handlers stays small.
[[noreturn]] void raise(FaultKind kind, int lane, std::uint64_t address, std::uint32_t bytes,
                        std::string detail = {});

struct Launch;

/// An error of the simulated program, or a limit that it reached. It ends the launch, and the
/// command heddle then exits with code 3.
class SimulatedFault : public std::runtime_error {
 public:
  SimulatedFault(FaultKind kind, const std::string& message, const Launch* launch = nullptr)
      : std::runtime_error(message), kind_(kind), launch_(launch) {}
  FaultKind kind() const { return kind_; }
  /// The launch that faulted; null if unknown. Use it only for comparison with the launches in
  /// flight: it may no longer exist.
  const Launch* launch() const { return launch_; }

 private:
  FaultKind kind_;
  const Launch* launch_;
};

}  // namespace heddle::exec
