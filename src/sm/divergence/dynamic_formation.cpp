// Dynamic warp formation (Fung et al.), as Narasiman et al., Improving GPU Performance via Large
// Warps and Two-Level Warp Scheduling, section 4, describe it: no stack; the threads of a warp that
// leaves the pipeline join the youngest warp of the pool that is at their instruction
// (sm/divergence/warp_pool.h).
//
// A slot holds threads from when they are formed to when they have left the pipeline. Then those
// that go on at the same instruction look for company among the warps that wait to be scheduled;
// what finds none becomes a warp of its own. Threads that wait for others of their block, or for
// a slot, are in none.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/ring_queue.h"
#include "sm/divergence/divergence.h"
#include "sm/divergence/formed_warp.h"
#include "sm/pipeline/pipeline_of.h"
#include "sm/standings.h"

namespace heddle::sm {
namespace {

struct FormationParameters {
  std::uint32_t formed_warps = 64;

  void declare(config::Declarations& parameters) {
    parameters.number("formed_warps", formed_warps, {.least = 1, .most = kMostWarps},
                      "that there can be at once; threads beyond them wait ('dynamic-formation')");
  }
  static void storage(config::StorageList& list) {
    list.add({.name = "warp_pool",
              .bits = "",
              .meaning = "the formed warps, and what finds those at the same instruction",
              .source = "Narasiman et al., section 4, say nothing of its size"});
  }
  void check(const SmDescription& description) const {
    const std::string& policy = description.divergence.policy;
    if (formed_warps < description.residency.warps) {
      throw InputError(fmt::format(
          "divergence.formed_warps is {}, but the {} resident warps (sm.warps) are that many "
          "before any threads have parted",
          formed_warps, description.residency.warps));
    }
    if (!description.dependence.holds_fetch()) {
      throw InputError(fmt::format(
          "divergence.policy '{}' needs dependence.policy 'barrel', not '{}': threads are formed "
          "to warps anew after each instruction, and can have nothing under way then",
          policy, description.dependence.policy));
    }
    if (description.schedule.schedulers > 1) {
      throw InputError(fmt::format(
          "divergence.policy '{}' has one pool of warps, for one scheduler: schedule.schedulers "
          "is {}",
          policy, description.schedule.schedulers));
    }
  }
  DivergenceProperties properties(const DivergenceDescription&) const {
    return {
        .slots = formed_warps, .number_from = "divergence.formed_warps", .reports_formation = true};
  }
};

class FormedTravellers {
 public:
  static constexpr bool kReforms = true;

  FormedTravellers(const PipelineParts& parts, WarpSequencer& sequencer)
      : now_(parts.now),
        warps_(parts.warps),
        residents_(parts.residents),
        schedulers_(parts.schedulers),
        sequencer_(sequencer),
        threads_(parts.description.residency.warps) {
    residents_.keep_addresses_apart();
    for_each_warp(warps_.all(), [this](WarpSlot) {
      formed_warps_.push_back(std::make_unique<FormedWarp>(threads_));
    });
  }

  void start_warps();
  void arrive(WarpSlot warp) {
    for (const exec::FormedThreads::Part& part : company(warp).threads.parts) {
      residents_.arrive(part.row, now_);
    }
  }
  /// Nothing is left in the slot.
  void end(WarpSlot warp, Cycle at) {
    note_parting(warp);
    sequencer_.leave(warp, at);
    place_waiting();
  }

  void fetched(WarpSlot warp) {
    const Slot& slot = warps_[warp];
    pool_.add(warp, slot.grid->number, slot.pc);
    report_formation(warp);
  }
  void prefetch(WarpSlot, std::uint32_t) {}
  void picked(WarpSlot warp) { pool_.remove(warp); }
  void enter(WarpSlot warp) { formed_warps_[warp]->enter(); }
  std::span<const Row> rows(WarpSlot warp) const { return formed_warps_[warp]->rows(); }
  std::span<const Pass> passes(WarpSlot warp, const IssueInfo& instruction);
  void execute(WarpSlot warp, Cycle others_resume_at) {
    formed_warps_[warp]->execute();
    move_released(warp, others_resume_at);
  }
  void skip(WarpSlot warp) { formed_warps_[warp]->skip(); }
  Next next(WarpSlot warp) const {
    return {.fate = formed_warps_[warp]->sides().empty() ? Next::Fate::gone : Next::Fate::reforms};
  }
  void release_others(WarpSlot, std::uint32_t, const IssueInfo&, Cycle) {}
  /// Rows of which nothing is left.
  void end_finished_rows(Cycle at) {
    for (const std::uint32_t home : threads_.finished_rows()) residents_.end_row(home, at);
    threads_.finished_rows().clear();
  }
  void reform(WarpSlot warp);

