#pragma once

// What threads would do if all others stood still, found out on copies of them, without a trace.
//
// Threads that come back to where they have been, registers, stack and all, and change no memory on
// the way, do the same for ever unless others change memory. If that goes for all that run, nobody
// ever will, in whatever order they run: it is a livelock, with time or without.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "exec/block/block.h"
#include "exec/divergence/large_warp_threads.h"
#include "exec/fault/standing.h"
#include "exec/livelock/activity.h"
#include "exec/livelock/atomic_under_way.h"

namespace heddle::exec {

/// What threads look at in memory.
struct Watched {
  bool atomically = false;
  bool is_shared = false;
  std::uint64_t address = 0;  ///< In shared memory, or in global.
  std::uint32_t bytes = 0;
  std::uint64_t value = 0;  ///< Its first bytes.
};

/// What threads do for as long as nobody else changes memory.
struct Way {
  bool comes_back = false;  ///< To where it began: it goes on like that for ever.
  std::uint32_t first_pc = 0;
  std::uint32_t last_pc = 0;
  std::uint64_t instructions = 0;
  std::optional<Watched> watched = std::nullopt;  ///< Of several places an atomic's, or the last.
};

class Rehearsal {
 public:
  /// Of threads that have these atomics under way, perhaps.
  explicit Rehearsal(std::span<const AtomicUnderWay> atomics = {}) : atomics_(atomics) {}

  // What they do if they change nothing; nothing is returned where they may: change memory, come
  // to a barrier or to their end, read the time.
  std::optional<Way> of_warp(Block& block, const Warp& warp);
  std::optional<Way> of_large_warp(const LargeWarpThreads& threads);
  /// Of a thread that moves by itself, from `pc` on, in a call that has that part of its stack.
  std::optional<Way> of_thread(Block& block, const Warp& warp, int lane, std::uint32_t pc,
                               const CallFrame& frame);
  /// Whether the atomics under way leave memory as it is.
  bool atomics_change_nothing() const;

  /// What all did for which a way was found.
  Activity activity() const { return is_quiet_ ? Activity::is_quiet : Activity::repeats; }
  /// What it took so far, in warp instructions.
  std::uint64_t effort() const { return effort_; }

 private:
  template <class Actor>
  std::optional<Way> follow(Actor& actor);
  void deliver_atomics(const Warp& row, LaneContext& context) const;

  std::span<const AtomicUnderWay> atomics_;
  std::uint64_t effort_ = 0;
  bool is_quiet_ = false;
};

/// Where threads are that go such a way, for messages.
Standing standing_of(const Block& block, const Warp& warp, LaneMask lanes, const Way& way);

}  // namespace heddle::exec
