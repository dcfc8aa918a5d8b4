// Large warps (LWM; Narasiman et al., Improving GPU Performance via Large Warps and Two-Level Warp
// Scheduling, section 3.1). A large warp consists of several static warps, its rows, which share
// one reconvergence stack and are scheduled as one warp.
//
// A block occupies whole large warps. Blocks that start at the same time and are smaller than a
// large warp share one, as many as fit. They also end at the same time, because the multiprocessor
// treats a large warp as one warp.

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <vector>

#include "base/error.h"
#include "sm/divergence/divergence.h"
#include "sm/divergence/large_warp.h"
#include "sm/divergence/sub_warps.h"
#include "sm/pipeline/pipeline_of.h"
#include "sm/warps/slot_status.h"

namespace heddle::sm {
namespace {

struct LargeWarpParameters {
  std::uint32_t large_warp = 256;
  bool memory_by_rows = true;
  bool single_cycle_jumps = true;

  void declare(config::Declarations& parameters) {
    parameters.number("large_warp", large_warp, {.unit = "threads", .least = 32, .most = 1024},
                      "size of a large warp: a multiple of 32 ('large-warp')");
    parameters.flag(
        "memory_by_rows", memory_by_rows,
        "whether a large warp accesses global memory, and local memory that is not private, "
        "row by row, so that neighbouring threads access together, instead of by packed "
        "sub-warps ('large-warp')");
    parameters.flag("single_cycle_jumps", single_cycle_jumps,
                    "whether a branch without a guard takes a large warp one cycle, instead of one "
                    "for each sub-warp ('large-warp')");
  }
  static void storage(config::StorageList& list) {
    list.add(
        {.name = "reconvergence_stacks",
         .bits = "sm.warps * 32 / divergence.large_warp * 8 * (divergence.large_warp + 2 * 32)",
         .meaning = "8 entries a large warp: a mask and two program counters",
         .source = "our estimate: as in Kim et al., section 5.3, for a warp"});
    list.add({.name = "large_warp_mask",
              .bits = "divergence.large_warp",
              .meaning = "a copy of the active mask, of which sub-warps are taken",
              .source = "Narasiman et al., section 3.3"});
    list.add({.name = "large_warp_branch_masks",
              .bits = "2 * divergence.large_warp",
              .meaning = "the threads on each side, while a branch executes",
              .source = "Narasiman et al., section 3.3"});
  }
  /// The number of rows of a large warp.
  std::uint32_t rows() const { return large_warp / 32; }
  void check(const SmDescription& description) const {
    const std::uint32_t warps = description.residency.warps;
    if (large_warp % 32 != 0) {
      throw InputError(fmt::format(
          "divergence.large_warp is {}: a large warp has rows of 32 threads", large_warp));
    }
    if (rows() > warps) {
      throw InputError(fmt::format(
          "divergence.large_warp is {}, but a multiprocessor has only {} threads: {} warps "
          "(sm.warps) of 32",
          large_warp, warps * 32, warps));
    }
    if (properties_of(description.residency).allocates_by_warp) {
      throw InputError(
          fmt::format("divergence.policy '{}' needs blocks that start and end as a whole: with "
                      "residency.policy '{}' "
                      "the rows of a large warp would neither start nor end together",
                      description.divergence.policy, description.residency.policy));
    }
  }
  DivergenceProperties properties(const DivergenceDescription&) const {
    return {
        .static_warps = rows(),
        .warp_count_source = "sm.warps, grouped into large warps of divergence.large_warp threads"};
  }
};

/// Whether the instruction accesses cache lines, so that its time depends on how far apart the
/// addresses are. Local memory in the scratchpad has a bank for each lane, and no lines.
bool accesses_lines(const IssueInfo& instruction) {
  switch (instruction.route) {
    case MemoryRoute::global:
    case MemoryRoute::generic:
      return true;
    case MemoryRoute::local:
      return instruction.resource != Resource::shared;
    default:
      return instruction.kind == InstructionKind::texture;
  }
}

class LargeWarpGrouping {
 public:
  static constexpr bool kRegroupsEachInstruction = false;

