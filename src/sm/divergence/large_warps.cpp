// Narasiman et al., Improving GPU Performance via Large Warps and Two-Level Warp Scheduling,
// section 3.1.
//
// A block takes whole large warps; of blocks that are smaller, as many share one as it has room for
// and come at the same time, and they end together, as the large warp is one to its multiprocessor.

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <vector>

#include "base/error.h"
#include "sm/divergence/divergence.h"
#include "sm/divergence/large_warp.h"
#include "sm/divergence/sub_warps.h"
#include "sm/pipeline/pipeline_of.h"
#include "sm/standings.h"

namespace heddle::sm {
namespace {

struct LargeWarpParameters {
  std::uint32_t large_warp = 256;
  bool memory_by_rows = true;
  bool jumps_at_once = true;

  void declare(config::Declarations& parameters) {
    parameters.number("large_warp", large_warp, {.unit = "threads", .least = 32, .most = 1024},
                      "of a large warp: a multiple of 32 ('large-warp')");
    parameters.flag(
        "memory_by_rows", memory_by_rows,
        "whether accesses to global memory, and to local memory that is not private, go "
        "by the rows of a large warp, whose threads are neighbours, and not by packed "
        "sub-warps ('large-warp')");
    parameters.flag("jumps_at_once", jumps_at_once,
                    "whether a branch without a guard takes a large warp one cycle, and not one "
                    "for each sub-warp ('large-warp')");
  }
  static void storage(config::StorageList& list) {
    list.add(
        {.name = "reconvergence_stacks",
         .bits = "sm.warps * 32 / divergence.large_warp * 8 * (divergence.large_warp + 2 * 32)",
         .meaning = "8 entries a large warp: a mask and two program counters",
         .source = "our reasoning: as Kim et al., section 5.3, of a warp"});
    list.add({.name = "large_warp_mask",
              .bits = "divergence.large_warp",
              .meaning = "a copy of the active mask, of which sub-warps are taken",
              .source = "Narasiman et al., section 3.3"});
    list.add({.name = "large_warp_branch_masks",
              .bits = "2 * divergence.large_warp",
              .meaning = "which threads have gone each way while a branch executes",
              .source = "Narasiman et al., section 3.3"});
  }
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
    if (properties_of(description.residency).by_warps) {
      throw InputError(fmt::format(
          "divergence.policy '{}' needs blocks that come and go as a whole: with sm.residency '{}' "
          "the rows of a large warp would neither start nor end together",
          description.divergence.policy, description.residency.policy));
    }
  }
  DivergenceProperties properties(const DivergenceDescription&) const {
    return {.rows = rows(),
            .number_from = "sm.warps, in large ones of divergence.large_warp threads"};
  }
};

/// Whose time depends on how far apart the threads' addresses are. Private memory has a bank for
/// each lane, whichever threads are in them.
bool goes_by_lines(const IssueInfo& instruction) {
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

class LargeWarpTravellers {
 public:
  static constexpr bool kReforms = false;

  LargeWarpTravellers(const PipelineParts& parts, WarpSequencer& sequencer,
                      const LargeWarpParameters& own)
      : own_(own),
        now_(parts.now),
        warps_(parts.warps),
        residents_(parts.residents),
        sequencer_(sequencer) {
    residents_.keep_addresses_apart();
    for_each_warp(warps_.all(),
                  [this](WarpSlot) { large_warps_.push_back(std::make_unique<LargeWarp>()); });
  }

  void start_warps();
  void arrive(WarpSlot warp) {
    for (const Row& row : large_warps_[warp]->all_rows()) residents_.arrive(row.home, now_);
  }
  void end(WarpSlot warp, Cycle at) {
    sequencer_.leave(warp, at);
    for (const Row& row : large_warps_[warp]->all_rows()) residents_.end_row(row.home, at);
  }

  void fetched(WarpSlot) {}
  void prefetch(WarpSlot, std::uint32_t) {}
  void picked(WarpSlot) {}
  void enter(WarpSlot warp) { large_warps_[warp]->enter(); }
  std::span<const Row> rows(WarpSlot warp) const { return large_warps_[warp]->rows(); }
  std::span<const Pass> passes(WarpSlot warp, const IssueInfo& instruction);
  void execute(WarpSlot warp, Cycle) { large_warps_[warp]->state().execute(); }
  void skip(WarpSlot warp) { large_warps_[warp]->state().skip(); }
  Next next(WarpSlot warp) {
    exec::LargeWarpThreads& state = large_warps_[warp]->state();
    if (state.finished()) return {.fate = Next::Fate::finished};
    if (state.waiting()) return {.fate = Next::Fate::waits};
    return {.fate = Next::Fate::goes_on, .pc = state.pc()};
  }
  /// Those that wait at a barrier which has been released go on.
  void release_others(WarpSlot, std::uint32_t, const IssueInfo&, Cycle at) {
    for_each_warp(warps_.waiting_for(StallCause::barrier), [&](WarpSlot warp) {
      if (warps_[warp].state != WarpState::at_barrier) return;
      if (large_warps_[warp]->state().waiting()) return;
      sequencer_.resume_at(warp, at, StallCause::barrier);
    });
  }
  void end_finished_rows(Cycle) {}
  void reform(WarpSlot) {}

  void add_standings(std::vector<exec::Standing>& standings) const {
    for_each_unended(warps_, [&](WarpSlot warp) {
      add_standings(warp, standing_of(warps_, warp), std::nullopt, standings);
    });
  }
  bool add_idle(exec::Rehearsal& rehearsal, std::vector<exec::Standing>& standings) const;
  /// What travels with others may wait for those.
  bool may_be_stuck(const Resident&) const { return true; }

 private:
  void start_large_warp(const StartingWarps& start, std::vector<Row>& rows);
  void add_standings(WarpSlot warp, const SlotStanding& top, const std::optional<exec::Way>& way,
                     std::vector<exec::Standing>& standings) const;

  LargeWarpParameters own_;
  const Cycle& now_;
  WarpTable& warps_;
  Residents& residents_;
  WarpSequencer& sequencer_;
  std::vector<std::unique_ptr<LargeWarp>> large_warps_;  ///< By slot.
  std::vector<Pass> passes_;                             ///< Of the instruction that issues.
};

void LargeWarpTravellers::start_warps() {
  const std::size_t most = own_.rows();
  std::vector<Row> rows;
  const StartingWarps* last = nullptr;
  const auto begin = [&] {
    if (last != nullptr && !rows.empty()) start_large_warp(*last, rows);
    rows.clear();
  };
  for (const StartingWarps& start : residents_.starting()) {
    const Resident& resident = residents_[start.resident];
    const bool shares = last != nullptr && residents_[last->resident].grid == resident.grid &&
                        last->at == start.at && rows.size() + start.count <= most;
    if (!shares) begin();
    last = &start;
    for (std::uint32_t w = 0; w < start.count; ++w) {
      rows.push_back({.block = resident.block.get(),
                      .warp = &resident.block->warp(w),
                      .home = resident.homes[w]});
      if (rows.size() == most) begin();
    }
    if (start.count > most) begin();
  }
  begin();
}

void LargeWarpTravellers::start_large_warp(const StartingWarps& start, std::vector<Row>& rows) {
  const Grid& grid = *residents_[start.resident].grid;
  const WarpSlot warp = first_of(warps_.free());
  large_warps_[warp]->start(rows);
  sequencer_.take(warp, grid, residents_.home(rows.front().home).resident,
                  grid.launch->info().entry);
  sequencer_.start(warp, start.at);
}

std::span<const Pass> LargeWarpTravellers::passes(WarpSlot warp, const IssueInfo& instruction) {
  const std::span<const Row> rows = large_warps_[warp]->rows();
  // Each row has its own atomics.
  const bool atomic = instruction.kind == InstructionKind::atomic;
  if (goes_by_lines(instruction) && (own_.memory_by_rows || atomic)) {
    passes_.clear();
    for (const Row& row : rows) passes_.push_back({.lanes = row.path, .row = &row});
    return passes_;
  }
  pack_sub_warps(rows, passes_);
  // Section 3.1.2: the program counter is the large warp's, and set once.
  if (own_.jumps_at_once && instruction.jumps_always) passes_.resize(1);
  return passes_;
}

/// `way`: what the threads of the top entry repeat, if that is known.
void LargeWarpTravellers::add_standings(WarpSlot warp, const SlotStanding& top,
                                        const std::optional<exec::Way>& way,
                                        std::vector<exec::Standing>& standings) const {
  const exec::LargeWarpThreads& state = large_warps_[warp]->state();
  bool is_top = true;
  exec::for_each_place(state.stack(), [&](const auto& entry, const exec::ThreadSet& threads) {
    for (std::size_t i = 0; i < state.rows().size(); ++i) {
      if (threads[i].empty()) continue;
      const exec::LargeWarpThreads::Row& row = state.rows()[i];
      exec::Standing standing{.block = row.block,
                              .warp = row.warp->identity.warp,
                              .lanes = threads[i],
                              .pc = entry.pc,
                              .what = is_top ? top.what : std::string(exec::kBelowOthers),
                              .since = is_top ? top.since : std::nullopt,
                              .is_below_others = !is_top && entry.arrived[i].empty()};
      if (!entry.arrived[i].empty()) {
        standing.what = exec::waiting_at(row.block->launch(), entry.pc, state.barrier_of(i));
        standing.since = top.since;
      } else if (is_top && way) {
        standing = exec::standing_of(*row.block, *row.warp, threads[i], *way);
      }
      standings.push_back(std::move(standing));
    }
    is_top = false;
  });
}

bool LargeWarpTravellers::add_idle(exec::Rehearsal& rehearsal,
                                   std::vector<exec::Standing>& standings) const {
  bool all_idle = true;
  for_each_unended(warps_, [&](WarpSlot warp) {
    if (!all_idle) return;
    const bool waits = warps_[warp].state == WarpState::at_barrier;
    const std::optional<exec::Way> way =
        waits ? std::nullopt : rehearsal.of_large_warp(large_warps_[warp]->state());
    all_idle = waits || way;
    if (all_idle) add_standings(warp, standing_of(warps_, warp), way, standings);
  });
  return all_idle;
}

const DivergenceRegistry::Entry large_warps_entry{
    "large-warp", "several warps with one stack, which execute in packed sub-warps",
    [](const LargeWarpParameters& own, const PipelineParts& parts) {
      return std::make_unique<PipelineOf<LargeWarpTravellers>>(parts, own);
    }};

}  // namespace
}  // namespace heddle::sm
