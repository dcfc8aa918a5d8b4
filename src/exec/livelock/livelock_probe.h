#pragma once

// A livelock probe executes copies of threads, without side effects. It finds out what the threads
// would do if no other thread ran.
//
// Suppose that some threads return to an earlier state (registers, stack, local memory) and change
// no memory in between. These threads then repeat the same states for ever unless other threads
// change memory. If all running threads repeat their states in this way, no thread will ever change
// memory, in whatever order the threads run: the launch is in a livelock.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "exec/block/block.h"
#include "exec/divergence/large_warp_threads.h"
#include "exec/fault/warp_status.h"
#include "exec/livelock/activity.h"
#include "exec/livelock/atomic_in_flight.h"

namespace heddle::exec {

/// The path that threads follow as long as no other thread changes memory.
struct ProbedPath {
  bool repeats = false;            ///< Whether the path returns to its start.
  std::uint32_t first_pc = 0;      ///< The lowest program counter on the path.
  std::uint32_t last_pc = 0;       ///< The highest program counter on the path.
  std::uint64_t instructions = 0;  ///< The length of the path.
  /// The location that the last atomic on the path accesses; without atomics, the location that is
  /// accessed last; std::nullopt if the path accesses neither shared nor global memory.
  std::optional<WatchedLocation> watched = std::nullopt;
};

/// Probes warps, large warps and single threads, one after another.
class LivelockProbe {
 public:
  /// `atomics`: all atomics in flight of the threads that will be probed. They must outlive the
  /// probe.
  explicit LivelockProbe(std::span<const AtomicInFlight> atomics = {}) : atomics_(atomics) {}

  // These functions return the path of the threads. They return std::nullopt if the threads may
  // make progress: if they change memory, reach a barrier or their end, or read the time.
  std::optional<ProbedPath> probe_warp(Block& block, const Warp& warp);
  std::optional<ProbedPath> probe_large_warp(const LargeWarpThreads& threads);
  /// Probes a thread that has a program counter of its own, from `pc` on. `frame` is the frame of
  /// the function that it executes.
  std::optional<ProbedPath> probe_thread(Block& block, const Warp& warp, int lane, std::uint32_t pc,
                                         const CallFrame& frame);
  /// Whether the lanes of the atomics in flight that have not been performed yet leave memory
  /// unchanged.
  bool atomics_leave_memory_unchanged() const;

  /// The activity of all threads probed so far: `quiet` or `repeats`. Valid only if a path was
  /// found for each of them.
  Activity activity() const { return is_quiet_ ? Activity::quiet : Activity::repeats; }
  /// The cost of all probes so far, in warp instructions.
  std::uint64_t effort() const { return effort_; }

 private:
  template <class Actor>
  std::optional<ProbedPath> follow(Actor& actor);
  /// Writes the results of the warp's atomics in flight to `context`, that of its copy.
  void deliver_atomics(const Warp& warp, WarpContext& context) const;

  std::span<const AtomicInFlight> atomics_;
  std::uint64_t effort_ = 0;
  bool is_quiet_ = false;  ///< Whether some probed threads repeat no state.
};

/// The status of threads that follow a probed path, for messages.
WarpStatus status_of(const Block& block, const Warp& warp, LaneMask lanes, const ProbedPath& path);

}  // namespace heddle::exec