  void add_standings(std::vector<exec::Standing>& standings) const;
  bool add_idle(exec::Rehearsal& rehearsal, std::vector<exec::Standing>& standings) const;
  /// What travels with others may wait for those.
  bool may_be_stuck(const Resident&) const { return true; }

 private:
  /// Threads for which there is no slot.
  struct Unplaced {
    Company company;
    const Grid* grid = nullptr;
    Cycle at;  ///< When they can go on.
    StallCause cause = StallCause::wait;
    bool starting = false;
  };

  /// Some of its threads may wait for others from now on.
  void note_parting(WarpSlot warp) {
    for (const exec::FormedThreads::Part& part : company(warp).threads.parts) {
      parted_at_[part.row] = now_;
    }
  }
  Company& company(WarpSlot warp) { return formed_warps_[warp]->company(); }
  void stay(WarpSlot warp);
  void find_company(Company& company, const Grid& grid, WarpSlot mine);
  void resume(const Unplaced& threads);
  void place_waiting();
  WarpSlot take_slot(const Company& company, const Grid& grid, WarpSlot wanted);
  void move_released(WarpSlot warp, Cycle at);
  template <class Each>
  void for_each_part(Each each) const;
  void add_gathering(std::vector<exec::Standing>& standings) const;
  /// A warp's threads have changed: its scheduler may go by what they are.
  void report_formation(WarpSlot warp) {
    const Company& formed = company(warp);
    schedulers_.of(warp).formed(warp, {.pc = formed.threads.pc, .passed = formed.passed});
    warps_.trace().form(now_, warp, formed.threads.pc, formed.threads.lanes, formed.passed);
  }
  /// Threads that have waited for a slot are where they go, and counted it when they came there.
  static void go_to(Company& company, std::uint32_t pc, const Grid& grid) {
    if (company.threads.pc == pc) return;
    company.threads.pc = pc;
    count_meeting(company, grid);
  }
  static void count_meeting(Company& company, const Grid& grid) {
    if (grid.table[company.threads.pc].post_dominates) ++company.passed;
  }

