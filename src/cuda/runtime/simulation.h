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

/// The totals of all launches of one kernel.
struct KernelTotals {
  std::string kernel{};
  std::uint64_t launches = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
};

/// The totals of all launches of a process.
struct ProcessTotals {
  const std::vector<KernelTotals>& kernels;
  const std::string& fault;  ///< The message of the last kernel that failed; empty: none has.
  /// The instructions that accessed memory outside of every allocation without a fault.
  const std::vector<device::StrayInstruction>& strays;
};

/// A piece of the program's code or of a library's, by addresses.
struct CodeRange {
  std::uint64_t begin = 0, end = 0;
};

/// Thrown out of a launch that is interrupted because the process ends.
struct Interrupted {};

/// The simulation in this process, as the runtime sees it. The runtime gets the machine, the limits
/// and the timing model from this interface, and passes progress and results to it. apps/cudart
/// implements the interface.
class SimulationInterface {
 public:
  SimulationInterface() = default;
  SimulationInterface(const SimulationInterface&) = delete;
  SimulationInterface& operator=(const SimulationInterface&) = delete;
  virtual ~SimulationInterface() = default;

  /// The simulated machine. A functional simulation has one, too: programs can query its
  /// properties.
  virtual const gpu::Machine& machine() const = 0;
  /// The timing model; null for a functional simulation.
  virtual exec::Engine* engine() = 0;
  /// device::DeviceOptions::access_observers.
  virtual exec::AccessObservers* access_observers() = 0;
  /// The limit of registers per thread for all kernels; 0: no limit.
  virtual std::uint32_t max_registers() const = 0;
  /// The limit of warp instructions per launch; a launch that exceeds it faults.
  virtual std::uint64_t max_instructions() const = 0;
  virtual exec::MemoryOptions memory_options() const = 0;
  /// The simulated time of all launches so far; 0 in a functional simulation.
  virtual double simulated_seconds() const = 0;

  /// Called before every launch.
  virtual void begin_launch(const std::string& kernel) = 0;
  /// Called after every launch, even if it failed.
  virtual void end_launch() = 0;
  /// Called now and then during a functional launch. May throw Interrupted.
  virtual void receive_progress(const exec::GridProgress& now) = 0;
  /// The instructions that the interrupted launch has executed.
  virtual exec::GridResult interrupted_result() const = 0;
  /// Prints the output of a kernel.
  virtual void print(std::string_view text) = 0;

  /// Reports the totals. Called once, when the process ends.
  virtual void report(const ProcessTotals& totals) = 0;
  /// From now on, a crash within this code ends the process with a message.
  virtual void explain_crashes(std::vector<CodeRange> code, const std::string& message) = 0;
  /// Ends the process by the signal that it received.
  virtual void end_by_signal() = 0;
};

/// Creates the simulation that the process's environment variables describe. Throws InputError for
/// invalid variables. src/cuda only declares this function; the binary that links src/cuda must
/// define it (apps/cudart/simulation.cpp).
std::unique_ptr<SimulationInterface> make_simulation();

}  // namespace heddle::cuda
