#pragma once

// What a chip is while it runs. Only chip.cpp, chip_streams.cpp, chip_counts.cpp and
// chip_limits.cpp see it.

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

/// Cycles from one look for a livelock to the next. A look mostly ends with the first warp.
inline constexpr std::uint64_t kCyclesToLook = 1 << 20;
inline constexpr std::uint64_t kCyclesPerEffort = 8;

/// A stream with the launch that it has come to.
struct StreamState {
  LaunchSource* source = nullptr;
  std::optional<std::uint32_t> grid = std::nullopt;  ///< Of the one under way.
  bool is_dry = false;                               ///< No more launches come.
};

/// A launch under way.
struct GridState {
  /// What runs, where blocks have been cut or the source's own may end before the others': blocks
  /// are kept to be used again, and tell launches by their addresses.
  std::unique_ptr<const exec::Launch> own{};
  ChipGrid grid;
  std::size_t run = 0;  ///< Index into the runs.
  std::uint64_t blocks = 0;
  std::uint64_t next_block = 0;
  Cycle end;
  std::uint64_t instructions_before = 0;  ///< Of the whole chip.
  std::vector<std::uint64_t> counters_before{};
  EachCounted each_counted_before{};
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
  void forget_where_idle();
  void share_out();
  void dispatch();
  void run_epoch();
  void collect_ended_blocks();
  void look_at_duels();
  void finish(StreamState& stream);
  void settle(Cycle at) const;
  void begin_counting(GridState& grid);
  void take_samples();
  void write_down(GridState& grid, Cycle end);
  void stop_runs(Cycle at);
  void count_for_stream(std::uint32_t sm, const sm::BlockCount& block);
  void begin_shared();
  void end_shared();
  void trace_launch(const GridState& grid);
  void report_progress() const;
  Cycle limit() const;
  std::uint64_t instructions() const;
  std::uint64_t instructions_of(const GridState& grid) const;
  void check_instruction_limit();
  void check_fits(const exec::Launch& launch) const;
  bool cuts(const exec::Launch& launch) const;
  sm::BlockNeeds needs_of(const exec::Launch& launch, const SmKind& kind) const;
  ChipGrid grid_of(const exec::Launch& launch, std::uint32_t stream) const;
  sm::Occupancy occupancy_of(const exec::Launch& launch, const SmKind& kind) const;
  std::vector<exec::Standing> standings() const;
  void look_for_livelock();
  void look_for_livelock_of_each();
  [[noreturn]] void raise_deadlock();
  [[noreturn]] void raise_limit();

  bool any_under_way() const {
    return std::any_of(streams.begin(), streams.end(), [](const auto& s) { return s.grid; });
  }
  bool side_by_side() const { return streams.size() > 1; }
  const std::vector<std::unique_ptr<sm::Sm>>& sms() const { return epochs->parts().sms(); }
  /// Of any launch under way: what a chip does with memory is the same with all of them.
  const exec::GlobalMemory& memory() const {
    return *grids[under_way.front()]->grid.launch().memory;
  }

  Machine machine;
  ChipOptions options;
  std::unique_ptr<Epochs> epochs;
  std::vector<CounterName> names;
  std::vector<SmKind> kinds;
  std::unique_ptr<Dispatcher> dispatcher;
  std::vector<Duel> duels;

  std::uint64_t epochs_run = 0;
  exec::LivelockWatch watch{kCyclesToLook, kCyclesPerEffort};
  std::size_t first_look = 0;  ///< The multiprocessor at which the last look came to its end.
  bool has_room = true;        ///< There may be for another block.
  bool broken = false;         ///< A launch stopped in its middle.
  std::vector<StreamState> streams;
  std::vector<std::unique_ptr<GridState>> grids;
  std::vector<std::uint32_t> under_way;  ///< Grids, in the order in which they began.
  // Of streams side by side:
  Tenancy tenancy;
  bool keeps_launches = false;  ///< A source's own may go before the others have ended.
  std::optional<std::uint32_t> at_fault;
  SharedRun shared;
  std::vector<KernelRun> runs;
};

}  // namespace heddle::gpu
