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

/// Raised by a handler: what one lane did wrong. Whoever runs the warp adds the rest.
struct LaneFault {
  FaultKind kind;
  int lane;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  std::string detail;  ///< What more there is to say: the space, the nearest allocation.
};

/// Out of line, so that the code of the lanes stays small.
[[noreturn]] void raise(FaultKind kind, int lane, std::uint64_t address, std::uint32_t bytes,
                        std::string detail = {});

struct Launch;

/// A simulated program did something it must not: the launch stops. Exit code 3.
class SimulatedFault : public std::runtime_error {
 public:
  SimulatedFault(FaultKind kind, const std::string& message, const Launch* launch = nullptr)
      : std::runtime_error(message), kind_(kind), launch_(launch) {}
  FaultKind kind() const { return kind_; }
  /// Which it was, for who has several under way; null where that is not known. It may have gone.
  const Launch* launch() const { return launch_; }

 private:
  FaultKind kind_;
  const Launch* launch_;
};

}  // namespace heddle::exec