  LargeWarpGrouping(const PipelineParts& parts, WarpSequencer& sequencer,
                    const LargeWarpParameters& parameters)
      : parameters_(parameters),
        now_(parts.now),
        warps_(parts.warps),
        residents_(parts.residents),
        sequencer_(sequencer) {
    residents_.keep_addresses_per_warp();
    for_each_warp(warps_.all(),
                  [this](WarpSlot) { large_warps_.push_back(std::make_unique<LargeWarp>()); });
  }

  void start_warps();
  void start(WarpSlot warp) {
    for (const StaticWarp& row : large_warps_[warp]->all_rows())
      residents_.start_static_warp(row.hardware_warp, now_);
  }
  void end(WarpSlot warp, Cycle at) {
    sequencer_.leave(warp, at);
    for (const StaticWarp& row : large_warps_[warp]->all_rows())
      residents_.end_static_warp(row.hardware_warp, at);
  }

  void note_fetch(WarpSlot) {}
  void prefetch(WarpSlot, std::uint32_t) {}
  void note_pick(WarpSlot) {}
  void enter(WarpSlot warp) { large_warps_[warp]->enter(); }
  std::span<const StaticWarp> static_warps(WarpSlot warp) const {
    return large_warps_[warp]->rows();
  }
  std::span<const Pass> passes(WarpSlot warp, const IssueInfo& instruction);
  void execute(WarpSlot warp, Cycle) { large_warps_[warp]->state().execute(); }
  void skip(WarpSlot warp) { large_warps_[warp]->state().skip(); }
  NextStep next(WarpSlot warp) {
    exec::LargeWarpThreads& state = large_warps_[warp]->state();
    if (state.finished()) return {.kind = NextStep::Kind::finished};
    if (state.is_waiting()) return {.kind = NextStep::Kind::waits_at_barrier};
    return {.kind = NextStep::Kind::continues, .pc = state.pc()};
  }
  /// Resumes the large warps whose barrier has been released.
  void release_others(WarpSlot, std::uint32_t, const IssueInfo&, Cycle at) {
    for_each_warp(warps_.waiting_for(WaitReason::barrier), [&](WarpSlot warp) {
      if (warps_[warp].state != WarpState::at_barrier) return;
      if (large_warps_[warp]->state().is_waiting()) return;
      sequencer_.resume_at(warp, at, WaitReason::barrier);
    });
  }
  void end_finished_static_warps(Cycle) {}
  void regroup(WarpSlot) {}

  void add_statuses(std::vector<exec::WarpStatus>& statuses) const {
    for_each_unended(warps_, [&](WarpSlot warp) {
      add_statuses(warp, status_of(warps_, warp), std::nullopt, statuses);
    });
  }
  bool add_if_idle(exec::LivelockProbe& probe, std::vector<exec::WarpStatus>& statuses) const;
  /// True for any block: even if a warp can run, other threads may wait for each other for ever.
  bool may_be_stuck(const ResidentBlock&) const { return true; }

 private:
  void start_large_warp(const StartingWarps& start, std::vector<StaticWarp>& rows);
  void add_statuses(WarpSlot warp, const SlotStatus& top,
                    const std::optional<exec::ProbedPath>& path,
                    std::vector<exec::WarpStatus>& statuses) const;

