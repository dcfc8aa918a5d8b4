#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exec/fault/fault.h"
#include "exec/fault/standing.h"
#include "exec/launch.h"
#include "exec/livelock/rehearsal.h"

namespace heddle::exec {

/// When to look for a livelock, so seldom that it costs next to nothing, and what has been found.
class LivelockWatch {
 public:
  /// No sooner than `interval` after the last look, nor than `pause` for each warp instruction that
  /// it took; in what `now` counts.
  LivelockWatch(std::uint64_t interval, std::uint64_t pause)
      : interval_(interval), pause_(pause), next_(interval) {}

  void start(std::uint64_t now) {
    next_ = now + interval_;
    quiet_looks_ = 0;
    since_ = now;
  }
  bool due(std::uint64_t now) const { return now >= next_; }
  void looked(std::uint64_t now, std::uint64_t effort, Activity found) {
    next_ = now + std::max(interval_, effort * pause_);
    quiet_looks_ = found == Activity::works ? 0 : quiet_looks_ + 1;
    if (found == Activity::works) since_ = now;
  }
  /// Nothing has been at work for so long that somebody should know.
  bool is_notable() const { return quiet_looks_ == kNotableLooks; }
  /// When something was found at work last.
  std::uint64_t since() const { return since_; }

 private:
  static constexpr std::uint32_t kNotableLooks = 16;

  std::uint64_t interval_;
  std::uint64_t pause_;
  std::uint64_t next_;
  std::uint32_t quiet_looks_ = 0;  ///< One after the other.
  std::uint64_t since_ = 0;
};

/// Adds where a warp's threads are that moves by its own stack, if they wait at a barrier or are
/// not at work. False where they are.
bool add_idle(Block& block, const Warp& warp, Rehearsal& rehearsal,
              std::vector<Standing>& standings);
/// Of all warps of a block that runs without time.
Activity activity_of(Block& block, Rehearsal& rehearsal, std::vector<Standing>& standings);

/// Launches whose threads repeat what they do for ever. `found_at`: the cycle, where there is time.
SimulatedFault livelock_fault(const std::vector<Standing>& standings,
                              std::optional<std::uint64_t> found_at = std::nullopt);
/// What is to be told of launches whose threads have changed nothing for long: "since cycle 12".
std::string quiet_notice(const std::vector<Standing>& standings, std::string_view since);

}  // namespace heddle::exec
