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

/// The warp instructions that a block may execute alone before the next block starts, too.
constexpr std::uint64_t kExclusiveTurn = 1 << 20;
/// The warp instructions that a block may execute in a turn while several blocks are resident. The
/// turns are short because the block that the others wait for may be the last to get its turn.
constexpr std::uint64_t kSharedTurn = kExclusiveTurn / 64;
/// The same for a cooperative launch, whose blocks are likely to wait for one another.
constexpr std::uint64_t kCooperativeTurn = 1 << 10;
/// The maximum number of resident blocks. It exceeds what any GPU holds, so a kernel that needs
/// more resident blocks would not end on hardware either.
constexpr std::uint64_t kMaxResidentBlocks = 8192;
/// The maximum size of the resident blocks in the host's memory. It may allow fewer blocks.
constexpr std::uint64_t kMaxResidentBytes = std::uint64_t{4} << 30;
/// The minimum number of warp instructions between two reports of progress.
constexpr std::uint64_t kInstructionsPerReport = 1 << 20;
/// The minimum number of warp instructions between two livelock probes.
constexpr std::uint64_t kLivelockInterval = 1 << 23;
/// The minimum number of warp instructions between two livelock probes, for each warp instruction
/// that the first of the two executed. Most probes are cheap: they end at the first warp that makes
/// progress.
constexpr std::uint64_t kPausePerEffort = 256;

/// Runs the blocks of one launch.
class GridRun {
 public:
  GridRun(const Launch& launch, const ReportGridProgress& report)
      : launch_(launch),
        report_(report),
        is_cooperative_(launch.grid_workspace != 0),
        blocks_(launch.grid.count()),
        max_resident_(max_resident_blocks(launch)),
        left_(launch.max_warp_instructions) {}

  GridResult run() {
    while (next_ < blocks_ || !resident_.empty()) {
      start_blocks();
      take_turns();
      retire();
      if (report_ && executed_ - executed_at_report_ >= kInstructionsPerReport) {
        report_(progress());
        executed_at_report_ = executed_;
      }
      if (watch_.is_due(executed_)) probe_for_livelock();
    }
    return result_;
  }

 private:
  void start_blocks();
  void take_turns();
  void retire();
  void probe_for_livelock();
  GridProgress progress() const;
  [[noreturn]] void throw_limit_fault() const;

  const Launch& launch_;
  const ReportGridProgress& report_;
  bool is_cooperative_;
  std::uint64_t blocks_;
  std::uint64_t max_resident_;
  std::uint64_t next_ = 0;      ///< The index in the grid of the block that starts next.
  std::uint64_t left_;          ///< Warp instructions that the launch's limit still allows.
  std::uint64_t executed_ = 0;  ///< Warp instructions.
  std::uint64_t executed_at_report_ = 0;  ///< executed_ when progress was reported last.
  Blocks resident_;
  Blocks reusable_;  ///< The objects of finished blocks.
  LivelockWatch watch_{kLivelockInterval, kPausePerEffort};
  std::size_t probe_start_ = 0;  ///< Index in resident_ at which the next livelock probe begins.
  GridResult result_;
};

void GridRun::start_blocks() {
  while (next_ < blocks_ && resident_.size() < max_resident_) {
    if (reusable_.empty()) reusable_.push_back(std::make_unique<Block>(launch_));
    resident_.push_back(std::move(reusable_.back()));
    reusable_.pop_back();
    resident_.back()->start(next_++);
    if (!is_cooperative_) break;
  }
}

void GridRun::take_turns() {
  const std::uint64_t independent_turn = resident_.size() == 1 ? kExclusiveTurn : kSharedTurn;
  const std::uint64_t turn = is_cooperative_ ? kCooperativeTurn : independent_turn;
  for (const auto& block : resident_) {
    if (left_ == 0) throw_limit_fault();
    const std::uint64_t executed = block->run(std::min(turn, left_));
    left_ -= executed;
    executed_ += executed;
  }
}

/// Removes the finished blocks and adds their counts to the result.
void GridRun::retire() {
  const auto done = std::stable_partition(resident_.begin(), resident_.end(),
                                          [](const auto& block) { return !block->finished(); });
  for (auto block = done; block != resident_.end(); ++block) {
    result_.warp_instructions += (*block)->warp_instructions();
    result_.thread_instructions += (*block)->thread_instructions();
    reusable_.push_back(std::move(*block));
  }
  resident_.erase(done, resident_.end());
}

/// Probes only while no further block can start, since a new block may release the waiting ones.
/// The probe ends at the first block that makes progress; the next probe begins with that block.
void GridRun::probe_for_livelock() {
  if (resident_.empty() || (next_ < blocks_ && resident_.size() < max_resident_)) return;
  LivelockProbe probe;
  std::vector<WarpStatus> statuses;
  Activity found = Activity::repeats;
  for (std::size_t i = 0; found != Activity::works && i < resident_.size(); ++i) {
    const std::size_t index = (probe_start_ + i) % resident_.size();
    found = activity_of(*resident_[index], probe, statuses);
    if (found == Activity::works) probe_start_ = index;
  }
  if (found == Activity::repeats) throw livelock_fault(statuses);
  watch_.record(executed_, probe.effort(), found);
  if (!watch_.should_notify() || !launch_.notice) return;
  launch_.notice(no_progress_notice(
      statuses, fmt::format("in the last {} warp instructions", executed_ - watch_.since())));
}

void GridRun::throw_limit_fault() const {
  std::vector<WarpStatus> statuses;
  std::uint64_t done = next_;
  for (const auto& block : resident_) {
    add_statuses(*block, statuses);
    if (!block->finished()) --done;
  }
  throw limit_fault(launch_, done, statuses);
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

std::uint64_t max_resident_blocks(const Launch& launch) {
  const std::uint64_t registers =
      std::uint64_t{launch.info().registers_per_thread} * sizeof(VectorRegister);
  const std::uint64_t local = std::uint64_t{launch.local_bytes} * 32;
  const std::uint64_t bytes =
      (registers + local) * launch.warps_per_block() + launch.shared_bytes() + 1;
  return std::clamp<std::uint64_t>(kMaxResidentBytes / bytes, 1, kMaxResidentBlocks);
}

GridResult run_grid(const Launch& launch, const ReportGridProgress& report) {
  return GridRun(launch, report).run();
}

}  // namespace heddle::exec
