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

/// Cycles from one livelock check to the next. Most checks end with the first warp.
inline constexpr std::uint64_t kLivelockCheckInterval = 1 << 20;
/// The minimum pause between checks, in cycles for each warp instruction that the last check took.
inline constexpr std::uint64_t kCyclesPerEffort = 8;

/// A stream with its current launch.
struct StreamState {
  LaunchSource* source = nullptr;
  std::optional<std::uint32_t> grid = std::nullopt;  ///< Index into State::grids, if in flight.
  bool is_exhausted = false;                         ///< The source has no more launches.
};

/// A launch in flight.
struct GridState {
  /// A copy of the launch, if blocks are cut into warps, or if the source may free its launch
  /// before the other sources end. Block slots identify launches by address, so the address of a
  /// launch must not be reused during a run.
  std::unique_ptr<const exec::Launch> own{};
  ChipGrid grid;
  std::size_t run = 0;  ///< Index into Chip::State::runs.
  std::uint64_t blocks = 0;
  std::uint64_t next_block = 0;           ///< The first block that has not been dispatched.
  Cycle end;                              ///< The latest end of a block so far.
  std::uint64_t instructions_before = 0;  ///< Warp instructions of the whole chip.
  std::vector<std::uint64_t> counters_before{};
  ComponentCounters components_before{};
  CountersByComponent counters_by_kind_before{};
  std::optional<Sampler> sampler{};
};

struct Chip::State {
  State(const Machine& described, ChipOptions chosen)
      : machine(described),
        options(std::move(chosen)),
        epochs(std::make_unique<Epochs>(machine, options.threads, options.trace)),
        names(epochs->parts().counter_names()),
        kinds(machine.kinds()),
        dispatcher(make_dispatcher(machine.dispatch, kinds)),
        duels(duels_of(kinds)) {}

  void run(const std::vector<LaunchSource*>& sources, const std::function<bool()>& is_over = {});
  void start(const std::vector<LaunchSource*>& sources);
  void run_until(const std::function<bool()>& is_over);
  void begin_launches();
  void begin(StreamState& stream, const exec::Launch& given);
  void reset_idle_sms();
  void share_sms();
  void dispatch();
  void run_epoch();
  void collect_ended_blocks();
  void update_duels();
  void finish(StreamState& stream);
  void settle(Cycle at) const;
  void begin_counting(GridState& grid);
  void take_samples();
  void record_run(GridState& grid, Cycle end);
  void stop_runs(Cycle at);
  void count_for_stream(std::uint32_t sm, const sm::BlockInstructions& block);
  void begin_shared();
  void end_shared();
  void trace_launch(const GridState& grid);
  void report_progress() const;
  Cycle limit() const;
  std::uint64_t instructions() const;
  std::uint64_t instructions_of(const GridState& grid) const;
  void check_instruction_limit();
  void check_fits(const exec::Launch& launch) const;
  /// Whether the launch's blocks are cut into blocks of one warp (gpu/small_blocks.h).
  bool cuts_blocks(const exec::Launch& launch) const;
  sm::BlockNeeds needs_of(const exec::Launch& launch, const SmKind& kind) const;
  ChipGrid grid_of(const exec::Launch& launch, std::uint32_t stream) const;
  sm::Occupancy occupancy_of(const exec::Launch& launch, const SmKind& kind) const;
  std::vector<exec::WarpStatus> statuses() const;
  void look_for_livelock();
  void look_for_livelock_by_stream();
  [[noreturn]] void raise_deadlock();
  [[noreturn]] void raise_limit();

  bool any_in_flight() const {
    return std::any_of(streams.begin(), streams.end(), [](const auto& s) { return s.grid; });
  }
  bool side_by_side() const { return streams.size() > 1; }
  const std::vector<std::unique_ptr<sm::Sm>>& sms() const { return epochs->parts().sms(); }
  /// The memory of any launch in flight. The chip treats the memories of all launches alike.
  const exec::GlobalMemory& memory() const {
    return *grids[in_flight.front()]->grid.launch().memory;
  }

  Machine machine;
  ChipOptions options;
  std::unique_ptr<Epochs> epochs;
  std::vector<CounterName> names;
  std::vector<SmKind> kinds;
  std::unique_ptr<Dispatcher> dispatcher;
  std::vector<Duel> duels;

  std::uint64_t epochs_run = 0;
  exec::LivelockWatch watch{kLivelockCheckInterval, kCyclesPerEffort};
  std::size_t first_checked = 0;  ///< The multiprocessor at which the last livelock check ended.
  bool may_have_room = true;      ///< Another block may fit on some multiprocessor.
  bool is_broken = false;         ///< A launch was stopped before its end.
  std::vector<StreamState> streams;
  std::vector<std::unique_ptr<GridState>> grids;
  /// Indices into `grids` of the launches in flight, in the order in which they began.
  std::vector<std::uint32_t> in_flight;
  // State of streams that run side by side:
  Tenancy tenancy;
  bool is_shared_run = false;  ///< In run_side_by_side(); launches are then copied.
  std::optional<std::uint32_t> at_fault;
  SharedRun shared;
  std::vector<KernelRun> runs;
};

}  // namespace heddle::gpu
