#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exec/fault/fault.h"
#include "exec/fault/warp_status.h"
#include "exec/launch.h"
#include "exec/livelock/livelock_probe.h"

namespace heddle::exec {

/// Schedules livelock probes, so rarely that their cost is negligible, and tracks their results.
/// All times are cycles or, in functional runs, executed warp instructions.
class LivelockWatch {
 public:
  /// The next probe is due after the last one by `interval` or, if this is longer, by `pause` for
  /// each warp instruction that the last probe executed.
  LivelockWatch(std::uint64_t interval, std::uint64_t pause)
      : interval_(interval), pause_(pause), next_(interval) {}

  void start(std::uint64_t now) {
    next_ = now + interval_;
    quiet_probes_ = 0;
    since_ = now;
  }
  bool is_due(std::uint64_t now) const { return now >= next_; }
  /// Records the result of a probe. `effort` is its cost in warp instructions.
  void record(std::uint64_t now, std::uint64_t effort, Activity found) {
    next_ = now + std::max(interval_, effort * pause_);
    quiet_probes_ = found == Activity::works ? 0 : quiet_probes_ + 1;
    if (found == Activity::works) since_ = now;
  }
  /// Whether so many consecutive probes found no progress that the user should be notified. True
  /// after one of them only.
  bool should_notify() const { return quiet_probes_ == kNotableProbes; }
  /// The time of the last probe that found progress.
  std::uint64_t since() const { return since_; }

 private:
  static constexpr std::uint32_t kNotableProbes = 16;

  std::uint64_t interval_;
  std::uint64_t pause_;
  std::uint64_t next_;
  std::uint32_t quiet_probes_ = 0;  ///< Consecutive probes that found no progress.
  std::uint64_t since_ = 0;
};

/// Probes a warp with a stack of its own, and adds its threads' statuses for messages. Returns true
/// if the warp waits at a barrier or makes no progress. If it returns false, the added statuses
/// must not be used.
bool add_if_idle(Block& block, const Warp& warp, LivelockProbe& probe,
                 std::vector<WarpStatus>& statuses);
/// Probes the warps of a block that runs functionally, and adds their threads' statuses. Ends at
/// the first warp that makes progress (Activity::works).
Activity activity_of(Block& block, LivelockProbe& probe, std::vector<WarpStatus>& statuses);

/// The fault of launches whose threads repeat the same states for ever. `found_at` is the cycle of
/// the probe; empty without a timing model.
SimulatedFault livelock_fault(const std::vector<WarpStatus>& statuses,
                              std::optional<std::uint64_t> found_at = std::nullopt);
/// The notice about launches whose threads have long made no progress. `since` is a phrase such as
/// "since cycle 12".
std::string no_progress_notice(const std::vector<WarpStatus>& statuses, std::string_view since);

}  // namespace heddle::exec
