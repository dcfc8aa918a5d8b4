#pragma once

// The timing model of a whole chip: multiprocessors, crossbar, memory partitions, and the clock.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exec/engine.h"
#include "gpu/kernel_run.h"
#include "gpu/launch_source.h"
#include "gpu/machine.h"
#include "gpu/shared_run.h"
#include "sm/redundancy/fault.h"
#include "trace/trace.h"

namespace heddle::gpu {

/// The progress of a launch.
struct ChipProgress {
  std::string_view kernel;
  Cycles cycles;  ///< Since this launch began.
  std::uint64_t warp_instructions = 0;
  std::uint64_t blocks_done = 0;
  std::uint64_t blocks = 0;
};

struct ChipOptions {
  std::uint32_t threads = 1;  ///< The number of host threads, which does not affect results.
  /// The maximum number of cycles of a launch. A launch that has not ended by then faults.
  std::uint64_t max_cycles = ~std::uint64_t{0};
  bool note_lifetimes = false;      ///< Whether to fill KernelRun::lifetimes.
  bool count_by_component = false;  ///< Whether to fill KernelRun::by_component.
  /// The length of an interval of KernelRun::samples; 0: no samples. The chip is simulated in
  /// short epochs (gpu/epochs.h). A sample ends with the first epoch that reaches a multiple of
  /// this length.
  Cycles sample_interval{};
  /// Returns the number of registers per thread with which occupancy is computed. If empty, the
  /// number in the compiled code is used.
  std::function<std::uint32_t(const code::FunctionInfo&)> registers{};
  /// Receives the trace events; null: no trace. It must outlive the chip. The caller must call its
  /// write_all() at the end.
  trace::Trace* trace = nullptr;
  /// A fault to inject; null: none. It must outlive the chip, and is for this chip only.
  sm::FaultInjection* injection = nullptr;
  /// Called once in many epochs, while launches run. If it throws, all launches end, and
  /// Chip::runs() has their counts so far.
  std::function<void(const ChipProgress&)> progress{};
};

/// Returns the counters that a chip of this machine has.
std::vector<CounterName> counters_of(const Machine& machine);

/// A simulated chip.
class Chip final : public exec::Engine {
 public:
  /// Throws InputError if a fault is to be injected where the machine detects no errors.
  explicit Chip(const Machine& machine, ChipOptions options = {});
  ~Chip() override;

  /// Runs a launch to its end. Throws InputError if a block fits on no multiprocessor. Throws
  /// exec::SimulatedFault if the program faults, comes to a deadlock or livelock, or exceeds a
  /// limit. runs() then has the counts so far.
  exec::GridResult run(const exec::Launch& launch) override;
  std::uint64_t resident_blocks(const exec::Launch& launch) const override;
  /// Runs several streams concurrently; the launches of each stream run one after another. Results
  /// are in the order in which the launches began. The counters of launches that overlap in time
  /// are those of the whole chip during the launch.
  std::vector<exec::GridResult> run_streams(
      const std::vector<std::vector<const exec::Launch*>>& streams);
  /// Runs launches from several sources concurrently, until all sources are exhausted or `is_over`
  /// returns true. `is_over` is called once per epoch (gpu/epochs.h). Launches that are still in
  /// flight at the end are stopped, and appear in runs() with their counts so far. The memories of
  /// all programs must be parts of the same exec::DividedSpace.
  SharedRun run_side_by_side(const std::vector<LaunchSource*>& sources,
                             const std::function<bool()>& is_over);
  /// The index of the stream or source that caused the exception of the last run. Empty if there
  /// was no exception, or if its cause is unknown.
  std::optional<std::uint32_t> stream_at_fault() const;

  const Machine& machine() const;
  /// The number of host threads in use: at most ChipOptions::threads, the number of
  /// multiprocessors, and what the host allows.
  std::uint32_t host_threads() const;
  /// The results of all launches so far, in the order in which they began, including those that
  /// faulted.
  const std::vector<KernelRun>& runs() const;
  const std::vector<CounterName>& counters() const;
  // The two parts of counters(): those of multiprocessors, and those of partitions.
  std::span<const CounterName> sm_counters() const;
  std::span<const CounterName> partition_counters() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::gpu
