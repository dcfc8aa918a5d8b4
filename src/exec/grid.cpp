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

/// The warp instructions that a block executes alone before the next block starts beside it.
constexpr std::uint64_t kSoloTurnInstructions = 1 << 20;
/// The warp instructions that a block executes in one turn while several blocks are resident. Turns
/// are short because the other blocks may spin until the last of them has had its turn.
constexpr std::uint64_t kSharedTurnInstructions = kSoloTurnInstructions / 64;
/// The same for a cooperative launch, whose blocks are likely to wait for one another.
constexpr std::uint64_t kCooperativeTurnInstructions = 1 << 10;
/// The maximum number of resident blocks. No GPU has space for as many, so a kernel that needs more
/// resident blocks would not end on hardware either.
constexpr std::uint64_t kMaxResidentBlocks = 8192;
/// The maximum size, in bytes, of the resident blocks in the host's memory. It can reduce their
/// number below kMaxResidentBlocks.
constexpr std::uint64_t kMaxResidentBytes = std::uint64_t{4} << 30;
/// The minimum number of warp instructions between two reports of progress.
constexpr std::uint64_t kInstructionsPerReport = 1 << 20;
/// The minimum number of warp instructions between two livelock probes (exec/livelock).
constexpr std::uint64_t kLivelockInterval = 1 << 23;
/// The same for a launch that may wait for the host, which should not notice the delay.
constexpr std::uint64_t kIntervalBesideHost = 1 << 16;
/// The number of warp instructions between two livelock probes is also at least this number times
/// the instructions that the first of the two probes executed. Most probes are cheap: they end at
/// the first warp that makes progress.
constexpr std::uint64_t kPausePerEffort = 256;

/// Runs the blocks of one launch.
class GridRun {
 public:
  GridRun(const Launch& launch, const ReportGridProgress& report)
      : launch_(launch),
        report_(report),
        is_cooperative_(launch.grid_workspace != 0),
        block_count_(launch.grid.count()),
        max_resident_(max_resident_blocks(launch)),
        remaining_budget_(launch.max_warp_instructions) {}

  GridResult run() {
    while (next_block_ < block_count_ || !resident_blocks_.empty()) {
      start_blocks();
      take_turns();
      retire_blocks();
      if (report_ && executed_instructions_ - executed_at_report_ >= kInstructionsPerReport) {
        report_(progress());
        executed_at_report_ = executed_instructions_;
      }
      if (livelock_watch_.is_due(executed_instructions_)) probe_for_livelock();
    }
    return result_;
  }

 private:
  void start_blocks();
  void take_turns();
  void retire_blocks();
  void probe_for_livelock();
  GridProgress progress() const;
  [[noreturn]] void throw_limit_fault() const;

  const Launch& launch_;
  const ReportGridProgress& report_;
  bool is_cooperative_;
  std::uint64_t block_count_;
  std::uint64_t max_resident_;
  std::uint64_t next_block_ = 0;    ///< The index in the grid of the block that starts next.
  std::uint64_t remaining_budget_;  ///< Warp instructions that the launch's limit still allows.
  std::uint64_t executed_instructions_ = 0;  ///< Warp instructions.
  std::uint64_t executed_at_report_ = 0;     ///< The same, when progress was last reported.
  Blocks resident_blocks_;
  Blocks reusable_;  ///< The objects of finished blocks, for the next blocks.
  LivelockWatch livelock_watch_{launch_.wait_for_host ? kIntervalBesideHost : kLivelockInterval,
                                kPausePerEffort};
  std::size_t probe_start_ = 0;  ///< Index in resident_blocks_ of the next probe's first block.
  GridResult result_;
};

void GridRun::start_blocks() {
  while (next_block_ < block_count_ && resident_blocks_.size() < max_resident_) {
    if (reusable_.empty()) reusable_.push_back(std::make_unique<Block>(launch_));
    resident_blocks_.push_back(std::move(reusable_.back()));
    reusable_.pop_back();
    resident_blocks_.back()->start(next_block_++);
    if (!is_cooperative_) break;
  }
}

void GridRun::take_turns() {
  const std::uint64_t independent_turn =
      resident_blocks_.size() == 1 ? kSoloTurnInstructions : kSharedTurnInstructions;
  const std::uint64_t turn = is_cooperative_ ? kCooperativeTurnInstructions : independent_turn;
  for (const auto& block : resident_blocks_) {
    if (remaining_budget_ == 0) throw_limit_fault();
    const std::uint64_t executed = block->run(std::min(turn, remaining_budget_));
    remaining_budget_ -= executed;
    executed_instructions_ += executed;
  }
}

/// Removes the finished blocks and adds their counts to the result.
void GridRun::retire_blocks() {
  const auto done = std::stable_partition(resident_blocks_.begin(), resident_blocks_.end(),
                                          [](const auto& block) { return !block->finished(); });
  for (auto block = done; block != resident_blocks_.end(); ++block) {
    result_.warp_instructions += (*block)->warp_instructions();
    result_.thread_instructions += (*block)->thread_instructions();
    reusable_.push_back(std::move(*block));
  }
  resident_blocks_.erase(done, resident_blocks_.end());
}

/// Probes only if no further block can start: a new block may release blocks that wait. The probe
/// ends at the first block that makes progress. The next probe begins with that block.
void GridRun::probe_for_livelock() {
  if (resident_blocks_.empty() ||
      (next_block_ < block_count_ && resident_blocks_.size() < max_resident_))
    return;
  LivelockProbe probe;
  std::vector<WarpStatus> statuses;
  Activity found = Activity::repeats;
  for (std::size_t i = 0; found != Activity::works && i < resident_blocks_.size(); ++i) {
    const std::size_t index = (probe_start_ + i) % resident_blocks_.size();
    found = activity_of(*resident_blocks_[index], probe, statuses);
    if (found == Activity::works) probe_start_ = index;
  }
  if (found != Activity::works && launch_.wait_for_host && launch_.wait_for_host(statuses)) {
    livelock_watch_.start(executed_instructions_);
    return;
  }
  if (found == Activity::repeats) throw livelock_fault(statuses);
  livelock_watch_.record(executed_instructions_, probe.effort(), found);
  if (!livelock_watch_.should_notify() || !launch_.notice) return;
  launch_.notice(no_progress_notice(
      statuses, fmt::format("in the last {} warp instructions",
                            executed_instructions_ - livelock_watch_.last_progress())));
}

void GridRun::throw_limit_fault() const {
  std::vector<WarpStatus> statuses;
  std::uint64_t done = next_block_;
  for (const auto& block : resident_blocks_) {
    add_statuses(*block, statuses);
    if (!block->finished()) --done;
  }
  throw limit_fault(launch_, done, statuses);
}

GridProgress GridRun::progress() const {
  GridProgress now{.so_far = result_,
                   .blocks_done = next_block_ - resident_blocks_.size(),
                   .blocks = block_count_};
  for (const auto& block : resident_blocks_) {
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
