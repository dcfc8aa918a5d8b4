#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "exec/engine.h"
#include "exec/grid.h"
#include "gpu/machine.h"

namespace heddle::cuda {

/// A kernel's launches taken together.
struct KernelTotals {
  std::string kernel{};
  std::uint64_t launches = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
};

/// What came of a process's launches.
struct LaunchTotals {
  const std::vector<KernelTotals>& kernels;
  const std::string& fault;  ///< Empty unless a kernel failed.
  const std::vector<device::StrayPlace>& strays;
};

/// Thrown out of a launch that is not waited for, as the process ends.
struct Interrupted {};

/// What a program's process was asked to simulate, and where what came of it goes.
class Simulation {
 public:
  Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  virtual ~Simulation() = default;

  /// What the program sees; without time too.
  virtual const gpu::Machine& machine() const = 0;
  /// Null: without time.
  virtual exec::Engine* engine() = 0;
  /// Of one thread; 0: as the compiler likes.
  virtual std::uint32_t most_registers() const = 0;
  /// The warp instructions that one launch may take; then it faults.
  virtual std::uint64_t most_instructions() const = 0;
  virtual exec::MemoryOptions memory() const = 0;
  /// Simulated since the process began; stands still without time.
  virtual double seconds() const = 0;

  /// A launch begins; it has ended, one way or another.
  virtual void begin_launch(const std::string& kernel) = 0;
  virtual void end_launch() = 0;
  /// Hears of launches without time. May throw Interrupted.
  virtual void progress(const exec::GridProgress& now) = 0;
  /// What the launch that was interrupted has done.
  virtual exec::GridResult unfinished() const = 0;
  /// What a kernel prints.
  virtual void print(std::string_view text) = 0;

  /// The process ends.
  virtual void report(const LaunchTotals& totals) = 0;
  /// Ends the process, as the signal that it was sent would have ended it.
  virtual void end_by_signal() = 0;
};

/// As the process's environment asks for it. Whoever links this room defines it. Throws InputError.
std::unique_ptr<Simulation> make_simulation();

}  // namespace heddle::cuda