  LargeWarpParameters parameters_;
  const Cycle& now_;
  WarpTable& warps_;
  ResidentBlocks& residents_;
  WarpSequencer& sequencer_;
  std::vector<std::unique_ptr<LargeWarp>> large_warps_;  ///< By slot.
  std::vector<Pass> passes_;  ///< The passes of the instruction that issues.
};

/// Starts the warps of new blocks, grouped into large warps.
void LargeWarpGrouping::start_warps() {
  const std::size_t capacity = parameters_.rows();
  std::vector<StaticWarp> rows;
  const StartingWarps* last = nullptr;
  const auto start_collected = [&] {
    if (last != nullptr && !rows.empty()) start_large_warp(*last, rows);
    rows.clear();
  };
  for (const StartingWarps& start : residents_.starting()) {
    const ResidentBlock& resident = residents_[start.block_slot];
    const bool shares_warp = last != nullptr &&
                             residents_[last->block_slot].grid == resident.grid &&
                             last->at == start.at && rows.size() + start.count <= capacity;
    if (!shares_warp) start_collected();
    last = &start;
    for (std::uint32_t w = 0; w < start.count; ++w) {
      rows.push_back({.block = resident.block.get(),
                      .warp = &resident.block->warp(w),
                      .hardware_warp = resident.hardware_warps[w]});
      if (rows.size() == capacity) start_collected();
    }
    if (start.count > capacity) start_collected();
  }
  start_collected();
}

void LargeWarpGrouping::start_large_warp(const StartingWarps& start,
                                         std::vector<StaticWarp>& rows) {
  const Grid& grid = *residents_[start.block_slot].grid;
  const WarpSlot warp = first_of(warps_.free());
  large_warps_[warp]->start(rows);
  sequencer_.take(warp, grid, residents_.hardware_warp(rows.front().hardware_warp).block_slot,
                  grid.launch->info().entry);
  sequencer_.start(warp, start.at);
}

std::span<const Pass> LargeWarpGrouping::passes(WarpSlot warp, const IssueInfo& instruction) {
  const std::span<const StaticWarp> rows = large_warps_[warp]->rows();
  // Each row sends an atomic of its own.
  const bool is_atomic = instruction.kind == InstructionKind::atomic;
  if (accesses_lines(instruction) && (parameters_.memory_by_rows || is_atomic)) {
    passes_.clear();
    for (const StaticWarp& row : rows) passes_.push_back({.lanes = row.path, .static_warp = &row});
    return passes_;
  }
  pack_sub_warps(rows, passes_);
  // A large warp has one program counter, so an unguarded branch sets it once (section 3.1.2).
  if (parameters_.single_cycle_jumps && instruction.jumps_always) passes_.resize(1);
  return passes_;
}

/// Adds the status of the warp's threads. `top`: the status of the threads of the top stack entry.
/// `path`: the loop that these threads repeat, if the livelock probe has found one.
void LargeWarpGrouping::add_statuses(WarpSlot warp, const SlotStatus& top,
                                     const std::optional<exec::ProbedPath>& path,
                                     std::vector<exec::WarpStatus>& statuses) const {
  const exec::LargeWarpThreads& state = large_warps_[warp]->state();
  bool is_top = true;
  exec::for_each_place(state.stack(), [&](const auto& entry, const exec::ThreadSet& threads) {
    for (std::size_t i = 0; i < state.rows().size(); ++i) {
      if (threads[i].empty()) continue;
      const exec::LargeWarpThreads::Row& row = state.rows()[i];
      exec::WarpStatus status{.block = row.block,
                              .warp = row.warp->identity.warp,
                              .lanes = threads[i],
                              .pc = entry.pc,
                              .what = is_top ? top.what : std::string(exec::kBelowOthers),
                              .since = is_top ? top.since : std::nullopt,
                              .is_below_others = !is_top && entry.arrived[i].empty()};
      if (!entry.arrived[i].empty()) {
        status.what = exec::waiting_at(row.block->launch(), entry.pc, state.barrier_of(i));
        status.since = top.since;
      } else if (is_top && path) {
        status = exec::status_of(*row.block, *row.warp, threads[i], *path);
      }
      statuses.push_back(std::move(status));
    }
    is_top = false;
  });
}

bool LargeWarpGrouping::add_if_idle(exec::LivelockProbe& probe,
                                    std::vector<exec::WarpStatus>& statuses) const {
  bool all_idle = true;
  for_each_unended(warps_, [&](WarpSlot warp) {
    if (!all_idle) return;
    const bool waits = warps_[warp].state == WarpState::at_barrier;
    const std::optional<exec::ProbedPath> path =
        waits ? std::nullopt : probe.probe_large_warp(large_warps_[warp]->state());
    all_idle = waits || path;
    if (all_idle) add_statuses(warp, status_of(warps_, warp), path, statuses);
  });
  return all_idle;
}

const DivergenceRegistry::Entry large_warps_entry{
    "large-warp", "several static warps with one stack, whose threads issue in packed sub-warps",
    [](const LargeWarpParameters& parameters, const PipelineParts& parts) {
      return std::make_unique<PipelineOf<LargeWarpGrouping>>(parts, parameters);
    }};

}  // namespace
}  // namespace heddle::sm
