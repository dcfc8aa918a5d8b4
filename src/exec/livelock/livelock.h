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

/// Decides when to probe for livelocks, and tracks the results. Probes are so rare that their cost
/// is negligible. All times are cycles or, in functional runs, executed warp instructions.
class LivelockWatch {
 public:
  /// The time from one probe to the next is at least `interval`. It is also at least `pause` for
  /// each warp instruction that the first of the two probes executed.
  LivelockWatch(std::uint64_t interval, std::uint64_t pause)
      : interval_(interval), pause_(pause), next_(interval) {}

  /// Changes the least time from one probe to the next.
  void set_interval(std::uint64_t interval) { interval_ = interval; }
  /// Starts again, as if progress had been found at `now`.
  void start(std::uint64_t now) {
    next_ = now + interval_;
    quiet_probes_ = 0;
    last_progress_ = now;
  }
  bool is_due(std::uint64_t now) const { return now >= next_; }
  /// Records the result of a probe. `effort` is its cost in warp instructions.
  void record(std::uint64_t now, std::uint64_t effort, Activity found) {
    next_ = now + std::max(interval_, effort * pause_);
    quiet_probes_ = found == Activity::works ? 0 : quiet_probes_ + 1;
    if (found == Activity::works) last_progress_ = now;
  }
  /// Whether to notify the user now: true after exactly kNotableProbes consecutive probes without
  /// progress, so that the user is notified once.
  bool should_notify() const { return quiet_probes_ == kNotableProbes; }
  /// The time of the last probe that found progress; without such a probe, the start.
  std::uint64_t last_progress() const { return last_progress_; }

 private:
  static constexpr std::uint32_t kNotableProbes = 16;

  std::uint64_t interval_;
  std::uint64_t pause_;
  std::uint64_t next_;
  std::uint32_t quiet_probes_ = 0;  ///< Consecutive probes that found no progress.
  std::uint64_t last_progress_ = 0;
};

/// Probes a warp with a stack of its own. Returns true if the warp waits at a barrier or makes no
/// progress, and then adds the statuses of its threads, for messages. If it returns false, the
/// added statuses must not be used.
bool add_if_idle(Block& block, const Warp& warp, LivelockProbe& probe,
                 std::vector<WarpStatus>& statuses);
/// Probes the warps of a block that runs functionally, and adds the statuses of their threads.
/// Stops at the first warp that may make progress, and returns Activity::works.
Activity activity_of(Block& block, LivelockProbe& probe, std::vector<WarpStatus>& statuses);

/// The fault of launches whose threads repeat the same states for ever. `found_at` is the cycle of
/// the probe; std::nullopt without a timing model.
SimulatedFault livelock_fault(const std::vector<WarpStatus>& statuses,
                              std::optional<std::uint64_t> found_at = std::nullopt);
/// The text of the notice about launches whose threads have made no progress for long. `since` is a
/// phrase such as "since cycle 12".
std::string no_progress_notice(const std::vector<WarpStatus>& statuses, std::string_view since);

}  // namespace heddle::exec
