#include "exec/livelock/livelock.h"

#include <fmt/format.h>

#include <string>

#include "exec/block/block.h"

namespace heddle::exec {

bool add_idle(Block& block, const Warp& warp, Rehearsal& rehearsal,
              std::vector<Standing>& standings) {
  const std::size_t first = standings.size();
  add_standings(block, warp, kRunning, std::nullopt, standings);
  if (warp.state == Warp::State::at_barrier) return true;
  const std::optional<Way> way = rehearsal.of_warp(block, warp);
  if (!way) return false;
  // The first are those that run.
  standings[first] = standing_of(block, warp, standings[first].lanes, *way);
  return true;
}

Activity activity_of(Block& block, Rehearsal& rehearsal, std::vector<Standing>& standings) {
  for (const Warp& warp : block.warps()) {
    if (warp.state == Warp::State::finished) continue;
    if (!add_idle(block, warp, rehearsal, standings)) return Activity::works;
  }
  return rehearsal.activity();
}

SimulatedFault livelock_fault(const std::vector<Standing>& standings,
                              std::optional<std::uint64_t> found_at) {
  std::string message = fmt::format(
      "kernel '{}': livelock: all threads that run repeat what they do, and change nothing{}\n",
      standings.front().block->launch().info().name,
      found_at ? fmt::format(" (found at cycle {})", *found_at) : std::string());
  message += describe(standings);
  const bool some_wait =
      std::any_of(standings.begin(), standings.end(),
                  [](const Standing& standing) { return standing.is_below_others; });
  if (some_wait) {
    message +=
        "\n  threads of a warp that share a reconvergence stack wait for one another: those that "
        "wait for others which spin cannot free what these try to get; with "
        "divergence.policy=dynamic-formation each goes on by itself";
  }
  return {FaultKind::livelock, message, &standings.front().block->launch()};
}

std::string quiet_notice(const std::vector<Standing>& standings, std::string_view since) {
  return fmt::format(
      "kernel '{}' is still running, and may never end: no thread has changed memory {}\n{}",
      standings.front().block->launch().info().name, since, describe(standings));
}

}  // namespace heddle::exec
