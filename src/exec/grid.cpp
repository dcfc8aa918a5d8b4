#include "exec/grid.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "exec/block/block.h"
#include "exec/fault/fault_report.h"

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

std::uint64_t most_resident(const Launch& launch) {
  const std::uint64_t registers = std::uint64_t{launch.info().registers_per_thread} * sizeof(Row);
  const std::uint64_t local = std::uint64_t{launch.local_bytes} * 32;
  const std::uint64_t bytes =
      (registers + local) * launch.warps_per_block() + launch.shared_bytes() + 1;
  return std::clamp<std::uint64_t>(kMostResidentBytes / bytes, 1, kMostResident);
}

/// Moves the finished blocks from `resident` to `idle` and adds up what they did.
void retire(Blocks& resident, Blocks& idle, GridResult& result) {
  const auto done = std::stable_partition(resident.begin(), resident.end(),
                                          [](const auto& block) { return !block->finished(); });
  for (auto block = done; block != resident.end(); ++block) {
    result.warp_instructions += (*block)->warp_instructions();
    result.thread_instructions += (*block)->thread_instructions();
    idle.push_back(std::move(*block));
  }
  resident.erase(done, resident.end());
}

GridProgress progress_of(const Blocks& resident, const GridResult& ended, std::uint64_t started,
                         std::uint64_t blocks) {
  GridProgress now{.so_far = ended, .blocks_done = started - resident.size(), .blocks = blocks};
  for (const auto& block : resident) {
    now.so_far.warp_instructions += block->warp_instructions();
    now.so_far.thread_instructions += block->thread_instructions();
  }
  return now;
}

}  // namespace

GridResult run_grid(const Launch& launch, const ReportGridProgress& report) {
  GridResult result;
  const std::uint64_t blocks = launch.grid.count();
  const bool together = launch.grid_workspace != 0;
  const std::uint64_t most = together ? blocks : most_resident(launch);
  std::uint64_t next = 0;
  std::uint64_t left = launch.max_warp_instructions;
  std::uint64_t unreported = 0;
  Blocks resident;
  Blocks idle;
  while (next < blocks || !resident.empty()) {
    while (next < blocks && resident.size() < most) {
      if (idle.empty()) idle.push_back(std::make_unique<Block>(launch));
      resident.push_back(std::move(idle.back()));
      idle.pop_back();
      resident.back()->start(next++);
      if (!together) break;
    }
    // Many blocks at once take short turns: what they wait for may be the last of them.
    const std::uint64_t alone = resident.size() == 1 ? kPatience : kPatience / 64;
    const std::uint64_t turn = together ? kShortTurn : alone;
    for (const auto& block : resident) {
      if (left == 0) throw limit_fault(*block, launch.max_warp_instructions);
      const std::uint64_t taken = block->run(std::min(turn, left));
      left -= taken;
      unreported += taken;
    }
    retire(resident, idle, result);
    if (report && unreported >= kInstructionsPerReport) {
      report(progress_of(resident, result, next, blocks));
      unreported = 0;
    }
  }
  return result;
}

}  // namespace heddle::exec
