#pragma once

// The state of a chip while it runs. Only chip.cpp, chip_streams.cpp, chip_counts.cpp and
// chip_limits.cpp include this file.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exec/livelock/livelock.h"
#include "gpu/chip.h"
#include "gpu/chip_grid.h"
#include "gpu/dispatch/dispatcher.h"
#include "gpu/duel.h"
#include "gpu/epochs.h"
#include "gpu/launch_source.h"
#include "gpu/sampler.h"
#include "gpu/tenancy.h"

namespace heddle::gpu {

/// The minimum number of cycles from one livelock check to the next. Checks are cheap: most end
/// with the first warp, because it makes progress.
inline constexpr std::uint64_t kLivelockCheckInterval = 1 << 20;
/// The same for launches that may wait for the host, which should not notice the delay.
inline constexpr std::uint64_t kCheckIntervalBesideHost = 1 << 14;
/// A check also follows the last one by at least this many cycles for each warp instruction that
/// the last one executed.
inline constexpr std::uint64_t kCyclesPerEffort = 8;

/// A sequence of launches that run one after another.
struct StreamState {
  LaunchSource* source = nullptr;
  /// The index in Chip::State::grids of the launch in flight; empty if there is none.
  std::optional<std::uint32_t> grid = std::nullopt;
  bool is_exhausted = false;  ///< The source has no more launches.
};

/// A launch that is in flight or has ended.
struct GridState {
  /// A copy of the launch if its blocks are cut into warps, or if the source may free its launch
  /// before the other sources end; otherwise null. Block slots identify launches by address, so the
  /// address of a launch must not be reused during a run.
  std::unique_ptr<const exec::Launch> launch_copy{};
  ChipGrid grid;
  std::size_t run = 0;           ///< The index of its results in Chip::State::runs.
  std::uint64_t blocks = 0;      ///< The number of blocks.
  std::uint64_t next_block = 0;  ///< The first block that has not been dispatched.
  Cycle end;                     ///< The latest end of a block so far.
  // The counts of the whole chip when the launch began; the first one counts warp instructions.
  std::uint64_t instructions_before = 0;
  std::vector<std::uint64_t> counters_before{};
  ComponentCounters components_before{};
  CountersByComponent counters_by_kind_before{};
  std::optional<Sampler> sampler{};  ///< Empty if there are no samples.
};

struct Chip::State {
  State(const Machine& simulated, ChipOptions chip_options)
      : machine(simulated),
        options(std::move(chip_options)),
        epochs(std::make_unique<Epochs>(machine, options.threads, options.trace)),
        counter_names(epochs->components().counter_names()),
        kinds(machine.kinds()),
        dispatcher(make_dispatcher(machine.dispatch, kinds)),
        duels(duels_of(kinds)) {
    if (options.injection != nullptr) epochs->components().inject(*options.injection);
  }

  void run(const std::vector<LaunchSource*>& sources, const std::function<bool()>& is_over = {});
  void start(const std::vector<LaunchSource*>& sources);
  void run_until(const std::function<bool()>& is_over);
  void begin_launches();
  void begin(StreamState& stream, const exec::Launch& original);
  void reset_idle_sms();
  void share_sms();
  /// Sends blocks to multiprocessors until none has space for more.
  void dispatch();
  void run_epoch();
  void collect_ended_blocks();
  void update_duels();
  void finish(StreamState& stream);
  /// Brings the counters up to date, in the middle of stalls and residencies.
  void settle(Cycle at) const;
  void begin_counting(GridState& grid);
  void take_samples();
  void record_run(GridState& grid, Cycle end);
  void stop_runs(Cycle at);
  /// Adds the instructions of a block to SharedRun::streams.
  void count_for_stream(std::uint32_t sm, const sm::BlockInstructions& block);
  // Fill `shared` at the start and at the end of run_side_by_side().
  void begin_shared();
  void end_shared();
  void trace_launch(const GridState& grid);
  void report_progress() const;
  Cycle first_cycle_limit() const;
  /// Warp instructions executed so far, on the whole chip and of one launch.
  std::uint64_t instructions() const;
  std::uint64_t instructions_of(const GridState& grid) const;
  void check_instruction_limit();
  void check_fits(const exec::Launch& launch) const;
  /// Whether the launch's blocks are cut into blocks of one warp (gpu/small_blocks.h).
  bool cuts_blocks(const exec::Launch& launch) const;
  sm::BlockNeeds needs_of(const exec::Launch& launch, const SmKind& kind) const;
  /// What the multiprocessors of the kind decide about the instructions of programs.
  sm::IssueTableOptions issue_options(const SmKind& kind) const;
  ChipGrid grid_of(const exec::Launch& launch, std::uint32_t stream) const;
  /// The sizes of a multiprocessor's memories for a launch with these needs.
  sm::StorageSizes storage_for(const sm::BlockNeeds& needs, const SmKind& kind) const;
  sm::Occupancy occupancy_of(const exec::Launch& launch, const SmKind& kind) const;
  std::vector<exec::WarpStatus> statuses() const;
  void look_for_livelock();
  void look_for_livelock_by_stream();
  [[noreturn]] void raise_deadlock();
  [[noreturn]] void raise_cycle_limit();

  bool any_in_flight() const {
    return std::any_of(streams.begin(), streams.end(), [](const auto& s) { return s.grid; });
  }
  bool has_several_streams() const { return streams.size() > 1; }
  const std::vector<std::unique_ptr<sm::Sm>>& sms() const { return epochs->components().sms(); }
  /// The memory of any launch in flight. The chip treats the memories of all launches alike.
  const exec::GlobalMemory& memory() const {
    return *grids[in_flight.front()]->grid.launch().memory;
  }

  Machine machine;
  ChipOptions options;
  std::unique_ptr<Epochs> epochs;
  std::vector<CounterName> counter_names;
  std::vector<SmKind> kinds;  ///< The kinds of multiprocessors, as in Machine::kinds().
  std::unique_ptr<Dispatcher> dispatcher;
  std::vector<Duel> duels;

  std::uint64_t epoch_count = 0;
  exec::LivelockWatch watch{kLivelockCheckInterval, kCyclesPerEffort};
  /// The multiprocessor at which the last livelock check ended.
  std::size_t first_sm_to_check = 0;
  bool may_have_space = true;  ///< Whether a block may fit on some multiprocessor.
  bool is_broken = false;  ///< A launch was stopped before its end, so `epochs` must be replaced.
  std::vector<StreamState> streams;
  std::vector<std::unique_ptr<GridState>> grids;
  /// Indices into `grids` of the launches in flight, in the order in which they began.
  std::vector<std::uint32_t> in_flight;
  // State for streams that run side by side:
  Tenancy tenancy;
  bool is_shared_run = false;  ///< run_side_by_side() was called last; it copies launches.
  /// The result of Chip::stream_at_fault().
  std::optional<std::uint32_t> stream_at_fault;
  SharedRun shared;
  std::vector<KernelRun> runs;
};

}  // namespace heddle::gpu