  const Cycle& now_;
  WarpTable& warps_;
  Residents& residents_;
  WarpSchedulers& schedulers_;
  WarpSequencer& sequencer_;
  exec::StacklessThreads threads_;                         ///< All that are formed to warps.
  std::vector<std::unique_ptr<FormedWarp>> formed_warps_;  ///< By slot.
  WarpPool pool_;
  RingQueue<Unplaced> unplaced_;
  std::vector<Pass> passes_;  ///< Of the instruction that issues.
  /// By home: the post-dominators that those of its threads have passed that executed last.
  std::array<std::uint32_t, kMostWarps> passed_{};
  std::array<Cycle, kMostWarps> parted_at_{};  ///< By home: when some of its threads did last.
};

void FormedTravellers::start_warps() {
  for (const StartingWarps& start : residents_.starting()) {
    const Resident& resident = residents_[start.resident];
    for (std::uint32_t w = start.first; w < start.first + start.count; ++w) {
      const std::uint32_t home = resident.homes[w];
      passed_[home] = 0;
      resume({.company = {threads_.start(home, *resident.block, resident.block->warp(w)), 0},
              .grid = resident.grid,
              .at = start.at,
              .cause = StallCause::wait,
              .starting = true});
    }
  }
}

std::span<const Pass> FormedTravellers::passes(WarpSlot warp, const IssueInfo& instruction) {
  const std::span<const Row> rows = formed_warps_[warp]->rows();
  passes_.clear();
  if (instruction.kind == InstructionKind::atomic) {
    // Each row has its own; they are sent one after the other.
    for (const Row& row : rows) passes_.push_back({.lanes = row.path, .row = &row});
    return passes_;
  }
  passes_.push_back(
      {.lanes = company(warp).threads.lanes, .row = rows.size() == 1 ? rows.data() : nullptr});
  return passes_;
}

void FormedTravellers::reform(WarpSlot warp) {
  const Grid& grid = *warps_[warp].grid;
  FormedWarp& formed = *formed_warps_[warp];
  if (formed.stays_together()) {
    go_to(formed.company(), formed.sides()[0].target, grid);
    const exec::FormedThreads& threads = formed.company().threads;
    const WarpSlot other = pool_.youngest(grid.number, threads.pc);
    if (other == kNoWarp || threads.lanes.without(company(other).threads.lanes).empty()) {
      return stay(warp);
    }
    sequencer_.leave(warp, now_);
    find_company(formed.company(), grid, warp);
    return place_waiting();
  }
  const exec::StacklessThreads::Sides sides = formed.sides();
  note_parting(warp);
  const Company parted = formed.company();
  sequencer_.leave(warp, now_);
  for (const exec::StacklessThreads::Side& side : sides) {
    Company company = parted;
    company.threads.keep(side.threads);
    go_to(company, side.target, grid);
    find_company(company, grid, warp);
  }
  place_waiting();
}

/// The same threads are in the pool again, the youngest of it.
void FormedTravellers::stay(WarpSlot warp) {
  schedulers_.end(warp);
  schedulers_.of(warp).started(warp);
  warps_[warp].go_to(company(warp).threads.pc);
  sequencer_.fetch(warp);
}

/// The threads join the youngest warp of the pool at their instruction, as far as their lanes are
/// free there. The others are a warp by themselves, now the youngest; in slot `mine`, if that is
/// free.
void FormedTravellers::find_company(Company& threads, const Grid& grid, WarpSlot mine) {
  const WarpSlot other = pool_.youngest(grid.number, threads.threads.pc);
  if (other != kNoWarp && join(threads, company(other))) report_formation(other);
  if (threads.threads.lanes.empty()) return;
  const WarpSlot warp = take_slot(threads, grid, mine);
  if (warp == kNoWarp) return unplaced_.push({.company = threads, .grid = &grid, .at = now_});
  sequencer_.fetch(warp);
}

/// Threads that have waited for others, or that begin, go on.
void FormedTravellers::resume(const Unplaced& waiting) {
  const WarpSlot warp = take_slot(waiting.company, *waiting.grid, kNoWarp);
  if (warp == kNoWarp) return unplaced_.push(waiting);
  // Not in this cycle, in which slots may be changing hands.
  const Cycle at = std::max(waiting.at, now_ + Cycles(1));
  if (waiting.starting) return sequencer_.start(warp, at);
  sequencer_.wait(warp, WarpState::reforming, at, waiting.cause);
}

void FormedTravellers::place_waiting() {
  while (!unplaced_.empty() && warps_.free() != 0) {
    const Unplaced waiting = unplaced_.front();
    unplaced_.pop();
    resume(waiting);
  }
}

/// A free slot with the threads in it, or kNoWarp.
WarpSlot FormedTravellers::take_slot(const Company& company, const Grid& grid, WarpSlot wanted) {
  if (warps_.free() == 0) return kNoWarp;
  const bool has_wanted = wanted != kNoWarp && (warps_.free() & set_of(wanted)) != 0;
  const WarpSlot warp = has_wanted ? wanted : first_of(warps_.free());
  formed_warps_[warp]->put(company);
  sequencer_.take(warp, grid, residents_.home(company.threads.parts[0].row).resident,
                  company.threads.pc);
  return warp;
}

/// Threads that waited for what has just executed go on at `at`.
void FormedTravellers::move_released(WarpSlot warp, Cycle at) {
  for (const Row& row : rows(warp)) passed_[row.home] = company(warp).passed;
  for (const exec::StacklessThreads::Moved& moved : threads_.moved()) {
    const Grid& grid = *residents_[residents_.home(moved.row).resident].grid;
    Company company{exec::FormedThreads::of_row(moved.row, moved.lanes, moved.pc),
                    passed_[moved.row]};
    count_meeting(company, grid);
    resume({.company = company, .grid = &grid, .at = at, .cause = StallCause::barrier});
  }
  threads_.moved().clear();
}

/// each(part, pc, slot) for all threads that are not waiting for others of their row; the slot is
/// kNoWarp for those that have none.
template <class Each>
void FormedTravellers::for_each_part(Each each) const {
  for_each_unended(warps_, [&](WarpSlot warp) {
    const FormedWarp& formed = *formed_warps_[warp];
    for (const exec::StacklessThreads::Side& side : formed.sides()) {
      exec::FormedThreads threads = formed.company().threads;
      threads.keep(side.threads);
      for (const exec::FormedThreads::Part& part : threads.parts) each(part, side.target, warp);
    }
  });
  for (std::size_t i = 0; i < unplaced_.size(); ++i) {
    const exec::FormedThreads& threads = unplaced_[i].company.threads;
    for (const exec::FormedThreads::Part& part : threads.parts) each(part, threads.pc, kNoWarp);
  }
}

/// Adds threads that wait for others of their rows, and are in no slot.
void FormedTravellers::add_gathering(std::vector<exec::Standing>& standings) const {
  residents_.for_each([&](const Resident& resident) {
    for (std::uint32_t w = 0; w < resident.started; ++w) {
      const WarpSlot home = resident.homes[w];
      if (home == kNoWarp) continue;
      for (const exec::StacklessThreads::Moved& waiting : threads_.waiting(home)) {
        standings.push_back({.block = resident.block.get(),
                             .warp = w,
                             .lanes = waiting.lanes,
                             .pc = waiting.pc,
                             .what = exec::waiting_at(resident.block->launch(), waiting.pc,
                                                      threads_.barrier_of(home)),
                             .since = parted_at_[home].number});
      }
    }
  });
}

void FormedTravellers::add_standings(std::vector<exec::Standing>& standings) const {
  for_each_part([&](const exec::FormedThreads::Part& part, std::uint32_t pc, WarpSlot warp) {
    const SlotStanding slot = warp == kNoWarp
                                  ? SlotStanding{"waiting for room among the formed warps", {}}
                                  : standing_of(warps_, warp);
    standings.push_back({.block = &threads_.block(part.row),
                         .warp = threads_.warp(part.row).identity.warp,
                         .lanes = part.lanes,
                         .pc = pc,
                         .what = slot.what,
                         .since = slot.since});
  });
  add_gathering(standings);
}

/// Each thread goes its own way, with or without company.
bool FormedTravellers::add_idle(exec::Rehearsal& rehearsal,
                                std::vector<exec::Standing>& standings) const {
  bool all_idle = true;
  for_each_part([&](const exec::FormedThreads::Part& part, std::uint32_t pc, WarpSlot) {
    exec::Block& block = threads_.block(part.row);
    const exec::Warp& row = threads_.warp(part.row);
    for (LaneMask left = part.lanes; all_idle && !left.empty(); left = left.without_lowest()) {
      const int lane = left.lowest();
      const std::optional<exec::Way> way =
          rehearsal.of_thread(block, row, lane, pc, threads_.frame_of(part.row, lane));
      all_idle = way.has_value();
      if (!all_idle) return;
      exec::Standing standing = exec::standing_of(block, row, LaneMask::of_lane(lane), *way);
      const auto alike = std::find_if(standings.begin(), standings.end(), [&](const auto& other) {
        return other.block == &block && other.warp == standing.warp && other.pc == standing.pc &&
               other.what == standing.what;
      });
      if (alike == standings.end()) {
        standings.push_back(std::move(standing));
      } else {
        alike->lanes = alike->lanes | standing.lanes;
      }
    }
  });
  if (all_idle) add_gathering(standings);
  return all_idle;
}

const DivergenceRegistry::Entry dynamic_formation_entry{
    "dynamic-formation",
    "whichever are at the same instruction, in lanes of their own, without a stack",
    [](const FormationParameters&, const PipelineParts& parts) {
      return std::make_unique<PipelineOf<FormedTravellers>>(parts);
    }};

}  // namespace
}  // namespace heddle::sm
