#include "exec/livelock/livelock.h"

#include <fmt/format.h>

#include <string>

#include "exec/block/block.h"

namespace heddle::exec {

bool add_if_idle(Block& block, const Warp& warp, LivelockProbe& probe,
                 std::vector<WarpStatus>& statuses) {
  const std::size_t top_entry = statuses.size();
  add_statuses(block, warp, kRunning, std::nullopt, statuses);
  if (warp.state == Warp::State::at_barrier) return true;
  const std::optional<ProbedPath> path = probe.probe_warp(block, warp);
  if (!path) return false;
  // The threads of the stack's top entry run. Their status was added first.
  statuses[top_entry] = status_of(block, warp, statuses[top_entry].lanes, *path);
  return true;
}

Activity activity_of(Block& block, LivelockProbe& probe, std::vector<WarpStatus>& statuses) {
  for (const Warp& warp : block.warps()) {
    if (warp.state == Warp::State::finished) continue;
    if (!add_if_idle(block, warp, probe, statuses)) return Activity::works;
  }
  return probe.activity();
}

SimulatedFault livelock_fault(const std::vector<WarpStatus>& statuses,
                              std::optional<std::uint64_t> found_at) {
  std::string message = fmt::format(
      "kernel '{}': livelock: all threads that run repeat what they do, and change nothing{}\n",
      statuses.front().block->launch().info().name,
      found_at ? fmt::format(" (found at cycle {})", *found_at) : std::string());
  message += describe(statuses);
  const bool some_wait =
      std::any_of(statuses.begin(), statuses.end(),
                  [](const WarpStatus& status) { return status.is_below_others; });
  if (some_wait) {
    message +=
        "\n  threads of a warp that share a reconvergence stack wait for one another: a thread "
        "that waits for spinning threads cannot release the lock on which they spin; with "
        "divergence.policy=dynamic-formation each thread advances independently";
  }
  return {FaultKind::livelock, message, &statuses.front().block->launch()};
}

std::string no_progress_notice(const std::vector<WarpStatus>& statuses, std::string_view since) {
  return fmt::format(
      "kernel '{}' is still running, and may never end: no thread has changed memory {}\n{}",
      statuses.front().block->launch().info().name, since, describe(statuses));
}

}  // namespace heddle::exec
