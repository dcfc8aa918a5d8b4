#pragma once

// Detects livelocks: executes copies of threads, without side effects, to find what the threads
// would do if all others stood still.
//
// Suppose that threads return to an earlier state (registers, stack, local memory) and change no
// memory in between. Then they repeat these states for ever unless others change memory. If that is
// true of all running threads, no thread will ever change memory, in whatever order they run: the
// launch is in a livelock.

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

/// A memory location that threads read repeatedly.
struct WatchedLocation {
  bool is_atomic = false;     ///< Accessed by an atomic, not by a load.
  bool is_shared = false;     ///< In shared memory, not in global memory.
  std::uint64_t address = 0;  ///< In that memory.
  std::uint32_t bytes = 0;
  std::uint64_t value = 0;  ///< The first 8 bytes at most.
};

/// The path that threads follow as long as no other thread changes memory.
struct ProbedPath {
  bool repeats = false;  ///< Whether the path returns to its start, and so never ends.
  std::uint32_t first_pc = 0;
  std::uint32_t last_pc = 0;
  std::uint64_t instructions = 0;
  /// One of the locations accessed: that of the last atomic or, without atomics, the last one.
  std::optional<WatchedLocation> watched = std::nullopt;
};

class LivelockProbe {
 public:
  /// `atomics` must be all atomics in flight of the threads that will be probed.
  explicit LivelockProbe(std::span<const AtomicInFlight> atomics = {}) : atomics_(atomics) {}

  // Each returns the path of the threads, or std::nullopt if they may make progress: if they change
  // memory, reach a barrier or their end, or read the time.
  std::optional<ProbedPath> probe_warp(Block& block, const Warp& warp);
  std::optional<ProbedPath> probe_large_warp(const LargeWarpThreads& threads);
  /// Probes a thread with a program counter of its own, from `pc` on. `frame` is that of its call.
  std::optional<ProbedPath> probe_thread(Block& block, const Warp& warp, int lane, std::uint32_t pc,
                                         const CallFrame& frame);
  /// Whether the atomics in flight leave memory unchanged.
  bool atomics_leave_memory_unchanged() const;

  /// The activity of all threads probed so far, if a path was found for each: quiet or repeats.
  Activity activity() const { return is_quiet_ ? Activity::quiet : Activity::repeats; }
  /// The cost of all probes so far, in warp instructions.
  std::uint64_t effort() const { return effort_; }

 private:
  template <class Actor>
  std::optional<ProbedPath> follow(Actor& actor);
  void deliver_atomics(const Warp& warp, WarpContext& context) const;

  std::span<const AtomicInFlight> atomics_;
  std::uint64_t effort_ = 0;
  bool is_quiet_ = false;
};

/// The status of threads that follow a probed path, for messages.
WarpStatus status_of(const Block& block, const Warp& warp, LaneMask lanes, const ProbedPath& path);

}  // namespace heddle::exec
