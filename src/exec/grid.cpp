#include "exec/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "exec/block/block.h"
#include "exec/fault/fault_report.h"
#include "exec/livelock/livelock.h"

namespace heddle::exec {
namespace {

using Blocks = std::vector<std::unique_ptr<Block>>;

/// How long a block may run before the next one is let in beside it.
constexpr std::uint64_t kPatience = 1 << 20;
/// A turn of a block among others that it is likely to wait for.
constexpr std::uint64_t kShortTurn = 1 << 10;
/// More than any GPU holds at once, so that what waits for a block that is not resident here would
/// not end on hardware either; fewer where they would take too much of the host's memory.
constexpr std::uint64_t kMostResident = 8192;
constexpr std::uint64_t kMostResidentBytes = std::uint64_t{4} << 30;
/// Warp instructions between two reports of progress, at least.
constexpr std::uint64_t kInstructionsPerReport = 1 << 20;
/// Instructions from one look for a livelock to the next: a look mostly ends with the first warp.
constexpr std::uint64_t kLivelockInterval = 1 << 23;
constexpr std::uint64_t kPausePerEffort = 256;

/// A launch on its way through its blocks.
class GridRun {
 public:
  GridRun(const Launch& launch, const ReportGridProgress& report)
      : launch_(launch),
        report_(report),
        together_(launch.grid_workspace != 0),
        blocks_(launch.grid.count()),
        most_(most_resident(launch)),
        left_(launch.max_warp_instructions) {}

  GridResult run() {
    while (next_ < blocks_ || !resident_.empty()) {
      let_blocks_in();
      take_turns();
      retire();
      if (report_ && used_ - reported_ >= kInstructionsPerReport) {
        report_(progress());
        reported_ = used_;
      }
      if (watch_.due(used_)) look_for_livelock();
    }
    return result_;
  }

 private:
  void let_blocks_in();
  void take_turns();
  void retire();
  void look_for_livelock();
  GridProgress progress() const;
  [[noreturn]] void raise_limit() const;

  const Launch& launch_;
  const ReportGridProgress& report_;
  bool together_;
  std::uint64_t blocks_;
  std::uint64_t most_;
  std::uint64_t next_ = 0;
  std::uint64_t left_;  ///< Of the instructions that it may take.
  std::uint64_t used_ = 0;
  std::uint64_t reported_ = 0;  ///< used_ when progress was reported last.
  Blocks resident_;
  Blocks idle_;
  LivelockWatch watch_{kLivelockInterval, kPausePerEffort};
  std::size_t first_look_ = 0;  ///< The resident block at which the last look came to its end.
  GridResult result_;
};

void GridRun::let_blocks_in() {
  while (next_ < blocks_ && resident_.size() < most_) {
    if (idle_.empty()) idle_.push_back(std::make_unique<Block>(launch_));
    resident_.push_back(std::move(idle_.back()));
    idle_.pop_back();
    resident_.back()->start(next_++);
    if (!together_) break;
  }
}

void GridRun::take_turns() {
  // Many blocks at once take short turns: what they wait for may be the last of them.
  const std::uint64_t alone = resident_.size() == 1 ? kPatience : kPatience / 64;
  const std::uint64_t turn = together_ ? kShortTurn : alone;
  for (const auto& block : resident_) {
    if (left_ == 0) raise_limit();
    const std::uint64_t used = block->run(std::min(turn, left_));
    left_ -= used;
    used_ += used;
  }
}

/// Moves the finished blocks away and adds up what they did.
void GridRun::retire() {
  const auto done = std::stable_partition(resident_.begin(), resident_.end(),
                                          [](const auto& block) { return !block->finished(); });
  for (auto block = done; block != resident_.end(); ++block) {
    result_.warp_instructions += (*block)->warp_instructions();
    result_.thread_instructions += (*block)->thread_instructions();
    idle_.push_back(std::move(*block));
  }
  resident_.erase(done, resident_.end());
}

/// Nothing new comes while all that may be resident is; the block that was found at work last time
/// is asked first.
void GridRun::look_for_livelock() {
  if (resident_.empty() || (next_ < blocks_ && resident_.size() < most_)) return;
  Rehearsal rehearsal;
  std::vector<Standing> standings;
  Activity found = Activity::repeats;
  for (std::size_t i = 0; found != Activity::works && i < resident_.size(); ++i) {
    const std::size_t number = (first_look_ + i) % resident_.size();
    found = activity_of(*resident_[number], rehearsal, standings);
    if (found == Activity::works) first_look_ = number;
  }
  if (found == Activity::repeats) throw livelock_fault(standings);
  watch_.looked(used_, rehearsal.effort(), found);
  if (!watch_.is_notable() || !launch_.notice) return;
  launch_.notice(quiet_notice(
      standings, fmt::format("in the last {} warp instructions", used_ - watch_.since())));
}

void GridRun::raise_limit() const {
  std::vector<Standing> standings;
  std::uint64_t done = next_;
  for (const auto& block : resident_) {
    add_standings(*block, standings);
    if (!block->finished()) --done;
  }
  throw limit_fault(launch_, done, standings);
}

GridProgress GridRun::progress() const {
  GridProgress now{.so_far = result_, .blocks_done = next_ - resident_.size(), .blocks = blocks_};
  for (const auto& block : resident_) {
    now.so_far.warp_instructions += block->warp_instructions();
    now.so_far.thread_instructions += block->thread_instructions();
  }
  return now;
}

}  // namespace

std::uint64_t most_resident(const Launch& launch) {
  const std::uint64_t registers = std::uint64_t{launch.info().registers_per_thread} * sizeof(Row);
  const std::uint64_t local = std::uint64_t{launch.local_bytes} * 32;
  const std::uint64_t bytes =
      (registers + local) * launch.warps_per_block() + launch.shared_bytes() + 1;
  return std::clamp<std::uint64_t>(kMostResidentBytes / bytes, 1, kMostResident);
}

GridResult run_grid(const Launch& launch, const ReportGridProgress& report) {
  return GridRun(launch, report).run();
}

}  // namespace heddle::exec
