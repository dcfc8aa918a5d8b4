#pragma once

// A chip in time: multiprocessors, partitions of memory, what lies between them, and the clock.

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
#include "trace/trace.h"

namespace heddle::gpu {

/// How far a launch is.
struct ChipProgress {
  std::string_view kernel;
  Cycles cycles;  ///< Of this launch.
  std::uint64_t warp_instructions = 0;
  std::uint64_t blocks_done = 0;
  std::uint64_t blocks = 0;
};

struct ChipOptions {
  std::uint32_t threads = 1;  ///< Of the host. Changes no result.
  /// Of one launch; then it faults.
  std::uint64_t max_cycles = ~std::uint64_t{0};
  bool note_lifetimes = false;  ///< Of warps: KernelRun::lifetimes.
  bool count_each = false;      ///< Of the chip's components: KernelRun::each_counted.
  /// After how many cycles of a launch what it has counted is noted, at the end of the epoch that
  /// comes to them: KernelRun::samples. 0: it is not.
  Cycles sample_interval{};
  /// The registers a thread that decide how many warps are resident; the compiled code's where
  /// empty.
  std::function<std::uint32_t(const code::FunctionInfo&)> registers{};
  /// Where what happens is written; nowhere where it is null. It must outlive the chip, and be
  /// written to its end (write_all()) by whoever made it.
  trace::Trace* trace = nullptr;
  /// Told now and then. What it throws ends the launch; what was counted until then is in runs().
  std::function<void(const ChipProgress&)> progress{};
};

/// What a chip of such a machine counts.
std::vector<CounterName> counters_of(const Machine& machine);

class Chip final : public exec::Engine {
 public:
  explicit Chip(const Machine& machine, ChipOptions options = {});
  ~Chip() override;

  /// Runs a launch to its end. Throws InputError for a launch whose blocks fit on no
  /// multiprocessor, exec::SimulatedFault for what the program did wrongly, a barrier that nothing
  /// can complete, and too many cycles; what was counted until then is in runs().
  exec::GridResult run(const exec::Launch& launch) override;
  std::uint64_t resident_blocks(const exec::Launch& launch) const override;
  /// The same for several streams at once, each with launches one after another; the results are in
  /// the order in which the launches began. Counters of launches that ran beside one another are
  /// the whole chip's while they ran.
  std::vector<exec::GridResult> run_streams(
      const std::vector<std::vector<const exec::Launch*>>& streams);
  /// The same for sources of launches, until none has any left or `is_over`, which is asked when
  /// launches have begun. What is under way then is stopped, and has its place in runs() with what
  /// was counted. A program's own memory must be part of the same exec::DividedSpace as the
  /// others'.
  SharedRun run_side_by_side(const std::vector<LaunchSource*>& sources,
                             const std::function<bool()>& is_over);
  /// Of the last of those, where it ended by something that was thrown: the source whose launch it
  /// was. Empty where that is not known.
  std::optional<std::uint32_t> stream_at_fault() const;

  const Machine& machine() const;
  /// How many of the threads that it was to have there are: no more than multiprocessors, and no
  /// more than the host lets start.
  std::uint32_t host_threads() const;
  /// All launches so far, those that faulted included.
  const std::vector<KernelRun>& runs() const;
  const std::vector<CounterName>& counters() const;
  /// Those of them that multiprocessors have, and those that partitions have.
  std::span<const CounterName> sm_counters() const;
  std::span<const CounterName> partition_counters() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::gpu
