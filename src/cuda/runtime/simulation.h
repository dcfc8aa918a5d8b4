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

/// The totals of all launches of a kernel.
struct KernelTotals {
  std::string kernel{};
  std::uint64_t launches = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
};

/// The totals of all launches of a process.
struct ProcessTotals {
  const std::vector<KernelTotals>& kernels;
  const std::string& fault;  ///< Empty unless a kernel failed.
  /// The instructions that accessed memory outside of every allocation.
  const std::vector<device::StrayInstruction>& strays;
};

/// Thrown out of a launch that is interrupted because the process ends.
struct Interrupted {};

/// The interface through which the runtime gets the options of the simulation in this process (the
/// machine, the limits, the timing model) and outputs progress and results. Heddle's tools
/// implement it; the runtime itself does not know their options.
class SimulationInterface {
 public:
  SimulationInterface() = default;
  SimulationInterface(const SimulationInterface&) = delete;
  SimulationInterface& operator=(const SimulationInterface&) = delete;
  virtual ~SimulationInterface() = default;

  /// The machine that the program sees, also in a functional simulation.
  virtual const gpu::Machine& machine() const = 0;
  /// The timing model; null for a functional simulation.
  virtual exec::Engine* engine() = 0;
  /// The limit of registers per thread; 0: no limit.
  virtual std::uint32_t max_registers() const = 0;
  /// The limit of warp instructions per launch; a launch that exceeds it faults.
  virtual std::uint64_t max_instructions() const = 0;
  virtual exec::MemoryOptions memory() const = 0;
  /// The simulated time since the process began; 0 in a functional simulation.
  virtual double seconds() const = 0;

  virtual void begin_launch(const std::string& kernel) = 0;
  /// Called after every launch, also if it failed.
  virtual void end_launch() = 0;
  /// Receives the progress of functional launches. May throw Interrupted.
  virtual void progress(const exec::GridProgress& now) = 0;
  /// What the interrupted launch has executed.
  virtual exec::GridResult unfinished() const = 0;
  /// Prints the output of a kernel.
  virtual void print(std::string_view text) = 0;

  /// Reports the totals when the process ends.
  virtual void report(const ProcessTotals& totals) = 0;
  /// Ends the process by the signal that it received.
  virtual void end_by_signal() = 0;
};

/// Creates the simulation that the process's environment variables describe. Throws InputError.
/// This library only declares the function; the binary that links the library must define it
/// (apps/cudart/simulation.cpp).
std::unique_ptr<SimulationInterface> make_simulation();

}  // namespace heddle::cuda
