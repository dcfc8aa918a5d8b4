#pragma once

#include <cstdint>
#include <utility>

#include "base/inline_vector.h"
#include "base/lane_mask.h"
#include "base/small_vector.h"
#include "code/instruction.h"

namespace heddle::exec {

/// Which of a warp's threads execute what, and where those that a branch parted meet again: the
/// stack of Narasiman et al., Improving GPU Performance via Large Warps and Two-Level Warp
/// Scheduling (TR-HPS-2010-006), section 2.3, with calls.
///
/// The top entry runs. A branch that parts its threads leaves a join entry, which waits at the
/// branch's post-dominator with all of them, and pushes one entry for each side; an entry that gets
/// to its reconvergence point is popped. A call pushes an entry without a reconvergence point,
/// which ends when all its threads have returned.
class ReconvergenceStack {
 public:
  struct Entry {
    std::uint32_t pc = 0;
    std::uint32_t reconvergence = code::kNone;
    LaneMask mask;
    std::uint32_t frame = 0;  ///< Index into the frames: which call it belongs to.
    LaneMask arrived;         ///< Those waiting at the barrier at pc, where it waits at one.
  };
  /// One call's part of the threads' stacks. It is the same for all threads of the call.
  struct Frame {
    std::uint32_t base = 0;
    std::uint32_t top = 0;  ///< Where a callee's frame begins.
  };
  /// The threads that a branch sends to one of its targets.
  struct Side {
    LaneMask lanes;
    std::uint32_t target = 0;
  };
  using Sides = InlineVector<Side, 33>;  ///< A target per lane, and what follows the branch.

  using Entries = SmallVector<Entry, 2>;

  void start(std::uint32_t entry, LaneMask threads, std::uint32_t frame_bytes);

  bool finished() const { return entries_.empty(); }
  Entry& top() { return entries_.back(); }
  const Entry& top() const { return entries_.back(); }
  const Entries& entries() const { return entries_; }
  Frame& frame() { return frames_[top().frame]; }
  const Frame& frame() const { return frames_[top().frame]; }
  std::size_t call_depth() const { return frames_.size(); }
  /// All threads that have not exited.
  LaneMask live() const { return live_; }

  /// Continues the top entry at `pc`, popping what has thereby reconverged.
  void advance(std::uint32_t pc) {
    top().pc = pc;
    if (pc == top().reconvergence) settle();
  }
  /// The threads of `taken` go to `target`, the top entry's others to `next`; they meet at
  /// `reconvergence` (kNone: not before the end of the function). The taken side runs first.
  void branch(LaneMask taken, std::uint32_t target, std::uint32_t next,
              std::uint32_t reconvergence);
  /// As branch(), for any number of sides, which together are the top entry; the first runs first.
  void branch_many(const Sides& sides, std::uint32_t reconvergence);
  /// Calls the function at `target` with the threads of `lanes`, from the frame `caller`. The entry
  /// that calls must have been sent on to where they return: it waits for them. Calls of several
  /// functions at once are pushed one after another, the first to run last.
  void call(Frame caller, LaneMask lanes, std::uint32_t target, std::uint32_t frame_bytes);
  /// The threads of `lanes` return from the running call (in a kernel: exit), the top entry's
  /// others go to `next`.
  void leave_function(LaneMask lanes, std::uint32_t next);
  void exit(LaneMask lanes, std::uint32_t next);

  /// Notes that threads of the top entry wait at the barrier that is its next instruction.
  void arrive(LaneMask lanes) { top().arrived = lanes; }
  /// Lets another side of the same divergence run that has not arrived at a barrier, if there is
  /// one: its entry changes places with the top entry. False where there is none.
  bool rotate();
  /// The entries that have arrived at a barrier and for which `passes(entry)` holds go on behind
  /// it.
  template <class Passes>
  void release(Passes passes) {
    for (Entry& entry : entries_) {
      if (entry.arrived.empty() || !passes(std::as_const(entry))) continue;
      entry.arrived = {};
      ++entry.pc;
    }
    settle();
  }

 private:
  void part(std::uint32_t reconvergence);
  void push_side(const Entry& parted, LaneMask lanes, std::uint32_t target,
                 std::uint32_t reconvergence);
  void settle();

  Entries entries_;
  LaneMask live_;
  SmallVector<Frame, 2> frames_;
};

}  // namespace heddle::exec
